// The faults of providers: presets, a form for all others, and the active faults.

import { announce, h, reconcile } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { poll } from "../../lib/polling.js";
import { faultForm } from "./fault-form.js";
import { activeOf, always, faultText, presets, providers } from "./presets.js";
import { provider } from "./provider.js";

export function openFaults() {
  let faults = [];
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const switches = presets.map((preset) => ({
    preset,
    button: h("button", { type: "button", role: "switch", "aria-checked": "false", title: preset.hint,
      onclick: () => act(() => toggle(preset)) }, preset.title),
  }));
  const allOff = h("button", { type: "button", className: "danger", hidden: true,
    onclick: () => act(() => provider("DELETE", "faults")) }, "All off");
  const rows = h("tbody");
  const table = h("table", { className: "panel active-faults", hidden: true },
    h("caption", {}, "Active faults"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Provider"), h("th", { scope: "col" }, "Fault"),
      h("th", { scope: "col" }, "Left"), h("td", {}))),
    rows);
  const form = faultForm((fault) => act(() => provider("POST", "faults", fault)));
  const element = h("section", { "aria-label": "Faults" },
    h("div", { className: "bar" }, h("h2", {}, "Faults"), allOff),
    h("p", { className: "hint" }, "A click switches a fault on or off. Functions see the real provider's behavior."),
    h("div", { className: "bar switches" }, switches.map(({ button }) => button)),
    error, table,
    h("details", { className: "panel" }, h("summary", {}, "Any other fault"), form));

  /** Performs a request and updates the list, or shows the error. */
  async function act(work) {
    try {
      await work();
      error.hidden = true;
      await polling.now();
    } catch (failure) {
      error.hidden = false;
      error.textContent = failure.message;
    }
  }

  const remove = (fault) => provider("DELETE", `faults/${fault.id}`);

  async function toggle(preset) {
    const active = activeOf(preset, faults);
    if (active.length > 0) {
      for (const fault of active) await remove(fault);
      return announce(`${preset.title}: off`);
    }
    // Of a provider's faults, only the first applies. An endless one must be removed before the new one can apply.
    for (const fault of faults) {
      if (preset.providers.includes(fault.provider) && fault.times > always / 2) await remove(fault);
    }
    for (const name of preset.providers) {
      await provider("POST", "faults", { provider: name, times: always, ...preset.fault });
    }
    announce(`${preset.title}: on`);
  }

  function left({ after, times }) {
    const count = times > always / 2 ? "until switched off" : `${number(times)} request${times === 1 ? "" : "s"}`;
    return after > 0 ? `${count}, after ${number(after)} more` : count;
  }

  async function show() {
    ({ faults } = await provider("GET", "faults"));
    for (const { preset, button } of switches) {
      button.setAttribute("aria-checked", activeOf(preset, faults).length > 0 ? "true" : "false");
    }
    allOff.hidden = table.hidden = faults.length === 0;
    reconcile(rows, faults, {
      key: ({ id }) => id,
      make: (fault) => h("tr", {},
        h("td", {}, providers.find(([name]) => name === fault.provider)?.[1] ?? fault.provider),
        h("td", {}, faultText(fault)), h("td", { className: "left" }, left(fault)),
        h("td", {}, h("button", { type: "button", onclick: () => act(() => remove(fault)),
          "aria-label": `Switch off: ${fault.provider} ${faultText(fault)}` }, "Switch off"))),
      update: (row, fault) => (row.querySelector(".left").textContent = left(fault)),
    });
  }

  const polling = poll(show);
  return { element, first: polling.first, close: polling.close };
}

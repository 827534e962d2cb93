// A form for every fault that a fake can simulate.

import { fill, h } from "../../lib/dom.js";
import { kindsOf, membersOf, providers } from "./presets.js";

const options = (pairs) => pairs.map(([value, text]) => h("option", { value }, text));

/** Creates the form. submit(fault) is called with the JSON of POST /providers/faults. */
export function faultForm(submit) {
  const number = (properties) => h("input", { type: "number", step: 1, ...properties });
  const provider = h("select", { onchange: showKinds }, options(providers));
  const kind = h("select", { onchange: showMembers });
  const times = number({ min: 1, max: 1_000_000, value: 1, required: true });
  const after = number({ min: 0, max: 1_000_000, value: 0, required: true });
  const members = {
    status: number({ min: 200, max: 599, placeholder: "503" }),
    code: h("input", { type: "text", placeholder: "UNAVAILABLE", spellcheck: false }),
    retryAfter: h("input", { type: "text", placeholder: "2", spellcheck: false }),
    delay: number({ min: 0, max: 600_000, placeholder: "0" }),
  };
  const titles = { status: "Status", code: "Error code", retryAfter: "Retry-After", delay: "Delay (ms)" };
  const fields = Object.entries(members).map(([name, input]) => ({
    name, input, label: h("label", {}, titles[name], input),
  }));

  function showKinds() {
    const former = kind.value;
    fill(kind, options(kindsOf(provider.value)));
    if (kindsOf(provider.value).some(([name]) => name === former)) kind.value = former;
    showMembers();
  }

  function showMembers() {
    const shown = membersOf(kind.value);
    for (const { name, label } of fields) label.hidden = !shown.includes(name);
    members.status.required = kind.value === "status";
    members.delay.required = kind.value === "delay";
  }

  function read() {
    const shown = membersOf(kind.value);
    const value = (name) => (shown.includes(name) ? members[name].value.trim() : "");
    return {
      provider: provider.value, kind: kind.value, times: Number(times.value), after: Number(after.value),
      ...(value("status") && { status: Number(value("status")) }),
      ...(value("code") && { code: value("code") }),
      ...(value("retryAfter") && { headers: { "retry-after": value("retryAfter") } }),
      ...(value("delay") && { delayMilliseconds: Number(value("delay")) }),
    };
  }

  showKinds();
  return h("form", { className: "fault-form", onsubmit: (event) => {
    event.preventDefault();
    submit(read());
  } },
    h("label", {}, "Provider", provider), h("label", {}, "Fault", kind),
    fields.map(({ label }) => label),
    h("label", {}, "Number of requests", times), h("label", {}, "Requests before it", after),
    h("button", { type: "submit", className: "primary" }, "Switch on"));
}

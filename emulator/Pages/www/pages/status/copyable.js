// Text with a copy button, and tabs.

import { copyButton } from "../../lib/copy-button.js";
import { h } from "../../lib/dom.js";

/** Creates the lines with a button that copies them. */
export function copyable(title, text) {
  const pre = h("pre", { className: "panel", tabIndex: 0, "aria-label": title }, text);
  const button = copyButton({ text, title: `Copy: ${title}`, source: pre });
  return h("div", { className: "copyable" }, pre, button);
}

/** Creates tabs of {title, text, note}, of which the selected one is shown. */
export function tabs(label, entries) {
  const buttons = entries.map(({ title }, index) => h("button", {
    type: "button", role: "tab", id: `tab-${index}`, "aria-controls": `panel-${index}`,
    onclick: () => choose(index),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (index + step + entries.length) % entries.length;
      choose(next);
      buttons[next].focus();
    },
  }, title));
  const panels = entries.map(({ title, text, note }, index) =>
    h("div", { role: "tabpanel", id: `panel-${index}`, "aria-labelledby": `tab-${index}` }, copyable(title, text),
      note && h("p", { className: "faint" }, note)));
  function choose(chosen) {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-selected", index === chosen ? "true" : "false");
      button.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    }
  }
  choose(0);
  return h("div", {}, h("div", { role: "tablist", "aria-label": label }, buttons), panels);
}

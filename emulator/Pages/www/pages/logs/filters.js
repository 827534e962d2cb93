// The filters of the log lines: by function, event, severity and text.

import { fill, h } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";
import { said } from "../../lib/format.js";

const severities = [
  "DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY",
];

/**
 * Creates the filters. onChange() is called after a change. members are the address's query; asked are the parameters
 * of GET /api/logs.
 */
export function logFilters(query, onChange) {
  const functions = new Set(query.get("function") ? [query.get("function")] : []);
  const value = (name) => query.get(name) ?? "";
  const selected = h("select", { onchange: onChange });
  const severity = h("select", { onchange: onChange },
    h("option", { value: "" }, "any"),
    severities.slice(1).map((name) => h("option", { value: name }, `${name} and worse`)));
  const event = h("input", { type: "search", value: value("event"), onchange: onChange, size: 22, spellcheck: false });
  const text = h("input", { type: "search", value: value("text"), oninput: later, onchange: onChange });
  severity.value = severities.includes(value("severity")) ? value("severity") : "";
  let timer;

  /** Delays the request while the user types. */
  function later() {
    clearTimeout(timer);
    // The user may have left the page while it loaded: its text field is then no longer in the document.
    timer = setTimeout(() => text.isConnected && onChange(), 250);
  }

  function showFunctions(chosen) {
    fill(selected, h("option", { value: "" }, "all"),
      [...functions].sort().map((name) => h("option", { value: name }, name)));
    selected.value = chosen;
  }
  showFunctions(value("function"));

  const members = () => ({
    function: selected.value, event: event.value.trim(), severity: severity.value, text: text.value,
  });

  return {
    element: h("form", { className: "bar filters", role: "search", onsubmit: (event) => event.preventDefault() },
      h("label", {}, "Function", selected), h("label", {}, "Severity", severity),
      h("label", {}, "Event", event), h("label", {}, "Text", text)),
    get members() {
      return members();
    },
    get asked() {
      const { event: eventId, ...others } = members();
      return Object.fromEntries(Object.entries({ ...others, eventId }).filter(([, value]) => value));
    },
    matches(entry) {
      const { function: name, event: eventId, severity: least, text: part } = members();
      return (!name || entry.function === name) && (!eventId || entry.eventId === eventId)
        && severities.indexOf(entry.severity) >= severities.indexOf(least || "DEFAULT")
        && (!part || said(entry).toLowerCase().includes(part.toLowerCase()));
    },
    /** Offers the existing functions. */
    async load() {
      for (const { name } of await api.get("functions")) functions.add(name);
      showFunctions(selected.value);
    },
    close: () => clearTimeout(timer),
    /** Offers functions that have written log lines, too. */
    know(entries) {
      const { size } = functions;
      for (const entry of entries) functions.add(entry.function);
      if (functions.size > size) showFunctions(selected.value);
    },
  };
}

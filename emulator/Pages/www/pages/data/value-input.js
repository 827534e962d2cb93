// An input for a value of any type: a choice of the type, and an input that depends on it.

import { fill, h } from "../../lib/dom.js";
import { warning } from "../../lib/marked-text.js";
import { valueOf } from "./reading.js";
import { names, textOf, typeOf } from "./types.js";

const hints = {
  integer: "64-bit integer, exact", double: "1.5, 2e10, NaN, Infinity, -Infinity, -0",
  timestamp: "2026-05-17T09:30:00.123456Z", bytes: "base64", reference: "users/sarah",
  geoPoint: "latitude, longitude", vector: "numbers, separated by commas",
};
const isLong = (type) => ["string", "bytes", "vector"].includes(type);

/**
 * Creates the input. value is the initial value; root is the name of the database's documents. read() returns the
 * entered value, or throws an Error that describes what is wrong with the text.
 */
export function valueInput({ value = { stringValue: "" }, root, types = Object.keys(names), label = "Value" }) {
  const first = typeOf(value);
  let text = textOf(value, root);
  let control = null;
  const note = h("small", { className: "note", role: "status" });
  const place = h("div", { className: "value-control" });
  const choice = h("select", { "aria-label": `Type of ${label.toLowerCase()}`, onchange: show },
    types.map((type) => h("option", { value: type, selected: type === first }, names[type])));

  function show() {
    if (control) text = control.value;
    const type = choice.value;
    const properties = { "aria-label": label, dir: type === "string" ? "auto" : "ltr", spellcheck: false };
    const hint = hints[type];
    if (type === "boolean") {
      control = h("select", { "aria-label": label },
        ["true", "false"].map((word) => h("option", { value: word, selected: text === word }, word)));
    } else if (["null", "map", "array"].includes(type)) {
      control = null;
    } else {
      control = isLong(type)
        ? h("textarea", { ...properties, rows: type === "string" ? 4 : 3, placeholder: hint })
        : h("input", { ...properties, type: "text", autocomplete: "off", placeholder: hint });
      control.value = text;
      if (type === "string") control.addEventListener("input", () => (note.textContent = warning(control.value)));
    }
    const keeps = type === first ? "The contents are kept. Edit them in the document." : "It starts empty.";
    note.textContent = type === "string" ? warning(text) : "";
    fill(place, control ?? (type === "null" ? null : h("small", { className: "note" }, keeps)));
  }
  show();

  return {
    element: h("div", { className: "value-input" }, choice, place, note),
    focus: () => (control ?? choice).focus(),
    read() {
      const type = choice.value;
      if (type === first && ["map", "array"].includes(type)) return value;
      // A text input normalizes line ends.
      if (type === "string" && first === "string" && control.value === value.stringValue.replaceAll(/\r\n?/g, "\n")) {
        return value;
      }
      return valueOf(type, control?.value ?? "", root);
    },
  };
}

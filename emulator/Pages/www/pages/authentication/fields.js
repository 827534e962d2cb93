// The labelled inputs of the dialogs.

import { h } from "../../lib/dom.js";

/** Creates a text field. The properties are those of the input. Returns {input, element}. */
export function textField(label, properties = {}) {
  const input = h("input", { type: "text", autocomplete: "off", spellcheck: false, dir: "auto", ...properties });
  return { input, element: h("label", { className: "stacked" }, label, input) };
}

// The dialogs that edit, add and delete a field of a document.

import { openDialog } from "../../lib/dialog.js";
import { h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";
import { valueAt } from "./changes.js";
import { changer } from "./conflict.js";
import { isContainer, summary } from "./types.js";
import { valueInput } from "./value-input.js";

const at = (document, path) => valueAt({ mapValue: { fields: document.fields ?? {} } }, path);
const title = (path) => path.map(String).join(" › ");

function nameInput(name) {
  const input = h("input", { type: "text", required: true, autocomplete: "off", spellcheck: false, dir: "auto" });
  input.value = name;
  return { input, element: h("label", { className: "stacked" }, "Name", input) };
}

/** Edits a field's value, type or name. */
export function editField({ firestore, root, document, path }) {
  const before = at(document, path);
  const key = path.at(-1);
  const { panel, commit } = changer(firestore, document);
  const value = valueInput({ value: before, root });
  const name = typeof key === "string" ? nameInput(key) : null;
  openDialog({
    title: `Edit ${title(path)}`, action: "Save", body: [name?.element, value.element, panel],
    confirm() {
      const next = value.read();
      const target = name ? [...path.slice(0, -1), name.input.value] : path;
      if (!name || name.input.value === key) return commit([{ path, value: next }]);
      if (at(document, target)) throw new Error("A field with this name already exists.");
      return commit([{ path, value: undefined }, { path: target, value: next }]);
    },
  });
  value.focus();
}

/** Adds a field to the document (an empty path) or to a map, or an element to the end of an array. */
export function addField({ firestore, root, document, path }) {
  const container = path.length ? at(document, path) : { mapValue: {} };
  const { panel, commit } = changer(firestore, document);
  const value = valueInput({ root });
  const name = container.mapValue ? nameInput("") : null;
  openDialog({
    title: path.length ? `Add to ${title(path)}` : "Add a field", action: "Add",
    body: [name?.element, value.element, panel],
    confirm() {
      const key = name ? name.input.value : (container.arrayValue.values?.length ?? 0);
      const target = [...path, key];
      if (at(document, target)) throw new Error("A field with this name already exists.");
      return commit([{ path: target, value: value.read() }]);
    },
  });
  (name?.input ?? value).focus();
}

export function removeField({ firestore, document, path }) {
  const before = at(document, path);
  const { panel, commit } = changer(firestore, document);
  const inside = isContainer(before) ? " with its contents" : "";
  openDialog({
    title: `Delete ${title(path)}?`, action: "Delete", isDangerous: true,
    body: [h("p", { dir: "auto" }, marked(summary(before, 200)), inside), panel],
    confirm: () => commit([{ path, value: undefined }]),
  });
}

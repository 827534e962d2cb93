// The dialog for a new document with its first fields, which also creates a collection.

import { openDialog } from "../../lib/dialog.js";
import { h } from "../../lib/dom.js";
import { creation } from "./changes.js";
import { valueInput } from "./value-input.js";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Returns a random ID of 20 characters with equal probabilities, like those of the SDKs. */
export function newID() {
  let id = "";
  while (id.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(40))) {
      if (byte < letters.length * 4 && id.length < 20) id += letters[byte % letters.length];
    }
  }
  return id;
}

/**
 * Opens the dialog. collection is the collection's path; without it, the user names a collection of `parent`.
 * onDone(path) is called with the new document's path.
 */
export function addDocument({ firestore, root, collection = null, parent = "", onDone }) {
  const field = (label, properties) => {
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: false, dir: "auto", ...properties });
    return { input, element: h("label", { className: "stacked" }, label, input) };
  };
  const collectionId = collection === null ? field("Collection", { required: true }) : null;
  const id = field("Document ID (leave empty to generate one)", { placeholder: newID() });
  const rows = new Set();
  const list = h("div", { className: "inputs" });

  function addRow() {
    const name = field("Name", { required: true });
    const value = valueInput({ root });
    const row = { name: name.input, value };
    const element = h("div", { className: "new-field" }, name.element, value.element,
      h("button", { type: "button", className: "quiet", "aria-label": "Remove this field", onclick: () => {
        rows.delete(row);
        element.remove();
      } }, "✕"));
    rows.add(row);
    list.append(element);
    name.input.focus();
  }

  openDialog({
    title: collection === null ? "New collection" : `Add a document to ${collection}`, action: "Add",
    body: [collectionId?.element, id.element, list, h("button", { type: "button", onclick: addRow }, "Add field")],
    async confirm() {
      const place = collection ?? [parent, collectionId.input.value].filter((part) => part !== "").join("/");
      const path = `${place}/${id.input.value || id.input.placeholder}`;
      if (path.split("/").length !== place.split("/").length + 1 || place.split("/").length % 2 === 0) {
        throw new Error("An ID can't contain a slash.");
      }
      const fields = [...rows].map(({ name, value }) => [name.value, value.read()]);
      if (new Set(fields.map(([name]) => name)).size < fields.length) throw new Error("Two fields have the same name.");
      await firestore.commit([creation(`${root}/${path}`, Object.fromEntries(fields))]);
      onDone(path);
    },
  });
}

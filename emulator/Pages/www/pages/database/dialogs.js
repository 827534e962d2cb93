// The dialogs that edit, add and delete a node.

import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";

/** The number of characters of JSON beyond which a node isn't edited as a text. */
const editableLength = 200_000;

const nameOf = (path) => `/${path.join("/")}`;

/** Edits the data of a node. If it has changed meanwhile, the change is confirmed first. */
export async function editNode({ database, path, asker }) {
  let { data, tag } = await database.read(path);
  const input = valueInput(data);
  openDialog({
    title: `Edit ${nameOf(path)}`, action: "Save", asker, body: input.element,
    async confirm() {
      try {
        await database.replace(path, input.json(), tag);
      } catch (error) {
        if (error.status !== 412) throw error;
        ({ tag } = await database.read(path));
        throw new Error("The data has changed since this dialog was opened. Save again to replace it.");
      }
      announce("Saved");
    },
  });
}

/** Adds a child to a node, with a new key if none is given. */
export function addNode({ database, path, asker }) {
  const key = h("input", { type: "text", placeholder: "empty for a new key", spellcheck: false });
  const input = valueInput("");
  openDialog({
    title: `Add to ${nameOf(path)}`, action: "Add", asker,
    body: [h("label", { className: "stacked" }, "Key", key), input.element],
    async confirm() {
      const json = input.json();
      if (key.value === "") {
        await database.push(path, json);
      } else {
        const place = [...path, key.value];
        if ((await database.read(place)).data !== null) throw new Error(`${nameOf(place)} has data already: edit it.`);
        await database.replace(place, json);
      }
      announce("Added");
    },
  });
}

/** Deletes a node. If it has changed meanwhile, that is confirmed first. */
export async function removeNode({ database, path, asker }) {
  let { tag } = await database.read(path);
  openDialog({
    title: `Delete ${nameOf(path)}?`, action: "Delete", isDangerous: true, asker,
    body: h("p", { className: "note" }, "The node and everything below it are deleted."),
    async confirm() {
      try {
        await database.remove(path, tag);
      } catch (error) {
        if (error.status !== 412) throw error;
        ({ tag } = await database.read(path));
        throw new Error("The data has changed since this dialog was opened. Delete again to delete it anyway.");
      }
      announce("Deleted");
    },
  });
}

/** Creates an input for data: a text as it is, or JSON. */
function valueInput(data) {
  const text = JSON.stringify(data, null, 2);
  if (text.length > editableLength) {
    throw new Error(`The data has ${number(text.length)} characters: export it, and import the changed file.`);
  }
  const isText = typeof data === "string";
  const kind = h("select", {}, h("option", { value: "text", selected: isText }, "Text"),
    h("option", { value: "json", selected: !isText }, "JSON: a number, true, false, or an object"));
  const value = h("textarea", { rows: isText || text.length < 60 ? 2 : 12, spellcheck: false, value: isText ? data : text });
  return {
    element: [h("label", { className: "stacked" }, "Type", kind), h("label", { className: "stacked" }, "Value", value)],
    /** Returns the data as JSON. */
    json() {
      if (kind.value === "text") return JSON.stringify(value.value);
      try {
        JSON.parse(value.value);
      } catch (error) {
        throw new Error(`This isn't JSON: ${error.message}`);
      }
      return value.value;
    },
  };
}

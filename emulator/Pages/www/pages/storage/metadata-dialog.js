// The dialog that edits an object's metadata.

import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";
import { customOf, isTokensName, metadata, update } from "../../lib/storage.js";

const attributes = [
  ["contentType", "Type", "such as image/png"],
  ["cacheControl", "Cache-Control", "such as public, max-age=3600"],
  ["contentDisposition", "Disposition", "such as attachment; filename=\"a.png\""],
  ["contentLanguage", "Language", "such as it"],
];

/** Edits the metadata. If it has changed meanwhile, the change is confirmed first. */
export function editMetadata({ object, asker, onDone }) {
  let version = object;
  const inputs = attributes.map(([name, label, placeholder]) => {
    const input = h("input", { type: "text", value: object[name] ?? "", placeholder, autocomplete: "off", spellcheck: false });
    return { name, input, element: h("label", { className: "stacked" }, label, input) };
  });
  const before = new Map(customOf(object));
  const rows = h("div", { className: "custom" });
  rows.append(...[...before].map(([name, value]) => customRow(name, value)));
  const add = h("button", { type: "button", onclick: () => {
    const row = customRow("", "");
    rows.append(row);
    row.querySelector("input").focus();
  } }, "Add custom metadata");

  function patch() {
    const changes = inputs.filter(({ name, input }) => input.value !== (object[name] ?? ""))
      .map(({ name, input }) => [name, input.value === "" ? null : input.value]);
    const custom = customChanges(before, rows);
    if (custom.length > 0) changes.push(["metadata", Object.fromEntries(custom)]);
    return Object.fromEntries(changes);
  }

  openDialog({
    title: "Edit metadata", action: "Save", asker,
    body: [inputs.map(({ element }) => element), h("h3", {}, "Custom metadata"), rows, add],
    async confirm() {
      const changes = patch();
      if (Object.keys(changes).length === 0) return;
      try {
        await update(version, changes);
      } catch (error) {
        if (error.status !== 412 && error.status !== 404) throw error;
        version = await metadata(object.bucket, object.name);
        if (!version) throw new Error("The object was deleted.");
        throw new Error("The object has changed since this dialog was opened. Save again to change it anyway.");
      }
      announce("Saved");
      await onDone();
    },
  });
}

/** Creates the inputs of one member of the custom metadata. */
function customRow(name, value) {
  const row = h("div", { className: "custom-row", role: "group", "aria-label": name || "New custom metadata" },
    h("input", { type: "text", value: name, placeholder: "Name", "aria-label": "Name", spellcheck: false, dir: "auto" }),
    h("textarea", { rows: 1, value, placeholder: "Value", "aria-label": "Value", spellcheck: false, dir: "auto" }),
    h("button", { type: "button", "aria-label": `Remove ${name || "this row"}`, onclick: () => row.remove() }, "Remove"));
  return row;
}

/** Returns the changes of the custom metadata as pairs: a name, and its new value or null. */
function customChanges(before, rows) {
  const after = new Map();
  for (const row of rows.children) {
    const [name, value] = [row.querySelector("input").value, row.querySelector("textarea").value];
    if (name === "" && value === "") continue;
    if (name === "") throw new Error(`The value “${value.slice(0, 100)}” needs a name.`);
    if (isTokensName(name)) throw new Error(`${name} has the download tokens: change them under Links.`);
    if (after.has(name)) throw new Error(`“${name}” is there twice.`);
    after.set(name, value);
  }
  const removed = [...before.keys()].filter((name) => !after.has(name)).map((name) => [name, null]);
  // A textarea has no other line breaks than \n.
  const isSame = (name, value) => before.get(name)?.replaceAll(/\r\n?/g, "\n") === value;
  return [...removed, ...[...after].filter(([name, value]) => !isSame(name, value))];
}

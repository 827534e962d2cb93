// Edit conflicts: if another client has changed the document, both versions are shown and the user decides.

import { fill, h } from "../../lib/dom.js";
import { Failure } from "../../lib/emulator.js";
import { pathOf } from "../../lib/firestore.js";
import { marked } from "../../lib/marked-text.js";
import { valueAt, write } from "./changes.js";
import { summary } from "./types.js";

/**
 * Creates an editor of a document as it was read. Its commit(changes) can be called again after a conflict; `panel`
 * then shows both versions. A change is {path, value}.
 */
export function changer(firestore, opened) {
  let document = opened;
  const panel = h("div", { className: "conflict", role: "alert", hidden: true });

  /** Commits the changes. Returns false after a conflict, which the user must confirm. */
  async function commit(changes) {
    try {
      await firestore.commit([write(document, changes)]);
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "FAILED_PRECONDITION") throw error;
    }
    const now = await firestore.get(pathOf(opened.name));
    if (!now) throw new Error("The document was deleted meanwhile.");
    document = now;
    show(changes.at(-1), now);
    return false;
  }

  function show({ path, value }, now) {
    const text = (value) => (value ? marked(summary(value, 400)) : h("em", {}, "missing"));
    const at = (document) => text(valueAt({ mapValue: { fields: document.fields ?? {} } }, path));
    const row = (title, content) => h("tr", {}, h("th", { scope: "row" }, title), h("td", { dir: "auto" }, content));
    fill(panel,
      h("p", {}, "Another client has changed the document. Save again to overwrite the current value with yours."),
      h("table", {}, h("tbody", {},
        row("Original", at(opened)), row("Current", at(now)), row("Yours", text(value)))));
    panel.hidden = false;
  }

  return { panel, commit };
}

// A change of a document that somebody else has changed meanwhile: both are shown, and the person decides.

import { fill, h } from "../../lib/dom.js";
import { Failure } from "../../lib/emulator.js";
import { pathOf } from "../../lib/firestore.js";
import { valueAt, write } from "./changes.js";
import { marked } from "./marked-text.js";
import { summary } from "./types.js";

/**
 * Commits changes of one document as it was read, again and again as long as it is told to. changes() gives
 * {path, value}; `panel` shows both versions where the document is another one by then.
 */
export function changer(firestore, opened) {
  let document = opened;
  const panel = h("div", { className: "conflict", role: "alert", hidden: true });

  /** Returns false if it has to be asked for again. */
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
    const text = (value) => (value ? marked(summary(value, 400)) : h("em", {}, "not there"));
    const at = (document) => text(valueAt({ mapValue: { fields: document.fields ?? {} } }, path));
    const row = (title, content) => h("tr", {}, h("th", { scope: "row" }, title), h("td", { dir: "auto" }, content));
    fill(panel,
      h("p", {}, "The document has changed since you began. Save again to write yours over what is there now."),
      h("table", {}, h("tbody", {},
        row("You began with", at(opened)), row("There now", at(now)), row("Yours", text(value)))));
    panel.hidden = false;
  }

  return { panel, commit };
}

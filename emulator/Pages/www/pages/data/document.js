// The view of a document: its live fields, and the buttons that change or delete it.

import { fill, h } from "../../lib/dom.js";
import { idOf } from "../../lib/firestore.js";
import { wholeTime } from "../../lib/format.js";
import { listen } from "../../lib/listeners.js";
import { marked } from "../../lib/marked-text.js";
import { whyLink } from "./address.js";
import { addField, editField, removeField } from "./field-dialogs.js";
import { fieldTree } from "./field-tree.js";
import { removeDocument } from "./removal.js";

/** Creates the view. Returns {element, close}. onDeleted() is called after the document was deleted here. */
export function documentView({ firestore, root, path, onDeleted }) {
  const name = `${root}/${path}`;
  let document = null;
  /** A Boolean value that indicates whether it is known that there is no document. */
  let isMissing = false;
  let frame = null;
  const context = () => ({ firestore, root, document });
  const tree = fieldTree(root, {
    edit: (path) => editField({ ...context(), path }),
    add: (path) => addField({ ...context(), path }),
    remove: (path) => removeField({ ...context(), path }),
  });
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const state = h("p", { className: "empty" }, "Reading…");
  const times = h("p", { className: "times" });
  const add = h("button", { type: "button", hidden: true, onclick: () => addField({ ...context(), path: [] }) },
    "Add field");
  const remove = h("button", { type: "button", className: "danger", onclick: askToRemove }, "Delete document");
  const element = h("div", { className: "document" },
    h("div", { className: "pane-bar" }, h("h3", { dir: "auto" }, marked(idOf(path))), add, remove),
    times, problem, state, tree.element);

  async function askToRemove() {
    try {
      await removeDocument({ firestore, root, path, isMissing, asker: remove, onDone: onDeleted });
    } catch (error) {
      failed(error);
    }
  }

  function failed(error) {
    if (error.status === 403) {
      state.hidden = tree.element.hidden = add.hidden = true;
      fill(times);
    }
    fill(problem, error.message, error.status === 403 && [" ", whyLink(firestore.uid, path)]);
    problem.hidden = false;
  }

  function show() {
    const fields = document?.fields ?? {};
    const isEmpty = Object.keys(fields).length === 0;
    problem.hidden = true;
    add.hidden = !document;
    state.hidden = Boolean(document) && !isEmpty;
    state.textContent = document
      ? "This document has no fields."
      : "There is no such document. It may still have subcollections.";
    tree.element.hidden = isEmpty;
    tree.update(fields);
    fill(times, document && [
      "changed ", moment(document.updateTime), " · created ", moment(document.createTime),
    ]);
  }

  function moment(text) {
    return h("time", { dateTime: text, title: text }, wholeTime(text));
  }

  // Frequent changes are drawn at most once per frame.
  const stop = listen({ documents: { documents: [name] } }, ({ documents }) => {
    document = documents.get(name) ?? null;
    isMissing = !document;
    frame ??= requestAnimationFrame(() => {
      frame = null;
      show();
    });
  }, failed, firestore.user);

  return {
    element,
    close() {
      stop();
      cancelAnimationFrame(frame);
    },
  };
}

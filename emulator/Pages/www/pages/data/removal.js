// The dialogs that delete documents and collections together with their subcollections.

import { openDialog } from "../../lib/dialog.js";
import { h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";

const portion = 400;
const byName = [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }];

/** A query for all documents below a document, at any depth; for the root, all documents. */
const below = { from: [{ allDescendants: true }] };

/**
 * Returns a query for a collection's documents and everything below them: a range between the least and greatest
 * possible names.
 */
function within(root, collection) {
  const position = (path) => ({ values: [{ referenceValue: `${root}/${path}` }], before: true });
  return {
    ...below, orderBy: byName,
    startAt: position(`${collection}/__id-9223372036854775808__`), endAt: position(`${collection}\u0001/x`),
  };
}

const parentOf = (collection) => collection.split("/").slice(0, -1).join("/");

async function removeAll(firestore, query, parent, tell) {
  let count = 0;
  for (;;) {
    const named = { ...query, select: { fields: [{ fieldPath: "__name__" }] }, orderBy: byName, limit: portion };
    const documents = await firestore.query(named, parent);
    if (documents.length === 0) return;
    await firestore.commit(documents.map(({ name }) => ({ delete: name })));
    count += documents.length;
    if (!tell(count)) throw new Error(`Stopped after ${number(count)} documents.`);
  }
}

/** Creates a progress display. tell(count) updates it and returns whether to continue. */
function progress() {
  const element = h("p", { className: "note", role: "status" });
  const state = { element, isWanted: true, tell: (count) => {
    element.textContent = `${number(count)} deleted…`;
    return state.isWanted;
  } };
  return state;
}

const note = () => h("p", { className: "note" }, "Functions with a trigger for deletions run for each document.");

export async function removeDocument({ firestore, root, path, isMissing, asker, onDone }) {
  const state = progress();
  // An app can't count what is below a document.
  const count = firestore.user ? 0 : await firestore.count(below, path);
  const deep = h("input", { type: "checkbox", checked: isMissing, disabled: isMissing });
  openDialog({
    title: `Delete ${path}?`, action: "Delete", isDangerous: true, asker,
    body: [
      count > 0
        ? h("label", {}, deep, `also the ${number(count)} ${count === 1 ? "document" : "documents"} below it`)
        : h("p", {}, firestore.user ? "Its subcollections stay." : "It has no subcollections."),
      note(), state.element,
    ],
    async confirm() {
      if (deep.checked) await removeAll(firestore, below, path, state.tell);
      await firestore.commit([{ delete: `${root}/${path}` }]);
      onDone();
    },
    onClose: () => (state.isWanted = false),
  });
}

export async function removeCollection({ firestore, root, collection, asker, onDone }) {
  const state = progress();
  const query = within(root, collection);
  const count = await firestore.count(query, parentOf(collection));
  openDialog({
    title: `Delete the collection ${collection}?`, action: `Delete ${number(count)} documents`, isDangerous: true,
    asker,
    body: [
      h("p", {}, `This deletes its documents and everything below them: ${number(count)} in all.`), note(), state.element,
    ],
    async confirm() {
      await removeAll(firestore, query, parentOf(collection), state.tell);
      onDone();
    },
    onClose: () => (state.isWanted = false),
  });
}

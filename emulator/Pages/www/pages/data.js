// The data page: collections, the documents of a collection or query, and a document, side by side.

import { fill, h } from "../lib/dom.js";
import { stream } from "../lib/emulator.js";
import { Firestore } from "../lib/firestore.js";
import { marked } from "../lib/marked-text.js";
import { navigate } from "../lib/router.js";
import { userField, userOf } from "../lib/user-field.js";
import { actAs, dataPath } from "./data/address.js";
import { collectionList } from "./data/collections.js";
import { documentView } from "./data/document.js";
import { documentList } from "./data/documents.js";
import { addDocument } from "./data/new-document.js";
import { queryForm } from "./data/query-form.js";
import { parse, text } from "./data/query.js";
import { removeCollection } from "./data/removal.js";
import { clearAll, importDocuments } from "./data/transfer.js";

export async function open(main, location) {
  const admin = new Firestore();
  /** The client of the user as whom the page reads and writes, or of an administrator. */
  let firestore = await clientOf(location.query.get("as") ?? "");
  let root = await admin.root();
  /** The content of each column: {key, view}. */
  const columns = { below: null, collections: null, documents: null, document: null };
  let shown = null;
  let updates = 0;

  const acting = userField({ label: "As", empty: "administrator", uid: firestore.uid ?? "", changed: (uid) => {
    navigate(dataPath(shown.path.join("/"), shown.q, uid));
  } });
  const crumbs = h("nav", { "aria-label": "Path", className: "crumbs" });
  const collections = pane("Collections");
  const documents = pane("Documents");
  const documentPane = pane("Document");
  const panes = h("div", { className: "panes" }, collections.element, documents.element, documentPane.element);
  main.append(
    h("div", { className: "bar" },
      h("h1", {}, "Data"), crumbs, h("span", { className: "space" }), acting.element,
      button("Import…", () => importDocuments({ onDone: refresh })),
      h("a", { className: "button", href: "/api/export", download: "" }, "Export"),
      button("Clear all…", (asker) => clearAll({ firestore: admin, asker, onDone: refresh }), "danger")),
    panes,
  );

  function button(label, onclick, className = "") {
    const perform = async () => {
      try {
        await onclick(element);
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      }
    };
    const element = h("button", { type: "button", className, onclick: perform }, label);
    return element;
  }
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  panes.before(problem);

  /** Creates a column with a heading, actions and a content element. */
  function pane(title) {
    const heading = h("h2", {}, title);
    const actions = h("span", { className: "actions" });
    const content = h("div", { className: "content" });
    return { heading, actions, content,
      element: h("section", { className: "pane", "aria-label": title }, h("header", {}, heading, actions), content) };
  }

  /** Replaces a column's view if its key has changed. */
  function put(name, key, make) {
    if (columns[name]?.key === key) return columns[name].view;
    columns[name]?.view?.close();
    columns[name] = { key, view: key === null ? null : make() };
    return columns[name].view;
  }

  /** Shows what an address names. A later call, or the end of the page, cancels one that waits. */
  function update(location) {
    const number = ++updates;
    problem.hidden = true;
    const uid = location.query.get("as") ?? "";
    if (uid === (firestore.uid ?? "")) return show(location);
    clientOf(uid).then((client) => {
      if (number !== updates) return;
      firestore = client;
      show(location);
    });
  }

  function show({ path, query }) {
    const uid = firestore.uid ?? "";
    actAs(uid);
    acting.uid = uid;
    const isDocument = path.length > 0 && path.length % 2 === 0;
    const documentPath = isDocument ? path.join("/") : null;
    const collectionPath = (isDocument ? path.slice(0, -1) : path).join("/") || null;
    const parent = path.slice(0, isDocument ? -2 : -1).join("/");
    const q = query.get("q") ?? "";
    shown = { path, q };
    showCrumbs(path, q);
    showCollections(parent, path[isDocument ? path.length - 2 : path.length - 1]);
    showDocuments(collectionPath, documentPath, q);
    showDocument(documentPath, collectionPath, q);
    panes.dataset.depth = isDocument ? "document" : collectionPath ? "documents" : "collections";
  }

  function showCrumbs(path, q) {
    const link = (label, length) => h("a", {
      href: dataPath(path.slice(0, length).join("/"), length === path.length ? q : ""), dir: "auto",
      "aria-current": length === path.length ? "page" : null,
    }, label);
    fill(crumbs, link("root", 0), path.map((segment, index) => [
      h("span", { "aria-hidden": "true" }, "/"), link(marked(segment), index + 1),
    ]));
  }

  function showCollections(parent, id) {
    const view = put("collections", `${root} ${parent}`, () => {
      // An app can't list collections.
      const view = collectionList({ firestore: admin, parent });
      fill(collections.heading, parent ? ["Below ", h("bdi", {}, marked(parent))] : "Collections");
      fill(collections.actions, button("New…", () => addDocument({ firestore, root, parent, onDone: openPath })));
      fill(collections.content, view.element);
      return view;
    });
    view.select(id ?? null);
  }

  function showDocuments(collection, documentPath, q) {
    const query = parse(q);
    // The documents of a collection-group query may be in any collection of that name.
    const key = collection && JSON.stringify([root, firestore.uid, query.group ? collection.split("/").at(-1) : collection, q]);
    const view = put("documents", key, () => {
      const list = documentList({ firestore, root, collection, query });
      const form = queryForm({
        root, query, collectionId: collection.split("/").at(-1),
        run: (query) => navigate(dataPath(collection, text(query))),
      });
      const remove = (asker) => removeCollection({ firestore, root, collection, asker, onDone: refresh });
      fill(documents.heading, h("bdi", {}, marked(collection.split("/").at(-1))));
      fill(documents.actions,
        button("Add…", () => addDocument({ firestore, root, collection, onDone: openPath })),
        query.group || firestore.user ? null : button("Delete collection…", remove, "danger"));
      fill(documents.content, form.element, list.element);
      return list;
    });
    if (view) view.select(documentPath);
    else clear(documents, "Documents", "Select a collection.");
  }

  function showDocument(path, collection, q) {
    put("below", path && `${root} ${path}`, () => collectionList({ firestore: admin, parent: path }));
    put("document", path && JSON.stringify([root, firestore.uid, path]), () => {
      const view = documentView({ firestore, root, path, onDeleted: () => {
        refresh();
        navigate(dataPath(collection, q));
      } });
      fill(documentPane.heading, "Document");
      fill(documentPane.actions);
      fill(documentPane.content, view.element,
        h("div", { className: "bar" }, h("h3", {}, "Subcollections"),
          button("New…", () => addDocument({ firestore, root, parent: path, onDone: openPath }))),
        columns.below.view.element);
      return view;
    });
    if (!path) clear(documentPane, "Document", collection ? "Select a document." : "");
  }

  function clear(pane, title, hint) {
    fill(pane.heading, title);
    fill(pane.actions);
    fill(pane.content, h("p", { className: "empty" }, hint));
  }

  function openPath(path) {
    refresh();
    navigate(dataPath(path));
  }

  function refresh() {
    for (const column of Object.values(columns)) column?.view?.refresh?.();
  }

  /** Updates the page after a restart, because the emulator may have another project. */
  async function onConnection({ isConnected, isNewRun }) {
    if (!isConnected || !isNewRun) return;
    root = await admin.root();
    update({ path: shown.path, query: new URLSearchParams({ q: shown.q, as: firestore.uid ?? "" }) });
  }

  const stopWatching = stream.onConnection(onConnection);
  update(location);
  const close = () => {
    updates++;
    stopWatching();
    for (const column of Object.values(columns)) column?.view?.close();
  };
  return Object.assign(close, { update });
}

/** Returns the client of a user, or of an administrator for "". */
const clientOf = async (uid) => new Firestore(await userOf(uid));

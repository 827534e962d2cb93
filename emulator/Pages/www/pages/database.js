// The page of the Realtime Database: the live tree of a node, and who listens.

import { DatabaseSocket } from "../lib/database-socket.js";
import { Database, defaultDatabase } from "../lib/database.js";
import { fill, h } from "../lib/dom.js";
import { marked } from "../lib/marked-text.js";
import { navigate } from "../lib/router.js";
import { userField, userOf } from "../lib/user-field.js";
import { treePath } from "./database/address.js";
import { addNode, editNode, removeNode } from "./database/dialogs.js";
import { listenerList } from "./database/listeners.js";
import { exportNode, importNode } from "./database/transfer.js";
import { TreeNode } from "./database/tree-node.js";
import { treeView } from "./database/tree-view.js";

export async function open(main, location) {
  const standard = await defaultDatabase();
  /** The node on the page: {name, uid, path, database, view, close}. */
  let shown = null;
  let updates = 0;

  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const crumbs = h("nav", { "aria-label": "Path", className: "crumbs" });
  const names = h("select", { "aria-label": "Database", hidden: true, onchange: () => go([], { name: names.value }) });
  const acting = userField({ label: "As", empty: "administrator", changed: (uid) => go(shown.path, { uid }) });
  const tree = h("section", { className: "pane", "aria-label": "Tree" });
  const listening = h("section", { className: "pane", "aria-label": "Listeners" });
  main.append(
    h("div", { className: "bar" },
      h("h1", {}, "Realtime Database"), names, crumbs, h("span", { className: "space" }), acting.element,
      button("Import…", (asker) => importNode({ ...shown, asker })),
      button("Export", () => exportNode(shown))),
    problem,
    h("div", { className: "panes" }, tree, listening));

  const address = (path, { name = shown.name, uid = shown.uid } = {}) =>
    treePath(path, { database: name === standard ? "" : name, uid });
  const go = (path, change) => navigate(address(path, change));

  function button(label, perform) {
    return h("button", { type: "button", onclick: ({ currentTarget }) => attempt(() => perform(currentTarget)) }, label);
  }

  /** Shows the error with which an action fails. */
  async function attempt(perform) {
    problem.hidden = true;
    try {
      await perform();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }

  async function update({ path: segments, query }) {
    const number = ++updates;
    const path = segments.flatMap((segment) => segment.split("/")).filter((key) => key !== "");
    const name = query.get("name") ?? standard;
    const uid = query.get("as") ?? "";
    const user = await userOf(uid);
    if (number !== updates) return;
    problem.hidden = true;
    acting.uid = uid;
    const isSameDatabase = shown?.name === name;
    shown?.close();
    shown = { name, uid, path, ...openTree(name, user, path) };
    fill(crumbs, [name, ...path].map((segment, index) => [
      index > 0 && h("span", { "aria-hidden": "true" }, "/"),
      h("a", { href: address(path.slice(0, index)), dir: "auto", "aria-current": index === path.length ? "page" : null },
        marked(segment)),
    ]));
    if (!isSameDatabase) openListeners(name);
  }

  /** Shows the tree of a node, and keeps it up to date. */
  function openTree(name, user, path) {
    const database = new Database(name, user);
    const below = (perform) => (rest, asker) => attempt(() => perform({ database, path: [...path, ...rest], asker }));
    const actions = { add: below(addNode), edit: below(editNode), remove: below(removeNode) };
    const view = treeView({
      name: path.at(-1) ?? name, actions, address: (rest) => address([...path, ...rest]),
    });
    const empty = h("p", { className: "empty" }, "Loading…");
    let root = null;
    let isDenied = false;

    const showEmpty = (...content) => {
      fill(empty, content);
      empty.hidden = content.length === 0;
      view.element.hidden = content.length > 0;
    };
    const socket = new DatabaseSocket(name, user);
    const listen = () => socket.listen(path, (place, json) => {
      root = TreeNode.replace(root, place, json);
      if (root) showEmpty();
      else showEmpty("There is no data here. ", button("Add…", (asker) => addNode({ database, path, asker })));
      view.show(root, place);
    }, (failure) => {
      isDenied = failure.status === 403;
      const reason = isDenied ? `: the rules don't let ${user?.uid} read /${path.join("/")}.` : "";
      showEmpty(h("span", { className: "error", role: "alert" }, failure.message, reason));
    });
    listen();
    fill(tree, empty, view.element);
    view.element.hidden = true;
    const close = () => {
      socket.close();
      view.close();
    };
    /** Tries again after the rules have changed. */
    const rulesChanged = () => {
      if (!isDenied) return;
      isDenied = false;
      root = null;
      listen();
    };
    return { database, close, rulesChanged };
  }

  let listeners = { close() {} };
  /** What tells whether the rules have changed. */
  let rules = "";

  function openListeners(name) {
    listeners.close();
    listeners = listenerList({ name, onDatabases: (databases, { loaded }) => {
      showNames(name, databases);
      const now = JSON.stringify([loaded, databases.find((each) => each.name === name)?.rulesVersion]);
      if (rules !== now) shown.rulesChanged();
      rules = now;
    } });
    fill(listening, h("header", {}, h("h2", {}, "Who listens")), listeners.element);
  }

  /** Offers the databases that exist, if there are several. */
  function showNames(name, databases) {
    const all = [...new Set([standard, name, ...databases.map((each) => each.name)])];
    names.hidden = all.length === 1;
    const text = JSON.stringify([name, all]);
    if (names.dataset.shown === text) return;
    names.dataset.shown = text;
    fill(names, all.map((each) => h("option", { selected: each === name }, each)));
  }

  await update(location);
  const close = () => {
    updates++;
    shown?.close();
    listeners.close();
  };
  return Object.assign(close, { update });
}

// Who listens to a database: a list that is read again every second.

import { fill, h } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";
import { number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { poll } from "../../lib/polling.js";

/** Creates the list. onDatabases(databases) is called with each report about all databases. */
export function listenerList({ name, onDatabases }) {
  const rules = h("p", { className: "note" });
  const table = h("div", {});
  let shown = "";

  async function read() {
    const { databases, rules: configured } = await api.get("databases");
    onDatabases(databases, configured);
    const database = databases.find((each) => each.name === name) ?? { name, listeners: [], otherListeners: 0 };
    const text = JSON.stringify([database, configured]);
    if (text === shown) return;
    shown = text;
    fill(rules, "Rules: ", rulesOf(database, configured), failureOf(configured));
    fill(table, database.listeners.length ? rows(database) : h("p", { className: "empty" }, "Nobody listens."));
  }

  const polling = poll(read, { milliseconds: 1_000 });
  return { element: h("div", {}, rules, table), first: polling.first, close: polling.close };
}

function rulesOf({ name, hasOwnRules }, { source, files }) {
  if (hasOwnRules) return "set by a client";
  if (source === "off") return "off (--no-rules): all data is open";
  const file = files.find(({ owner }) => owner === name) ?? files.find(({ owner }) => !owner);
  return file ? h("code", {}, file.name) : "none: all data is open";
}

const failureOf = ({ failure }) =>
  failure && [" ", h("a", { href: "/status", className: "tag bad" }, "their last change is not used")];

function rows({ listeners, otherListeners }) {
  return [
    h("table", {},
      h("thead", {}, h("tr", {}, ["Who", "Node", "Query", "Count"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, listeners.map(({ caller, path, query, count }) => h("tr", {},
        h("td", { dir: "auto" }, marked(caller)), h("td", { className: "mono", dir: "auto" }, marked(path)),
        h("td", { className: "mono", dir: "auto" }, marked(query ?? "")), h("td", { className: "number" }, number(count)))))),
    otherListeners > 0 && h("p", { className: "note" }, `and ${number(otherListeners)} more`),
  ];
}

// The folders and objects of a folder: a table whose rows can be selected.

import { fill, h, reconcile } from "../../lib/dom.js";
import { bytes, number, wholeTime } from "../../lib/format.js";
import { list } from "../../lib/storage.js";
import { folderAddress, objectAddress } from "./address.js";
import { nameText } from "./names.js";

/** The number of objects and folders that are read at once. */
const pageSize = 500;
const fields = "nextPageToken,prefixes,items(name,generation,size,contentType,updated)";

/**
 * Creates the table. empty() returns the content for a folder without objects. onSelection(entries) is called with the
 * selected entries, {name, isFolder} and an object's metadata, whenever they change.
 */
export function objectList({ bucket, prefix, empty, onSelection }) {
  let folders = [];
  let objects = [];
  let nextPageToken;
  let opened = null;
  let readings = 0;
  let isClosed = false;
  /** The selected entries by their keys. */
  let selected = new Map();
  /** The parts of each row, by its element: {entry, box, link, cells}. */
  const rows = new WeakMap();

  const all = h("input", { type: "checkbox", "aria-label": "Select all", onchange: () => {
    selected = new Map(all.checked ? entries().map((entry) => [keyOf(entry), entry]) : []);
    show();
  } });
  const body = h("tbody", {});
  const table = h("table", { hidden: true },
    h("thead", {}, h("tr", {}, h("th", {}, all),
      [["Name", ""], ["Size", "size number"], ["Type", "type"], ["Updated", "updated"]]
        .map(([title, className]) => h("th", { scope: "col", className }, title)))),
    body);
  const note = h("div", { className: "empty" }, "Loading…");
  const total = h("span", { className: "note", role: "status" });
  const more = h("button", { type: "button", onclick: () => attempt(readMore) }, "Show more");
  const foot = h("div", { className: "pane-bar", hidden: true }, total, more);
  const problem = h("p", { className: "error", role: "alert", hidden: true });

  const keyOf = ({ name, isFolder }) => (isFolder ? "folder:" : "object:") + name;
  const entries = () => [...folders, ...objects];

  function makeRow(entry) {
    const box = h("input", { type: "checkbox", onchange: () => {
      if (box.checked) selected.set(keyOf(entry), rows.get(row).entry);
      else selected.delete(keyOf(entry));
      show();
    } });
    const label = entry.name.slice(prefix.length, entry.isFolder ? -1 : undefined);
    const link = h("a", {
      href: entry.isFolder ? folderAddress(bucket, entry.name) : objectAddress(bucket, entry.name),
      className: entry.isFolder ? "name folder" : "name", dir: "auto",
    }, nameText(label));
    box.setAttribute("aria-label", `Select ${label || "(no name)"}`);
    const cells = ["size number", "type", "updated"].map((className) => h("td", { className }));
    const row = h("tr", {}, h("td", {}, box), h("th", { scope: "row" }, link), cells);
    rows.set(row, { box, link, cells });
    updateRow(row, entry);
    return row;
  }

  function updateRow(row, entry) {
    const parts = rows.get(row);
    const { box, link, cells: [size, type, updated] } = parts;
    parts.entry = entry;
    box.checked = selected.has(keyOf(entry));
    link.ariaCurrent = !entry.isFolder && entry.name === opened ? "true" : null;
    size.textContent = entry.isFolder ? "" : bytes(Number(entry.size));
    type.textContent = entry.isFolder ? "folder" : entry.contentType ?? "";
    updated.textContent = entry.isFolder ? "" : wholeTime(entry.updated);
  }

  function show() {
    const shown = entries();
    reconcile(body, shown, { key: keyOf, make: makeRow, update: updateRow });
    table.hidden = foot.hidden = shown.length === 0;
    note.hidden = shown.length > 0;
    if (shown.length === 0) fill(note, empty());
    more.hidden = !nextPageToken;
    total.textContent = nextPageToken
      ? `The first ${number(shown.length)}` : `${number(shown.length)} ${shown.length === 1 ? "entry" : "entries"}`;
    all.checked = selected.size > 0 && selected.size === shown.length;
    all.indeterminate = selected.size > 0 && !all.checked;
    onSelection([...selected.values()]);
  }

  /** Reads from the beginning or after a page, until there are `count` entries. Returns null if it is outdated. */
  async function read(count, pageToken) {
    const number = ++readings;
    const found = { folders: [], objects: [], nextPageToken: pageToken };
    do {
      const page = await list(bucket, {
        prefix, delimiter: "/", maxResults: pageSize, pageToken: found.nextPageToken, fields,
      });
      if (number !== readings || isClosed) return null;
      found.folders.push(...page.prefixes.map((name) => ({ name, isFolder: true })));
      found.objects.push(...page.items);
      found.nextPageToken = page.nextPageToken;
    } while (found.nextPageToken && found.folders.length + found.objects.length < count);
    return found;
  }

  async function refresh() {
    const found = await read(entries().length);
    if (!found) return;
    ({ folders, objects, nextPageToken } = found);
    // What no longer exists is no longer selected.
    selected = new Map(entries().map((entry) => [keyOf(entry), entry]).filter(([key]) => selected.has(key)));
    show();
  }

  async function readMore() {
    const found = await read(1, nextPageToken);
    if (!found) return;
    folders = [...folders, ...found.folders];
    objects = [...objects, ...found.objects];
    nextPageToken = found.nextPageToken;
    show();
  }

  async function attempt(perform) {
    try {
      await perform();
      problem.hidden = true;
    } catch (error) {
      // The shell already shows that the emulator can't be reached.
      if (error.status === 0 || isClosed) return;
      problem.textContent = error.message;
      problem.hidden = false;
      note.hidden = true;
    }
  }

  return {
    element: h("div", { className: "object-list" }, problem, note, table, foot),
    first: attempt(refresh),
    refresh: () => attempt(refresh),
    /** Marks the opened object. */
    open(name) {
      opened = name;
      for (const row of body.rows) updateRow(row, rows.get(row).entry);
    },
    close() {
      isClosed = true;
    },
  };
}

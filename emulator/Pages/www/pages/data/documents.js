// The documents of a collection or query: a list of any length, whose visible part is live.

import { announce, fill, h } from "../../lib/dom.js";
import { stream } from "../../lib/emulator.js";
import { idOf, pathOf } from "../../lib/firestore.js";
import { number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { VirtualList } from "../../lib/virtual-list.js";
import { dataPath, whyLink } from "./address.js";
import { valueAt } from "./changes.js";
import { DocumentWindow } from "./document-window.js";
import { NameList, shortList } from "./name-list.js";
import { isPlain, segments, shownFields, structured, text } from "./query.js";
import { summary } from "./types.js";

/**
 * Creates the list. collection is a path; query is that of the query builder. Returns {element, select(path),
 * refresh, close}. select() marks the open document, and scrolls to it unless it is visible.
 */
export function documentList({ firestore, root, collection, query }) {
  const collectionId = idOf(collection);
  const parent = query.group ? "" : collection.split("/").slice(0, -1).join("/");
  const parentName = parent ? `${root}/${parent}` : root;
  const plain = isPlain(query);
  const fields = shownFields(query);
  const wanted = structured(query, collectionId);
  let source = null;
  let isClosed = false;
  let trying = null;
  let selected = null;
  let fresh = new Set();

  const total = h("span", { className: "total", role: "status" });
  const message = h("p", { className: "empty", hidden: true });
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const missing = h("button", { type: "button", className: "quiet", hidden: true, onclick: listAll },
    "Show documents that don't exist, too");
  const finder = h("form", { role: "search", hidden: !plain, onsubmit: find },
    h("input", { type: "search", name: "id", "aria-label": "Find a document by its id", placeholder: "Find id…",
      autocomplete: "off", dir: "auto" }));
  const list = new VirtualList({
    rowHeight: 32, label: "Documents", key: ({ name }) => name, make, update: show,
    onNear: (last) => {
      source?.see(Math.floor(list.element.scrollTop / 32), Math.min(last, source.count));
      focusAwaited();
    },
  });
  list.element.addEventListener("keydown", move);
  const element = h("div", { className: "document-list" },
    h("div", { className: "pane-bar" }, total, finder, missing), problem, message, list.element);

  // Rows

  function make(document) {
    const row = h("div", { role: "listitem" }, h("a", { className: "row", tabIndex: -1 }));
    show(row, document);
    return row;
  }

  function show(row, document) {
    const link = row.firstElementChild;
    const path = pathOf(document.name);
    const isSelected = path === selected;
    if (row.document === document && row.isSelected === isSelected) return;
    const changed = fresh.has(document.name);
    if (row.document !== document) {
      link.href = dataPath(path, text(query));
      link.classList.toggle("missing", !document.updateTime);
      link.title = document.updateTime ? "" : "This document doesn't exist, but has subcollections.";
      fill(link, h("bdi", { className: "id", dir: "auto" }, marked(query.group ? path : idOf(document.name))),
        fields.map((field) => h("span", { className: "cell", dir: "auto", title: field }, cell(document, field))));
    }
    if (changed) {
      link.classList.remove("changed");
      void link.offsetWidth;
      link.classList.add("changed");
      fresh.delete(document.name);
    }
    if (isSelected) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    Object.assign(row, { document, isSelected });
  }

  function cell(document, field) {
    const value = valueAt({ mapValue: { fields: document.fields } }, segments(field));
    return value ? marked(summary(value, 60)) : "";
  }

  /** Moves the focus from row to row with the arrow keys. Tab leaves the list. */
  function move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = document.activeElement.closest(".virtual-row");
    const first = Math.ceil(list.element.scrollTop / 32);
    const from = row ? Number(row.getAttribute("aria-posinset")) - 1 : first - (step > 0 ? 1 : 0);
    const index = Math.max(0, Math.min(list.count - 1, from + step));
    const { scrollTop, clientHeight } = list.element;
    if (index * 32 < scrollTop) list.scrollTo(index);
    else if ((index + 1) * 32 > scrollTop + clientHeight) list.element.scrollTop = (index + 1) * 32 - clientHeight;
    focusRow(index);
  }

  /** The row that gets the focus once it is loaded, unless the focus moves elsewhere before. */
  let awaited = null;

  function focusRow(index) {
    awaited = { index, from: document.activeElement };
    focusAwaited();
  }

  function focusAwaited() {
    const row = awaited && list.element.querySelector(`[aria-posinset="${awaited.index + 1}"] a`);
    if (!row) return;
    const isWaiting = [awaited.from, document.body].includes(document.activeElement);
    awaited = null;
    if (isWaiting) row.focus({ preventScroll: true });
  }

  // Content

  function changed() {
    clearTimeout(trying);
    problem.hidden = true;
    const { items, index, count } = source;
    const before = new Map(list.items.filter(Boolean).map(({ name, updateTime }) => [name, updateTime]));
    const shown = [];
    fresh = new Set();
    for (const [offset, document] of items.entries()) {
      shown[index + offset] = document;
      const known = before.get(document.name);
      if (known && known !== document.updateTime) fresh.add(document.name);
    }
    list.show(shown, count);
    const absent = items.filter(({ updateTime }) => !updateTime).length;
    const text = `${number(count - absent)} ${count - absent === 1 ? "document" : "documents"}`
      + (absent > 0 ? `, ${number(absent)} that ${absent === 1 ? "doesn't" : "don't"} exist` : "");
    // A screen reader would announce an assignment of the same text again.
    if (total.textContent !== text) total.textContent = text;
    message.hidden = count > 0;
    message.textContent = plain
      ? "This collection has no documents. It exists once you add one."
      : "No document matches this query.";
    list.element.hidden = count === 0;
  }

  function failed(error) {
    fill(problem, error.message, error.status === 403 && [" ", whyLink(firestore.uid, query.group ? collectionId : collection)]);
    problem.hidden = false;
  }

  function unreadable(error) {
    total.textContent = "";
    failed(error);
    // The emulator may be reachable again soon.
    clearTimeout(trying);
    if (error.status === 0 && !isClosed) trying = setTimeout(again, 2_000);
  }

  function again() {
    if (source) source.refresh();
    else opening = open();
  }

  async function begin(isLong) {
    // Another page may have been opened during the count.
    if (isClosed) return;
    source?.close();
    const common = { firestore, parentName, query: wanted, onChange: changed, onError: unreadable };
    // An app can't list documents that don't exist.
    source = plain && !isLong && !firestore.user
      ? new NameList({ ...common, collection, onLong: () => begin(true) })
      : new DocumentWindow({ ...common, parent, limit: query.limit });
    missing.hidden = !(plain && isLong) || Boolean(firestore.user);
    await source.start();
  }

  async function listAll() {
    if (isClosed) return;
    source.close();
    missing.hidden = true;
    total.textContent = "Reading all document names…";
    source = new NameList({ firestore, collection, parentName, query: wanted, limit: null, onChange: changed,
      onError: unreadable });
    await source.start();
    announce(total.textContent);
  }

  async function open() {
    try {
      total.textContent = "Counting…";
      const count = plain ? await firestore.count({ ...wanted, select: undefined }, parent) : Infinity;
      await begin(count > shortList);
      if (selected && !isClosed) await reveal(selected);
    } catch (error) {
      unreadable(error);
    }
  }

  async function reveal(path) {
    if (!plain || !source?.count) return;
    const index = await source.indexOf(`${root}/${path}`);
    const { scrollTop, clientHeight } = list.element;
    if (index * 32 < scrollTop || (index + 1) * 32 > scrollTop + clientHeight) {
      list.scrollTo(Math.max(0, index - Math.floor(clientHeight / 64)));
    }
  }

  async function find(event) {
    event.preventDefault();
    const id = new FormData(finder).get("id").trim();
    if (id === "") return;
    await opening;
    if (!source) return;
    try {
      const index = await source.indexOf(`${root}/${collection}/${id}`);
      list.scrollTo(index);
      focusRow(Math.min(index, source.count - 1));
    } catch (error) {
      failed(error);
    }
  }

  const stopWatching = stream.onConnection(({ isConnected }) => isConnected && source?.refresh());
  let opening = open();

  return {
    element,
    refresh: () => source?.refresh(),
    select(path) {
      selected = path;
      list.show(list.items, list.count);
      const isInSight = path && [...list.element.querySelectorAll(".virtual-row")].some((row) =>
        pathOf(row.document.name) === path);
      if (path && !isInSight) reveal(path).catch(failed);
    },
    close() {
      isClosed = true;
      clearTimeout(trying);
      stopWatching();
      source?.close();
      source = null;
      list.close();
    },
  };
}

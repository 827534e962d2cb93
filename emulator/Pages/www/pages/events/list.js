// The live list of deliveries, grouped by what has changed, and of calls, with its filters.

import { demoOffer } from "../../lib/demo.js";
import { announce, fill, h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { navigate, setQuery } from "../../lib/router.js";
import { VirtualList } from "../../lib/virtual-list.js";
import { makeFeed } from "./feed.js";
import { makeFilters } from "./filters.js";
import { makeGroups } from "./groups.js";
import { makeRow, rowAddress, updateRow } from "./row.js";

/** The ID of the last opened row, which is selected when the list is shown again. */
let lastOpened = null;

export async function openList(main, query) {
  const narrow = matchMedia("(max-width: 60rem)");
  const filters = makeFilters(query, () => {
    setQuery(filters.values());
    feed.load();
  });
  const pause = h("button", { type: "button", onclick: () => feed.setPaused(!feed.isPaused) });
  const groups = makeGroups(query.has("folded"));
  const fold = h("button", { type: "button", onclick: () => {
    groups.foldAll(!groups.isFolded);
    setQuery({ folded: groups.isFolded ? "1" : "" });
    show();
  } });
  const note = h("div", { className: "empty" });
  const end = h("p", { className: "empty", hidden: true },
    "Older entries aren't listed. Use a filter to find those that are still kept.");
  const list = new VirtualList({
    rowHeight: narrow.matches ? 60 : 36,
    key: ({ id }) => id,
    make: (row) => makeRow(row, toggle),
    update: updateRow,
    label: "Deliveries and calls, newest first",
    onNear: (last) => {
      if (last > list.count - 20) feed.loadMore();
      focusActive();
    },
  });
  let active = lastOpened;
  let wantsFocus = false;

  const { promise: firstLoad, resolve: onLoad } = Promise.withResolvers();
  const feed = makeFeed({ filters: filters.values, onChange: show, onLoad });

  /** Returns the number of rows by which most of the visible rows have moved down. */
  function shift(rows) {
    const first = Math.floor(list.element.scrollTop / list.rowHeight);
    const visible = list.items.slice(first, first + Math.ceil(list.element.clientHeight / list.rowHeight));
    const places = new Map(rows.map(({ id }, index) => [id, index]));
    const moves = visible.map(({ id }, index) => places.get(id) - first - index).filter(Number.isInteger);
    return moves.sort((a, b) => a - b)[moves.length >> 1] ?? 0;
  }

  function show() {
    const rows = groups.rows(feed.items);
    // A list that is scrolled down keeps its position.
    const moved = list.isAtTop ? 0 : shift(rows);
    list.show(rows);
    if (moved !== 0) list.element.scrollTop += moved * list.rowHeight;
    fold.textContent = groups.isFolded ? "Unfold all" : "Fold all";
    fold.hidden = feed.items.length === 0;
    filters.offer(feed.functions);
    pause.textContent = feed.isPaused ? `Resume${feed.news ? ` (${number(feed.news)} new)` : ""}` : "Pause";
    pause.setAttribute("aria-pressed", feed.isPaused);
    list.element.hidden = feed.items.length === 0;
    note.hidden = feed.items.length > 0;
    end.hidden = !feed.isFull();
    if (!note.hidden) fill(note, explain());
  }

  function explain() {
    if (feed.error) {
      return [
        h("p", { className: "error", role: "alert" }, feed.error.message),
        h("button", { type: "button", onclick: () => feed.load() }, "Try again"),
      ];
    }
    if (feed.isLoading) return "Loading…";
    if (filters.isSet()) return "No deliveries or calls match these filters.";
    return [
      "Nothing has happened yet. Send a message in the ", h("a", { href: "/chat" }, "chat"),
      ", or write a document that triggers a function.", demoOffer(),
    ];
  }

  /** Opens or closes a group; its row stays where it is. */
  function toggle(id) {
    groups.toggle(id);
    active = lastOpened = id;
    list.show(groups.rows(feed.items));
  }

  // MARK: Keyboard

  function reveal(index) {
    const { scrollTop, clientHeight } = list.element;
    const y = index * list.rowHeight;
    if (y < scrollTop) list.element.scrollTop = y;
    else if (y + list.rowHeight > scrollTop + clientHeight) {
      list.element.scrollTop = y + list.rowHeight - clientHeight;
    }
    list.show(list.items);
  }

  /** Marks the active row. Tab moves from the list to the row's own links and buttons. */
  function focusActive() {
    for (const row of list.rows.children) {
      const isActive = row.dataset.key === active;
      row.classList.toggle("active", isActive);
      for (const part of row.children) part.tabIndex = isActive ? 0 : -1;
    }
    if (!wantsFocus) return;
    const row = [...list.rows.children].find((row) => row.dataset.key === active);
    if (!row) return;
    wantsFocus = false;
    row.querySelector(".line").focus({ preventScroll: true });
  }

  function go(index) {
    active = list.items[index].id;
    wantsFocus = true;
    reveal(index);
  }

  /** Opens or closes the active row's group, or moves from a delivery to its group, as in a tree. */
  function turn(opens) {
    const row = list.items.find(({ id }) => id === active);
    if (row?.group && row.isOpen !== opens) toggle(active);
    else if (row?.parent && !opens) go(list.items.findIndex(({ id }) => id === row.parent));
  }

  list.element.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    const now = list.items.findIndex(({ id }) => id === active);
    // The focus may not have reached the active row yet.
    if (event.key === "Enter" && (wantsFocus || event.target === list.element) && now >= 0) {
      event.preventDefault();
      return navigate(rowAddress(list.items[now]));
    }
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      return turn(event.key === "ArrowRight");
    }
    if (step === undefined || list.count === 0) return;
    event.preventDefault();
    go(Math.min(list.count - 1, Math.max(0, now + step)));
  });
  const remember = (event) => {
    const row = event.target.closest?.(".row");
    if (row) active = lastOpened = row.dataset.key;
  };
  list.element.addEventListener("click", remember);
  list.element.addEventListener("focusin", remember);

  const resize = () => {
    list.rowHeight = narrow.matches ? 60 : 36;
    list.rows.replaceChildren();
    list.show(list.items);
  };
  narrow.addEventListener("change", resize);

  main.append(
    h("h1", {}, "Events"),
    h("div", { className: "bar", role: "search" }, filters.elements, fold, pause),
    list.element,
    end,
    note,
  );
  pause.addEventListener("click", () => announce(feed.isPaused ? "The list is paused." : "The list is live."));
  show();
  feed.load();
  const close = () => {
    narrow.removeEventListener("change", resize);
    filters.close();
    feed.close();
    list.close();
  };
  await firstLoad;
  // After the rows were drawn.
  show();
  const last = list.items.findIndex(({ id }) => id === active);
  if (last < 0) return close;
  requestAnimationFrame(() => reveal(last));
  return Object.assign(close, { comeBack: () => (wantsFocus = true) });
}

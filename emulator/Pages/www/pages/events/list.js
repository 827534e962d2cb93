// The live list of deliveries and calls, with its filters.

import { announce, fill, h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { navigate, path, setQuery } from "../../lib/router.js";
import { VirtualList } from "../../lib/virtual-list.js";
import { makeFeed } from "./feed.js";
import { makeFilters } from "./filters.js";
import { makeRow, updateRow } from "./row.js";

/** The ID of the last opened item, which is selected when the list is shown again. */
let lastOpened = null;

export async function openList(main, query) {
  const narrow = matchMedia("(max-width: 60rem)");
  const filters = makeFilters(query, () => {
    setQuery(filters.values());
    feed.load();
  });
  const dead = h("a", { className: "tag bad", hidden: true, href: "/events?state=deadLettered" });
  const pause = h("button", { type: "button", onclick: () => feed.setPaused(!feed.isPaused) });
  const note = h("div", { className: "empty" });
  const end = h("p", { className: "empty", hidden: true },
    "Older entries aren't listed. Use a filter to find those that are still kept.");
  const list = new VirtualList({
    rowHeight: narrow.matches ? 60 : 36,
    key: ({ id }) => id,
    make: makeRow,
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

  function show() {
    const top = list.items[0];
    const isAtTop = list.isAtTop;
    list.show(feed.items);
    // A list that is scrolled down keeps its position.
    if (top && !isAtTop) {
      const added = feed.items.indexOf(top);
      if (added > 0) list.element.scrollTop += added * list.rowHeight;
    }
    filters.offer(feed.functions);
    dead.hidden = feed.deadLetters === 0;
    dead.textContent = feed.deadLetters === 1 ? "1 dead letter" : `${number(feed.deadLetters)} dead letters`;
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
      ", or write a document that triggers a function.",
    ];
  }

  // MARK: Keyboard

  function reveal(index) {
    const { scrollTop, clientHeight } = list.element;
    const y = index * list.rowHeight;
    if (y < scrollTop) list.element.scrollTop = y;
    else if (y + list.rowHeight > scrollTop + clientHeight) {
      list.element.scrollTop = y + list.rowHeight - clientHeight;
    }
    list.show(feed.items);
  }

  function focusActive() {
    for (const row of list.rows.children) row.classList.toggle("active", row.dataset.key === active);
    if (!wantsFocus) return;
    const row = [...list.rows.children].find((row) => row.dataset.key === active);
    if (!row) return;
    wantsFocus = false;
    row.firstElementChild.focus({ preventScroll: true });
  }

  list.element.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === "Enter" && event.target === list.element && active) return navigate(path("events", active));
    if (step === undefined || feed.items.length === 0) return;
    event.preventDefault();
    const now = feed.items.findIndex(({ id }) => id === active);
    const next = Math.min(feed.items.length - 1, Math.max(0, now + step));
    active = feed.items[next].id;
    wantsFocus = true;
    reveal(next);
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
    list.show(feed.items);
  };
  narrow.addEventListener("change", resize);

  main.append(
    h("div", { className: "title" }, h("h1", {}, "Events"), dead),
    h("div", { className: "bar", role: "search" }, filters.elements, pause),
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
  const last = feed.items.findIndex(({ id }) => id === active);
  if (last < 0) return close;
  // After the rows were drawn.
  show();
  requestAnimationFrame(() => reveal(last));
  return Object.assign(close, { comeBack: () => (wantsFocus = true) });
}

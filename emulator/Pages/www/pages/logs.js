// The logs page: the log lines of functions, newest first, live. The lines of a stack trace stay in order.

import { fill, h, openModal } from "../lib/dom.js";
import { api, stream } from "../lib/emulator.js";
import { number } from "../lib/format.js";
import { sparingly } from "../lib/polling.js";
import { setQuery } from "../lib/router.js";
import { VirtualList } from "../lib/virtual-list.js";
import { logFilters } from "./logs/filters.js";
import { blocksOf } from "./logs/blocks.js";
import { makeRow, updateRow } from "./logs/row.js";

/** The maximum number of kept lines. The oldest tenth is dropped at once, so that the cost per line is constant. */
const maximumKept = 5_000;

export async function open(main, { query }) {
  let entries = [];
  /** The lines that arrive during a load; null otherwise. */
  let meanwhile = null;
  let loads = 0;
  let isPaused = false;
  let missed = 0;
  let isCut = false;
  let frame = null;
  let isClosed = false;

  const filters = logFilters(query, () => {
    setQuery(filters.members);
    list.scrollTo(0);
    load();
  });
  const pause = h("button", { type: "button", onclick: () => {
    isPaused = !isPaused;
    if (!isPaused) load();
    else plan();
  } });
  const count = h("p", { className: "count", role: "status" });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const list = new VirtualList({
    rowHeight: 34, label: "Log lines, newest first", key: ({ number }) => number, make: makeRow, update: updateRow,
  });

  const newest = (list) => list.at(-1)?.number ?? 0;

  async function load() {
    const number = ++loads;
    meanwhile = [];
    try {
      const found = await api.get(`logs?${new URLSearchParams({ ...filters.asked, limit: maximumKept })}`);
      if (isClosed || number !== loads) return;
      entries = [...found, ...meanwhile.filter((entry) => entry.number > newest(found))];
      meanwhile = null;
      missed = 0;
      isCut = found.length === maximumKept;
      error.hidden = true;
      plan();
    } catch (failure) {
      if (number !== loads) return;
      meanwhile = null;
      error.hidden = failure.status === 0;
      error.textContent = failure.message;
    }
  }

  function add(found) {
    filters.know(found);
    const last = newest(meanwhile ?? entries);
    const wanted = found.filter((entry) => entry.number > last && filters.matches(entry));
    if (isPaused) {
      missed += wanted.length;
      return plan();
    }
    (meanwhile ?? entries).push(...wanted);
    if (entries.length > maximumKept) {
      isCut = true;
      entries = entries.slice(-maximumKept * 0.9);
    }
    plan();
  }

  function plan() {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      if (!isClosed) draw();
    });
  }

  function draw() {
    // A list that is scrolled down keeps its position.
    const { isAtTop } = list;
    const growth = entries.length - list.count;
    list.show(blocksOf(entries).toReversed().flat());
    if (!isAtTop && growth > 0) list.element.scrollTop += growth * list.rowHeight;
    pause.textContent = isPaused ? (missed ? `Resume (${number(missed)} new)` : "Resume") : "Pause";
    pause.className = isPaused ? "primary" : "";
    empty.hidden = entries.length > 0;
    count.textContent = `${number(entries.length)} lines` + (isCut ? ", older lines aren't shown" : "");
  }

  list.element.addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    show(event.target.closest("[data-key]"));
  });
  list.element.addEventListener("keydown", (event) => {
    if (event.key === "Enter") show(event.target.closest("[data-key]"));
  });

  /** Shows the complete line, which doesn't fit into a row. */
  function show(row) {
    const entry = row && entries.find(({ number }) => String(number) === row.dataset.key);
    if (!entry) return;
    const { number: _, message, details, ...rest } = entry;
    const block = blocksOf(entries).find((block) => block.includes(entry));
    openModal("Log line", {},
      h("pre", { dir: "auto", tabIndex: 0 }, block.map(({ message }) => message).join("\n")),
      h("dl", {}, Object.entries({ ...rest, ...details }).map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])),
      h("form", { method: "dialog", className: "bar" },
        entry.eventId && h("a", { href: `/events/${encodeURIComponent(entry.eventId)}` }, "Event"),
        h("button", {}, "Close")));
  }

  const empty = h("p", { className: "empty", hidden: true },
    "No log lines match. Functions write log lines to stderr, as JSON or plain text.");
  fill(main, h("div", { className: "bar" }, h("h1", {}, "Logs"), filters.element, pause, count), error, empty,
    list.element);
  // If the stream drops lines, they are loaded again from time to time.
  const reload = sparingly(() => !isPaused && load());
  const unsubscribe = stream.subscribe("logs", add, reload);
  await Promise.all([load(), filters.load()]);
  return () => {
    isClosed = true;
    cancelAnimationFrame(frame);
    unsubscribe();
    filters.close();
    reload.close();
    list.close();
  };
}

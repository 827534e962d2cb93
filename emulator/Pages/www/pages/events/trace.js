// One event: what led to it, and all that came of it.

import { fill, h } from "../../lib/dom.js";
import { api, stream } from "../../lib/emulator.js";
import { setQuery } from "../../lib/router.js";
import { makeTimeline } from "./timeline.js";
import { actionsOf } from "./actions.js";
import { stateTag } from "./row.js";
import { isBookkeeping, remark } from "./words.js";

export async function openTrace(main, id, query) {
  const open = new Set(query.get("open")?.split(",") ?? []);
  const heading = h("h1", { dir: "auto" }, "Event");
  const state = h("span");
  const note = h("div", { className: "empty" }, "Loading…");
  const said = h("p", { className: "remark", dir: "auto" });
  const actions = h("div");
  const shortened = h("p", { className: "empty", hidden: true },
    "There is more to this than a page shows: some nodes or documents are left out.");
  const books = h("input", { type: "checkbox", checked: query.has("all"), onchange: () => {
    setQuery({ all: books.checked ? "1" : "" });
    show();
  } });
  const bookCount = h("span");
  const choice = h("label", { hidden: true }, books, bookCount);
  let trace = null;
  let known = new Set();
  let timer = null;
  let isStale = false;
  let isFirst = true;
  let isClosed = false;
  let shownActions = "";

  /** What a function was sent: a delivery's event, or a call's request. */
  async function eventOf(report) {
    const isTheCall = ({ call }) => call?.report.id === report.id;
    if (!trace.nodes.some(isTheCall)) {
      return (await api.get(`events/${encodeURIComponent(report.id)}`, { exact: true })).event;
    }
    const { nodes } = await api.get(`trace/${encodeURIComponent(id)}`, { exact: true });
    const event = nodes.find(isTheCall)?.call.event;
    if (event) return event;
    throw new Error("The call's data was too long to be remembered.");
  }

  const context = { eventOf, subject: id };
  const timeline = makeTimeline(open, (ids) => setQuery({ open: [...ids].join(",") }), context);
  timeline.element.hidden = true;
  main.append(
    h("p", {}, h("a", { href: "/events" }, "← Events")), h("div", { className: "title" }, heading, state),
    said, actions, note,
    choice, timeline.element, shortened,
  );

  /** The report of what the address names: a delivery or a call; an event has none. */
  function subject() {
    const node = trace.nodes.find((node) => node.id === trace.subject);
    return { node, report: node?.delivery ?? node?.call?.report };
  }

  function show() {
    const { node, report } = subject();
    const name = node?.delivery ? `${report.function}: ${report.document}` : report?.function;
    heading.textContent = node?.write?.document ?? name ?? id;
    fill(state, report && stateTag(report.state));
    fill(said, report ? remark(report) : "");
    said.hidden = said.textContent === "";
    // Its buttons, and what they have said, stay as long as nothing else is to be done.
    const text = `${report?.id} ${report?.state}`;
    if (text !== shownActions) fill(actions, report && actionsOf(report, context));
    shownActions = text;
    note.hidden = true;
    timeline.element.hidden = false;
    const hidden = trace.nodes.filter(isBook);
    bookCount.textContent = `Show the functions' own books: ${hidden.length} writes of leases, limits and the like`;
    choice.hidden = hidden.length === 0;
    timeline.show(trace, books.checked ? trace.nodes : trace.nodes.filter((node) => !isBook(node)));
    shortened.hidden = !trace.isShortened;
  }

  /** What one looks at first of a delivery. */
  function lastAttempt() {
    return trace.nodes.findLast(({ kind, parent }) => kind === "attempt" && parent === trace.subject)?.id;
  }

  /** Something that leads to nothing and that few want to see. */
  function isBook({ id, write }) {
    return write && isBookkeeping(write.document) && id !== trace.subject
      && !trace.nodes.some(({ parent }) => parent === id);
  }

  async function load() {
    try {
      const found = await api.get(`trace/${encodeURIComponent(id)}`);
      if (isClosed) return;
      trace = found;
      known = new Set();
      for (const { write, delivery, call } of trace.nodes) {
        for (const each of [write?.eventId, delivery?.id, call?.report.id]) if (each) known.add(each);
      }
      if (isFirst && !query.has("open")) open.add(lastAttempt() ?? trace.subject);
      isFirst = false;
      show();
    } catch (error) {
      if (isClosed || (trace && error.status === 0)) return;
      timeline.element.hidden = true;
      fill(actions);
      fill(said);
      heading.textContent = "Events";
      fill(state);
      note.hidden = false;
      fill(note, h("p", { className: "error", role: "alert" }, error.message),
        h("button", { type: "button", onclick: load }, "Try again"));
    }
  }

  /** Reads it again, a few times a second at most. */
  function soon() {
    isStale = true;
    timer ??= setTimeout(async () => {
      isStale = false;
      await load();
      timer = null;
      // What happened while it was read may not be in the answer.
      if (isStale && !isClosed) soon();
    }, 200);
  }

  const ends = [
    stream.subscribe("deliveries", (reports) => {
      // Before the first answer nobody knows what belongs to it.
      if (trace === null
        || reports.some((report) => [report.id, report.eventId, report.cause].some((each) => known.has(each)))) soon();
    }, soon),
    stream.subscribe("calls", (reports) => {
      if (trace === null || reports.some((report) => known.has(report.id))) soon();
    }),
  ];
  await load();
  const close = () => {
    isClosed = true;
    clearTimeout(timer);
    for (const end of ends) end();
  };
  return Object.assign(close, { title: trace && heading.textContent });
}

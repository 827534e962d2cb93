// The trace of an event or a document: its cause and everything that it caused.

import { fill, h } from "../../lib/dom.js";
import { api, stream } from "../../lib/emulator.js";
import { setQuery } from "../../lib/router.js";
import { makeTimeline } from "./timeline.js";
import { actionsOf } from "./actions.js";
import { stateTag } from "./row.js";
import { subjectAddress, subjectNoun } from "./subject.js";
import { isBookkeeping, remark } from "./words.js";

/** Opens the trace of an event, a delivery or a call with an ID, or of a document's creation. */
export async function openTrace(main, { id, document }, query) {
  const source = id === undefined
    ? `trace?${new URLSearchParams({ document })}` : `trace/${encodeURIComponent(id)}`;
  const open = new Set(query.get("open")?.split(",") ?? []);
  const heading = h("h1", { dir: "auto" }, "Event");
  const state = h("span");
  const note = h("div", { className: "empty" }, "Loading…");
  const said = h("p", { className: "remark", dir: "auto" });
  const places = h("p", { className: "bar places" });
  const actions = h("div");
  const shortened = h("p", { className: "empty", hidden: true },
    "The trace is too large for this page: some nodes or documents are left out.");
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

  /** Returns a function's input: a delivery's event, or a call's request. */
  async function eventOf(report) {
    const isTheCall = ({ call }) => call?.report.id === report.id;
    if (!trace.nodes.some(isTheCall)) {
      return (await api.get(`events/${encodeURIComponent(report.id)}`, { exact: true })).event;
    }
    const { nodes } = await api.get(source, { exact: true });
    const event = nodes.find(isTheCall)?.call.event;
    if (event) return event;
    throw new Error("The call's data was too large to be kept.");
  }

  const context = { eventOf, subject: id };
  const timeline = makeTimeline(open, (ids) => setQuery({ open: [...ids].join(",") }), context);
  timeline.element.hidden = true;
  main.append(
    h("p", {}, h("a", { href: "/events" }, "← Events")), h("div", { className: "title" }, heading, state),
    said, places, actions, note,
    choice, timeline.element, shortened,
  );

  /** Returns the page's subject: a delivery or a call with its report; an event has no report. */
  function subject() {
    const node = trace.nodes.find((node) => node.id === trace.subject);
    return { node, report: node?.delivery ?? node?.call?.report };
  }

  function show() {
    const { node, report } = subject();
    const name = node?.delivery ? `${report.function}: ${report.document}` : report?.function;
    heading.textContent = node?.write?.document ?? name ?? document ?? id;
    fill(state, report && stateTag(report.state));
    fill(places, placesOf(node?.write ?? node?.delivery));
    fill(said, report ? remark(report) : "");
    said.hidden = said.textContent === "";
    // The buttons and their messages stay until the report or its state changes.
    const text = `${report?.id} ${report?.state}`;
    if (text !== shownActions) fill(actions, report && actionsOf(report, context));
    shownActions = text;
    note.hidden = true;
    timeline.element.hidden = false;
    const hidden = trace.nodes.filter(isBook);
    bookCount.textContent = `Show the functions' internal writes: ${hidden.length} to leases, limits and the like`;
    choice.hidden = hidden.length === 0;
    timeline.show(trace, books.checked ? trace.nodes : trace.nodes.filter((node) => !isBook(node)));
    shortened.hidden = !trace.isShortened;
  }

  /** Returns links to what has changed, and to all its events. */
  function placesOf(change) {
    if (!change) return null;
    const address = subjectAddress(change);
    const noun = subjectNoun(change);
    return [
      address && h("a", { href: address }, noun),
      h("a", { href: `/events?${new URLSearchParams({ document: change.document })}` },
        `All events of this ${noun.toLowerCase()}`),
    ];
  }

  /** Returns the last attempt of a delivery, which is opened first. */
  function lastAttempt() {
    return trace.nodes.findLast(({ kind, parent }) => kind === "attempt" && parent === trace.subject)?.id;
  }

  /** Returns whether a node is an internal write that causes nothing. */
  function isBook({ id, write }) {
    return write && isBookkeeping(write.document) && id !== trace.subject
      && !trace.nodes.some(({ parent }) => parent === id);
  }

  async function load() {
    try {
      const found = await api.get(source);
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
      fill(places);
      fill(said);
      heading.textContent = "Events";
      fill(state);
      note.hidden = false;
      fill(note, h("p", { className: "error", role: "alert" }, error.message),
        h("button", { type: "button", onclick: load }, "Try again"));
    }
  }

  /** Loads the trace again, a few times a second at most. */
  function soon() {
    isStale = true;
    timer ??= setTimeout(async () => {
      isStale = false;
      await load();
      timer = null;
      // The response may not contain events that occurred during the load.
      if (isStale && !isClosed) soon();
    }, 200);
  }

  const ends = [
    stream.subscribe("deliveries", (reports) => {
      // Before the first response it is unknown which reports belong to the trace.
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

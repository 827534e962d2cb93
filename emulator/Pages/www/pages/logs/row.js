// A log line in the list.

import { h } from "../../lib/dom.js";
import { said, time } from "../../lib/format.js";

const colour = (severity) =>
  ["ERROR", "CRITICAL", "ALERT", "EMERGENCY"].includes(severity) ? "bad" : severity === "WARNING" ? "warn" : "";

/** Returns the beginning of a text, because a row has a single line; a click shows the whole text. */
function firstLine(text) {
  const end = text.indexOf("\n");
  return end < 0 ? text.slice(0, 500) : `${text.slice(0, Math.min(end, 500))} …`;
}

export function makeRow(entry) {
  return h("div", { className: "log-row", role: "listitem", tabIndex: 0 },
    h("time", { dateTime: entry.time, className: "mono" }, time(entry.time)),
    h("span", { className: `tag ${colour(entry.severity)}` }, entry.severity),
    h("span", { className: "function" }, entry.function),
    h("span", { className: "message", dir: "auto" }, firstLine(said(entry))),
    entry.eventId
      ? h("a", { href: `/events/${encodeURIComponent(entry.eventId)}`, className: "mono",
        "aria-label": `Event ${entry.eventId}` }, entry.eventId.slice(0, 6))
      : h("span", {}));
}

/** Does nothing, because log lines don't change. */
export function updateRow() {}

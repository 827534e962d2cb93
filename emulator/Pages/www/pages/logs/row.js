// A log line in the list.

import { h } from "../../lib/dom.js";
import { said, time } from "../../lib/format.js";

const colour = (severity) =>
  ["ERROR", "CRITICAL", "ALERT", "EMERGENCY"].includes(severity) ? "bad" : severity === "WARNING" ? "warn" : "";

export function makeRow(entry) {
  return h("div", { className: "log-row", role: "listitem", tabIndex: 0 },
    h("time", { dateTime: entry.time, className: "mono" }, time(entry.time)),
    h("span", { className: `tag ${colour(entry.severity)}` }, entry.severity),
    h("span", { className: "function" }, entry.function),
    // A row has a single line; a click shows the whole text.
    h("span", { className: "message", dir: "auto" }, said(entry).slice(0, 500)),
    entry.eventId
      ? h("a", { href: `/events/${encodeURIComponent(entry.eventId)}`, className: "mono",
        "aria-label": `Event ${entry.eventId}` }, entry.eventId.slice(0, 6))
      : h("span", {}));
}

/** Does nothing, because log lines don't change. */
export function updateRow() {}

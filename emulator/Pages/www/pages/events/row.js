// A row of the list: a delivery or a call.

import { fill, h } from "../../lib/dom.js";
import { duration, time } from "../../lib/format.js";
import { path } from "../../lib/router.js";
import { isCall, remark, stateTone, stateWord } from "./words.js";

export function stateTag(state) {
  return h("span", { className: `tag ${stateTone(state)}` }, stateWord(state));
}

function cells(report) {
  const subject = isCall(report) ? `call by ${report.uid ?? "an anonymous caller"}` : report.document;
  const again = report.attempts > 1 ? `${report.attempts} attempts` : "";
  return [
    h("time", { dateTime: report.recorded }, time(report.recorded)),
    stateTag(report.state),
    h("span", { className: "function" }, report.function),
    h("span", { className: "subject", dir: "auto" }, subject),
    h("span", { className: "remark", dir: "auto" }, [again, remark(report)].filter(Boolean).join(" · ")),
    h("span", { className: "took" }, duration(report.durationMs)),
  ];
}

export function makeRow(item) {
  const link = h("a", { href: path("events", item.id), tabIndex: -1 });
  const row = h("div", { role: "listitem", className: "row" }, link);
  updateRow(row, item);
  return row;
}

/** Updates a row only if its report has changed, because the list updates all rows at every event. */
export function updateRow(row, { report }) {
  if (row.report === report) return;
  row.report = report;
  row.classList.toggle("dead", report.state === "deadLettered" || report.state === "failed");
  fill(row.firstElementChild, cells(report));
}

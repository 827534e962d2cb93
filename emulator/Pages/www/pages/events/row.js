// A row of the list: a group, a delivery or a call.

import { fill, h } from "../../lib/dom.js";
import { duration, time } from "../../lib/format.js";
import { path } from "../../lib/router.js";
import { subjectAddress, subjectNoun } from "./subject.js";
import { changeWord, isCall, remark, stateCount, stateTone, stateWord } from "./words.js";

export function stateTag(state) {
  return h("span", { className: `tag ${stateTone(state)}` }, stateWord(state));
}

/** Returns the address that a row leads to: the trace of an event, a delivery or a call. */
export const rowAddress = ({ group, id }) => path("events", group ? group.origin.eventId : id);

function cells(report) {
  const subject = isCall(report) ? `call by ${report.uid ?? "an anonymous caller"}` : changeWord(report.change);
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

/** Creates the element of a row. toggle(id) opens or closes a group. */
export function makeRow(row, toggle) {
  const link = h("a", { tabIndex: -1, className: "line" });
  const element = h("div", { role: "listitem", className: "row", "aria-level": row.parent ? 2 : 1 }, link);
  if (row.group) {
    element.classList.add("group");
    element.prepend(h("button", {
      type: "button", className: "quiet toggle", tabIndex: -1, onclick: () => toggle(row.id),
    }));
    element.append(h("a", { className: "open", tabIndex: -1 }));
  } else {
    element.classList.add("single");
    element.classList.toggle("child", Boolean(row.parent));
  }
  updateRow(element, row);
  return element;
}

/** Updates a row only if it has changed, because the list updates all rows at every event. */
export function updateRow(element, row) {
  if (row.group) return updateGroup(element, row);
  const { report } = row.item;
  if (element.report === report) return;
  element.report = report;
  const link = element.querySelector(".line");
  link.href = rowAddress(row);
  element.classList.toggle("dead", isDead(report.state));
  fill(link, cells(report));
}

const isDead = (state) => state === "deadLettered" || state === "failed";

function updateGroup(element, row) {
  const { group, isOpen } = row;
  const { newest, excerpt, changes, states } = group;
  const address = rowAddress(row);
  const shown = JSON.stringify([newest.recorded, excerpt, changes, states, address, isOpen]);
  if (element.shown === shown) return;
  element.shown = shown;
  const [toggle, link, open] = element.children;
  toggle.textContent = isOpen ? "▾" : "▸";
  toggle.setAttribute("aria-expanded", isOpen);
  toggle.setAttribute("aria-label", `Deliveries of ${newest.document}`);
  link.href = address;
  fill(link,
    h("time", { dateTime: newest.recorded }, time(newest.recorded)),
    h("span", { className: "subject" },
      excerpt && h("span", { className: "excerpt", dir: "auto" }, excerpt), excerpt && " ",
      h("span", { className: "path", dir: "auto" }, newest.document)),
    h("span", { className: "changes" }, changes.join(", ")),
    h("span", { className: "states" }, states.map(([state, count]) =>
      h("span", { className: `tag ${stateTone(state)}` }, stateCount(count, state)))));
  const page = subjectAddress(newest);
  open.hidden = page === null;
  if (page !== null) open.href = page;
  open.textContent = subjectNoun(newest);
  open.setAttribute("aria-label", `${subjectNoun(newest)} ${newest.document}`);
  element.classList.toggle("dead", states.some(([state]) => isDead(state)));
}

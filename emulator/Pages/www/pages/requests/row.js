// A request in the list.

import { h } from "../../lib/dom.js";
import { time } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { decisionTag, userName } from "./words.js";

/** Creates a row. `project` is the emulator's: a request of another one names it. */
export function makeRow(request, project) {
  const { denial, line } = request;
  return h("div", { className: `row ${denial ? "denied" : ""}`, role: "listitem" },
    h("a", { href: `/requests/${request.number}` },
      h("time", { dateTime: request.time, className: "mono" }, time(request.time)),
      decisionTag(request.isAllowed),
      h("span", { className: "user", dir: "auto" }, userName(request)),
      h("span", { className: "kind" }, request.kind === request.method ? request.kind : `${request.kind}, ${request.method}`),
      h("span", { className: "path", dir: "auto" },
        request.project !== project && h("span", { className: "more" }, marked(request.project), ": "),
        marked(request.path),
        request.query && h("span", { className: "more" }, " ", marked(request.query)),
        request.decisionCount > 1 && h("span", { className: "more" }, ` and ${request.decisionCount - 1} more`)),
      h("span", { className: "reason", dir: "auto" }, denial ? marked(denial.slice(0, 200)) : line && `line ${line}`)));
}

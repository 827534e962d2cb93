// A request: who sent it, what the rules decided, and why.

import { fill, h } from "../../lib/dom.js";
import { api, status } from "../../lib/emulator.js";
import { wholeTime } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { decisionView } from "./decision.js";
import { replayForm } from "./replay.js";
import { decisionTag, userName } from "./words.js";

export async function openRequest(main, id) {
  main.append(h("p", { className: "empty" }, "Loading…"));
  const [report, { project }] = await Promise.all([api.get(`requests/${encodeURIComponent(id)}`), status()]);
  const { request, claims } = report;
  const title = `${request.method} ${request.path}`;
  fill(main,
    h("p", {}, h("a", { href: "/requests" }, "← Requests")),
    h("div", { className: "title" }, h("h1", { dir: "auto" }, marked(title)), decisionTag(request.isAllowed)),
    h("dl", { className: "facts" },
      fact("Sent by", userName(request)),
      fact("Time", h("time", { dateTime: request.time }, wholeTime(request.time))),
      fact("Kind", kindText(request)),
      request.query && fact("Query", h("span", { className: "mono", dir: "auto" }, marked(request.query))),
      request.project !== project && fact("Project", marked(request.project)),
      request.database !== "(default)" && fact("Database", marked(request.database)),
      fact("Rules", report.file ? marked(report.file) : h("i", {}, "without a file's name")),
      request.denial && fact("Error", h("span", { className: "error", dir: "auto" }, marked(request.denial)))),
    ...(Object.keys(claims).length === 0 ? [] : [h("details", {}, h("summary", {}, "Claims of the token"),
      h("pre", { dir: "auto", tabIndex: 0 }, marked(JSON.stringify(claims, null, 2))))]),
    decisionsView(report),
    replayForm(report, project, decisionsView),
  );
  return Object.assign(() => {}, { title });
}

const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, value)];

function kindText({ kind, decisionCount }) {
  const what = {
    commit: "a commit of one document", get: "a read of one document", list: "a query, a count or a list",
    listen: "a listener",
  }[kind];
  return decisionCount > 1 ? what.replace("one document", `${decisionCount} documents`) : what;
}

/** Returns the decisions on all documents of a request: a denied one first, and allowed ones of many folded. */
function decisionsView({ request, decisions }) {
  const missing = request.decisionCount - decisions.length;
  const denied = decisions.filter(({ isAllowed }) => !isAllowed);
  const allowed = decisions.filter(({ isAllowed }) => isAllowed);
  const isFolded = allowed.length > 3 || (denied.length > 0 && allowed.length > 0);
  return h("div", { className: "decisions" }, denied.map(decisionView),
    isFolded ? h("details", { className: "allowed" },
      h("summary", {}, allowed.length === 1 ? "1 allowed decision" : `${allowed.length} allowed decisions`), allowed.map(decisionView)) : allowed.map(decisionView),
    missing > 0 && h("p", { className: "empty" }, `${missing} more decisions aren't kept. They allowed the request.`));
}

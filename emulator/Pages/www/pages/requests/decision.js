// A decision: the rule that decided, and the value of each part of its expression.

import { h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";
import { decisionTag } from "./words.js";

/** The lengths at which texts are cut; a title has the whole text. */
const longestText = 160;

export function decisionView({ method, path, isAllowed, line, reasons, isProof, expressions }) {
  const name = `${method} ${path}`;
  return h("section", { className: "panel", "aria-label": name },
    h("h2", { dir: "auto" }, marked(name), " ", decisionTag(isAllowed)),
    isAllowed
      ? h("p", {}, `Line ${line} allows it.`)
      : h("ul", { className: "reasons" }, reasons.map((reason) => h("li", { dir: "auto" }, marked(reason)))),
    isProof && h("p", { className: "hint" }, isAllowed
      ? "The query's filters prove the condition for every document that the query can find."
      : "Rules aren't filters. They allow a query only if its filters prove the condition for every document that the " +
        "query can find, whatever is stored." + (needsFilter(expressions) ?
        " Add a filter that says what the failed part below requires." : "")),
    expressions === undefined
      ? h("p", { className: "empty" }, "There are no values: the request was too large to be kept, or the rules ran out of time.")
      : expressions.length > 0 && table(expressions));
}

/** Returns whether a part that isn't true is about the documents, so that a filter could prove it. */
const needsFilter = (expressions = []) => expressions.some(({ text, values }) =>
  text.includes("resource") && values.some((value) => value === "false" || value.startsWith("error: ")));

function table(expressions) {
  return h("table", { className: "expressions" },
    h("thead", {}, h("tr", {}, ["Line", "Expression", "Value"].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, expressions.map((expression) => h("tr", { className: colour(expression) },
      h("td", { className: "number" }, expression.line),
      h("td", { className: "mono", style: `--depth: ${Math.min(expression.depth, 8)}` }, cut(expression.text)),
      h("td", { className: "mono" }, expression.values.map((value) => h("div", {}, cut(value))))))));
}

/** Returns the class of a row whose only value is true, false or an error. */
function colour({ values: [value, ...others] }) {
  if (others.length > 0) return "";
  return value === "true" ? "good" : value === "false" || value.startsWith("error: ") ? "bad" : "";
}

function cut(text) {
  return h("span", { dir: "auto", title: text.length > longestText ? text : null },
    marked(text.length > longestText ? `${text.slice(0, longestText)}…` : text));
}

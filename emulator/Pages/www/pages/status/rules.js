// The security rules in force, their warnings, and why a changed file isn't used.

import { h } from "../../lib/dom.js";
import { wholeTime } from "../../lib/format.js";

const tag = (colour, text) => h("span", { className: `tag ${colour}` }, text);

const sources = {
  none: () => tag("warn", "none: all data is open"),
  off: () => tag("warn", "off (--no-rules): all data is open"),
  file: (file) => h("code", {}, file),
};

/** Creates the section from `GET /api/rules`. */
export function rulesSection({ source, file, loaded, warnings, failure, projects }) {
  const row = (name, ...value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
  return h("section", { "aria-label": "Security rules" },
    h("h2", {}, "Security rules"),
    h("table", { className: "panel" }, h("tbody", {},
      row("Rules", sources[source](file)),
      loaded && row("Loaded", wholeTime(loaded)),
      warnings.length > 0 && row("Warnings", list(warnings.map(warningText))),
      failure && row("Last change", tag("bad", "not used: the rules before it stay in force"),
        h("p", {}, wholeTime(failure.time)), h("pre", {}, failure.message)),
      projects.length > 0 && row("Set by clients", "for ", list(projects)),
    )));
}

const list = (texts) => h("ul", {}, texts.map((text) => h("li", {}, text)));

const warningText = ({ line, column, text }) => line ? `line ${line}, column ${column}: ${text}` : text;

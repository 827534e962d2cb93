// The security rules in force, their warnings, why a changed file isn't used, and projects with rules of their own.

import { h } from "../../lib/dom.js";
import { wholeTime } from "../../lib/format.js";

const tag = (colour, text) => h("span", { className: `tag ${colour}` }, text);

const sources = {
  none: () => tag("warn", "none: all data is open"),
  off: () => tag("warn", "off (--no-rules): all data is open"),
  file: (file) => h("code", {}, file),
};

const row = (name, ...value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));

const failureRow = (failure) => failure && row("Last change", tag("bad", "not used: the rules before it stay in force"),
  h("p", {}, wholeTime(failure.time)), h("pre", {}, failure.message));

/** Creates the section from `GET /api/rules`. */
export function rulesSection({ source, file, loaded, warnings, otherWarnings, failure, projects }) {
  return h("section", { "aria-label": "Security rules" },
    h("h2", {}, "Security rules"),
    h("table", { className: "panel" }, h("tbody", {},
      row("Rules", sources[source](file)),
      loaded && row("Loaded", wholeTime(loaded)),
      warnings.length > 0 && row("Warnings", issueList(warnings, otherWarnings)),
      failureRow(failure),
      projects.length > 0 && row("Set by clients",
        h("p", {}, "The rules above don't hold for these projects. ",
          h("code", {}, "DELETE /emulator/v1/projects/…:securityRules"), " removes a project's own rules."),
        h("ul", {}, projects.map(ownRules))),
    )));
}

/** Creates the section about the Realtime Databases from `GET /api/databases`. */
export function databaseRulesSection({ rules, databases }) {
  const own = databases.filter(({ hasOwnRules }) => hasOwnRules);
  return filesSection("Database rules", "Rules of the Realtime Database", rules,
    own.length > 0 && row("Set by clients", h("ul", {}, own.map(({ name }) => h("li", {}, h("code", {}, name))))));
}

/** Creates the section about Cloud Storage from `GET /api/storage`. */
export function storageRulesSection({ rules, hasOwnRules }) {
  return filesSection("Storage rules", "Rules of Cloud Storage", rules,
    hasOwnRules && row("Set by a client", "These rules hold for all buckets, instead of the files."));
}

/** Creates a section about rules' files, each of one database or bucket, or of all others. */
function filesSection(label, title, { source, files, loaded, failure }, own) {
  return h("section", { "aria-label": label },
    h("h2", {}, title),
    h("table", { className: "panel" }, h("tbody", {},
      files.length === 0 && row("Rules", sources[source]()),
      files.map(({ name, owner }) => row("Rules", h("code", {}, name), owner && [" of ", h("code", {}, owner)])),
      loaded && row("Loaded", wholeTime(loaded)),
      failureRow(failure),
      own,
    )));
}

const ownRules = ({ project, errors, otherErrors }) => h("li", {},
  h("code", {}, project), " ",
  errors.length > 0
    ? [tag("bad", "rules with errors: every request of its clients fails"), issueList(errors, otherErrors)]
    : tag("warn", "rules of its own"));

const issueList = (issues, others) =>
  h("ul", {}, issues.map((issue) => h("li", {}, issueText(issue))), others && h("li", {}, others));

const issueText = ({ line, column, text }) => line ? `line ${line}, column ${column}: ${text}` : text;

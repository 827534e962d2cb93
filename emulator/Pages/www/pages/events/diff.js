// The change of a document, field by field, with the cause of each field's value.

import { fill, h } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";
import { time } from "../../lib/format.js";
import { decode } from "../../lib/values.js";

const MAXIMUM_TEXT = 4_000;

/** Returns the names in a field path such as a.`b.c`.d. */
function segments(text) {
  const names = [];
  for (const [, quoted, plain] of text.matchAll(/`((?:[^`\\]|\\.)*)`|([^.]+)/g)) {
    names.push(quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, "$1"));
  }
  return names;
}

function valueAt(document, field) {
  let fields = document?.fields;
  let value;
  for (const name of segments(field)) {
    value = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
    fields = value?.mapValue?.fields;
  }
  return value;
}

/** Returns a name as it is written in a field path. */
const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll(/[\\`]/g, "\\$&")}\``);

function shown(value) {
  if (value === undefined) return h("span", { className: "none" }, "–");
  const plain = decode(value);
  const text = typeof plain === "string" ? plain : JSON.stringify(plain, null, 2);
  const rest = text.length - MAXIMUM_TEXT;
  return h("span", { dir: "auto" }, rest > 0 ? `${text.slice(0, MAXIMUM_TEXT)}… and ${rest} more characters` : text);
}

async function explain(document, field, place, button) {
  button.disabled = true;
  try {
    const { sentence, chain } = await api.get(`why?${new URLSearchParams({ document, field })}`);
    fill(place, h("p", { dir: "auto" }, sentence),
      chain.length > 1 &&
        h("ol", {}, chain.map((step) => h("li", { dir: "auto" }, `${time(step.time)} ${step.what}`))));
  } catch (error) {
    fill(place, h("p", { className: "error" }, error.message));
  }
  button.disabled = false;
}

/** Returns the rows of a field: its values, and its cause on request. */
function rows({ document, before, after }, field) {
  const place = h("td", { className: "why", colSpan: 4, role: "status" });
  const answer = h("tr", { hidden: true }, place);
  const button = h("button", {
    type: "button", className: "quiet", "aria-label": `Why does ${field} have this value?`,
    onclick: () => {
      answer.hidden = false;
      return explain(document, field, place, button);
    },
  }, "Why?");
  const row = h("tr", {},
    h("th", { scope: "row", dir: "auto" }, field),
    before && h("td", { className: "before" }, shown(valueAt(before, field))),
    after && h("td", { className: "after" }, shown(valueAt(after, field))),
    h("td", {}, button));
  return [row, answer];
}

function table(write, fields, caption) {
  return h("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption },
    h("table", { className: "diff" },
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, "Field"),
        write.before && h("th", { scope: "col" }, "Before"),
        write.after && h("th", { scope: "col" }, "After"),
        h("td", {}))),
      h("tbody", {}, fields.map((field) => rows(write, field)))));
}

/**
 * Returns the changed fields of an update, with the unchanged ones folded, or the whole document of another change.
 */
export function diff(write) {
  const all = Object.keys((write.after ?? write.before)?.fields ?? {}).map(quoted).sort();
  if (write.change !== "updated") return table(write, all, "Fields");
  const changed = write.fields.map((field) => segments(field)[0]);
  const same = all.filter((field) => !changed.includes(segments(field)[0]));
  return [
    table(write, write.fields, "Changed fields"),
    same.length > 0 && h("details", {}, h("summary", {}, `Unchanged fields: ${same.length}`),
      table({ ...write, before: undefined }, same, "Unchanged fields")),
  ];
}

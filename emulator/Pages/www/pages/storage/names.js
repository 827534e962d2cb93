// Names of objects and folders as texts.

import { h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";

/**
 * Returns the nodes that show a part of a name. An empty part, as between the slashes of a//b, and spaces at its ends
 * would be invisible.
 */
export function nameText(text) {
  if (text === "") return h("i", { className: "note" }, "(no name)");
  const [, before, middle, after] = /^( *)(.*?)( *)$/s.exec(text);
  return [spaces(before), marked(middle), spaces(after)];
}

const spaces = (text) =>
  text && h("span", { className: "hidden-character", title: "spaces" }, "␣".repeat(Math.min(text.length, 10)));

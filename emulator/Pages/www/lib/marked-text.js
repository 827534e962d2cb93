// Text with invisible characters shown by name, so that nothing in a text stays hidden.

import { h } from "./dom.js";

const names = new Map([
  [0x09, "TAB"], [0xad, "SHY"], [0x61c, "ALM"], [0x180e, "MVS"], [0x200b, "ZWSP"], [0x200c, "ZWNJ"], [0x200d, "ZWJ"],
  [0x200e, "LRM"], [0x200f, "RLM"], [0x2028, "LS"], [0x2029, "PS"], [0x202a, "LRE"], [0x202b, "RLE"], [0x202c, "PDF"],
  [0x202d, "LRO"], [0x202e, "RLO"], [0x2060, "WJ"], [0x2066, "LRI"], [0x2067, "RLI"], [0x2068, "FSI"],
  [0x2069, "PDI"], [0xfeff, "BOM"],
]);
const hidden = "\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e" +
  "\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const anyHidden = new RegExp(`[${hidden}]`, "u");
// An emoji sequence is a single picture, so its joiners aren't marked.
const parts = new RegExp(`\\p{RGI_Emoji}|[${hidden}]`, "gv");

const code = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Returns an array of texts, and an element for each invisible character. */
export function marked(text) {
  if (!anyHidden.test(text)) return [text];
  const result = [];
  let end = 0;
  for (const match of text.matchAll(parts)) {
    if (!new RegExp(`^[${hidden}]$`, "u").test(match[0])) continue;
    result.push(text.slice(end, match.index), mark(match[0]));
    end = match.index + match[0].length;
  }
  return [...result, text.slice(end)];
}

function mark(character) {
  const name = names.get(character.codePointAt(0)) ?? code(character);
  const title = `${code(character)}, an invisible character`;
  return h("span", { className: "hidden-character", title }, name);
}

/** Returns a sentence that lists the invisible characters of a text, or "" if there are none. */
export function warning(text) {
  if (!anyHidden.test(text)) return "";
  const counts = new Map();
  for (const node of marked(text)) {
    if (typeof node !== "string") counts.set(node.textContent, (counts.get(node.textContent) ?? 0) + 1);
  }
  const list = [...counts].map(([name, count]) => `${name} ×${count}`).join(", ");
  return list && `Invisible characters: ${list}`;
}

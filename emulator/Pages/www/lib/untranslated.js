// Texts that no translation engine of the emulator has: its engine "pseudo" only marks them, as in "⟦it⟧ Hello".

import { h } from "./dom.js";
import { api } from "./emulator.js";

/** The mark at the beginning of a text, or after the sender's name in a group's push. */
const mark = /(^|: )⟦[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*⟧ /;

/** Returns a text without the mark, or null if it has none. */
export const originalOf = (text) => (mark.test(text) ? text.replace(mark, "$1") : null);

/** Returns the parts that show a text: with a tag in place of the mark if it has one. */
export function tagged(text) {
  const original = originalOf(text);
  return original === null ? [text] : [original, " ", h("span", { className: "tag warn" }, "not translated")];
}

/** Returns a Boolean value that indicates whether a part of a text was only marked, by the names of its engines. */
export const isUntranslated = (engine) =>
  engine.split("+").some((name) => name === "pseudo" || name.startsWith("pseudo-"));

let known = {};

/** Requests the phrases to try. Without an answer, there are none. */
export async function loadPhrases() {
  known = await api.get("phrases").catch(() => ({}));
}

/** Returns a few texts that the phrasebook has, by language; {} without a phrasebook, or before they are loaded. */
export const phrases = () => known;

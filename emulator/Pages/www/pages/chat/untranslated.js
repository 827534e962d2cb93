// The note of a message that isn't in the phrasebook, in place of a translation.

import { h } from "../../lib/dom.js";
import { phrases } from "../../lib/untranslated.js";
import { languageName, sharedLanguage } from "./documents.js";

const shownPhrases = 3;

/** Creates the note. source and target are the codes of the message's and the reader's language. */
export function untranslatedNote(source, target) {
  const known = phrases();
  if (Object.keys(known).length === 0) return h("div", { className: "untranslated" }, tag("not translated"));
  return h("div", { className: "untranslated" },
    tag("not in the phrasebook",
      "emulator start --translator apertium translates other texts, too, if Apertium is installed"),
    " ", advice(known, source, target));
}

const tag = (text, title) => h("span", { className: "tag warn", title }, text);

/** Returns the text that says what the phrasebook has. */
function advice(known, source, target) {
  if (!known[sharedLanguage(target)]) return `It has no ${languageName(target)}.`;
  const tries = (known[sharedLanguage(source)] ?? known.en ?? []).slice(0, shownPhrases);
  return tries.map((text, index) => [index === 0 ? "Try " : " · ", h("q", { dir: "auto" }, text)]);
}

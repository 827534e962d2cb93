// The note of a message that isn't in the phrasebook, in place of a translation.

import { fill, h } from "../../lib/dom.js";
import { phrases } from "../../lib/untranslated.js";
import { languageName, sharedLanguage } from "./documents.js";

const shownPhrases = 3;

/** Creates the note. source and target are the codes of the message's and the reader's language. */
export function untranslatedNote(source, target) {
  const tag = h("span", { className: "tag warn" }, "not translated");
  const advice = h("span", { className: "advice" });
  phrases().then((known) => {
    if (Object.keys(known).length === 0) return;
    tag.textContent = "not in the phrasebook";
    tag.title = "emulator start --translator apertium translates other texts, too, if Apertium is installed";
    const [from, to] = [sharedLanguage(source), sharedLanguage(target)];
    if (!known[to]) return fill(advice, `It has no ${languageName(target)}.`);
    const tries = (known[from] ?? known.en ?? []).slice(0, shownPhrases);
    fill(advice, tries.length > 0 && "Try ", tries.flatMap((text, index) => [
      index > 0 && " · ", h("q", { dir: "auto" }, text),
    ]));
  });
  return h("div", { className: "untranslated" }, tag, " ", advice);
}

// The list of languages of a profile.

import { h } from "../../lib/dom.js";
import { languageName } from "./documents.js";

const languages = ["en", "it", "fr", "de", "es", "pt", "ar", "he", "ja", "zh", "hi", "tr", "uk", "nl", "pl"];

/** Creates the list. A selected language that isn't in the list is added. */
export const languageSelect = (selected, properties = {}) => h("select", { name: "language", ...properties },
  [...new Set([...languages, ...(selected ? [selected] : [])])].map((code) => h("option", {
    value: code, selected: code === selected,
  }, languageName(code))));

// The filters of the list: a searched text, a state, a function, and a document's path.

import { fill, h } from "../../lib/dom.js";
import { stateNames, stateWord } from "./words.js";

/**
 * Creates the filters. onChange() is called after a change; while the user types, it is called shortly after the last
 * key. It isn't called after the page was left.
 */
export function makeFilters(query, onChange) {
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => text.isConnected && changed(), 250);
  };
  const changed = () => {
    clearTimeout(timer);
    clear.hidden = !isSet();
    onChange();
  };
  const input = (name, label) =>
    h("input", {
      type: "search", name, "aria-label": label, placeholder: label, value: query.get(name) ?? "", oninput: soon,
    });
  const text = input("text", "Search texts, errors, ids");
  const document = input("document", "Part of a path");
  const state = h("select", { name: "state", "aria-label": "State", onchange: changed },
    h("option", { value: "" }, "Every state"),
    stateNames.map((name) => h("option", { value: name }, stateWord(name))));
  state.value = query.get("state") ?? "";
  const chosen = query.get("function") ?? "";
  const name = h("select", { name: "function", "aria-label": "Function", onchange: changed });
  let offered = null;

  /** Offers the existing functions. */
  function offer(functions) {
    if (functions.join() === offered) return;
    const value = offered === null ? chosen : name.value;
    offered = functions.join();
    const all = value && !functions.includes(value) ? [...functions, value] : functions;
    fill(name, h("option", { value: "" }, "Every function"), all.map((each) => h("option", { value: each }, each)));
    name.value = value;
  }
  offer([]);

  const values = () => ({ text: text.value, state: state.value, function: name.value, document: document.value });
  const isSet = () => Object.values(values()).some(Boolean);
  const clear = h("button", {
    type: "button", className: "quiet", hidden: !isSet(), onclick: () => {
      for (const field of [text, document, state, name]) field.value = "";
      changed();
    },
  }, "Show everything");
  const close = () => clearTimeout(timer);
  return { elements: [text, state, name, document, clear], values, isSet, offer, close };
}

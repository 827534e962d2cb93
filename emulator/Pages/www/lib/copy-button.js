// A button that copies a text.

import { announce, h } from "./dom.js";

/**
 * Creates the button. source is the element that shows the text: if the clipboard can't be written, because it needs a
 * secure context and the permission, the element is selected for a manual copy.
 */
export function copyButton({ text, title, source, label = "Copy" }) {
  const button = h("button", { type: "button", "aria-label": title, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      announce("Copied");
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = label), 2_000);
  } }, label);
  return button;
}

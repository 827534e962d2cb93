// A dialog that asks for input and performs an action. Errors appear inside the dialog.

import { h, openModal } from "./dom.js";
import { marked } from "./marked-text.js";

/**
 * Opens a dialog. confirm() performs the action and may throw; the dialog then closes unless it returns false.
 * onClose is always called at the end. `asker` is the clicked element: if it was removed meanwhile, because another
 * page is open, no dialog opens. Returns the dialog's element.
 */
export function openDialog({ title, body, action, isDangerous = false, asker, confirm, onClose = () => {} }) {
  if (asker?.isConnected === false) return;
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const button = h("button", { type: "submit", className: isDangerous ? "danger" : "primary" }, action);
  const fail = (message) => {
    problem.textContent = message;
    problem.hidden = false;
  };
  const form = h("form", { className: "dialog-form", onsubmit: submit },
    h("h2", { dir: "auto" }, marked(title)), body, problem,
    h("div", { className: "actions" },
      h("button", { type: "button", onclick: () => element.close() }, "Cancel"), button));

  async function submit(event) {
    event.preventDefault();
    problem.hidden = true;
    button.disabled = true;
    try {
      if ((await confirm()) !== false) element.close();
    } catch (error) {
      fail(error.message);
    } finally {
      button.disabled = false;
    }
  }

  const element = openModal(title, { onclose: onClose }, form);
  return element;
}

// A dialog that asks for something and does it: errors stay beside what was asked for.

import { h, openModal } from "../../lib/dom.js";
import { marked } from "./marked-text.js";

/**
 * Opens one. confirm() does the work and may throw; when it is done the dialog closes, unless it returns false.
 * Returns {element, fail, close}. onClose is called however it ends.
 */
export function openDialog({ title, body, action, isDangerous = false, confirm, onClose = () => {} }) {
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const button = h("button", { type: "submit", className: isDangerous ? "danger" : "primary" }, action);
  const fail = (message) => {
    problem.textContent = message;
    problem.hidden = false;
  };
  const form = h("form", { onsubmit: submit },
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
  return { element, fail, close: () => element.close() };
}

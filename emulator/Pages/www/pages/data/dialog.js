// A dialog that asks for something and does it: errors stay beside what was asked for.

import { h, openModal } from "../../lib/dom.js";
import { marked } from "./marked-text.js";

/**
 * Opens one. confirm() does the work and may throw; when it is done the dialog closes, unless it returns false.
 * onClose is called however it ends. Where something was read first, `asker` is the element that was clicked: if
 * that is gone by then somebody has gone on, and nothing opens.
 */
export function openDialog({ title, body, action, isDangerous = false, asker, confirm, onClose = () => {} }) {
  if (asker?.isConnected === false) return;
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
}

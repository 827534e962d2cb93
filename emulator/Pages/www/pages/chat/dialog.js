// A modal dialog that goes when it is closed.

import { h } from "../../lib/dom.js";

/** The dialog is part of the page's main element and goes with it. Answers a function that closes it. */
export function showDialog(title, ...children) {
  const heading = h("h2", {}, title);
  const dialog = h("dialog", { className: "chat-dialog", "aria-label": title, onclose: () => dialog.remove() },
    h("div", { className: "dialog-head" }, heading,
      h("button", { type: "button", className: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
    children);
  document.getElementById("main").append(dialog);
  dialog.showModal();
  return () => dialog.close();
}

/** A form's submission that shows what went wrong, and can't be sent twice meanwhile. */
export function formOf(submit, ...children) {
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  return h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const form = event.currentTarget;
      const button = form.querySelector("button[type=submit]");
      button.disabled = true;
      problem.hidden = true;
      try {
        await submit(new FormData(form));
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      }
      button.disabled = false;
    },
  }, children, problem);
}

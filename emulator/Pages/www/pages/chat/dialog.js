// Dialogs with a heading, and forms in them.

import { h, openModal } from "../../lib/dom.js";

/** Shows a dialog. Returns a function that closes it. */
export const showDialog = (title, ...children) => showDialogWith({}, title, ...children);

/** Shows a dialog with further properties, such as onclose. */
export function showDialogWith(properties, title, ...children) {
  const dialog = openModal(title, properties,
    h("div", { className: "dialog-head" }, h("h2", {}, title),
      h("button", { type: "button", className: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
    children);
  return () => dialog.close();
}

/** Creates a form that shows the error of a failed submission, and can't be submitted twice at the same time. */
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

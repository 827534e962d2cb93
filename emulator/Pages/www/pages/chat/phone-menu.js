// A phone's menu: the profile picture, sign out, and remove the phone. The last two ask if the user's writes aren't
// sent yet.

import { h } from "../../lib/dom.js";
import { showDialog } from "./dialog.js";
import { closePopover, showPopover } from "./popover.js";

/**
 * Creates the menu's button. state() returns {name, unsent, hasPicture}; name is null if nobody uses the phone, and
 * hasPicture tells whether the user can have a profile picture.
 */
export function phoneMenu({ state, showPicture, signOut, remove }) {
  const item = (title, question, action) => h("button", { type: "button", onclick: () => {
    closePopover();
    ask(title, question, action);
  } }, title);

  function ask(title, question, action) {
    const { name, unsent } = state();
    if (!unsent) return action();
    const close = showDialog(question,
      h("p", {}, `Messages, edits and deletions that aren't sent yet: ${unsent}. They are kept, and are sent when `,
        h("bdi", {}, name), " uses a phone again and it is online."),
      h("button", { type: "button", className: "danger", onclick: () => {
        close();
        action();
      } }, title));
  }

  const button = h("button", {
    type: "button", className: "quiet", "aria-label": "Menu of this phone", "aria-haspopup": "dialog",
    onclick: () => showPopover(button, "Menu of this phone", h("div", { className: "menu" },
      state().hasPicture && h("button", { type: "button", onclick: () => (closePopover(), showPicture()) },
        "Profile picture"),
      state().name !== null && item("Sign out", "Sign out?", signOut),
      item("Remove this phone", "Remove this phone?", remove))),
  }, "⋮");
  return button;
}

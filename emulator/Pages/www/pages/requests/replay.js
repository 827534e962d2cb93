// The form that lets the rules decide on a request again, as if another user sent it.

import { fill, h } from "../../lib/dom.js";
import { request as send } from "../../lib/emulator.js";
import { marked } from "../../lib/marked-text.js";
import { userField } from "../../lib/user-field.js";
import { UnsignedUser, asUser } from "../../lib/user.js";
import { decisionTag } from "./words.js";

/**
 * Creates the form. `claims` are those of the request's user, `ownProject` is the emulator's. view(report) returns the
 * elements that show a report.
 */
export function replayForm({ request, claims }, ownProject, view) {
  const field = userField({ label: "User ID", empty: "nobody", uid: request.uid ?? "" });
  const result = h("div", { className: "result", "aria-live": "polite" });
  const error = h("p", { className: "error", role: "alert", hidden: true });

  /** Returns who is to send the request: its user with the same claims, or another user of its project. */
  async function sender() {
    if (field.uid && field.uid === request.uid) return new UnsignedUser(field.uid, claims, request.project);
    if (request.project === ownProject) return field.user();
    return field.uid ? new UnsignedUser(field.uid, {}, request.project) : null;
  }

  async function replay(event) {
    event.preventDefault();
    error.hidden = true;
    const post = (headers = {}) => send("POST", `/api/requests/${request.number}/replay`, { body: {}, headers });
    try {
      const user = await sender();
      const report = await (user ? asUser(user, post) : post());
      fill(result, h("h3", { dir: "auto" }, "As ", user ? marked(user.uid) : h("i", {}, "nobody"), " ",
        decisionTag(report.request.isAllowed)), view(report));
    } catch (failure) {
      fill(result);
      error.textContent = failure.message;
      error.hidden = false;
    }
  }

  return h("section", { "aria-label": "Replay" },
    h("h2", {}, "Replay"),
    h("p", { className: "hint" }, "Decides on the same request again, with the present data and rules, as if this user " +
      "sent it now. Nothing is changed."),
    h("form", { className: "bar", onsubmit: replay }, field.element, h("button", { className: "primary" }, "Replay")),
    error, result);
}

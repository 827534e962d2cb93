// The messages that mailboxes and phones would have got, newest first.

import { emulatorCall } from "../../lib/authentication.js";
import { fill, h, reconcile } from "../../lib/dom.js";
import { poll } from "../../lib/polling.js";
import { emailRow, textMessageRow } from "./message-row.js";

const maximumShown = 100;

/** Creates the list. onUse() is called after a link was followed. */
export function openMessages(onUse) {
  const list = h("ul", { className: "messages", "aria-label": "Messages" });
  const hint = h("p", { className: "hint" });
  const result = h("p", { className: "result", role: "status", hidden: true });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const element = h("section", { "aria-label": "Messages", className: "panel" },
    h("h2", {}, "Messages"), hint, result, error, list);

  const failed = (failure) => {
    error.hidden = false;
    error.textContent = failure.message;
  };

  const events = {
    failed,
    async used(...words) {
      error.hidden = true;
      result.hidden = false;
      fill(result, words);
      await Promise.all([polling.now(), onUse()]);
    },
  };

  async function show() {
    const [{ oobCodes }, { verificationCodes }] = await Promise.all([
      emulatorCall("GET", `oobCodes?limit=${maximumShown}`),
      emulatorCall("GET", `verificationCodes?limit=${maximumShown}`),
    ]);
    const messages = [...oobCodes, ...verificationCodes].map((message, index) => ({ ...message, index }));
    // Messages of the same millisecond keep their order.
    messages.sort((a, b) => b.sentAt.localeCompare(a.sentAt) || b.index - a.index);
    hint.textContent = messages.length === 0
      ? "No messages. The links of emails and the codes for phones appear here: the emulator sends none."
      : messages.length >= maximumShown ? `The emulator sends none of them. The newest ${maximumShown} are shown.`
      : "The emulator sends none of them.";
    reconcile(list, messages.slice(0, maximumShown), {
      key: ({ oobCode, sessionInfo }) => oobCode ?? sessionInfo,
      make: (message) => (message.oobCode ? emailRow(message, events) : textMessageRow(message)),
    });
  }

  const polling = poll(show, { onError: failed });
  return { element, first: polling.first, close: polling.close };
}

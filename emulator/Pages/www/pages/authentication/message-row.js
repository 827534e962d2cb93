// An email or a text message in the list.

import { clientCall } from "../../lib/authentication.js";
import { copyButton } from "../../lib/copy-button.js";
import { openDialog } from "../../lib/dialog.js";
import { h } from "../../lib/dom.js";
import { service } from "../../lib/emulator.js";
import { time } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { textField } from "./fields.js";
import { explained } from "./words.js";

const subjects = {
  PASSWORD_RESET: "Reset the password",
  EMAIL_SIGNIN: "Sign in",
  VERIFY_EMAIL: "Verify the address",
  VERIFY_AND_CHANGE_EMAIL: "Change the address",
  RECOVER_EMAIL: "Undo the change of the address",
};

const results = {
  PASSWORD_RESET: "has a new password.",
  VERIFY_EMAIL: "is verified.",
  VERIFY_AND_CHANGE_EMAIL: "is replaced, and the new address is verified.",
  RECOVER_EMAIL: "is the account's address again.",
};

const row = (className, recipient, sentAt, subject, ...actions) => h("li", { className },
  h("div", { className: "message-head" }, h("bdi", { className: "recipient" }, marked(recipient)),
    h("time", { dateTime: sentAt, className: "mono" }, time(sentAt))),
  h("div", { className: "bar" }, h("span", { className: "subject" }, subject), actions));

/** Creates the row of a code for a phone. */
export function textMessageRow({ phoneNumber, code, sentAt }) {
  const shown = h("strong", { className: "mono" }, code);
  return row("text", phoneNumber, sentAt, ["Code ", shown],
    copyButton({ text: code, title: `Copy the code ${code}`, source: shown }));
}

/** Creates the row of an email. used(...words) is called after its link was followed; failed(error) if it can't be. */
export function emailRow(message, { used, failed }) {
  const { email, newEmail, requestType, oobLink, sentAt } = message;
  const link = new URL(oobLink);
  const subject = h("span", {}, subjects[requestType] ?? requestType,
    newEmail && requestType !== "RECOVER_EMAIL" && [" to ", h("bdi", {}, marked(newEmail))]);

  async function follow() {
    try {
      if (requestType === "EMAIL_SIGNIN") return await signIn();
      if (requestType === "PASSWORD_RESET") return reset();
      await explained(() => clientCall("update", { oobCode: message.oobCode }));
      await done();
    } catch (error) {
      failed(error);
    }
  }

  /** Opens the app, which signs in with the code in its URL. */
  async function signIn() {
    // The link has the service's address as the app knows it, which may be another one than the browser's.
    open(`${await service("auth")}${link.pathname}${link.search}`, "_blank", "noopener");
  }

  function reset() {
    const password = textField("New password", { required: true, placeholder: "at least 6 characters" });
    openDialog({
      title: `Reset the password of ${email}`, action: "Reset", body: password.element,
      async confirm() {
        const members = { oobCode: message.oobCode, newPassword: password.input.value };
        await explained(() => clientCall("resetPassword", members));
        await done();
      },
    });
    password.input.focus();
  }

  function done() {
    const next = link.searchParams.get("continueUrl");
    const isPage = next && /^https?:/i.test(next);
    return used(h("bdi", {}, marked(email)), ` ${results[requestType] ?? "has followed the link."}`,
      isPage && [" ", h("a", { href: next, target: "_blank", rel: "noopener" }, "Continue to the app")]);
  }

  return row("email", email, sentAt, subject,
    h("button", { type: "button", className: "primary", onclick: follow,
      "aria-label": `Follow the link: ${subjects[requestType] ?? requestType}, ${email}` }, "Follow the link"),
    copyButton({ text: oobLink, title: `Copy the link for ${email}`, source: subject, label: "Copy the link" }));
}

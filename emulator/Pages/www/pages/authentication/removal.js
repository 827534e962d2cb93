// The dialogs that delete one account, all accounts, or an account's password.

import { adminCall, emulatorCall } from "../../lib/authentication.js";
import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { explained, identifier } from "./words.js";

const note = "Documents of the user stay. The function forgetUser deletes both.";

export function deleteAccount(account, onDone) {
  openDialog({
    title: `Delete ${identifier(account)}?`, action: "Delete", isDangerous: true,
    body: h("p", { className: "note" }, note),
    async confirm() {
      await explained(() => adminCall("accounts:delete", { localId: account.localId }));
      announce("The account is deleted");
      onDone();
    },
  });
}

/** Asks before an account loses its email address and its password, which are one provider. */
export function removePassword(change) {
  openDialog({
    title: "Unlink the password?", action: "Unlink", isDangerous: true,
    body: h("p", { className: "note" }, "The account loses its email address and its password."),
    confirm: () => explained(change),
  });
}

export function deleteAllAccounts(count, onDone) {
  openDialog({
    title: "Delete all accounts?", action: `Delete ${number(count)} ${count === 1 ? "account" : "accounts"}`,
    isDangerous: true, body: h("p", { className: "note" }, "Documents stay."),
    async confirm() {
      await emulatorCall("DELETE", "accounts");
      announce("All accounts are deleted");
      await onDone();
    },
  });
}

// The dialog that shows and changes an account.

import { adminCall } from "../../lib/authentication.js";
import { copyButton } from "../../lib/copy-button.js";
import { openDialog } from "../../lib/dialog.js";
import { announce, fill, h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";
import { accountFields } from "./account-fields.js";
import { deleteAccount, removePassword } from "./removal.js";
import { explained, identifier, providerName, timeText } from "./words.js";

async function lookUp(localId) {
  const { users: [account] = [] } = await adminCall("accounts:lookup", { localId: [localId] });
  return account;
}

/**
 * Opens the dialog. changed() is called after each change, and closed() at the end. `asker` is an element of the page:
 * if it was removed meanwhile, no dialog opens. Throws an error if there is no such account.
 */
export async function editAccount(localId, { asker, changed, closed }) {
  const account = await lookUp(localId);
  if (!account) throw new Error("The account doesn't exist any more.");
  const fields = accountFields();
  const facts = h("dl", { className: "facts" });
  const providers = h("ul", { className: "providers", "aria-label": "Providers" });
  const disable = action("", () => update({ disableUser: !isDisabled }, isDisabled ? "Enabled" : "Disabled"));
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  let isDisabled = false;

  /** Creates a button whose action takes effect at once. */
  function action(label, work, properties = {}) {
    return h("button", { type: "button", ...properties, onclick: async () => {
      problem.hidden = true;
      try {
        await explained(work);
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      }
    } }, label);
  }

  async function update(members, words) {
    await adminCall("accounts:update", { localId, ...members });
    announce(words);
    const next = await lookUp(localId);
    if (next) show(next);
    await changed();
  }

  function show(account) {
    isDisabled = account.disabled === true;
    disable.textContent = isDisabled ? "Enable" : "Disable";
    fields.show(account);
    const id = h("code", { dir: "auto" }, marked(localId));
    fill(facts,
      fact("User ID", id, " ", copyButton({ text: localId, title: "Copy the user ID", source: id })),
      fact("State", isDisabled ? h("span", { className: "tag bad" }, "disabled") : "enabled"),
      fact("Created", timeText(account.createdAt)),
      fact("Last sign-in", timeText(account.lastLoginAt) || "never"),
      account.validSince && fact("Tokens valid from", timeText(account.validSince * 1_000)));
    fill(providers, (account.providerUserInfo ?? []).map(({ providerId, rawId }) => h("li", {},
      h("span", { className: "tag" }, providerName(providerId)), " ", h("bdi", {}, marked(rawId)), " ",
      action("Unlink", () => unlink(providerId), { "aria-label": `Unlink ${providerName(providerId)}` }))));
  }

  function unlink(providerId) {
    const change = () => update({ deleteProvider: [providerId] }, "Unlinked");
    return providerId === "password" ? removePassword(change) : change();
  }

  show(account);
  const dialog = openDialog({
    title: identifier(account), action: "Save", asker,
    body: [facts, fields.element, providers,
      h("div", { className: "bar" }, disable,
        action("Revoke refresh tokens",
          () => update({ validSince: Math.floor(Date.now() / 1_000) }, "The refresh tokens are revoked"),
          { title: "Signs the user out everywhere, once the ID tokens expire" }),
        h("button", { type: "button", className: "danger", onclick: () => deleteAccount(account, () => {
          dialog.close();
          return changed();
        }) }, "Delete…")),
      problem],
    async confirm() {
      problem.hidden = true;
      await explained(() => adminCall("accounts:update", { localId, ...fields.changes() }));
      announce("Saved");
      await changed();
    },
    onClose: closed,
  });
}

const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, value)];

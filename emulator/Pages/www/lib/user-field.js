// A field for the ID of a user, as whom a page sends requests.

import { adminCall, emulatorCall } from "./authentication.js";
import { h } from "./dom.js";
import { UnsignedUser } from "./user.js";

let fields = 0;

/**
 * Creates the field. It offers the first accounts, but any ID may be typed. `empty` says who sends requests if the field
 * is empty. changed() is called with the ID. user() returns the user, or null if the field is empty.
 */
export function userField({ label, empty, uid = "", changed = () => {} }) {
  const offered = h("datalist", { id: `users-${++fields}` });
  const input = h("input", {
    type: "search", value: uid, placeholder: empty, maxLength: 128, size: 18, spellcheck: false,
    onchange: () => changed(input.value.trim()),
  });
  input.setAttribute("list", offered.id);
  accounts().then((found) => offered.append(...found.map(({ localId, displayName, email }) =>
    h("option", { value: localId, label: displayName ?? email ?? "" }))), () => {});
  return {
    element: h("label", { className: "user-field" }, label, input, offered),
    get uid() {
      return input.value.trim();
    },
    set uid(uid) {
      input.value = uid;
    },
    user: () => userOf(input.value.trim()),
  };
}

async function accounts() {
  const { users = [] } = await emulatorCall("GET", "accounts?pageSize=100");
  return users;
}

/** Returns the user with an ID, whose token has the claims of the account if there is one; null for "". */
export async function userOf(uid) {
  if (!uid) return null;
  const account = await lookUp(uid).catch(() => null);
  return new UnsignedUser(uid, account ? claimsOf(account) : {});
}

async function lookUp(localId) {
  const { users: [account] = [] } = await adminCall("accounts:lookup", { localId: [localId] });
  return account;
}

/** Returns the claims that Authentication puts into an account's tokens. */
function claimsOf(account) {
  const { displayName, photoUrl, customAttributes, email, emailVerified, phoneNumber, providerUserInfo = [] } = account;
  const provider = providerUserInfo[0]?.providerId ?? (account.customAuth ? "custom" : "anonymous");
  const identities = Object.fromEntries(providerUserInfo.filter(({ providerId }) => providerId !== "password")
    .map(({ providerId, rawId }) => [providerId, [rawId]]));
  // The account's own values replace custom claims of these names, even if it has none.
  return {
    name: displayName, picture: photoUrl, ...(customAttributes ? JSON.parse(customAttributes) : {}),
    email, email_verified: emailVerified, phone_number: phoneNumber,
    provider_id: provider === "anonymous" ? provider : undefined,
    firebase: { sign_in_provider: provider, identities: { ...(email && { email: [email] }), ...identities } },
  };
}

// The inputs for an account's fields.

import { h } from "../../lib/dom.js";
import { textField } from "./fields.js";
import { withoutSpaces } from "./words.js";

/**
 * Creates the inputs. show(account) fills them, except those that the user has changed. changes() returns the
 * members of accounts:update for the changed ones.
 */
export function accountFields() {
  const email = textField("Email", { inputMode: "email" });
  const name = textField("Name");
  const phone = textField("Phone number", { inputMode: "tel" });
  const photo = textField("Photo URL", { inputMode: "url" });
  const password = textField("New password", { placeholder: "unchanged" });
  const verified = h("input", { type: "checkbox" });
  const claims = h("textarea", { rows: 3, spellcheck: false, className: "mono", placeholder: '{"admin": true}' });
  const texts = [
    { member: "email", input: email.input, attribute: "EMAIL" },
    { member: "displayName", input: name.input, attribute: "DISPLAY_NAME" },
    { member: "photoUrl", input: photo.input, attribute: "PHOTO_URL" },
    { member: "phoneNumber", input: phone.input, provider: "phone" },
    { member: "customAttributes", input: claims },
  ];
  /** The values as shown last, by field. An input may have changed the text, such as its line breaks. */
  const shown = new Map(texts.map((field) => [field, field.input.value]));
  let isShownVerified = verified.checked;

  const isChanged = (field) => field.input.value !== shown.get(field);
  const isVerifiedChanged = () => verified.checked !== isShownVerified;

  return {
    element: h("div", { className: "account-fields" },
      email.element, h("label", {}, verified, "The email address is verified"),
      name.element, phone.element, photo.element, password.element,
      h("label", { className: "stacked" }, "Custom claims, as JSON", claims)),
    show(account) {
      for (const field of texts) {
        if (isChanged(field)) continue;
        field.input.value = account[field.member] ?? "";
        shown.set(field, field.input.value);
      }
      if (isVerifiedChanged()) return;
      isShownVerified = verified.checked = account.emailVerified ?? false;
    },
    changes() {
      const changes = { deleteAttribute: [], deleteProvider: [] };
      for (const { member, input, attribute, provider } of texts.filter(isChanged)) {
        const value = input.value.trim();
        if (value === "" && attribute) changes.deleteAttribute.push(attribute);
        else if (value === "" && provider) changes.deleteProvider.push(provider);
        else changes[member] = member === "phoneNumber" ? withoutSpaces(value) : value;
      }
      // A new address isn't verified, unless the request says so.
      if (isVerifiedChanged() || changes.email) changes.emailVerified = verified.checked;
      if (password.input.value) changes.password = password.input.value;
      return changes;
    },
  };
}

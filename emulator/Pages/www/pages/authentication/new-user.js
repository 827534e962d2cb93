// The dialog that adds a user.

import { adminCall, clientCall } from "../../lib/authentication.js";
import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";
import { textField } from "./fields.js";
import { explained, withoutSpaces } from "./words.js";

const kinds = [["email", "Email and password"], ["phone", "Phone number"], ["anonymous", "Anonymous"]];

/** Opens the dialog. onDone() is called after the user was added. */
export function addUser(onDone) {
  const fields = {
    email: textField("Email", { inputMode: "email", required: true }),
    password: textField("Password", { required: true, placeholder: "at least 6 characters" }),
    phoneNumber: textField("Phone number", { inputMode: "tel", required: true, placeholder: "+39 055 123456" }),
    displayName: textField("Name"),
    localId: textField("User ID (leave empty to generate one)", { maxLength: 128 }),
  };
  const shownFields = {
    email: ["email", "password", "displayName", "localId"],
    phone: ["phoneNumber", "displayName", "localId"],
    anonymous: [],
  };
  const kind = h("select", { onchange: showFields }, kinds.map(([value, text]) => h("option", { value }, text)));

  function showFields() {
    for (const [name, { input, element }] of Object.entries(fields)) {
      element.hidden = input.disabled = !shownFields[kind.value].includes(name);
    }
  }

  function add() {
    if (kind.value === "anonymous") return clientCall("signUp", {});
    const values = shownFields[kind.value].map((name) => [name, fields[name].input.value]);
    return adminCall("accounts", Object.fromEntries(values.filter(([, value]) => value !== "").map(
      ([name, value]) => [name, name === "phoneNumber" ? withoutSpaces(value) : value])));
  }

  showFields();
  openDialog({
    title: "Add a user", action: "Add",
    body: [
      h("label", { className: "stacked" }, "Signs in with", kind),
      Object.values(fields).map(({ element }) => element),
    ],
    async confirm() {
      await explained(add);
      announce("The user is added");
      await onDone();
    },
  });
  fields.email.input.focus();
}

// The settings of Authentication, and the expiry of all ID tokens.

import { emulatorCall } from "../../lib/authentication.js";
import { announce, h } from "../../lib/dom.js";
import { poll } from "../../lib/polling.js";

/** The switches: a title, an explanation, the value in the settings, and the settings to change it. */
const switches = [
  {
    title: "Email enumeration protection",
    hint: "Responses don't show which email addresses have accounts, as in new projects of Firebase.",
    value: ({ emailPrivacyConfig }) => emailPrivacyConfig?.enableImprovedEmailPrivacy ?? false,
    change: (isOn) => ({ emailPrivacyConfig: { enableImprovedEmailPrivacy: isOn } }),
  },
  {
    title: "Several accounts per email address",
    hint: "Each identity at Google or Apple gets its own account, even if another account has its email address.",
    value: ({ signIn }) => signIn?.allowDuplicateEmails ?? false,
    change: (isOn) => ({ signIn: { allowDuplicateEmails: isOn } }),
  },
];

export function openSettings() {
  /** The number of changes that aren't answered yet. Meanwhile, a switch keeps what was chosen. */
  let pending = 0;
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const rows = switches.map((each, index) => {
    const id = `setting-${index}`;
    const button = h("button", { type: "button", role: "switch", "aria-checked": "false", "aria-describedby": id,
      onclick: () => toggle(each, button) }, each.title);
    return { each, button, element: h("div", {}, button, h("p", { className: "hint", id }, each.hint)) };
  });
  const expire = h("button", { type: "button", "aria-describedby": "expiry", onclick: () => act(async () => {
    await emulatorCall("POST", "idTokens:expire");
    expire.textContent = "Expired";
    announce("All ID tokens are expired");
    setTimeout(() => (expire.textContent = "Expire all ID tokens"), 2_000);
  }) }, "Expire all ID tokens");
  const element = h("section", { "aria-label": "Settings", className: "panel" },
    h("h2", {}, "Settings"), error, rows.map(({ element }) => element),
    h("div", {}, expire, h("p", { className: "hint", id: "expiry" },
      "To test that an app renews its ID token: Firestore and functions refuse all tokens issued so far, as they do " +
      "after an hour. Refresh tokens stay valid.")));

  async function act(work) {
    error.hidden = true;
    try {
      await work();
    } catch (failure) {
      error.hidden = false;
      error.textContent = failure.message;
    }
  }

  async function toggle({ change }, button) {
    const isOn = button.ariaChecked !== "true";
    button.ariaChecked = String(isOn);
    pending++;
    await act(() => emulatorCall("PATCH", "config", change(isOn)));
    pending--;
    await polling.now();
  }

  async function show() {
    const settings = await emulatorCall("GET", "config");
    if (pending > 0) return;
    for (const { each, button } of rows) button.ariaChecked = String(each.value(settings));
  }

  const polling = poll(show, { milliseconds: 5_000 });
  return { element, first: polling.first, close: polling.close };
}

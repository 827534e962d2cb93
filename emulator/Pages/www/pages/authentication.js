// The page Authentication: accounts, the messages that people would have got, and settings.

import { fill, h } from "../lib/dom.js";
import { service } from "../lib/emulator.js";
import { openAccounts } from "./authentication/accounts.js";
import { openMessages } from "./authentication/messages.js";
import { openSettings } from "./authentication/settings.js";

export async function open(main, { query }) {
  // Without the service, the page has nothing to show but this error.
  await service("auth");
  const accounts = openAccounts(query);
  const parts = [accounts, openMessages(() => accounts.now()), openSettings()];
  fill(main,
    h("h1", {}, "Authentication"),
    h("div", { className: "columns" }, accounts.element,
      h("div", { className: "side" }, parts.slice(1).map(({ element }) => element))));
  await Promise.all(parts.map(({ first }) => first));
  return () => parts.forEach(({ close }) => close());
}

// An account in the table.

import { fill, h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";
import { identifier, providerName, signInMethods, timeText } from "./words.js";

/** Creates a row. open(localId) is called when the account is chosen. Returns {element, update(account)}. */
export function accountRow(account, open) {
  const link = h("button", { type: "button", className: "link", onclick: () => open(account.localId) });
  const identity = h("th", { scope: "row" }, link);
  const cells = Array.from({ length: 5 }, () => h("td"));
  const [name, providers, created, lastSignIn, id] = cells;
  const element = h("tr", {}, identity, cells);
  let shown = "";

  function update(account) {
    // Unchanged cells aren't replaced, because a selection in them would be lost.
    const text = JSON.stringify(account);
    if (text === shown) return;
    shown = text;
    fill(link, h("bdi", {}, marked(identifier(account))));
    identity.replaceChildren(link);
    if (account.disabled) identity.append(" ", h("span", { className: "tag bad" }, "disabled"));
    element.classList.toggle("disabled", account.disabled === true);
    fill(name, h("bdi", {}, marked(account.displayName ?? "")));
    fill(providers, signInMethods(account).map((id) => h("span", { className: "tag" }, providerName(id))));
    fill(created, timeText(account.createdAt));
    fill(lastSignIn, timeText(account.lastLoginAt) || "never");
    fill(id, h("code", { dir: "auto" }, marked(account.localId)));
  }

  update(account);
  return { element, update };
}

// The table of accounts, with search and paging.

import { emulatorCall } from "../../lib/authentication.js";
import { fill, h, reconcile } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { poll } from "../../lib/polling.js";
import { setQuery } from "../../lib/router.js";
import { editAccount } from "./account-dialog.js";
import { accountRow } from "./account-row.js";
import { addUser } from "./new-user.js";
import { deleteAllAccounts } from "./removal.js";

const pageSize = 25;

/** Creates the table. The address has the search, the account before the page, and the account that is edited. */
export function openAccounts(query) {
  let after = query.get("after") ?? "";
  /** The beginnings of the pages before this one. */
  let before = after ? [""] : [];
  /** Whether `before` has all pages before this one. The address of a page doesn't tell its number. */
  let isCounted = !after;
  let next = null;
  let total = 0;
  let loads = 0;
  let isOpening = false;
  let sought = query.get("search")?.trim() ?? "";
  let timer;
  const rows = new WeakMap();

  const search = h("input", { type: "search", value: sought, maxLength: 200, size: 26,
    spellcheck: false, placeholder: "ID, email, name or phone", oninput: later, onchange: startOver });
  const count = h("p", { className: "count", role: "status" });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const openingError = h("p", { className: "error", role: "alert", hidden: true });
  const clear = button("Delete all…", () => deleteAllAccounts(total, () => turn("", [])), "danger");
  const body = h("tbody");
  const table = h("table", { className: "accounts panel" },
    h("caption", { className: "visually-hidden" }, "Accounts, in the order of their user IDs"),
    h("thead", {}, h("tr", {}, ["Identifier", "Name", "Providers", "Created", "Last sign-in", "User ID"].map(
      (title) => h("th", { scope: "col" }, title)))),
    body);
  const empty = h("div", { className: "empty", hidden: true });
  const previousPage = button("Previous", () => after && turn(before.at(-1) ?? "", before.slice(0, -1)));
  const nextPage = button("Next", () => next && turn(next, [...before, after]));
  const pages = h("nav", { className: "bar", "aria-label": "Pages of accounts" }, previousPage, nextPage);
  const element = h("section", { "aria-label": "Accounts" },
    h("div", { className: "bar" },
      h("form", { role: "search", onsubmit: (event) => event.preventDefault() }, h("label", {}, "Search", search)),
      count, h("span", { className: "space" }), button("Add user…", () => addUser(load), "primary"), clear),
    error, openingError, table, empty, pages);

  function button(label, onclick, className = "") {
    return h("button", { type: "button", className, onclick }, label);
  }

  /** Delays the request while the user types. */
  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => search.isConnected && startOver(), 250);
  }

  function startOver() {
    clearTimeout(timer);
    if (search.value.trim() === sought) return;
    sought = search.value.trim();
    turn("", []);
  }

  /** Shows the page of accounts that begins after an ID. */
  function turn(start, pagesBefore) {
    [after, before] = [start, pagesBefore];
    isCounted ||= !after;
    setQuery({ search: sought, after });
    return load();
  }

  async function load() {
    const current = ++loads;
    const asked = { search: sought, pageSize, ...(after && { pageToken: after }) };
    try {
      const found = await emulatorCall("GET", `accounts?${new URLSearchParams(asked)}`);
      if (current !== loads) return;
      error.hidden = true;
      show(found);
    } catch (failure) {
      if (current !== loads || failure.status === 0) return;
      error.hidden = false;
      error.textContent = failure.message;
    }
  }

  function show({ users, nextPageToken = null, total: all }) {
    total = Number(all);
    next = nextPageToken;
    // A focused button isn't disabled, because the focus would be lost.
    previousPage.ariaDisabled = String(!after);
    nextPage.ariaDisabled = String(!next);
    previousPage.textContent = isCounted || before.length > 1 ? "Previous" : "First page";
    pages.hidden = !after && !next;
    clear.disabled = total === 0;
    table.hidden = users.length === 0;
    empty.hidden = users.length > 0;
    showCount(users.length);
    if (users.length === 0) fill(empty, hint());
    reconcile(body, users, {
      key: ({ localId }) => localId,
      make: (account) => {
        const row = accountRow(account, edit);
        rows.set(row.element, row);
        return row.element;
      },
      update: (element, account) => rows.get(element).update(account),
    });
  }

  function showCount(shown) {
    const all = `${number(total)} ${total === 1 ? "account" : "accounts"}`;
    const place = after && isCounted ? `page ${number(before.length + 1)}, ` : "";
    const text = sought
      ? `${place}${number(shown)}${next ? " or more" : ""} of ${all}`
      : `${place}${all}`;
    // An unchanged text isn't announced again.
    if (count.textContent !== text) count.textContent = text;
  }

  function hint() {
    if (after) return h("p", {}, "There are no more accounts.");
    if (sought) return h("p", {}, "No account matches.");
    return h("p", {}, "No accounts yet. Add a user here, or connect an app by the lines on the page ",
      h("a", { href: "/status" }, "Status"), " and sign up there.");
  }

  async function edit(localId) {
    // A second click mustn't open a second dialog.
    if (isOpening) return;
    isOpening = true;
    openingError.hidden = true;
    const closed = () => element.isConnected && setQuery({ user: "" });
    try {
      setQuery({ user: localId });
      await editAccount(localId, { asker: element, changed: load, closed });
    } catch (failure) {
      closed();
      openingError.hidden = false;
      openingError.textContent = failure.message;
    } finally {
      isOpening = false;
    }
  }

  const polling = poll(load);
  const first = polling.first.then(() => query.get("user") && element.isConnected && edit(query.get("user")));
  return { element, first, now: load, close() {
    clearTimeout(timer);
    loads++;
    polling.close();
  } };
}

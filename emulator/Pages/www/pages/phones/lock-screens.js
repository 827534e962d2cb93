// The phones with their lock screens, live.

import { announce, fill, h, reconcile } from "../../lib/dom.js";
import { stream } from "../../lib/emulator.js";
import { sparingly } from "../../lib/polling.js";
import { lockScreen } from "./lock-screen.js";
import { owners } from "./owners.js";
import { provider } from "./provider.js";
import { byPhone, shownBy, targetOf } from "./push.js";

const maximumPushes = 1_000;
const maximumPhones = 60;

export function openPhones() {
  const names = new Map();
  let pushes = [];
  /** The pushes that arrive during a load; null otherwise. */
  let meanwhile = null;
  let loads = 0;
  let unregistered = new Set();
  let frame = null;
  let isClosed = false;
  const screens = new WeakMap();

  const list = h("ul", { className: "phones", "aria-label": "Lock screens" });
  const hint = h("p", { className: "empty", role: "status" });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const reinstall = h("button", { type: "button", hidden: true, onclick: () => change("DELETE", "fcm/devices") },
    "Install all again");
  const element = h("section", { "aria-label": "Phones" },
    h("div", { className: "bar" },
      h("h2", {}, "Phones"),
      h("button", { type: "button", onclick: () => change("DELETE", "fcm/inbox") }, "Clear inbox"), reinstall),
    error, hint, list);

  async function change(method, path) {
    try {
      await provider(method, path);
      await load();
    } catch (failure) {
      error.hidden = false;
      error.textContent = failure.message;
    }
  }

  /** Loads the owners of the phones, again when a phone with an unknown token receives a push. */
  async function loadOwners() {
    const found = await owners().catch(() => new Map());
    for (const [token, name] of found) names.set(token, name);
  }

  async function load() {
    const number = ++loads;
    const arrivals = (meanwhile = []);
    try {
      const [inbox, devices] = await Promise.all([
        provider("GET", `fcm/inbox?limit=${maximumPushes}`), provider("GET", "fcm/devices"), loadOwners(),
      ]);
      // The response to an older request may be outdated.
      if (number !== loads) return;
      const known = new Set(inbox.messages.map(({ name }) => name));
      pushes = [...inbox.messages, ...arrivals.filter(({ name }) => !known.has(name))];
      unregistered = new Set(devices.unregistered);
      error.hidden = true;
      draw();
    } finally {
      if (meanwhile === arrivals) meanwhile = null;
    }
  }

  function uninstall(token) {
    announce(`The app is uninstalled on ${token}: its token is rejected from now on`);
    return change("DELETE", `fcm/devices/${encodeURIComponent(token)}`);
  }

  function draw() {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      if (isClosed) return;
      const phones = byPhone(pushes).reverse();
      const known = new Set(phones.map(({ target }) => target));
      for (const token of names.keys()) if (!known.has(token)) phones.push({ target: token, badge: 0, pushes: [] });
      // The order is stable, so that a push doesn't move its phone.
      phones.sort((a, b) => (b.pushes.length > 0) - (a.pushes.length > 0) || a.target.localeCompare(b.target));
      const shown = phones.slice(0, maximumPhones).map((phone) => ({
        ...phone, owner: names.get(phone.target), isUninstalled: unregistered.has(phone.target),
      }));
      reinstall.hidden = unregistered.size === 0;
      hint.textContent = phones.length === 0
        ? "No phones yet. Each user's document devices/… with an fcmToken is one, and each token that gets a push."
        : phones.length > maximumPhones ? `${phones.length - maximumPhones} more phones aren't shown.` : "";
      reconcile(list, shown, {
        key: ({ target }) => target,
        make: (phone) => {
          const screen = lockScreen(phone.target, uninstall);
          screen.update(phone);
          screens.set(screen.element, screen);
          return screen.element;
        },
        update: (element, phone) => screens.get(element).update(phone),
      });
    });
  }

  const reload = sparingly(() => load().catch(() => {}));
  const lookUp = sparingly(() => loadOwners().then(draw));
  const unsubscribe = stream.subscribe("pushes", (arrived) => {
    meanwhile?.push(...arrived);
    pushes.push(...arrived);
    if (pushes.length > maximumPushes) pushes = pushes.slice(-maximumPushes / 2);
    const last = arrived.at(-1);
    const { title, body } = shownBy(last);
    if (body) announce(`${names.get(targetOf(last)) ?? targetOf(last)}: ${title ?? ""} ${body}`);
    if (arrived.some((push) => !names.has(targetOf(push)))) lookUp();
    draw();
  }, reload);

  return {
    element,
    first: load(),
    close() {
      isClosed = true;
      cancelAnimationFrame(frame);
      unsubscribe();
      reload.close();
      lookUp.close();
      fill(list);
    },
  };
}

// The chat page: two or three phones side by side, each with a user of the database.

import { fill, h } from "../lib/dom.js";
import { stream } from "../lib/emulator.js";
import { setQuery } from "../lib/router.js";
import { loadPhrases } from "../lib/untranslated.js";
import { openPeople } from "./chat/people.js";
import { openPhone } from "./chat/phone.js";
import { defaultPlaces, readPlaces, writePlaces } from "./chat/places.js";

const maximumPhones = 3;
const narrow = matchMedia("(max-width: 44rem)");

export async function open(main, { query }) {
  let phones = [];
  let current = 0;
  const row = h("div", { className: "phones" });
  const tabs = h("div", { className: "tabs", role: "group", "aria-label": "Phones" });
  const nobody = { uid: "", conversationId: null, isOffline: false };
  const add = h("button", { type: "button", onclick: () => {
    addPhone(nobody);
    keepPlaces();
  } }, "Add a phone");
  main.append(h("div", { className: "bar" }, h("h1", {}, "Chat"), tabs, add), row);

  const [people] = await Promise.all([
    openPeople(() => {
      for (const phone of phones) phone.plan();
      drawTabs();
    }),
    // A message keeps its height, so its note is complete when it is drawn.
    loadPhrases(),
  ]);

  /** Stores the phones' state in the address, and for the next visit. */
  function keepPlaces() {
    const text = writePlaces(phones.map(({ place }) => place));
    setQuery({ phones: text });
    localStorage.setItem("chat.phones", text);
    drawTabs();
  }

  /** Ends a session, unless the same user uses another phone. */
  function onSignOut(user) {
    if (!phones.some((phone) => phone.user?.uid === user.uid)) user.forget();
  }

  function addPhone(place) {
    const phone = openPhone({
      place, people,
      isShown: () => !narrow.matches || phones[current] === phone,
      onPlace: keepPlaces,
      onUser: drawTabs,
      onSignOut,
      remove: () => removePhone(phone),
    });
    phones.push(phone);
    row.append(phone.element);
    show(phones.length - 1);
  }

  function removePhone(phone) {
    phone.close();
    phone.element.remove();
    phones = phones.filter((other) => other !== phone);
    show(Math.min(current, phones.length - 1));
    keepPlaces();
  }

  /** Selects a phone. A narrow page shows only the selected one. */
  function show(index) {
    current = Math.max(0, index);
    for (const [position, phone] of phones.entries()) {
      phone.element.classList.toggle("current", position === current);
    }
    look();
    drawTabs();
  }

  /** Tells the phones that other ones may be visible now. */
  function look() {
    for (const phone of phones) phone.look();
  }

  function drawTabs() {
    add.hidden = phones.length >= maximumPhones;
    const names = phones.map(({ user }, index) => (user ? people.name(user.uid) : `Phone ${index + 1}`));
    const key = JSON.stringify([names, current]);
    if (tabs.dataset.shown === key) return;
    tabs.dataset.shown = key;
    fill(tabs, names.map((name, index) => h("button", {
      type: "button", "aria-pressed": String(index === current), onclick: () => show(index),
    }, h("bdi", {}, name.slice(0, 20)))));
  }

  const places = query.get("phones") ?? localStorage.getItem("chat.phones") ?? (await defaultPlaces());
  for (const place of readPlaces(places)) addPhone(place);
  show(0);

  document.addEventListener("visibilitychange", look);
  narrow.addEventListener("change", look);
  const stopPushes = stream.subscribe("pushes", (pushes) => {
    for (const push of pushes) for (const phone of phones) phone.push(push);
  }, (lost) => {
    for (const phone of phones) phone.recount(lost);
  });
  const stopConnection = stream.onConnection(look);

  return () => {
    document.removeEventListener("visibilitychange", look);
    narrow.removeEventListener("change", look);
    stopPushes();
    stopConnection();
    for (const phone of phones) phone.close();
    people.close();
  };
}

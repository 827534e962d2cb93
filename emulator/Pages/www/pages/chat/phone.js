// A phone: its user, its online state and its screen.

import { fill, h } from "../../lib/dom.js";
import { banners } from "./banners.js";
import { openClient } from "./client.js";
import { conversationList } from "./conversation-list.js";
import { openConversationView } from "./conversation-view.js";
import { showDialog } from "./dialog.js";
import { languageName } from "./documents.js";
import { showNewPerson } from "./new-person.js";

const newPerson = "\n";

/**
 * Opens a phone. place is its initial state {uid, conversationId, isOffline}; onPlace(place) is called with every
 * change. isShown() returns whether the phone is visible. remove() removes it.
 */
export function openPhone({ place, people, isShown, onPlace, remove }) {
  let client = null;
  let screen = null;
  let shownConversation;
  let opening = 0;
  let frame = null;
  let isClosed = false;

  const who = h("select", { className: "who", "aria-label": "Who uses this phone", onchange: () => {
    const chosen = who.value;
    if (chosen !== newPerson) return use(chosen);
    who.value = place.uid;
    return showNewPerson(use);
  } });
  const language = h("span", { className: "tag" });
  const badge = h("span", { className: "badge", hidden: true });
  const online = h("input", { type: "checkbox", role: "switch", onchange: () => {
    move({ isOffline: !online.checked });
    client?.setOffline(place.isOffline);
  } });
  const onlineLabel = h("span", {}, "Online");
  const pushes = banners(openConversation);
  const holder = h("div", { className: "screen" });
  const element = h("section", { className: "phone" },
    h("header", { className: "phone-head" },
      h("span", { className: "app-icon" }, h("img", { src: "/assets/icon.svg", alt: "" }), badge), who, language,
      h("label", { className: "online" }, online, onlineLabel),
      h("button", { type: "button", className: "quiet", "aria-label": "Remove this phone", onclick: askToRemove }, "✕"),
    ),
    pushes.element, holder);

  function askToRemove() {
    const count = client?.outbox.unsent ?? 0;
    if (!count) {
      remove();
      return;
    }
    const close = showDialog("Remove this phone?",
      h("p", {}, `Messages, edits and deletions that aren't sent yet: ${count}. They are kept, and are sent when `,
        h("bdi", {}, people.name(place.uid)), " uses this phone again and it is online."),
      h("button", { type: "button", className: "danger", onclick: () => {
        close();
        remove();
      } }, "Remove"));
  }

  function move(change) {
    place = { ...place, ...change };
    onPlace(place);
    plan();
  }

  function use(uid) {
    // The phone may have been removed before the new profile was created.
    if (uid !== place.uid && !isClosed) {
      move({ uid, conversationId: null });
      start();
    }
  }

  function openConversation(id) {
    if (isClosed) return;
    client?.open(id);
    move({ conversationId: id });
  }

  /** Starts a client for the phone's current user. */
  async function start() {
    const number = ++opening;
    client?.close();
    client = null;
    show(null);
    if (!place.uid) return plan();
    const next = await openClient({
      uid: place.uid, isOffline: place.isOffline, people, onChange: plan,
      isShown: () => isShown() && !document.hidden,
    });
    if (number !== opening || isClosed) return next.close();
    client = next;
    if (place.conversationId) client.open(place.conversationId);
    plan();
  }

  function show(next) {
    screen?.close();
    screen = next;
    fill(holder, next?.element);
  }

  function showScreen() {
    const { conversation } = client;
    if (screen && shownConversation === conversation) return;
    shownConversation = conversation;
    show(conversation
      ? openConversationView({ client, people, draw: plan, back: () => openConversation(null) })
      : conversationList({ client, people, open: openConversation }));
  }

  /** Updates the list of users only if it has changed, because an update would close an open list. */
  function showPeople() {
    const all = people.all();
    if (place.uid && !all.some((person) => person.uid === place.uid)) {
      all.unshift({ uid: place.uid, name: people.name(place.uid) });
    }
    const key = JSON.stringify([place.uid === "", all.map(({ uid, name }) => [uid, name])]);
    if (who.dataset.shown !== key) {
      who.dataset.shown = key;
      fill(who, !place.uid && h("option", { value: "" }, "Choose a user"),
        all.map(({ uid, name }) => h("option", { value: uid }, name.slice(0, 60))),
        h("option", { value: newPerson }, "New person…"));
    }
    who.value = place.uid;
  }

  function draw() {
    showPeople();
    element.setAttribute("aria-label", place.uid ? `Phone of ${people.name(place.uid)}` : "Phone");
    element.classList.toggle("offline", place.isOffline);
    online.checked = !place.isOffline;
    // Presence is stored in the profile.
    const isUnknown = place.uid !== "" && people.isMissing(place.uid);
    onlineLabel.textContent = place.isOffline ? "Offline" : isUnknown ? "Online, no profile" : "Online";
    const code = client?.language() ?? "";
    language.textContent = code;
    language.title = languageName(code);
    language.hidden = !code;
    const count = client?.badge ?? 0;
    badge.hidden = count === 0;
    fill(badge, String(count), h("span", { className: "visually-hidden" }, " on the app's icon"));
    if (!place.uid) {
      fill(holder, h("p", { className: "empty" },
        people.isReady ? "Choose who uses this phone." : people.error?.message ?? "Loading…"));
      return;
    }
    if (!client) return;
    showScreen();
    screen.draw();
  }

  function plan() {
    if (isClosed) return;
    frame ??= requestAnimationFrame(() => {
      frame = null;
      draw();
    });
  }

  start();
  plan();
  return {
    element,
    plan,
    get place() {
      return place;
    },
    /** Updates the phone after it became visible. */
    look() {
      client?.conversation?.settle();
      plan();
    },
    recount: (lost) => client?.recount(lost),
    push(push) {
      if (!client?.receive(push)) return;
      const isOpen = push.message.data?.conversationId === place.conversationId;
      pushes.show(push, isOpen && isShown());
    },
    close() {
      isClosed = true;
      cancelAnimationFrame(frame);
      pushes.close();
      screen?.close();
      client?.close();
    },
  };
}

// A phone: its user, its online state and its screen.

import { announce, fill, h } from "../../lib/dom.js";
import { admit } from "./admission.js";
import { banners } from "./banners.js";
import { openClient } from "./client.js";
import { conversationList } from "./conversation-list.js";
import { openConversationView } from "./conversation-view.js";
import { languageName } from "./documents.js";
import { phoneMenu } from "./phone-menu.js";
import { wordsOf } from "./problems.js";
import { showProfilePicture } from "./profile-picture.js";
import { signInScreen } from "./sign-in-screen.js";
import { userSelect } from "./user-select.js";

/**
 * Opens a phone. place is its initial state {uid, conversationId, isOffline}; onPlace(place) is called with every
 * change, onUser() when the signed-in user has changed, and onSignOut(user) after a user has signed out. isShown()
 * returns whether the phone is visible. remove() removes it.
 */
export function openPhone({ place, people, isShown, onPlace, onUser, onSignOut, remove }) {
  let user = null;
  let client = null;
  let screen = null;
  let shownConversation;
  /** The place when the last session ended: the same user finds the same conversation again. */
  let left = null;
  let opening = 0;
  let frame = null;
  let isClosed = false;

  const who = userSelect({ people, choose });
  const language = h("span", { className: "tag" });
  const badge = h("span", { className: "badge", hidden: true });
  const online = h("input", { type: "checkbox", role: "switch", onchange: () => {
    move({ isOffline: !online.checked });
    client?.setOffline(place.isOffline);
  } });
  const onlineLabel = h("span", {}, "Online");
  const pushes = banners(openConversation);
  const holder = h("div", { className: "screen" });
  const menu = phoneMenu({
    state: () => ({
      name: user && people.name(user.uid), unsent: client?.outbox.unsent ?? 0, hasPicture: client?.hasStorage ?? false,
    }),
    showPicture: () => client && showProfilePicture({ client, people }),
    signOut() {
      const before = user;
      askToSignIn();
      onSignOut(before);
      screen.focus();
    },
    remove,
  });
  const element = h("section", { className: "phone", tabIndex: -1 },
    h("header", { className: "phone-head" },
      h("span", { className: "app-icon" }, h("img", { src: "/assets/icon.svg", alt: "" }), badge), who.element,
      language, h("label", { className: "online" }, online, onlineLabel), menu),
    pushes.element, holder);

  function move(change) {
    place = { ...place, ...change };
    onPlace(place);
    plan();
  }

  function openConversation(id) {
    if (isClosed) return;
    client?.open(id);
    move({ conversationId: id });
  }

  // The user

  const placeOf = (uid) => ({ uid, conversationId: left?.uid === uid ? left.conversationId : null });

  /** Lets another person use the phone. */
  function choose(uid) {
    if (uid === user?.uid || isClosed) return;
    move(placeOf(uid));
    start();
  }

  /** Lets the person of the place use the phone, or shows the sign-in screen. */
  async function start() {
    const number = leave();
    if (!place.uid) return showSignIn();
    const { user: next, ...form } = await admit(place.uid, place);
    if (number !== opening || isClosed) return;
    if (next) await use(next);
    else if (form.problem) askToSignIn(form);
    else showSignIn(form);
  }

  /** Starts a client for the user. */
  async function use(next) {
    const number = leave();
    user = next;
    user.onEnd = (error) => user === next && askToSignIn({
      problem: `You were signed out. ${wordsOf(error)}`, email: next.email,
    });
    onUser();
    const opened = await openClient({
      user, isOffline: place.isOffline, people, onChange: plan, isShown: () => isShown() && !document.hidden,
    });
    if (number !== opening || isClosed) return opened.close();
    client = opened;
    if (place.conversationId) client.open(place.conversationId);
    plan();
  }

  /** Closes the client and its screen. Returns the number of the next one. */
  function leave() {
    client?.close();
    client = null;
    user = null;
    show(null);
    plan();
    return ++opening;
  }

  function askToSignIn(form) {
    left = place;
    leave();
    showSignIn(form);
    move({ uid: "", conversationId: null });
    onUser();
  }

  function showSignIn({ problem, email } = {}) {
    show(signInScreen({
      people, email, problem, isOffline: () => place.isOffline,
      choose(uid) {
        choose(uid);
        element.focus();
      },
      done(session) {
        if (isClosed) return;
        if (session.uid !== place.uid) move(placeOf(session.uid));
        use(session);
        element.focus();
        announce("Signed in.");
      },
    }));
    plan();
  }

  // The screen

  function show(next) {
    screen?.close();
    screen = next;
    shownConversation = undefined;
    fill(holder, next?.element);
  }

  function showScreen() {
    const { conversation } = client;
    if (screen && shownConversation === conversation) return;
    show(conversation
      ? openConversationView({ client, people, draw: plan, back: () => openConversation(null) })
      : conversationList({ client, people, open: openConversation }));
    shownConversation = conversation;
  }

  function draw() {
    who.draw(user?.uid ?? "");
    element.setAttribute("aria-label", user ? `Phone of ${people.name(user.uid)}` : "Phone");
    element.classList.toggle("offline", place.isOffline);
    online.checked = !place.isOffline;
    // Others see a user's presence in the profile.
    const isUnknown = user !== null && people.isMissing(user.uid);
    onlineLabel.textContent = place.isOffline ? "Offline" : isUnknown ? "Online, no profile" : "Online";
    const code = client?.language() ?? "";
    language.textContent = code;
    language.title = languageName(code);
    language.hidden = !code;
    const count = client?.badge ?? 0;
    badge.hidden = count === 0;
    fill(badge, String(count), h("span", { className: "visually-hidden" }, " on the app's icon"));
    if (client) showScreen();
    screen?.draw();
  }

  function plan() {
    if (isClosed) return;
    frame ??= requestAnimationFrame(() => {
      frame = null;
      draw();
    });
  }

  start();
  return {
    element,
    plan,
    get place() {
      return place;
    },
    /** The user of the phone, or null. */
    get user() {
      return user;
    },
    /** Updates the phone, which may have become visible or hidden. */
    look() {
      client?.look();
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

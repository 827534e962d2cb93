// The view of a conversation on a phone's screen.

import { announce, fill, h, reconcile } from "../../lib/dom.js";
import { dayTime } from "../../lib/format.js";
import { askPanel } from "./ask-panel.js";
import { personAvatar } from "./avatar.js";
import { composer } from "./composer.js";
import { showDetails } from "./details.js";
import { messagePath } from "./documents.js";
import { makeRow, updateRow } from "./message-row.js";
import { conversationAvatar, titleOf } from "./titles.js";

/** The distance from the end of the list, in pixels, within which the list follows new messages. */
const endPixels = 48;

/** Creates the view of the client's open conversation. back() returns to the list. */
export function openConversationView({ client, people, back, draw: plan }) {
  const { conversation, uid } = client;
  const translating = new Set();
  const translationErrors = new Map();
  let isFirst = true;
  let followsEnd = true;
  let editing = null;
  let target = null;

  const face = h("span", { className: "face" });
  const title = h("h3", {});
  const subtitle = h("p", { className: "subtitle" });
  const older = h("p", { className: "older" });
  const list = h("ol", { className: "messages" });
  const state = h("p", { className: "empty" });
  const scroller = h("div", { className: "scroller", tabIndex: 0, role: "log", "aria-label": "Messages" },
    older, list, state);
  const typing = h("p", { className: "typing", "aria-live": "polite" });
  const bar = composer({
    client,
    send(text, options) {
      if (editing) client.edit(editing, text);
      else client.send(text, options);
      stopEditing();
      followsEnd = true;
    },
    cancel: stopEditing,
  });
  const ask = askPanel({ client, people, jump });
  const askButton = h("button", { type: "button", className: "quiet", "aria-expanded": "false", onclick: () => {
    const isOpen = ask.toggle();
    askButton.setAttribute("aria-expanded", String(isOpen));
  } }, "Ask AI");
  // Elsewhere the browser would open a dropped file in place of the page.
  const element = h("div", {
    className: "conversation", ondragover: (event) => event.preventDefault(), ondrop: (event) => {
      event.preventDefault();
      bar.drop(event);
    },
  },
    h("header", {},
      h("button", { type: "button", className: "quiet", "aria-label": "All conversations", onclick: back }, "‹"),
      face, h("div", { className: "title" }, title, subtitle),
      askButton,
      h("button", { type: "button", className: "quiet", "aria-haspopup": "dialog",
        onclick: () => showDetails({ client, people, left: back }) }, "Details"),
    ),
    ask.element, scroller, typing, bar.element,
  );

  const actions = {
    async translate(message) {
      translating.add(message.id);
      translationErrors.delete(message.id);
      plan();
      try {
        await client.translate(message);
        announce("Translated.");
      } catch (error) {
        translationErrors.set(message.id, error.message);
        announce(`Translation failed: ${error.message}`);
      }
      translating.delete(message.id);
      plan();
    },
    edit(message) {
      editing = message;
      bar.edit(message.text);
    },
    // The removed row may have had the focus.
    remove(message) {
      client.remove(message);
      bar.focus();
    },
    pathOf: ({ id }) => messagePath(conversation.id, id).split("/"),
    isDeleted: (path) => client.storage.metadata(path).then(() => false, (error) => {
      if (error.status === 404) return true;
      throw error;
    }),
    retrySending: (message) => client.outbox.retry(message.entryId),
    discard(message) {
      client.outbox.discard(message.entryId);
      bar.focus();
    },
  };

  function stopEditing() {
    editing = null;
    bar.edit(null);
  }

  scroller.addEventListener("scroll", () => {
    followsEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < endPixels;
    if (scroller.scrollTop < endPixels && !isFirst) conversation.loadOlder();
  }, { passive: true });

  const resizing = new ResizeObserver(() => followsEnd && (scroller.scrollTop = scroller.scrollHeight));
  resizing.observe(scroller);
  resizing.observe(list);

  /** Scrolls to a message, which may be on an older page. */
  function jump(messageId) {
    target = messageId;
    plan();
  }

  function goToTarget() {
    const row = [...list.children].find((row) => row.dataset.key === target);
    if (!row && conversation.hasOlder) return conversation.loadOlder();
    target = null;
    if (!row) return announce("That message no longer exists.");
    followsEnd = false;
    row.scrollIntoView({ block: "center" });
    row.classList.remove("found");
    row.getBoundingClientRect();
    row.classList.add("found");
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  }

  /** Applies a change and keeps the scroll position of the visible messages. */
  function keepingPlace(change) {
    const anchor = followsEnd ? null
      : [...list.children].find((row) => row.offsetTop + row.offsetHeight > scroller.scrollTop);
    const before = anchor?.getBoundingClientRect().top;
    change();
    if (followsEnd) scroller.scrollTop = scroller.scrollHeight;
    else if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - before;
  }

  function showFace(about) {
    if (!about) return;
    const picture = conversationAvatar(about, uid, people);
    if (face.dataset.shown === picture.key) return;
    face.dataset.shown = picture.key;
    fill(face, picture.make());
  }

  function showSubtitle(about) {
    const others = about?.participants.filter((other) => other !== uid) ?? [];
    if (about?.isGroup) {
      const names = about.participants.slice(0, 8).map((member) => (member === uid ? "you" : people.name(member)));
      return fill(subtitle, names.flatMap((name, index) => [index > 0 && ", ", h("bdi", {}, name)]),
        about.participants.length > names.length && ` and ${about.participants.length - names.length} more`);
    }
    const other = people.get(others[0]);
    if (client.isOffline) return fill(subtitle, "offline: new messages wait");
    if (!other) return fill(subtitle);
    return fill(subtitle, other.isOnline ? "online" : other.lastSeen
      ? `last seen ${dayTime(other.lastSeen)}` : "not online");
  }

  return {
    element,
    draw() {
      const { about } = client;
      const name = titleOf(about, uid, people) ?? conversation.id;
      if (title.textContent !== name) fill(title, h("bdi", {}, name));
      showFace(about);
      showSubtitle(about);
      const { typing: { uids: typists }, error } = conversation;
      const messages = client.isMissing ? [] : conversation.messages;
      keepingPlace(() => {
        const language = client.language();
        const shown = messages.map((message) => ({
          message, language, isTranslating: translating.has(message.id),
          translationError: translationErrors.get(message.id) ?? "",
          sender: people.name(message.senderId), isGroup: about?.isGroup ?? false, avatar: {
            key: `${message.senderId} ${people.name(message.senderId)} ${people.picture(message.senderId)}`,
            make: () => personAvatar(people, message.senderId),
          },
        }));
        reconcile(list, shown, {
          key: ({ message }) => message.id,
          make(item) {
            const row = makeRow(item.message, actions);
            updateRow(row, item);
            return row;
          },
          update: updateRow,
        });
        older.textContent = conversation.isLoading ? "Loading older messages…"
          : conversation.hasOlder && messages.length > 0 ? "Scroll up for older messages" : "";
        state.hidden = messages.length > 0 && !error;
        state.className = error ? "error" : "empty";
        state.textContent = client.isMissing ? "This conversation doesn't exist, or this user isn't in it."
          : error ? `The messages can't be read: ${error.message}`
          : conversation.isCurrent ? "No messages yet. Say hello!"
            : client.isOffline ? "Offline: messages load when this phone is online again." : "Loading…";
      });
      if (conversation.isCurrent) isFirst = false;
      const names = typists.map((typist) => people.name(typist));
      if (typing.dataset.names !== names.join("\n")) {
        typing.dataset.names = names.join("\n");
        fill(typing, names.length > 0 && [
          names.flatMap((name, index) => [index > 0 && ", ", h("bdi", {}, name)]),
          names.length > 1 ? " are typing " : " is typing ",
          h("span", { className: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
        ]);
      }
      if (editing && !messages.some((message) => message.id === editing.id)) {
        editing = null;
        bar.editLost();
      }
      bar.element.hidden = client.isMissing;
      bar.draw();
      if (target && conversation.isCurrent && !conversation.isLoading) goToTarget();
    },
    close() {
      resizing.disconnect();
      ask.close();
      bar.close();
    },
  };
}

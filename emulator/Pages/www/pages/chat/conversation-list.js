// The list of the conversations of a phone's user, and the dialog for a new one.

import { fill, h, reconcile } from "../../lib/dom.js";
import { shortTime } from "../../lib/format.js";
import { originalOf } from "../../lib/untranslated.js";
import { personAvatar } from "./avatar.js";
import { formOf, showDialog } from "./dialog.js";
import { kindIcon, kinds } from "./media.js";
import { conversationAvatar, titleOf } from "./titles.js";

/** Creates the list. open(id) opens a conversation. */
export function conversationList({ client, people, open }) {
  const list = h("ul", { className: "conversations" });
  const state = h("p", { className: "empty" });
  const element = h("div", { className: "list" },
    h("header", {}, h("h3", {}, "Chats"),
      h("button", { type: "button", className: "quiet", onclick: () => showNewConversation({ client, people, open }) },
        "New chat")),
    state, list);

  function show(row, conversation) {
    const title = titleOf(conversation, client.uid, people);
    const unread = client.unread(conversation.id);
    const preview = client.preview(conversation).slice(0, 200);
    const last = originalOf(preview) ?? preview;
    const { lastMessageType, lastMessageAt } = conversation;
    const picture = conversationAvatar(conversation, client.uid, people);
    const key = JSON.stringify([title, last, lastMessageType, lastMessageAt, unread, picture.key]);
    if (row.dataset.shown === key) return;
    row.dataset.shown = key;
    const at = last && lastMessageAt;
    fill(row, h("button", { type: "button", onclick: () => open(conversation.id) },
      picture.make(),
      h("span", { className: "name" }, h("bdi", {}, title)),
      h("span", { className: "time" }, at ? shortTime(at) : ""),
      h("span", { className: "last", dir: "auto" }, contentOf(lastMessageType, last)),
      unread > 0 && h("span", { className: "unread" },
        String(unread), h("span", { className: "visually-hidden" }, " unread")),
    ));
  }

  return {
    element,
    draw() {
      const { conversations, isListed, isOffline, error } = client;
      reconcile(list, conversations, {
        key: ({ id }) => id,
        make(conversation) {
          const row = h("li", {});
          show(row, conversation);
          return row;
        },
        update: show,
      });
      state.hidden = conversations.length > 0 && !error;
      state.className = error ? "error" : "empty";
      state.textContent = error ? `The conversations can't be read: ${error.message}`
        : isListed ? "No conversations yet. Start one with “New chat”."
          : isOffline ? "Offline: switch this phone online to see its conversations." : "Loading…";
    },
    close() {},
  };
}

/** Returns the text of the last message after the icon of its kind. */
function contentOf(type, text) {
  if (!Object.hasOwn(kinds, type)) return text;
  const { symbol, word } = kinds[type];
  // The words of a message without an own text say the kind already.
  if (text.startsWith(symbol)) return [kindIcon(type), text.slice(symbol.length)];
  return [kindIcon(type, `${word}:`), " ", text];
}

function showNewConversation({ client, people, open }) {
  const others = people.all().filter((person) => person.uid !== client.uid);
  if (!others.length) {
    showDialog("New chat", h("p", { className: "empty" }, "There are no other people yet."));
    return;
  }
  const name = h("input", { name: "name", dir: "auto", autocomplete: "off" });
  const close = showDialog("New chat", formOf(async (data) => {
    const chosen = data.getAll("person");
    if (!chosen.length) throw new Error("Select at least one person.");
    const id = await client.begin(chosen, data.get("name").trim());
    close();
    open(id);
  },
  h("fieldset", {}, h("legend", {}, "With"), others.map((person) => h("label", {},
    h("input", { type: "checkbox", name: "person", value: person.uid }),
    personAvatar(people, person.uid), h("bdi", {}, person.name)))),
  h("label", {}, "Group name, for a group", name),
  h("button", { type: "submit", className: "primary" }, "Start")));
}

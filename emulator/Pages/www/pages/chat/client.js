// The app on one phone, without its looks: who uses it, what they are in, what they do.

import { Firestore, call, idOf } from "../../lib/firestore.js";
import { stream } from "../../lib/emulator.js";
import { membersOf } from "../../lib/members.js";
import { shownBy } from "../phones/push.js";
import { acknowledge } from "./acknowledgements.js";
import { openConversation } from "./conversation.js";
import { compareTimes, messagePath, newId, readConversation } from "./documents.js";
import { addMember, beginConversation, removeMember } from "./membership.js";
import { newEntry, openOutbox } from "./outbox.js";
import { streamingCall } from "./streaming-call.js";

const maximumConversations = 200;

/**
 * onChange() is called whenever something is different; isShown() says whether somebody looks at this phone.
 */
export async function openClient({ uid, isOffline, people, isShown, onChange }) {
  const firestore = new Firestore(uid);
  const root = await firestore.root();
  const conversations = new Map();
  const unread = new Map();
  const deviceTokens = new Map();
  let conversation = null;
  let stops = [];
  let isListed = false;
  let error = null;
  let badge = 0;
  let mustCount = false;
  let lastClientTime = 0;

  const outbox = openOutbox({
    firestore, isPaused: () => isOffline, onChange: () => (conversation ? conversation.changed() : onChange()),
  });

  function fail(failure) {
    error = failure;
    onChange();
  }

  /** The number is what the inboxes add up to. */
  function count() {
    badge = [...unread.values()].reduce((sum, number) => sum + number, 0);
  }

  /** Keeps in map what there is: what went while nobody listened goes, too. */
  function follow(target, map, read, after = () => {}) {
    let isFirst = true;
    stops.push(stream.listen({ query: target }, ({ documents, changed }) => {
      if (isFirst) map.clear();
      isFirst = false;
      for (const name of changed) {
        const document = documents.get(name);
        if (document) map.set(idOf(name), read(document));
        else map.delete(idOf(name));
      }
      error = null;
      after();
      onChange();
    }, fail));
  }

  function listen() {
    follow({
      parent: root,
      structuredQuery: {
        from: [{ collectionId: "conversations" }],
        where: {
          fieldFilter: { field: { fieldPath: "participants" }, op: "ARRAY_CONTAINS", value: { stringValue: uid } },
        },
        limit: maximumConversations,
      },
    }, conversations, readConversation, () => {
      isListed = true;
      for (const { participants } of conversations.values()) people.need(participants.slice(0, 20));
      startConversation();
      conversation?.changed();
      conversation?.settle();
    });
    mustCount = true;
    follow({ parent: `${root}/users/${uid}`, structuredQuery: { from: [{ collectionId: "inbox" }], limit: 1_000 } },
      unread, (document) => membersOf(document).integer("unread"), () => {
        // From then on pushes say it, as on a phone.
        if (mustCount) count();
        mustCount = false;
      });
    follow({ parent: `${root}/users/${uid}`, structuredQuery: { from: [{ collectionId: "devices" }], limit: 50 } },
      deviceTokens, (document) => membersOf(document).string("fcmToken"));
    startConversation();
    outbox.flush();
  }

  function stopListening() {
    for (const stop of stops) stop();
    stops = [];
    conversation?.stop();
  }

  /** What a reader may see of it its document says: until that is there nothing is shown. */
  function startConversation() {
    if (!conversation || isOffline) return;
    const about = conversations.get(conversation.id);
    if (!about) return conversation.stop();
    conversation.showFrom(about.joinedAt(uid));
    conversation.start();
  }

  function language() {
    const about = conversation && conversations.get(conversation.id);
    return about?.languageOf(uid) || people.get(uid)?.language || about?.copiedLanguageOf(uid) || "en";
  }

  /** What an app asks others for at once, instead of keeping it until the phone is online again. */
  const online = (ask) => async (...details) => {
    if (isOffline) throw new Error("This phone is offline.");
    return ask(...details);
  };

  const languageOf = (other) => people.get(other)?.language ?? "";

  const client = {
    uid,
    firestore,
    outbox,
    language,
    get isOffline() {
      return isOffline;
    },
    get badge() {
      return badge;
    },
    get error() {
      return error;
    },
    get isListed() {
      return isListed;
    },
    /** The open conversation isn't there, or the user isn't in it. */
    get isMissing() {
      return isListed && !isOffline && conversation !== null && !client.about;
    },
    get conversation() {
      return conversation;
    },
    /** The open conversation's document, or null. */
    get about() {
      return (conversation && conversations.get(conversation.id)) ?? null;
    },
    get conversations() {
      return [...conversations.values()].sort((a, b) => compareTimes(b.lastMessageAt, a.lastMessageAt));
    },
    unread: (id) => unread.get(id) ?? 0,

    open(id) {
      if (conversation?.id === id) return;
      conversation?.stop();
      conversation = id && openConversation({
        id, uid, root, firestore, outbox, language, onChange,
        about: () => conversations.get(id) ?? null, isShown,
      });
      startConversation();
      onChange();
    },

    /** language is that of a suggested reply; else the functions find out. */
    send(text, language) {
      lastClientTime = Math.max(Date.now(), lastClientTime + 1);
      const id = newId();
      outbox.add([newEntry.message({
        id, conversationId: conversation.id, name: conversation.nameOf(id), senderId: uid, text, language,
        clientTimestamp: new Date(lastClientTime).toISOString(),
      })]);
      conversation.typing.stop();
    },
    edit(message, text) {
      outbox.add([newEntry.edit({
        id: newId(), conversationId: conversation.id, name: conversation.nameOf(message.id), text,
      })]);
    },
    remove(message) {
      outbox.add([newEntry.deletion({
        id: newId(), conversationId: conversation.id, name: conversation.nameOf(message.id),
      })]);
    },
    translate: online((message) => call("translateMessage", {
      messageId: message.id, conversationId: conversation.id, targetLang: language(),
    }, uid)),
    suggest: online(() => call("smartReplies", { conversationId: conversation.id }, uid)),
    /** options are those of streamingCall. */
    ask: online((query, options) => streamingCall("askAI", { conversationId: conversation.id, query }, uid, options)),

    setOffline(value) {
      if (value === isOffline) return;
      isOffline = value;
      if (isOffline) stopListening();
      else listen();
      conversation?.changed();
      onChange();
    },

    /** Takes a push if it is for this phone; answers whether it is one to show. */
    receive({ token, message }) {
      const tokens = new Set([...deviceTokens.values(), ...(people.get(uid)?.tokens ?? [])]);
      if (isOffline || !tokens.has(token)) return false;
      badge = shownBy({ message }).badge ?? badge;
      onChange();
      const { conversationId, messageId, type } = message.data ?? {};
      if (type === "badge") return false;
      if (conversationId && messageId && conversation?.id !== conversationId) {
        acknowledge(firestore, `${root}/${messagePath(conversationId, messageId)}`);
      }
      return message.notification !== undefined;
    },
    /** After pushes were missed. A new connection tells all inboxes anew: until then the old ones don't count. */
    recount(lost) {
      if (lost === Infinity) {
        mustCount = true;
        return;
      }
      count();
      onChange();
    },

    /** others' uids; a name for a group. Answers the conversation's id. */
    begin: online((others, name) => {
      const isWithOther = ({ isGroup, participants }) =>
        !isGroup && participants.length === 2 && participants.includes(others[0]);
      const known = !name && others.length === 1 && client.conversations.find(isWithOther);
      return known ? known.id : beginConversation(firestore, [uid, ...others], name, languageOf);
    }),
    addMember: online((other) => addMember(firestore, conversation.id, other, languageOf(other))),
    removeMember: online((other) => removeMember(firestore, conversation.id, other)),

    /** What was written before is translated, too: the newest page. */
    setLanguage: online(async (code) => {
      await firestore.commit([{
        update: { name: `${root}/users/${uid}`, fields: { primaryLanguage: { stringValue: code } } },
        updateMask: { fieldPaths: ["primaryLanguage"] },
        currentDocument: { exists: true },
      }]);
      const messageIds = (conversation?.messages ?? [])
        .filter((message) => !message.isOwn && !message.isPending).slice(-50).map((message) => message.id);
      if (!messageIds.length) return;
      await call("translateMessage", { conversationId: conversation.id, messageIds, targetLang: code }, uid);
    }),

    close() {
      stopListening();
      outbox.close();
    },
  };
  if (!isOffline) listen();
  return client;
}

// The chat client of a phone, without its user interface: the user's conversations and actions.

import { DatabaseSocket } from "../../lib/database-socket.js";
import { defaultDatabase } from "../../lib/database.js";
import { status } from "../../lib/emulator.js";
import { Firestore, call, idOf } from "../../lib/firestore.js";
import { listen } from "../../lib/listeners.js";
import { membersOf } from "../../lib/members.js";
import { Storage, linkReader } from "../../lib/firebase-storage.js";
import { shownBy } from "../phones/push.js";
import { acknowledge } from "./acknowledgements.js";
import { openConversation } from "./conversation.js";
import { compareTimes, messagePath, newId, previewOf, readConversation, readInbox } from "./documents.js";
import { newEntry } from "./entries.js";
import { extensionOf } from "./media.js";
import { addMember, beginConversation, removeMember } from "./membership.js";
import { openOutbox } from "./outbox.js";
import { openPresence } from "./presence.js";
import { removePicture, setPicture } from "./profile-picture.js";
import { streamingCall } from "./streaming-call.js";

const maximumConversations = 200;
/** The maximum length of an ID that the rules allow in a presence. */
const maximumID = 1_500;

/** Returns the folder of a conversation's media in Cloud Storage. */
const mediaFolder = (conversationId) => `conversations/${conversationId}/media/`;

/** Opens a user's client. onChange() is called after every change; isShown() returns whether the phone is visible. */
export async function openClient({ user, isOffline, people, isShown, onChange }) {
  const { uid } = user;
  const firestore = new Firestore(user);
  const storage = new Storage(user);
  const readLink = await linkReader();
  const root = await firestore.root();
  const { services } = await status();
  const database = await defaultDatabase();
  const conversations = new Map();
  const inboxes = new Map();
  const deviceTokens = new Map();
  let conversation = null;
  /** The connection to the Realtime Database, if the phone is online and there is such a database. */
  let socket = null;
  let presence = null;
  let stops = [];
  let isListed = false;
  let error = null;
  let badge = 0;
  let mustCount = false;
  let lastClientTime = 0;

  const outbox = openOutbox({
    firestore, storage, isPaused: () => isOffline, onChange: () => (conversation ? conversation.changed() : onChange()),
  });

  function fail(failure) {
    error = failure;
    onChange();
  }

  /** Sets the badge to the sum of the unread counts in the inboxes. */
  function count() {
    badge = [...inboxes.values()].reduce((sum, { unread }) => sum + unread, 0);
  }

  /**
   * Keeps a map equal to the documents of a query. Documents that were deleted while nothing listened are removed,
   * too.
   */
  function follow(target, map, read, after = () => {}) {
    let isFirst = true;
    stops.push(listen({ query: target }, ({ documents, changed }) => {
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
    }, fail, user));
  }

  /** Connects to the Realtime Database, which makes the user online. */
  function connect() {
    people.need([uid]);
    if (!services.database) return;
    socket = new DatabaseSocket(database, user);
    presence = openPresence(socket, uid);
    showPresence();
  }

  /** Writes which conversation is open and visible to the presence, so that no push rings for its messages. */
  function showPresence() {
    const isOpen = conversation && conversation.id.length <= maximumID && isShown();
    presence?.show(isOpen ? conversation.id : null);
  }

  function startListening() {
    connect();
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
      inboxes, readInbox, () => {
        // Only the first snapshot sets the badge. Later, pushes set it, as on a phone.
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
    outbox.pause();
    conversation?.stop();
    presence?.close();
    socket?.close();
    presence = socket = null;
  }

  /**
   * Starts the open conversation. Its document determines which messages the reader may see, so it must be loaded
   * first.
   */
  function startConversation() {
    if (!conversation || isOffline) return;
    const about = conversations.get(conversation.id);
    if (!about) return conversation.stop();
    conversation.showFrom(about.joinedAt(uid));
    conversation.start(socket);
  }

  function language() {
    const about = conversation && conversations.get(conversation.id);
    return about?.languageOf(uid) || people.get(uid)?.language || about?.copiedLanguageOf(uid) || "en";
  }

  /** Wraps a request that an app never queues: while the phone is offline, the request fails. */
  const online = (ask) => async (...details) => {
    if (isOffline) throw new Error("This phone is offline.");
    return ask(...details);
  };

  const languageOf = (other) => people.get(other)?.language ?? "";

  const client = {
    uid,
    firestore,
    storage,
    outbox,
    language,
    /** A Boolean value that indicates whether the emulator has Cloud Storage. */
    hasStorage: services.storage !== undefined,
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
    /** A Boolean value that indicates whether the open conversation is missing or the user isn't in it. */
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
    unread: (id) => inboxes.get(id)?.unread ?? 0,
    /** Returns the text of a conversation's last message, in the user's language if there is a translation. */
    preview: (conversation) => previewOf(conversation, inboxes.get(conversation.id)),

    open(id) {
      if (conversation?.id === id) return;
      conversation?.stop();
      conversation = id && openConversation({
        id, user, root, firestore, outbox, language, onChange,
        profile: () => people.get(uid), about: () => conversations.get(id) ?? null, readLink, isShown,
      });
      startConversation();
      showPresence();
      onChange();
    },

    /** Updates what depends on whether the phone is visible. */
    look() {
      conversation?.settle();
      showPresence();
    },

    /**
     * Sends a message, perhaps with a file. language is that of a suggested reply; otherwise the functions detect it.
     */
    send(text, { language, file = null } = {}) {
      lastClientTime = Math.max(Date.now(), lastClientTime + 1);
      const id = newId();
      outbox.add([newEntry.message({
        id, conversationId: conversation.id, name: conversation.nameOf(id), senderId: uid, text, language,
        clientTimestamp: new Date(lastClientTime).toISOString(),
        file: file && {
          path: `${mediaFolder(conversation.id)}${newId()}.${extensionOf(file)}`, type: file.type, size: file.size,
        },
      })], file);
      conversation.typing.stop();
    },
    edit(message, text) {
      outbox.add([newEntry.edit({
        id: newId(), conversationId: conversation.id, name: conversation.nameOf(message.id), text,
      })]);
    },
    remove(message) {
      const path = message.media?.path;
      const isOfMessage = path?.startsWith(mediaFolder(conversation.id));
      outbox.add([newEntry.deletion({
        id: newId(), conversationId: conversation.id, name: conversation.nameOf(message.id),
        path: isOfMessage ? path : null,
      })]);
    },
    translate: online((message) => call("translateMessage", {
      messageId: message.id, conversationId: conversation.id, targetLang: language(),
    }, user)),
    suggest: online(() => call("smartReplies", { conversationId: conversation.id }, user)),
    /** Asks a question; options are those of streamingCall. */
    ask: online((query, options) => streamingCall("askAI", { conversationId: conversation.id, query }, user, options)),

    setOffline(value) {
      if (value === isOffline) return;
      isOffline = value;
      if (isOffline) stopListening();
      else startListening();
      conversation?.changed();
      onChange();
    },

    /** Receives a push if it is for this phone. Returns whether the push is to be shown. */
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
    /** Recounts the badge after pushes were missed. If all may have been missed, the next inboxes count, too. */
    recount(lost) {
      if (lost === Infinity) mustCount = true;
      count();
      onChange();
    },

    /**
     * Starts a conversation with the people of the given uids, and a name for a group. Returns the conversation's ID.
     */
    begin: online((others, name) => {
      const isWithOther = ({ isGroup, participants }) =>
        !isGroup && participants.length === 2 && participants.includes(others[0]);
      const known = !name && others.length === 1 && client.conversations.find(isWithOther);
      return known ? known.id : beginConversation(firestore, [uid, ...others], name, languageOf);
    }),
    addMember: online((other) => addMember(firestore, conversation.id, other, languageOf(other))),
    removeMember: online((other) => removeMember(firestore, conversation.id, other)),

    /** Sets the user's language, and translates the newest page of messages into it. */
    setLanguage: online(async (code) => {
      await firestore.commit([{
        update: { name: `${root}/users/${uid}`, fields: { primaryLanguage: { stringValue: code } } },
        updateMask: { fieldPaths: ["primaryLanguage"] },
        currentDocument: { exists: true },
      }]);
      const messageIds = (conversation?.messages ?? [])
        .filter((message) => !message.isOwn && !message.isPending).slice(-50).map((message) => message.id);
      if (!messageIds.length) return;
      await call("translateMessage", { conversationId: conversation.id, messageIds, targetLang: code }, user);
    }),

    /** Makes a file the user's profile picture; options are {signal, onProgress}. */
    setPicture: online((file, options) => setPicture({ firestore, storage, readLink, file, ...options })),
    removePicture: online(() => removePicture({ firestore, storage, readLink })),

    close() {
      stopListening();
      outbox.close();
    },
  };
  if (!isOffline) startListening();
  return client;
}

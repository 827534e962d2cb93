// A conversation on a phone: its live messages, loaded in pages, with their hints and typing indicators.

import { idOf } from "../../lib/firestore.js";
import { listen } from "../../lib/listeners.js";
import { acknowledge } from "./acknowledgements.js";
import { compareMessages, messagePath, readHint, readMessage } from "./documents.js";
import { newEntry } from "./entries.js";
import { openReading } from "./reading.js";
import { noTyping, openTyping } from "./typing.js";

const pageSize = 50;

const ordered = (field, direction) => ({ field: { fieldPath: field }, direction });
const isEqual = (field, value) => ({
  fieldFilter: { field: { fieldPath: field }, op: "EQUAL", value: { stringValue: value } },
});

/**
 * Opens a conversation. root is the name of the database's documents; language() returns the reader's language;
 * profile() returns the reader's profile or undefined; about() returns the conversation's document or null; readLink()
 * is that of linkReader; isShown() returns whether the conversation is visible. onChange() is called after every
 * change.
 */
export function openConversation({
  id, user, root, firestore, outbox, language, profile, about, readLink, isShown, onChange,
}) {
  const { uid } = user;
  const parent = `${root}/conversations/${id}`;
  const nameOf = (messageId) => `${root}/${messagePath(id, messageId)}`;
  const stored = new Map();
  const marked = new Set();
  const hints = new Map();
  let typing = noTyping;
  let isStarted = false;
  let pages = 1;
  let isCurrent = false;
  let isLoading = false;
  let isFull = false;
  let error = null;
  let joinedAt = "";
  let stops = [];
  let cached = null;
  /** The reader's profile at the time of `cached`. */
  let cachedFor;
  const reading = openReading({ id, uid, language, profile, about, readLink, onHash: changed });

  function changed() {
    cached = null;
    onChange();
  }

  // Listening

  function fail(failure) {
    error = failure;
    isLoading = false;
    changed();
  }

  /**
   * Listens to the newest messages. After an additional page was requested, the new listener replaces the old one
   * once its first snapshot has arrived.
   */
  function listenToMessages() {
    const limit = pages * pageSize;
    let isFirst = true;
    let stopBefore = stops[0] ?? (() => {});
    const stop = listen({
      query: {
        parent,
        structuredQuery: {
          from: [{ collectionId: "messages" }],
          where: joinedAt === "" ? undefined : {
            fieldFilter: {
              field: { fieldPath: "timestamp" }, op: "GREATER_THAN_OR_EQUAL", value: { timestampValue: joinedAt },
            },
          },
          orderBy: [ordered("timestamp", "DESCENDING"), ordered("__name__", "DESCENDING")],
          limit,
        },
      },
    }, (snapshot) => {
      if (isFirst) {
        stored.clear();
        stopBefore();
        stopBefore = () => {};
      }
      take(snapshot.documents, isFirst ? snapshot.documents.keys() : snapshot.changed);
      outbox.see(id, snapshot.readTime);
      isFirst = false;
      isCurrent = true;
      isLoading = false;
      isFull = snapshot.documents.size >= limit;
      error = null;
      changed();
      settle();
    }, fail, user);
    stops[0] = () => {
      stopBefore();
      stop();
    };
  }

  function take(documents, names) {
    for (const name of names) {
      const document = documents.get(name);
      const messageId = idOf(name);
      if (document) {
        stored.set(messageId, readMessage(document));
      } else {
        stored.delete(messageId);
        marked.delete(messageId);
      }
    }
  }

  function listenToHints() {
    stops[1] = listen({
      query: {
        parent: root,
        structuredQuery: {
          from: [{ collectionId: "aiAnalysis" }], where: isEqual("conversationId", id),
          orderBy: [ordered("timestamp", "DESCENDING")], limit: 2 * pageSize,
        },
      },
    }, ({ documents, changed: names }) => {
      for (const name of names) {
        const document = documents.get(name);
        if (document) hints.set(idOf(name), readHint(document));
        else hints.delete(idOf(name));
      }
      changed();
    }, fail, user);
  }

  // Reading

  /** Marks new messages as read if the conversation is visible, or else as delivered. */
  function settle() {
    const news = [...stored.values()].filter(({ id, senderId, readBy, takesReceipts }) =>
      takesReceipts && senderId !== uid && !readBy.has(uid) && !marked.has(id));
    if (!news.length || !about()) return;
    if (!isShown()) {
      for (const message of news) if (message.status === "sent") acknowledge(firestore, nameOf(message.id));
      return;
    }
    for (const message of news) marked.add(message.id);
    const { participants } = about();
    outbox.add(news.sort(compareMessages).map((message) => newEntry.receipt({
      conversationId: id, name: nameOf(message.id), reader: uid,
      isLast: participants.every((other) =>
        other === uid || other === message.senderId || message.readBy.has(other)),
    })));
  }

  return {
    id,
    get messages() {
      if (profile() !== cachedFor) cached = null;
      cachedFor = profile();
      cached ??= reading.list({ messages: stored, hints, outbox });
      return cached;
    },
    get isCurrent() {
      return isCurrent;
    },
    get isLoading() {
      return isLoading;
    },
    get hasOlder() {
      return isFull;
    },
    get error() {
      return error;
    },
    get typing() {
      return typing;
    },
    nameOf,
    settle,
    changed,
    loadOlder() {
      if (!isFull || isLoading || !isStarted) return;
      pages += 1;
      isLoading = true;
      listenToMessages();
      changed();
    },
    /** Sets the time from which this reader sees messages; "" is the beginning. */
    showFrom(time) {
      if (time === joinedAt) return;
      joinedAt = time;
      if (isStarted) listenToMessages();
    },
    /** Starts listening. socket is a connection to the Realtime Database, or null. */
    start(socket) {
      if (isStarted) return;
      isStarted = true;
      if (socket) typing = openTyping({ socket, conversationId: id, user, onChange });
      listenToMessages();
      listenToHints();
    },
    stop() {
      isStarted = false;
      typing.close();
      typing = noTyping;
      for (const stop of stops) stop();
      stops = [];
    },
  };
}

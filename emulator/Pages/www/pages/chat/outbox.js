// A phone's outbox: its unsent writes, which survive a reload. A commit sends all waiting writes, in order.

import { idOf, pathOf } from "../../lib/firestore.js";
import { compareTimes } from "./documents.js";

/** The delay before a retry after the emulator didn't respond. */
const pauseMilliseconds = 1_000;

/** The prefixes in use: two phones of the same user have separate queues. */
const held = new Set();

let lastOrder = 0;

/**
 * Reserves a prefix for an outbox's storage keys. Each entry has its own key, so that tabs don't overwrite each
 * other.
 */
function hold(uid) {
  let number = 1;
  while (held.has(`chat.outbox/${uid}/${number}/`)) number += 1;
  const prefix = `chat.outbox/${uid}/${number}/`;
  held.add(prefix);
  return prefix;
}

/**
 * Opens an outbox. firestore is the user's client. An entry is {id, kind, conversationId, messageId, writes, text?,
 * clientTimestamp?, order}.
 *
 * A rejected entry stays with its error until it is retried or discarded; a rejected receipt is dropped. A sent
 * entry stays with its sentAt until the conversation shows that time. onChange() is called when entries are added or
 * removed.
 */
export function openOutbox({ firestore, isPaused, onChange }) {
  const prefix = hold(firestore.uid);
  /** The time of each conversation's latest snapshot. */
  const shown = new Map();
  let entries = load(prefix);
  let isSending = false;
  let isClosed = false;
  let timer;

  /** Stores an entry. An online phone's receipts aren't stored, because they are created again after a reload. */
  function keep(entry) {
    if (entry.kind === "receipt" && !isPaused()) return;
    try {
      localStorage.setItem(prefix + entry.id, JSON.stringify(entry));
    } catch {
      // The storage is full: the entry is still sent while the page is open.
    }
  }

  /** Calls onChange() if an entry other than a receipt has changed. Receipts aren't displayed. */
  function tell(changed) {
    if (!isClosed && changed.some(({ kind }) => kind !== "receipt")) onChange();
  }

  function add(more) {
    for (const entry of more) {
      entry.order = lastOrder = Math.max(Date.now(), lastOrder + 1);
      keep(entry);
    }
    entries = [...entries, ...more];
    tell(more);
    flush();
  }

  function settle(done) {
    entries = entries.filter((entry) => !done.includes(entry));
    for (const { id } of done) localStorage.removeItem(prefix + id);
    tell(done);
  }

  /** Removes an entry that another tab has sent or discarded. */
  function forget({ key, newValue }) {
    if (newValue !== null || !key?.startsWith(prefix)) return;
    entries = entries.filter(({ id }) => prefix + id !== key);
    onChange();
  }

  addEventListener("storage", forget);

  async function send(batch) {
    const { commitTime } = await firestore.commit(batch.flatMap((entry) => entry.writes));
    const visible = batch.filter(({ kind }) => kind !== "receipt");
    for (const entry of visible) {
      entry.sentAt = commitTime;
      localStorage.removeItem(prefix + entry.id);
    }
    settle(batch.filter((entry) => entry.kind === "receipt" || isShown(entry)));
    tell(visible);
  }

  /**
   * Returns whether the conversation's snapshot already contains the entry: it may arrive before the commit's
   * response.
   */
  function isShown({ conversationId, sentAt }) {
    const time = shown.get(conversationId);
    return sentAt !== undefined && time !== undefined && compareTimes(sentAt, time) <= 0;
  }

  /**
   * Drops entries that an earlier commit with a lost response has written, and entries whose document was deleted.
   */
  async function prune(batch) {
    const ids = [...new Set(batch.flatMap((entry) => entry.writes.map((write) => pathOf(nameOf(write)))))];
    const documents = await firestore.getAll(ids);
    const there = new Set(ids.filter((_, index) => documents[index]));
    const coming = new Set();
    const idle = batch.filter((entry) => {
      const path = pathOf(nameOf(entry.writes[0]));
      if (entry.kind === "message") {
        coming.add(path);
        return there.has(path);
      }
      return !there.has(path) && !coming.has(path);
    });
    if (idle.length) settle(idle);
    return idle.length > 0;
  }

  async function flush() {
    if (isSending || isClosed || isPaused()) return;
    const batch = entries.filter(isWaiting);
    if (!batch.length) return;
    isSending = true;
    let delay = 0;
    try {
      await send(batch);
    } catch (error) {
      delay = await mend(batch, error);
    } finally {
      isSending = false;
    }
    clearTimeout(timer);
    if (entries.some(isWaiting)) timer = setTimeout(flush, delay);
  }

  /** Marks an entry as rejected, with the error for the user; a rejected receipt is dropped. */
  function refuse(entry, error) {
    if (isClosed) return;
    if (entry.kind === "receipt") {
      settle([entry]);
      // A member whom this phone doesn't know yet hasn't read the message.
      if (error.status === 403 && entry.isLast) add([newEntry.receipt({ ...entry, isLast: false })]);
      return;
    }
    if (!entries.includes(entry)) return;
    entry.error = error.message;
    keep(entry);
    onChange();
  }

  /** Handles a failed commit. Returns the delay before the next one, in milliseconds. */
  async function mend(batch, error) {
    if (isOutage(error)) return pauseMilliseconds;
    try {
      if (await prune(batch)) return 0;
    } catch (error) {
      if (isOutage(error)) return pauseMilliseconds;
    }
    for (const entry of batch) {
      // The session may have ended: the entries are sent when the user signs in again.
      if (isClosed) return 0;
      try {
        await send([entry]);
      } catch (error) {
        if (isOutage(error)) return pauseMilliseconds;
        refuse(entry, error);
      }
    }
    return 0;
  }

  return {
    get entries() {
      return entries;
    },
    /** The number of the user's unsent entries, without receipts. */
    get unsent() {
      return entries.filter((entry) => entry.kind !== "receipt" && !entry.sentAt).length;
    },
    get isPaused() {
      return isPaused();
    },
    add,
    flush,
    /** Sets the time of a conversation's latest snapshot, which contains everything that was sent until then. */
    see(conversationId, time) {
      shown.set(conversationId, time);
      const done = entries.filter((entry) => isShown(entry));
      if (done.length) settle(done);
    },
    retry(id) {
      for (const entry of entries) {
        if (entry.id !== id) continue;
        delete entry.error;
        keep(entry);
      }
      onChange();
      flush();
    },
    discard(id) {
      settle(entries.filter((entry) => entry.id === id));
    },
    close() {
      isClosed = true;
      held.delete(prefix);
      removeEventListener("storage", forget);
      clearTimeout(timer);
    },
  };
}

/** Returns whether the same request may succeed later. */
const isOutage = ({ status }) => status === 0 || status === 429 || status >= 500;

const isWaiting = (entry) => !entry.error && !entry.sentAt;

const nameOf = (write) => write.update?.name ?? write.delete;

function load(prefix) {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map(read)
    .filter((entry) => entry?.writes?.length && entry.id).sort((a, b) => a.order - b.order);
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Creates the entries of each kind; name is the message's. */
export const newEntry = {
  message({ id, conversationId, name, senderId, text, language, clientTimestamp }) {
    const fields = {
      senderId: { stringValue: senderId }, text: { stringValue: text }, status: { stringValue: "sent" },
      readBy: { arrayValue: {} }, clientTimestamp: { timestampValue: clientTimestamp },
      ...(language && { language: { stringValue: language }, languageSource: { stringValue: "client" } }),
    };
    return {
      id, kind: "message", conversationId, messageId: id, text, clientTimestamp,
      writes: [{
        update: { name, fields },
        updateTransforms: [{ fieldPath: "timestamp", setToServerValue: "REQUEST_TIME" }],
        currentDocument: { exists: false },
      }],
    };
  },

  /** isLast means that with this receipt every member has read the message. */
  receipt({ conversationId, name, reader, isLast }) {
    return {
      id: `receipt:${name}`, kind: "receipt", conversationId, messageId: idOf(name), name, reader, isLast,
      writes: [{
        update: { name, fields: isLast ? { status: { stringValue: "read" } } : {} },
        updateMask: { fieldPaths: isLast ? ["status"] : [] },
        updateTransforms: [{ fieldPath: "readBy", appendMissingElements: { values: [{ stringValue: reader }] } }],
        currentDocument: { exists: true },
      }],
    };
  },

  edit({ id, conversationId, name, text }) {
    return {
      id, kind: "edit", conversationId, messageId: idOf(name), text,
      writes: [{
        update: { name, fields: { text: { stringValue: text } } },
        updateMask: { fieldPaths: ["text"] },
        currentDocument: { exists: true },
      }],
    };
  },

  deletion({ id, conversationId, name }) {
    return {
      id, kind: "deletion", conversationId, messageId: idOf(name),
      writes: [{ delete: name, currentDocument: { exists: true } }],
    };
  },
};

// What a phone still has to write: kept over a reload, and sent in its order, all that waits in one commit.

import { idOf, pathOf } from "../../lib/firestore.js";

/** Messages of people, not the emulator's answers: how long to wait before asking one that didn't answer. */
const pauseMilliseconds = 1_000;

/** The places that are in use: two phones of one user have a queue each. */
const held = new Set();

function hold(uid) {
  let number = 1;
  while (held.has(`chat.outbox.${uid}.${number}`)) number += 1;
  const key = `chat.outbox.${uid}.${number}`;
  held.add(key);
  return key;
}

/**
 * firestore is the user's. An entry is {id, kind, conversationId, messageId, writes, text?,
 * clientTimestamp?}; one that the database won't take stays, with error, until it is retried or discarded.
 * onChange() is called when entries come or go.
 */
export function openOutbox({ firestore, isPaused, onChange }) {
  const key = hold(firestore.uid);
  let entries = load(key);
  let isKept = entries.length > 0;
  let isSending = false;
  let isClosed = false;
  let timer;

  /** Receipts on their way needn't be kept: a phone that is online makes them anew. */
  function save() {
    const kept = isPaused() ? entries : entries.filter(({ kind }) => kind !== "receipt");
    try {
      if (kept.length) localStorage.setItem(key, JSON.stringify(kept));
      else if (isKept) localStorage.removeItem(key);
    } catch {
      // Full: what waits is sent all the same, as long as the page stays.
    }
    isKept = kept.length > 0;
    onChange();
  }

  function settle(sent) {
    entries = entries.filter((entry) => !sent.includes(entry));
    save();
  }

  async function send(batch) {
    await firestore.commit(batch.flatMap((entry) => entry.writes));
    settle(batch);
  }

  /** Drops what an earlier commit has done, whose answer was lost, and what has lost its document. */
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
    const batch = entries.filter((entry) => !entry.error);
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
    if (entries.some((entry) => !entry.error)) timer = setTimeout(flush, delay);
  }

  /** Returns after how many milliseconds to go on. */
  async function mend(batch, error) {
    if (error.status === 0 || error.status >= 500 || error.status === 429) return pauseMilliseconds;
    try {
      if (await prune(batch)) return 0;
      for (const entry of batch) {
        try {
          await send([entry]);
        } catch (error) {
          if (error.status === 0) return pauseMilliseconds;
          entry.error = error.message;
          save();
        }
      }
      return 0;
    } catch {
      return pauseMilliseconds;
    }
  }

  return {
    get entries() {
      return entries;
    },
    get isPaused() {
      return isPaused();
    },
    add(more) {
      entries = [...entries, ...more];
      save();
      flush();
    },
    flush,
    retry(id) {
      for (const entry of entries) if (entry.id === id) delete entry.error;
      save();
      flush();
    },
    discard(id) {
      entries = entries.filter((entry) => entry.id !== id);
      save();
    },
    close() {
      isClosed = true;
      held.delete(key);
      clearTimeout(timer);
    },
  };
}

const nameOf = (write) => write.update?.name ?? write.delete;

function load(key) {
  try {
    const entries = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(entries) ? entries.filter((entry) => entry?.writes?.length && entry.id) : [];
  } catch {
    return [];
  }
}

/** The writes of each kind of entry. name is the message's. */
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

  /** isLast: with this one everybody has read it. */
  receipt({ conversationId, name, reader, isLast }) {
    return {
      id: `receipt:${name}`, kind: "receipt", conversationId, messageId: idOf(name),
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

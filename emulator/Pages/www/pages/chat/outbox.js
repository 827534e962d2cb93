// What a phone still has to write: kept over a reload, and sent in its order, all that waits in one commit.

import { idOf, pathOf } from "../../lib/firestore.js";
import { compareTimes } from "./documents.js";

/** Messages of people, not the emulator's answers: how long to wait before asking one that didn't answer. */
const pauseMilliseconds = 1_000;

/** The places that are in use: two phones of one user have a queue each. */
const held = new Set();

let lastOrder = 0;

/** What the keys of a place begin with. Each entry has its own, so that no tab writes over another's. */
function hold(uid) {
  let number = 1;
  while (held.has(`chat.outbox/${uid}/${number}/`)) number += 1;
  const prefix = `chat.outbox/${uid}/${number}/`;
  held.add(prefix);
  return prefix;
}

/**
 * firestore is the user's. An entry is {id, kind, conversationId, messageId, writes, text?,
 * clientTimestamp?, order}; one that the database won't take stays, with error, until it is retried or discarded,
 * except receipts.
 * One that it has taken stays, with sentAt, until its conversation is shown as of then. onChange() is called when
 * entries come or go.
 */
export function openOutbox({ firestore, isPaused, onChange }) {
  const prefix = hold(firestore.uid);
  /** As of when each conversation is shown. */
  const shown = new Map();
  let entries = load(prefix);
  let isSending = false;
  let isClosed = false;
  let timer;

  /** Receipts on their way needn't be kept: a phone that is online makes them anew. */
  function keep(entry) {
    if (entry.kind === "receipt" && !isPaused()) return;
    try {
      localStorage.setItem(prefix + entry.id, JSON.stringify(entry));
    } catch {
      // Full: what waits is sent all the same, as long as the page stays.
    }
  }

  /** Nobody is shown receipts. */
  function tell(changed) {
    if (!isClosed && changed.some(({ kind }) => kind !== "receipt")) onChange();
  }

  function settle(done) {
    entries = entries.filter((entry) => !done.includes(entry));
    for (const { id } of done) localStorage.removeItem(prefix + id);
    tell(done);
  }

  /** What another tab has sent or discarded isn't to be sent again. */
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

  /** The database may have told of it before it answered. */
  function isShown({ conversationId, sentAt }) {
    const time = shown.get(conversationId);
    return sentAt !== undefined && time !== undefined && compareTimes(sentAt, time) <= 0;
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

  /** Whoever wrote it is told why; nobody writes receipts. */
  function refuse(entry, error) {
    if (entry.kind === "receipt") return settle([entry]);
    if (!entries.includes(entry)) return;
    entry.error = error.message;
    keep(entry);
    onChange();
  }

  /** Returns after how many milliseconds to go on. */
  async function mend(batch, error) {
    if (isOutage(error)) return pauseMilliseconds;
    try {
      if (await prune(batch)) return 0;
    } catch (error) {
      if (isOutage(error)) return pauseMilliseconds;
    }
    for (const entry of batch) {
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
    /** How many things somebody wrote haven't been sent. */
    get unsent() {
      return entries.filter((entry) => entry.kind !== "receipt" && !entry.sentAt).length;
    },
    get isPaused() {
      return isPaused();
    },
    add(more) {
      for (const entry of more) {
        entry.order = lastOrder = Math.max(Date.now(), lastOrder + 1);
        keep(entry);
      }
      entries = [...entries, ...more];
      tell(more);
      flush();
    },
    flush,
    /** Says as of when a conversation is shown: what was sent until then is in it. */
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

/** What the same request may pass after a while. */
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

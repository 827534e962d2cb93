// A phone's outbox: its unsent writes, which survive a reload. A commit sends all waiting writes, in order. A message
// with a file waits until the file is uploaded.

import { pathOf } from "../../lib/firestore.js";
import { compareTimes } from "./documents.js";
import { newEntry } from "./entries.js";
import { dropFile, keepFile, keptFile, releaseFile, urlOfFile } from "./files.js";
import { isTemporary, uploadWords } from "./media.js";
import { openUploads } from "./uploads.js";

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
 * Opens an outbox. firestore and storage are the user's clients.
 *
 * A rejected entry stays with its error until it is retried or discarded; a rejected receipt is dropped. A sent
 * entry stays with its sentAt until the conversation shows that time. onChange() is called when entries are added or
 * removed.
 */
export function openOutbox({ firestore, storage, isPaused, onChange }) {
  const prefix = hold(firestore.uid);
  const keyOf = ({ id }) => prefix + id;
  /** The entries that are stored. */
  const stored = new WeakSet();
  /** The time of each conversation's latest snapshot. */
  const shown = new Map();
  let entries = load(prefix);
  let isSending = false;
  let isRemoving = false;
  let isClosed = false;
  let timer;

  const uploads = openUploads({
    storage, uid: firestore.uid, isPaused, keyOf, onChange: () => !isClosed && onChange(),
    keep: (entry) => (entries.includes(entry) ? keep(entry) : uploads.cancel(entry)),
    next: () => entries.find((entry) => !entry.error && isWithoutLink(entry)) ?? null,
    begin: takeOver,
    done(entry, link) {
      entry.file.link = link;
      if (!entries.includes(entry)) return uploads.cancel(entry);
      entry.writes[0].update.fields.mediaURL = { stringValue: link };
      keep(entry);
      flush();
    },
    refused: (entry, error) => refuse(entry, { message: uploadWords(error) }),
  });

  for (const entry of entries) {
    stored.add(entry);
    if (entry.file) keptFile(keyOf(entry)).then(() => !isClosed && onChange());
  }

  /** Stores an entry. An online phone's receipts aren't stored, because they are created again after a reload. */
  function keep(entry) {
    if (entry.kind === "receipt" && !isPaused()) return;
    try {
      localStorage.setItem(keyOf(entry), JSON.stringify(entry));
      stored.add(entry);
    } catch {
      // The storage is full: the entry is still sent while the page is open.
    }
  }

  /** Calls onChange() if an entry other than a receipt has changed. Receipts aren't displayed. */
  function tell(changed) {
    if (!isClosed && changed.some(({ kind }) => kind !== "receipt")) onChange();
  }

  /** Adds entries. `file` is that of the only message. */
  function add(more, file = null) {
    if (file) keepFile(keyOf(more[0]), file);
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
    for (const entry of done) {
      unkeep(entry);
      if (entry.file) releaseFile(keyOf(entry));
    }
    tell(done);
  }

  function unkeep(entry) {
    localStorage.removeItem(keyOf(entry));
    if (entry.file) dropFile(keyOf(entry));
  }

  /** Removes an entry that another tab has sent or discarded. */
  function forget({ key, newValue }) {
    if (newValue !== null || !key?.startsWith(prefix)) return;
    entries = entries.filter((entry) => keyOf(entry) !== key);
    releaseFile(key);
    onChange();
  }

  /** Continues an upload where another tab has left it. Returns false if the other tab has ended it. */
  function takeOver(entry) {
    if (!stored.has(entry)) return true;
    const kept = read(keyOf(entry));
    if (!kept) forget({ key: keyOf(entry), newValue: null });
    else Object.assign(entry, { file: kept.file, writes: kept.writes });
    if (entry.file.link) flush();
    return kept !== null && !entry.file.link;
  }

  addEventListener("storage", forget);

  async function send(batch) {
    const { commitTime } = await firestore.commit(batch.flatMap((entry) => entry.writes));
    const visible = batch.filter(({ kind }) => kind !== "receipt");
    for (const entry of visible) {
      entry.sentAt = commitTime;
      if (entry.path) keep(entry);
      else unkeep(entry);
    }
    settle(batch.filter((entry) => entry.kind === "receipt" || isShown(entry)));
    tell(visible);
    removeFiles();
  }

  /** Deletes the files of deleted messages. Files that the rules don't let this user delete stay. */
  async function removeFiles() {
    if (isRemoving) return;
    isRemoving = true;
    let delay = 0;
    for (const entry of entries.filter(hasFileToRemove)) {
      if (isClosed || isPaused()) break;
      try {
        await storage.delete(entry.path);
      } catch (error) {
        delay = isTemporary(error) ? pauseMilliseconds : 0;
      }
      if (delay) break;
      delete entry.path;
      unkeep(entry);
      if (isShown(entry)) settle([entry]);
    }
    isRemoving = false;
    if (entries.some(hasFileToRemove) && !isClosed && !isPaused()) setTimeout(removeFiles, delay);
  }

  /**
   * Returns whether the conversation's snapshot already contains the entry, which is then done: the snapshot may arrive
   * before the commit's response.
   */
  function isShown({ conversationId, sentAt, path }) {
    const time = shown.get(conversationId);
    return sentAt !== undefined && !path && time !== undefined && compareTimes(sentAt, time) <= 0;
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
    for (const entry of idle) if (entry.path) entry.sentAt = new Date().toISOString();
    if (idle.length) settle(idle.filter(({ path }) => !path));
    removeFiles();
    return idle.length > 0;
  }

  async function flush() {
    if (isClosed || isPaused()) return;
    uploads.run();
    removeFiles();
    const batch = entries.filter(isWaiting);
    if (isSending || !batch.length) return;
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
    /** Stops what a phone that goes offline can't do. */
    pause: uploads.pause,
    /** Returns whether an entry waits, because the emulator doesn't answer its upload. */
    isStalled: (entry) => uploads.isStalled && isWithoutLink(entry),
    /**
     * Returns an entry's media for display, or undefined: {type, source, size, arrived}. arrived is the number of bytes
     * that are uploaded, or null after the upload.
     */
    mediaOf: (entry) => entry.file && {
      type: entry.file.type, source: urlOfFile(keyOf(entry)), size: entry.file.size,
      arrived: entry.file.link ? null : uploads.arrivedOf(entry),
    },
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
      const discarded = entries.filter((entry) => entry.id === id);
      for (const entry of discarded) if (entry.file) uploads.cancel(entry);
      settle(discarded);
    },
    close() {
      isClosed = true;
      uploads.close();
      for (const entry of entries) if (entry.file) releaseFile(keyOf(entry));
      held.delete(prefix);
      removeEventListener("storage", forget);
      clearTimeout(timer);
    },
  };
}

/** Returns whether the same request may succeed later. */
const isOutage = ({ status }) => status === 0 || status === 429 || status >= 500;

const isWithoutLink = ({ file }) => file !== undefined && !file.link;
const isWaiting = (entry) => !entry.error && !entry.sentAt && !isWithoutLink(entry);
const hasFileToRemove = (entry) => entry.sentAt !== undefined && entry.path !== undefined;

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

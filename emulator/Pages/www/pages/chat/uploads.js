// The uploads of an outbox: the files of its messages, one after another.

import { downloadURL } from "../../lib/firebase-storage.js";
import { keptFile } from "./files.js";
import { isTemporary } from "./media.js";

/** The delay before an upload continues after the emulator didn't respond. */
const pauseMilliseconds = 1_000;

/**
 * Opens the uploads. next() returns the next entry with a file that isn't uploaded, or null; its `file` is {path, type,
 * size, session?}. keyOf(entry) is the file's key.
 *
 * begin(entry) is called before an upload and may end it by returning false. keep(entry) is called when the session has
 * changed, done(entry, link) at the end, and refused(entry, error) if the file was refused. onChange() is called
 * whenever the progress has changed.
 */
export function openUploads({ storage, uid, next, keyOf, begin, isPaused, keep, done, refused, onChange }) {
  /** The current upload {entry, controller}, or null. */
  let current = null;
  /** The numbers of bytes that have arrived, by entry. */
  const arrived = new WeakMap();
  let isRunning = false;
  let isStalled = false;
  let isClosed = false;

  const isStopped = () => isClosed || isPaused();

  function setStalled(value) {
    if (value === isStalled) return;
    isStalled = value;
    onChange();
  }

  /** Uploads the files. Returns when none is left, or when the phone goes offline. */
  async function run() {
    if (isRunning) return;
    isRunning = true;
    for (let entry = next(); entry && !isStopped(); entry = next()) {
      try {
        await uploadOf(entry);
      } catch (error) {
        if (error.name === "AbortError") continue;
        if (isTemporary(error)) {
          setStalled(true);
          await new Promise((resume) => setTimeout(resume, pauseMilliseconds));
        } else if (!isClosed) {
          refused(entry, error);
        }
      }
    }
    isRunning = false;
  }

  async function uploadOf(entry) {
    const controller = new AbortController();
    const { signal } = controller;
    current = { entry, controller };
    try {
      await locked(`chat.upload/${keyOf(entry)}`, signal, async () => {
        if (begin(entry)) done(entry, await downloadURL(await send(entry, signal)));
      });
    } finally {
      current = null;
    }
  }

  async function send(entry, signal) {
    const { path, type, session } = entry.file;
    const file = await keptFile(keyOf(entry));
    signal.throwIfAborted();
    if (!file) throw new Error("The file is no longer there: choose it again.");
    return storage.upload(path, file, {
      type, session, signal, metadata: { uploader: uid },
      onSession(session) {
        entry.file.session = session;
        keep(entry);
      },
      onProgress(bytes) {
        setStalled(false);
        arrived.set(entry, bytes);
        onChange();
      },
    });
  }

  function abort() {
    current?.controller.abort();
  }

  return {
    run,
    /** A Boolean value that indicates whether the emulator doesn't respond. */
    get isStalled() {
      return isStalled;
    },
    /** Returns the number of an entry's bytes that have arrived. */
    arrivedOf: (entry) => arrived.get(entry) ?? 0,
    /** Stops the current upload, which continues with the next run. */
    pause: abort,
    /** Ends the upload of an entry, and removes what has arrived. Errors don't matter: an upload expires. */
    cancel(entry) {
      if (current?.entry === entry) abort();
      const { session, path, link } = entry.file;
      const removed = link || !session ? Promise.reject() : storage.cancel(session);
      removed.catch(() => session && storage.delete(path)).catch(() => {});
    },
    close() {
      isClosed = true;
      abort();
    },
  };
}

/** Performs work while no other tab does work of the same name. Without HTTPS, browsers have no such locks. */
const locked = (name, signal, work) =>
  navigator.locks ? navigator.locks.request(name, { signal }, work) : work();

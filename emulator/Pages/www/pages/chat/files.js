// The files of unsent messages. IndexedDB keeps them, so that they survive a reload.

/** The files in use, which also serve if IndexedDB is full or switched off: {file, url} by key. */
const used = new Map();

let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const opened = indexedDB.open("chat.files", 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore("files");
    opened.onsuccess = () => resolve(opened.result);
    opened.onerror = () => reject(opened.error);
  });
  return opening;
}

async function inDatabase(mode, ask) {
  const transaction = (await database()).transaction("files", mode);
  const asked = ask(transaction.objectStore("files"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

function use(key, file) {
  used.set(key, { file, url: URL.createObjectURL(file) });
}

/** Keeps a file until it is dropped. */
export function keepFile(key, file) {
  use(key, file);
  inDatabase("readwrite", (files) => files.put(file, key)).catch(() => {});
}

/** Returns a kept file, or null if it is missing. */
export async function keptFile(key) {
  if (!used.has(key)) {
    const file = await inDatabase("readonly", (files) => files.get(key)).catch(() => null);
    if (!used.has(key) && file) use(key, file);
  }
  return used.get(key)?.file ?? null;
}

/** Returns the URL of a file in use, or "". */
export const urlOfFile = (key) => used.get(key)?.url ?? "";

/** Removes a file from the database. It can be shown until it is released. */
export function dropFile(key) {
  inDatabase("readwrite", (files) => files.delete(key)).catch(() => {});
}

/** Ends the use of a file. */
export function releaseFile(key) {
  if (used.has(key)) URL.revokeObjectURL(used.get(key).url);
  used.delete(key);
}

// A client of Firebase's API of Cloud Storage, for an app without an SDK.

import { Failure, service, status } from "./emulator.js";
import { failureOf } from "./storage.js";
import { asUser } from "./user.js";

/** The size of a chunk in bytes. The service wants multiples of this. */
const chunkBytes = 256 * 1_024;

/** Returns the name of the project's default bucket. */
export const defaultBucket = async () => `${(await status()).project}.appspot.com`;

/** The default bucket, accessed as a user. */
export class Storage {
  #user;

  constructor(user) {
    this.#user = user;
  }

  /**
   * Uploads a Blob in chunks, and returns the object's metadata. `type` and `metadata` are the object's content type
   * and custom metadata, `cacheControl` says how long browsers may keep it.
   *
   * After a failure or an abort by `signal`, the upload can continue: the next call gets the `session` that onSession
   * was called with. onProgress(bytes) is called with the number of bytes that have arrived.
   */
  async upload(path, file, options) {
    const { onSession = () => {}, onProgress = () => {}, signal } = options;
    let { session } = options;
    let state = session ? await this.#query(session, signal) : null;
    if (!state) {
      session = await this.#begin(path, file, options);
      onSession(session);
      state = { position: 0, object: null };
    }
    while (!state.object) {
      onProgress(state.position);
      state = await this.#sendChunk(session, file, state.position, signal);
    }
    onProgress(file.size);
    return state.object;
  }

  /** Ends an upload that isn't complete. */
  async cancel(session) {
    await this.#command(session, "cancel");
  }

  /** Returns an object's metadata. */
  async metadata(path) {
    return (await this.#send("GET", await objectPath(path))).json();
  }

  async delete(path) {
    await this.#send("DELETE", await objectPath(path));
  }

  async #begin(path, file, { type, metadata, cacheControl, signal }) {
    const response = await this.#send("POST", `${await objectPath("")}?${new URLSearchParams({ name: path })}`, {
      headers: {
        "content-type": "application/json", "x-goog-upload-protocol": "resumable", "x-goog-upload-command": "start",
        "x-goog-upload-header-content-length": String(file.size), "x-goog-upload-header-content-type": type,
      },
      body: JSON.stringify({ name: path, contentType: type, metadata, cacheControl }),
      signal,
    });
    const { pathname, search } = new URL(response.headers.get("x-goog-upload-url"));
    // The emulator may have another port after a restart.
    return pathname + search;
  }

  /** Returns the state of an upload, or null if the service doesn't know it anymore. */
  async #query(session, signal) {
    try {
      return await this.#command(session, "query", { signal });
    } catch (error) {
      if (error.status !== 404) throw error;
      return null;
    }
  }

  async #sendChunk(session, file, position, signal) {
    const end = Math.min(position + chunkBytes, file.size);
    const body = await file.slice(position, end).arrayBuffer();
    return this.#command(session, end < file.size ? "upload" : "upload, finalize", {
      headers: { "x-goog-upload-offset": String(position) }, body, signal,
    });
  }

  /** Sends a command for an upload, and returns its state: {position, object}; object is null until the end. */
  async #command(session, command, { headers = {}, body, signal } = {}) {
    const response = await this.#send("POST", session, {
      headers: { ...headers, "x-goog-upload-command": command }, body, signal,
    });
    const isFinal = response.headers.get("x-goog-upload-status") === "final";
    return {
      position: Number(response.headers.get("x-goog-upload-size-received") ?? 0),
      object: isFinal ? await response.json() : null,
    };
  }

  async #send(method, path, { headers = {}, body, signal } = {}) {
    const url = `${await service("storage")}${path}`;
    const send = async (authorization) => {
      const response = await fetch(url, { method, body, headers: { ...headers, ...authorization }, signal })
        .catch((error) => {
          if (error.name === "AbortError") throw error;
          throw new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");
        });
      if (!response.ok) throw failureOf(response.status, await response.text());
      return response;
    };
    return asUser(this.#user, send, "Firebase");
  }
}

async function objectPath(name) {
  const bucket = `/v0/b/${encodeURIComponent(await defaultBucket())}/o`;
  return name ? `${bucket}/${encodeURIComponent(name)}` : bucket;
}

/**
 * Returns an object's download URL, which contains a token: whoever has the URL can download the object.
 *
 * Its host is 127.0.0.1, whatever the address of the page is: security rules of documents know this host.
 */
export async function downloadURL({ bucket, name, downloadTokens }) {
  const { port } = (await status()).services.storage;
  const query = new URLSearchParams({ alt: "media", token: downloadTokens.split(",")[0] });
  return `http://127.0.0.1:${port}/v0/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}?${query}`;
}

/** The hosts of an emulator's download URLs. 10.0.2.2 is this machine for an Android emulator. */
const localHosts = new Set(["127.0.0.1", "localhost", "10.0.2.2"]);

/**
 * Returns a function that reads URLs of files in documents. It returns {source, path, host}, or null if the text isn't
 * such a URL. `source` is the URL from which this page loads the file. `path` is the object's name, or null if the file
 * isn't in the emulator's default bucket. `host` is null for the emulator, and another server's host otherwise.
 */
export async function linkReader() {
  const base = await service("storage").catch(() => null);
  const bucket = await defaultBucket();
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol === "https:") return { source: url.href, path: null, host: url.host };
    const [, inBucket, name] = /^\/v0\/b\/([^/]+)\/o\/([^/]+)$/.exec(url?.pathname ?? "") ?? [];
    if (!name || !base || url.protocol !== "http:" || !localHosts.has(url.hostname)) return null;
    const path = decoded(inBucket) === bucket ? decoded(name) : null;
    return { source: base + url.pathname + url.search, path, host: null };
  };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

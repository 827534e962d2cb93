// A client of the Realtime Database's REST API, for one database.

import { asUser } from "./user.js";
import { Failure, service, status } from "./emulator.js";

/** Returns the name of the project's default database. */
export const defaultDatabase = async () => `${(await status()).project}-default-rtdb`;

export class Database {
  #name;
  #user;

  /** A database, accessed as a user, or as an administrator without one. */
  constructor(name, user = null) {
    this.#name = name;
    this.#user = user;
  }

  /** Returns the JSON at a path, an array of keys, with its priorities, and its ETag. */
  async read(path) {
    const response = await this.#send("GET", path, { query: { format: "export" }, headers: { "x-firebase-etag": "true" } });
    return { data: await response.json(), tag: response.headers.get("etag") };
  }

  /**
   * Replaces the data at a path by JSON in a text or a file. With `tag`, only if the data still has this ETag; else
   * it throws a Failure with the status 412.
   */
  async replace(path, json, tag = null) {
    await this.#send("PUT", path, { body: json, query: { print: "silent" }, headers: tag === null ? {} : { "if-match": tag } });
  }

  /** Adds a child with a new key, which is later than those before it, and returns the key. */
  async push(path, json) {
    return (await (await this.#send("POST", path, { body: json })).json()).name;
  }

  /** Deletes the data at a path if it still has this ETag; else it throws a Failure with the status 412. */
  remove(path, tag) {
    return this.#send("DELETE", path, { headers: { "if-match": tag } });
  }

  /** Returns the address from which a browser downloads the data at a path as a file. */
  async download(path, file) {
    const token = this.#user ? { auth: await this.#user.token() } : { access_token: "owner" };
    return this.#url(path, { format: "export", print: "pretty", download: file, ...token });
  }

  async #url(path, query) {
    const address = path.map(encodeURIComponent).join("/");
    return `${await service("database")}/${address}.json?${new URLSearchParams({ ns: this.#name, ...query })}`;
  }

  async #send(method, path, { query = {}, headers = {}, body } = {}) {
    const url = await this.#url(path, query);
    const send = async (authorization) => {
      const response = await fetch(url, { method, body, headers: { ...headers, ...authorization } }).catch(() => {
        throw new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");
      });
      if (!response.ok) throw failureOf(response.status, await response.text());
      return response;
    };
    return this.#user ? asUser(this.#user, send) : send({ authorization: "Bearer owner" });
  }
}

function failureOf(status, text) {
  try {
    const { error } = JSON.parse(text);
    // The status is the same as of an expired token, which is renewed.
    if (error === "Permission denied") return new Failure(403, "PERMISSION_DENIED", error);
    return new Failure(status, error.status ?? "UNKNOWN", error.message ?? error);
  } catch {
    return new Failure(status, "UNKNOWN", text);
  }
}

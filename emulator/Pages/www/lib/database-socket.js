// A client of the Realtime Database's WebSocket protocol, version 5: it listens as Firebase's Web SDK does.

import { Failure, service } from "./emulator.js";

/** The delays before a lost connection is opened again. */
const firstDelay = 500;
const maximumDelay = 3_000;

/**
 * A connection to a database, as a user, or as an administrator without one. It is opened again when it breaks; its
 * listeners then receive all of their data anew.
 */
export class DatabaseSocket {
  #database;
  #user;
  #listeners = new Set();
  #socket = null;
  #requests = 0;
  /** What to call with the answer to a request, by its number. */
  #answers = new Map();
  /** The parts of a message that have arrived, and the number of those that haven't. */
  #parts = [];
  #missing = 0;
  #delay = firstDelay;
  #timer;
  #isClosed = false;

  constructor(database, user = null) {
    this.#database = database;
    this.#user = user;
    this.#open();
  }

  /**
   * Listens to the data at a path, an array of keys. onData(path, json) is called with each change: the path below the
   * listener's, and the new data there with its priorities. onCancel(Failure) is called if the rules don't allow it,
   * any more; the listener then ends. Returns a function that ends the listener.
   */
  listen(path, onData, onCancel) {
    const listener = { path, onData, onCancel };
    this.#listeners.add(listener);
    if (this.#isOpen) this.#begin(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#isOpen) this.#request("n", { p: text(path) });
    };
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  get #isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  async #open() {
    try {
      const url = new URL(await service("database"));
      if (this.#isClosed) return;
      const query = new URLSearchParams({ v: 5, ns: this.#database });
      const socket = new WebSocket(`ws://${url.host}/.ws?${query}`);
      this.#socket = socket;
      this.#missing = 0;
      this.#answers.clear();
      socket.onopen = () => this.#begun();
      socket.onmessage = ({ data }) => this.#receive(data);
      socket.onclose = () => this.#openLater();
    } catch {
      this.#openLater();
    }
  }

  #openLater() {
    this.#socket = null;
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#open(), this.#delay);
    this.#delay = Math.min(this.#delay * 1.5, maximumDelay);
  }

  async #begun() {
    const socket = this.#socket;
    const token = this.#user ? await this.#user.token() : "owner";
    if (socket !== this.#socket || !this.#isOpen) return;
    this.#authenticate(token, async () => this.#authenticate(await this.#user.renew(token)));
    for (const listener of this.#listeners) this.#begin(listener);
  }

  /** Requests are carried out in turn, so the listeners needn't wait for the answer. */
  #authenticate(token, expired = () => {}) {
    this.#request(this.#user ? "auth" : "gauth", { cred: token }, ({ s }) => s === "expired_token" && expired());
  }

  #begin(listener) {
    this.#request("q", { p: text(listener.path), h: "" }, ({ s, d }) => {
      if (s === "ok") this.#delay = firstDelay;
      else this.#cancel(listener, s === "permission_denied" ? denied() : new Failure(400, "INVALID_ARGUMENT", d));
    });
  }

  #request(action, body, answered) {
    const number = ++this.#requests;
    if (answered) this.#answers.set(number, answered);
    this.#socket.send(JSON.stringify({ t: "d", d: { r: number, a: action, b: body } }));
  }

  #cancel(listener, failure) {
    if (this.#listeners.delete(listener)) listener.onCancel(failure);
  }

  /** Takes a frame: a message, the number of a message's parts, or such a part. */
  #receive(frame) {
    if (this.#missing) {
      this.#parts.push(frame);
      if (--this.#missing === 0) this.#take(this.#parts.join(""));
    } else if (/^\d+$/.test(frame)) {
      this.#missing = Number(frame);
      this.#parts = [];
    } else {
      this.#take(frame);
    }
  }

  #take(message) {
    const { t: kind, d: { r: number, a: action, b: body } } = JSON.parse(message);
    if (kind !== "d") return;
    if (number !== undefined) {
      this.#answers.get(number)?.(body);
      this.#answers.delete(number);
    } else if (action === "d") {
      this.#update(keysOf(body.p), body.d);
    } else if (action === "m") {
      for (const [path, data] of Object.entries(body.d)) this.#update([...keysOf(body.p), ...keysOf(path)], data);
    } else if (action === "c") {
      const path = text(keysOf(body.p));
      for (const listener of this.#listeners) {
        if (text(listener.path) === path) this.#cancel(listener, denied());
      }
    }
  }

  /** Passes new data to the listeners at, above and below its path. */
  #update(path, json) {
    for (const { path: own, onData } of this.#listeners) {
      const isAtOrBelow = own.every((key, index) => path[index] === key);
      const isAbove = path.every((key, index) => own[index] === key);
      if (isAtOrBelow) onData(path.slice(own.length), json);
      else if (isAbove) onData([], own.slice(path.length).reduce(childOf, json));
    }
  }
}

const denied = () => new Failure(403, "PERMISSION_DENIED", "Permission denied");
const text = (keys) => `/${keys.join("/")}`;
const keysOf = (path) => path.split("/").filter((key) => key !== "");
const childOf = (json, key) => (json !== null && typeof json === "object" && Object.hasOwn(json, key) ? json[key] : null);

// A client of the Realtime Database's WebSocket protocol, version 5.

import { Failure, service } from "./emulator.js";

/** The delays before a lost connection is opened again. */
const firstDelay = 500;
const maximumDelay = 3_000;

const sockets = new Set();
let isSuspended = false;

/** Closes all connections until `resumeSockets`. A hidden page needs none. */
export function suspendSockets() {
  isSuspended = true;
  for (const socket of sockets) socket.reconnect();
}

export function resumeSockets() {
  if (!isSuspended) return;
  isSuspended = false;
  for (const socket of sockets) socket.open();
}

// A connection of the network that was lost may stay open in the browser for minutes.
addEventListener("offline", () => {
  for (const socket of sockets) socket.reconnect();
});

/**
 * A connection to a database, as a user, or as an administrator without one.
 *
 * A lost connection is opened again, and its listeners then receive all of their data anew. An expired token is renewed
 * on the same connection, so that what `putAtEnd` has left with the server isn't performed.
 */
export class DatabaseSocket {
  #database;
  #user;
  #listeners = new Set();
  /** The callbacks for each new connection. */
  #connectionCallbacks = new Set();
  #socket = null;
  /** The last token that was sent. */
  #token = null;
  /** A Boolean value that indicates whether the server has accepted the user on this connection. */
  #isReady = false;
  /** A Boolean value that indicates whether the token has expired and the server hasn't accepted a new one yet. */
  #isRenewing = false;
  /** The number of requests so far. */
  #requests = 0;
  /** The requests that wait for an answer, by their numbers. */
  #unanswered = new Map();
  /** The requests that wait for a new token. */
  #waiting = [];
  /** The parts of a message that have arrived, and the number of those that haven't. */
  #parts = [];
  #missing = 0;
  #delay = firstDelay;
  #timer;
  /** Counts the attempts to connect. An attempt that is no longer the last one does nothing. */
  #attempt = 0;

  constructor(database, user = null) {
    this.#database = database;
    this.#user = user;
    sockets.add(this);
    this.open();
  }

  /**
   * Listens to the data at a path, an array of keys. Returns a function that ends the listener.
   *
   * onData(path, json, isFirst) is called with each change: the path below the listener's, the new data there with its
   * priorities, and whether this is the first data of the listener, of a new connection or after a new token.
   * onCancel(Failure) is called when the rules refuse the listener, also later on. The listener then ends.
   */
  listen(path, onData, onCancel = () => {}) {
    const listener = { path, onData, onCancel, isFirst: true };
    this.#listeners.add(listener);
    if (this.#isReady) this.#beginListener(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#isReady) this.#request("n", { p: text(path) }).catch(() => {});
    };
  }

  /** Listens to the data at a path like `listen`. onValue(json, isFirst) is called with all of the data each time. */
  watch(path, onValue, onCancel) {
    let value = null;
    return this.listen(path, (place, json, isFirst) => {
      value = replaced(value, place, json);
      onValue(value, isFirst);
    }, onCancel);
  }

  /** Replaces the data at a path. Throws a Failure if the rules refuse it, or without a connection. */
  put(path, json) {
    return this.#request("p", { p: text(path), d: json });
  }

  /** Leaves a `put` with the server, which performs it when this connection ends for any reason. */
  putAtEnd(path, json) {
    return this.#request("o", { p: text(path), d: json });
  }

  /**
   * Calls a callback for this connection and each later one, before any listener's data arrives on it. Returns a
   * function that removes the callback.
   */
  onConnection(callback) {
    this.#connectionCallbacks.add(callback);
    if (this.#isReady) callback();
    return () => this.#connectionCallbacks.delete(callback);
  }

  /** Closes the connection, and opens a new one after a delay unless all are suspended. */
  reconnect() {
    const socket = this.#socket;
    this.#ended();
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    // Browsers warn of a socket that is closed before it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  close() {
    sockets.delete(this);
    this.reconnect();
  }

  /** Opens the connection without a delay. */
  async open() {
    clearTimeout(this.#timer);
    const attempt = ++this.#attempt;
    try {
      const url = new URL(await service("database"));
      const token = this.#user ? await this.#user.token() : "owner";
      if (attempt !== this.#attempt || !this.#isWanted) return;
      const query = new URLSearchParams({ v: 5, ns: this.#database });
      const socket = new WebSocket(`ws://${url.host}/.ws?${query}`);
      this.#socket = socket;
      socket.onopen = () => this.#begin(token);
      socket.onmessage = ({ data }) => this.#receive(data);
      socket.onclose = () => this.#ended();
    } catch {
      if (attempt === this.#attempt) this.#ended();
    }
  }

  get #isWanted() {
    return !isSuspended && sockets.has(this);
  }

  #ended() {
    clearTimeout(this.#timer);
    this.#attempt += 1;
    this.#socket = null;
    this.#isReady = false;
    this.#isRenewing = false;
    this.#missing = 0;
    for (const { reject } of [...this.#unanswered.values(), ...this.#waiting]) reject(unavailable());
    this.#unanswered.clear();
    this.#waiting = [];
    if (!this.#isWanted) return;
    this.#timer = setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(this.#delay * 1.5, maximumDelay);
  }

  /** Authenticates a new connection, and begins the listeners. */
  async #begin(token) {
    if (!(await this.#authenticate(token))) return;
    this.#isReady = true;
    this.#delay = firstDelay;
    const listeners = [...this.#listeners];
    for (const callback of this.#connectionCallbacks) callback();
    for (const listener of listeners) this.#beginListener(listener);
  }

  /** Authenticates this connection with a new token after the last one has expired. Requests wait meanwhile. */
  async #renew() {
    this.#isRenewing = true;
    if (!(await this.#authenticate(null))) return;
    this.#isRenewing = false;
    for (const request of this.#waiting.splice(0).sort((a, b) => a.number - b.number)) this.#send(request);
  }

  /**
   * Sends a token, and a new one if the server refuses it; null stands for a token that has expired. Returns whether
   * the server has accepted a token. Otherwise this connection has ended.
   */
  async #authenticate(token) {
    const socket = this.#socket;
    try {
      await this.#sendToken(socket, token ?? (await this.#user.renew(this.#token))).catch(async (failure) => {
        if (failure.status !== 401 || !this.#user) throw failure;
        await this.#sendToken(socket, await this.#user.renew(this.#token));
      });
      return true;
    } catch (failure) {
      if (socket === this.#socket) this.#refuse(failure);
      return false;
    }
  }

  async #sendToken(socket, token) {
    if (socket !== this.#socket) throw unavailable();
    this.#token = token;
    await new Promise((resolve, reject) => {
      this.#send(this.#newRequest(this.#user ? "auth" : "gauth", { cred: token }, resolve, reject));
    });
  }

  /** Ends the listeners of a user without a valid token, or connects again after an outage. */
  #refuse(failure) {
    if (failure.status === 0) return this.reconnect();
    this.close();
    for (const listener of this.#listeners) this.#cancel(listener, failure);
  }

  #beginListener(listener) {
    listener.isFirst = true;
    this.#request("q", { p: text(listener.path), h: "" })
      .catch((failure) => failure.status !== 0 && this.#cancel(listener, failure));
  }

  /** Sends a request. The server carries requests out in turn, so a later one needn't wait for the answer. */
  #request(action, body) {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return reject(unavailable());
      const request = this.#newRequest(action, body, resolve, reject);
      if (this.#isRenewing) this.#waiting.push(request);
      else this.#send(request);
    });
  }

  #newRequest(action, body, resolve, reject) {
    return { number: ++this.#requests, action, body, resolve, reject };
  }

  #send(request) {
    const { number, action, body } = request;
    this.#unanswered.set(number, request);
    this.#socket.send(JSON.stringify({ t: "d", d: { r: number, a: action, b: body } }));
  }

  #answered(number, { s: status, d: data }) {
    const request = this.#unanswered.get(number);
    this.#unanswered.delete(number);
    if (status === "ok") request.resolve(data);
    // The server may have got the request after the token's expiry.
    else if (status === "permission_denied" && this.#isRenewing) this.#waiting.push(request);
    else request.reject(failureOf(status, data));
  }

  /** Ends the listeners of a path, which the rules refuse. While the token is expired, begins them again instead. */
  #cancelled(path) {
    for (const listener of this.#listeners) {
      if (text(listener.path) !== path) continue;
      if (this.#isRenewing) this.#beginListener(listener);
      else this.#cancel(listener, denied());
    }
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
      this.#answered(number, body);
    } else if (action === "d") {
      this.#update(keysOf(body.p), body.d);
    } else if (action === "m") {
      for (const [path, data] of Object.entries(body.d)) this.#update([...keysOf(body.p), ...keysOf(path)], data);
    } else if (action === "c") {
      this.#cancelled(text(keysOf(body.p)));
    } else if (action === "ac") {
      this.#renew();
    }
  }

  /** Passes new data to the listeners at, above and below its path. */
  #update(path, json) {
    for (const listener of this.#listeners) {
      const { path: own, isFirst } = listener;
      const isAtOrBelow = own.every((key, index) => path[index] === key);
      const isAbove = path.every((key, index) => own[index] === key);
      if (!isAtOrBelow && !isAbove) continue;
      listener.isFirst = false;
      if (isAtOrBelow) listener.onData(path.slice(own.length), json, isFirst);
      else listener.onData([], own.slice(path.length).reduce(childOf, json), isFirst);
    }
  }
}

const denied = () => new Failure(403, "PERMISSION_DENIED", "Permission denied");
const unavailable = () => new Failure(0, "UNAVAILABLE", "There is no connection to the database.");

/** Returns the failure of an answer other than "ok". */
function failureOf(status, message) {
  if (status === "permission_denied") return denied();
  if (status.endsWith("_token")) return new Failure(401, "UNAUTHENTICATED", message);
  return new Failure(400, "INVALID_ARGUMENT", message);
}

const text = (keys) => `/${keys.join("/")}`;
const keysOf = (path) => path.split("/").filter((key) => key !== "");
const isObject = (json) => json !== null && typeof json === "object";
const childOf = (json, key) => (isObject(json) && Object.hasOwn(json, key) ? json[key] : null);

/** Returns the JSON with other data at a path. As in the database, a node without children doesn't exist. */
function replaced(json, [key, ...rest], data) {
  if (key === undefined) return data;
  const children = { ...(isObject(json) && json), [key]: replaced(childOf(json, key), rest, data) };
  if (children[key] === null) delete children[key];
  return Object.keys(children).length ? children : null;
}

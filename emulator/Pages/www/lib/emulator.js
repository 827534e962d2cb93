// The emulator's own routes, and its stream of events.

import { asUser } from "./user.js";

/** An error response: its HTTP status, the name of its code, and its message. */
export class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A JSON reviver that keeps the digits of large integers, in browsers that support JSON.rawJSON. */
const exactly = (_, value, { source } = {}) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) && JSON.rawJSON
    ? JSON.rawJSON(source) : value;

/**
 * Sends a request and returns the JSON of the response. Throws a Failure, with status 0 if the emulator can't be
 * reached. With `exact`, large integers keep their digits when the value is serialized again; such a value isn't for
 * display.
 */
export async function request(method, url, { body, headers = {}, signal, keepalive, exact } = {}) {
  let response;
  try {
    response = await fetch(url, {
      method,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      keepalive,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");
  }
  const text = await response.text();
  let json = null;
  try {
    json = text === "" ? null : JSON.parse(text, exact ? exactly : undefined);
  } catch {
    if (response.ok) throw new Failure(response.status, "INTERNAL", "The response isn't JSON.");
  }
  if (response.ok) return json;
  const error = Array.isArray(json) ? json[0]?.error : json?.error;
  throw new Failure(response.status, error?.status ?? "UNKNOWN", error?.message ?? text);
}

export const api = {
  get: (path, options) => request("GET", `/api/${path}`, options),
  put: (path, body) => request("PUT", `/api/${path}`, { body }),
  post: (path, body = {}) => request("POST", `/api/${path}`, { body }),
  delete: (path) => request("DELETE", `/api/${path}`),
};

let known;

/** Returns `GET /api/status`, requested once per run of the emulator. */
export function status() {
  known ??= api.get("status").catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Returns a service's base URL as this browser reaches it, such as "http://127.0.0.1:8080". */
export async function service(name) {
  const address = (await status()).services[name];
  if (!address) throw new Failure(0, "UNAVAILABLE", `This emulator has no service ${name}.`);
  // The Content-Security-Policy of the pages can't name an IPv6 address.
  const host = location.hostname.startsWith("[") ? address.host : location.hostname;
  return `http://${host}:${address.port}`;
}

/**
 * Reloads the page if the restarted emulator has other ports or another project: the page's Content-Security-Policy
 * names the old ports.
 */
async function reloadIfOther() {
  const place = ({ project, services }) =>
    JSON.stringify([project, Object.entries(services).map(([name, { port }]) => [name, port]).sort()]);
  const before = await known;
  known = undefined;
  if (before && place(before) !== place(await status())) location.reload();
}

/** Returns the error with which a listener has ended. */
const failureOf = ({ code, message }) =>
  code === 7 ? new Failure(403, "PERMISSION_DENIED", message) : new Failure(400, "INVALID_ARGUMENT", message);

/** Calls a callback. Its errors are reported and don't affect other callbacks. */
function tell(callback, ...details) {
  try {
    callback(...details);
  } catch (error) {
    reportError(error);
  }
}

/**
 * The page's only event stream. It reconnects by itself and then requests everything again: listeners receive all of
 * their documents anew.
 */
class Stream {
  #source = null;
  #id = null;
  #instance = null;
  #topics = new Map();
  #targets = new Map();
  #nextTarget = 1;
  /** The numbers of the users' sessions. */
  #sessions = new Map();
  #nextSession = 1;
  #listeners = new Set();
  #delay = 500;
  #timer = null;
  #isConnected = false;
  /** A Boolean value that indicates whether the lost connection was reported. */
  #isLost = false;
  #project = null;
  #sending = Promise.resolve();

  /**
   * Calls the callback with {isConnected, isNewRun} whenever the connection opens or is lost. Returns a function that
   * removes the callback.
   */
  onConnection(callback) {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  get isConnected() {
    return this.#isConnected;
  }

  /**
   * Calls the callback with an array of new items. The topic is "deliveries", "calls", "logs" or "pushes"; GET
   * /api/events, /api/invocations, /api/logs and /providers/fcm/inbox return items of the same form.
   *
   * lost(count) is called when items were left out. lost(Infinity) is called when the stream starts, also after a
   * reconnection: earlier items must be requested. Returns a function that ends the subscription.
   */
  subscribe(topic, callback, lost = () => {}) {
    const subscription = { callback, lost };
    if (!this.#topics.has(topic)) this.#topics.set(topic, new Set());
    this.#topics.get(topic).add(subscription);
    this.#sendTopics(() => this.#topics.get(topic)?.has(subscription) && lost(Infinity));
    return () => {
      this.#topics.get(topic)?.delete(subscription);
      if (this.#topics.get(topic)?.size === 0) this.#topics.delete(topic);
      this.#sendTopics();
    };
  }

  /**
   * Listens to documents. target is Firestore's Target without its ID: {query: {parent, structuredQuery}} or
   * {documents: {documents: [names]}}.
   *
   * onSnapshot({documents, changed, readTime}) is called for each consistent state. documents is a Map from name to
   * Firestore's JSON document, not in the query's order. changed contains the names that differ from the last call.
   * readTime is the time of the state. onError(Failure) is called at most once and ends the listener. user is who
   * listens, or null for an administrator. Returns a function that ends the listener.
   */
  listen(target, onSnapshot, onError = () => {}, user = null) {
    const id = this.#nextTarget++;
    this.#targets.set(id, {
      target, onSnapshot, onError, user,
      documents: new Map(), changed: new Set(), isCurrent: false, isDirty: false,
    });
    this.#addTarget(id);
    return () => {
      if (this.#targets.delete(id)) this.#sendListen(user, { removeTarget: id });
    };
  }

  /** Connects if there is no connection yet. The shell calls this method; pages needn't. */
  connect() {
    if (this.#source) return;
    clearTimeout(this.#timer);
    const source = new EventSource("/api/stream");
    this.#source = source;
    source.addEventListener("hello", (event) => this.#begin(JSON.parse(event.data)));
    source.addEventListener("activity", (event) => this.#tell(JSON.parse(event.data)));
    source.addEventListener("listen", (event) => {
      const { session, responses } = JSON.parse(event.data);
      for (const response of responses) this.#respond(response, session);
    });
    const again = () => this.#source === source && this.reconnect();
    source.addEventListener("end", again);
    source.onerror = again;
  }

  /** Reconnects after a delay, because the emulator doesn't respond or doesn't know this stream. */
  reconnect() {
    this.disconnect();
    this.#timer = setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 1.5, 3_000);
    if (this.#isLost) return;
    this.#isLost = true;
    this.#tellConnection(false, false);
  }

  /**
   * Closes the connection without a report. A browser allows six connections to a server, and a hidden page needs
   * none.
   */
  disconnect() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.#id = null;
    this.#isConnected = false;
  }

  #tellConnection(isConnected, isNewRun) {
    for (const listener of this.#listeners) tell(listener, { isConnected, isNewRun });
  }

  #begin({ stream, instance, project }) {
    this.#project = project;
    const isFirst = this.#instance === null;
    const isNewRun = !isFirst && this.#instance !== instance;
    this.#id = stream;
    this.#instance = instance;
    this.#delay = 500;
    if (isNewRun) reloadIfOther().catch(console.error);
    this.#sendTopics(() => {
      for (const subscriptions of this.#topics.values()) {
        for (const { lost } of subscriptions) tell(lost, Infinity);
      }
    });
    for (const id of this.#targets.keys()) this.#addTarget(id);
    this.#isConnected = true;
    this.#isLost = false;
    this.#tellConnection(true, isNewRun);
  }

  /** Sends requests one after another, so that a target isn't removed before it is added. */
  #send(method, path, body, { done = () => {}, refused = console.error, user = null } = {}) {
    const id = this.#id;
    this.#sending = this.#sending.then(async () => {
      if (!id || id !== this.#id) return;
      try {
        const send = (headers) => request(method, `/api/stream/${id}/${path}`, { body, headers });
        await (user ? asUser(user, send) : send());
        done();
      } catch (error) {
        if (id !== this.#id) return;
        // A reconnection sends everything again.
        if (error.status === 404 || error.status === 0) this.reconnect();
        else refused(error);
      }
    });
  }

  #sendTopics(done) {
    this.#send("PUT", "topics", [...this.#topics.keys()], { done });
  }

  #tell(activity) {
    for (const [topic, subscriptions] of this.#topics) {
      const items = activity[topic];
      for (const { callback, lost } of subscriptions) {
        if (items?.length) tell(callback, items);
        if (activity.lost) tell(lost, activity.lost);
      }
    }
  }

  // Documents

  #addTarget(id) {
    if (!this.#id) return;
    const listener = this.#targets.get(id);
    listener.fresh = new Map();
    this.#sendListen(listener.user, {
      database: `projects/${this.#project}/databases/(default)`,
      addTarget: { ...listener.target, targetId: id },
    }, (error) => {
      this.#targets.delete(id);
      listener.onError(error);
    });
  }

  #sendListen(user, body, refused) {
    this.#send("POST", `listen?session=${this.#sessionOf(user)}`, body, { user, refused });
  }

  /** Returns the number of a user's session in this stream; an administrator's is 0. */
  #sessionOf(user) {
    if (user && !this.#sessions.has(user)) this.#sessions.set(user, this.#nextSession++);
    return user ? this.#sessions.get(user) : 0;
  }

  #respond({ targetChange, documentChange, documentDelete, documentRemove }, session) {
    if (documentChange) {
      const { document, targetIds = [], removedTargetIds = [] } = documentChange;
      for (const id of targetIds) this.#put(id, document.name, document);
      for (const id of removedTargetIds) this.#put(id, document.name, null);
    }
    const gone = documentDelete ?? documentRemove;
    for (const id of gone?.removedTargetIds ?? []) this.#put(id, gone.document, null);
    if (targetChange) this.#change(targetChange, session);
  }

  #put(id, name, document) {
    const listener = this.#targets.get(id);
    if (!listener) return;
    const documents = listener.fresh ?? listener.documents;
    if (document) documents.set(name, document);
    else documents.delete(name);
    listener.changed.add(name);
    listener.isDirty = true;
  }

  #change({ targetChangeType: type = "NO_CHANGE", targetIds = [], cause, readTime }, session) {
    for (const id of targetIds.length ? targetIds : this.#targets.keys()) {
      const listener = this.#targets.get(id);
      if (!listener || this.#sessionOf(listener.user) !== session) continue;
      if (type === "REMOVE") {
        this.#targets.delete(id);
        if (cause) tell(listener.onError, failureOf(cause));
      } else if (type === "RESET") {
        listener.fresh = new Map();
        listener.isDirty = true;
      } else if (type === "CURRENT") {
        this.#takeFresh(listener);
        listener.isCurrent = true;
        listener.isDirty = true;
      } else if (type === "NO_CHANGE" && listener.isDirty && listener.isCurrent && !listener.fresh) {
        const changed = listener.changed;
        listener.changed = new Set();
        listener.isDirty = false;
        tell(listener.onSnapshot, { documents: listener.documents, changed, readTime });
      }
    }
  }

  /** Replaces the documents by those received since a reset or a reconnection. */
  #takeFresh(listener) {
    if (!listener.fresh) return;
    for (const name of listener.documents.keys()) listener.changed.add(name);
    listener.documents = listener.fresh;
    listener.fresh = null;
  }
}

export const stream = new Stream();

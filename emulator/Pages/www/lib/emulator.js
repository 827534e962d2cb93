// The emulator's own routes, and what it tells as it happens.

/** An answer that is no success: its HTTP status, the name of its code, its sentence. */
export class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Leaves integers that a number of the browser's can't hold as they are written, where it knows how. */
const exactly = (_, value, { source } = {}) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) && JSON.rawJSON
    ? JSON.rawJSON(source) : value;

/**
 * The JSON of an answer. Throws a Failure, also for an emulator that can't be reached (status 0).
 * What is asked for exactly can be written again without losing digits, but isn't to be shown.
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
    if (response.ok) throw new Failure(response.status, "INTERNAL", "The answer is not JSON.");
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

/** `GET /api/status`, asked for once a run. */
export function status() {
  known ??= api.get("status").catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** A service's base URL as this browser reaches it, such as "http://127.0.0.1:8080". */
export async function service(name) {
  const address = (await status()).services[name];
  if (!address) throw new Failure(0, "UNAVAILABLE", `This emulator has no ${name}.`);
  // The pages' policy can't name an IPv6 address.
  const host = location.hostname.startsWith("[") ? address.host : location.hostname;
  return `http://${host}:${address.port}`;
}

/** After another run of the emulator: its policy for this page may name other ports, or it has another project. */
async function reloadIfOther() {
  const place = ({ project, services }) =>
    JSON.stringify([project, Object.entries(services).map(([name, { port }]) => [name, port]).sort()]);
  const before = await known;
  known = undefined;
  if (before && place(before) !== place(await status())) location.reload();
}

/** Calls back; what fails there is reported, and keeps nobody else from being told. */
function tell(callback, ...details) {
  try {
    callback(...details);
  } catch (error) {
    reportError(error);
  }
}

/**
 * The one stream of this page. It connects again by itself, and then everything that was asked for is
 * asked for anew: who listens to documents is told all of them again.
 */
class Stream {
  #source = null;
  #id = null;
  #instance = null;
  #topics = new Map();
  #targets = new Map();
  #nextTarget = 1;
  #listeners = new Set();
  #delay = 500;
  #timer = null;
  #isConnected = false;
  /** Whether it was told that the emulator doesn't answer. */
  #isLost = false;
  #project = null;
  #sending = Promise.resolve();

  /** Calls back with {isConnected, isNewRun} whenever the connection comes or goes. */
  onConnection(callback) {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  get isConnected() {
    return this.#isConnected;
  }

  /**
   * Calls back with an array of what happens: topic is "deliveries", "logs" or "pushes" (see
   * GET /api/events, /api/logs, /providers/fcm/inbox for the shapes). lost(count) is called where some
   * were left out; and with Infinity when the emulator begins to tell, so also after a reconnection:
   * what happened before that is to be read.
   * Returns a function that ends it.
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
   * Listens to documents: target is Firestore's Target without its id, {query: {parent,
   * structuredQuery}} or {documents: {documents: [names]}}.
   *
   * onSnapshot({documents, changed, readTime}) is called when a consistent state is there: documents is
   * a Map from name to Firestore's JSON document, not in the query's order; changed the names that are
   * different from the last call; readTime when the database was so. onError(Failure) is called once,
   * and nothing after it.
   * Returns a function that ends it.
   */
  listen(target, onSnapshot, onError = () => {}) {
    const id = this.#nextTarget++;
    this.#targets.set(id, {
      target, onSnapshot, onError,
      documents: new Map(), changed: new Set(), isCurrent: false, isDirty: false,
    });
    this.#addTarget(id);
    return () => {
      if (this.#targets.delete(id)) this.#send("POST", "listen", { removeTarget: id });
    };
  }

  /** Connects, if it isn't. Pages need not call it. */
  connect() {
    if (this.#source) return;
    clearTimeout(this.#timer);
    const source = new EventSource("/api/stream");
    this.#source = source;
    source.addEventListener("hello", (event) => this.#begin(JSON.parse(event.data)));
    source.addEventListener("activity", (event) => this.#tell(JSON.parse(event.data)));
    source.addEventListener("listen", (event) => {
      for (const response of JSON.parse(event.data)) this.#respond(response);
    });
    const again = () => this.#source === source && this.reconnect();
    source.addEventListener("end", again);
    source.onerror = again;
  }

  /** Connects anew after a pause: the emulator didn't answer, or doesn't know this stream. */
  reconnect() {
    this.disconnect();
    this.#timer = setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 1.5, 3_000);
    if (this.#isLost) return;
    this.#isLost = true;
    this.#tellConnection(false, false);
  }

  /** Lets go of the connection and tells nobody: a browser has six for each server, and a hidden page needs none. */
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

  /** Sends one thing after the other: a target isn't removed before it is added. */
  #send(method, path, body, { done = () => {}, refused = console.error } = {}) {
    const id = this.#id;
    this.#sending = this.#sending.then(async () => {
      if (!id || id !== this.#id) return;
      try {
        await request(method, `/api/stream/${id}/${path}`, { body });
        done();
      } catch (error) {
        if (id !== this.#id) return;
        // What didn't arrive is sent again with everything else.
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
    this.#send("POST", "listen", {
      database: `projects/${this.#project}/databases/(default)`,
      addTarget: { ...listener.target, targetId: id },
    }, { refused: (error) => {
      this.#targets.delete(id);
      listener.onError(error);
    } });
  }

  #respond({ targetChange, documentChange, documentDelete, documentRemove }) {
    if (documentChange) {
      const { document, targetIds = [], removedTargetIds = [] } = documentChange;
      for (const id of targetIds) this.#put(id, document.name, document);
      for (const id of removedTargetIds) this.#put(id, document.name, null);
    }
    const gone = documentDelete ?? documentRemove;
    for (const id of gone?.removedTargetIds ?? []) this.#put(id, gone.document, null);
    if (targetChange) this.#change(targetChange);
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

  #change({ targetChangeType: type = "NO_CHANGE", targetIds = [], cause, readTime }) {
    for (const id of targetIds.length ? targetIds : this.#targets.keys()) {
      const listener = this.#targets.get(id);
      if (!listener) continue;
      if (type === "REMOVE") {
        this.#targets.delete(id);
        if (cause) tell(listener.onError, new Failure(400, "INVALID_ARGUMENT", cause.message));
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

  /** What is there after a reset or a reconnection takes the place of what was. */
  #takeFresh(listener) {
    if (!listener.fresh) return;
    for (const name of listener.documents.keys()) listener.changed.add(name);
    listener.documents = listener.fresh;
    listener.fresh = null;
  }
}

export const stream = new Stream();

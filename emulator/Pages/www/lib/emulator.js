// The emulator's own routes, and its stream of activity.

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
export async function request(method, url, { body, headers = {}, signal, exact } = {}) {
  let response;
  try {
    response = await fetch(url, {
      method,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
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

/** Calls a callback. Its errors are reported and don't affect other callbacks. */
function tell(callback, ...details) {
  try {
    callback(...details);
  } catch (error) {
    reportError(error);
  }
}

/** The page's stream of the emulator's activity. It reconnects by itself. */
class ActivityStream {
  #source = null;
  #id = null;
  #instance = null;
  #topics = new Map();
  #listeners = new Set();
  #delay = 500;
  #timer = null;
  #isConnected = false;
  /** A Boolean value that indicates whether the lost connection was reported. */
  #isLost = false;
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

  /** Connects if there is no connection yet. The shell calls this method; pages needn't. */
  connect() {
    if (this.#source) return;
    clearTimeout(this.#timer);
    const source = new EventSource("/api/stream");
    this.#source = source;
    source.addEventListener("hello", (event) => this.#begin(JSON.parse(event.data)));
    source.addEventListener("activity", (event) => this.#tell(JSON.parse(event.data)));
    source.onerror = () => this.#source === source && this.reconnect();
    // A browser that has used up its connections to the server reports no error.
    this.#timer = setTimeout(() => this.#source === source && this.#lost(), 8_000);
  }

  /** Reconnects after a delay, because the emulator doesn't respond or doesn't know this stream. */
  reconnect() {
    this.disconnect();
    this.#timer = setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 1.5, 3_000);
    this.#lost();
  }

  #lost() {
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

  #begin({ stream, instance }) {
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
    clearTimeout(this.#timer);
    this.#isConnected = true;
    this.#isLost = false;
    this.#tellConnection(true, isNewRun);
  }

  /** Sends the topics. Requests are sent one after another, so that the last one counts. */
  #sendTopics(done = () => {}) {
    const id = this.#id;
    this.#sending = this.#sending.then(async () => {
      if (!id || id !== this.#id) return;
      try {
        await api.put(`stream/${id}/topics`, [...this.#topics.keys()]);
        done();
      } catch (error) {
        if (id !== this.#id) return;
        // A reconnection sends the topics again.
        if (error.status === 404 || error.status === 0) this.reconnect();
        else console.error(error);
      }
    });
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
}

export const stream = new ActivityStream();

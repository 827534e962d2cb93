// Listeners of Firestore's documents, over WebChannel, as in Firebase's Web SDK.

import { Failure, service, status } from "./emulator.js";
import { WebChannel } from "./web-channel.js";

/** The time for which a stream without listeners stays open. */
const closingDelay = 1_000;
/** The delays before a lost stream is opened again. */
const firstDelay = 500;
const maximumDelay = 3_000;

/** The streams of users; that of an administrator has the key null. */
const streams = new Map();
/** Counts the streams, from a random number: pages don't begin with the same of the machine's names. */
let opened = Math.round(Math.random());
let isSuspended = false;

/**
 * Listens to documents. target is Firestore's Target without its ID: {query: {parent, structuredQuery}} or
 * {documents: {documents: [names]}}.
 *
 * onSnapshot({documents, changed, readTime}) is called for each consistent state. documents is a Map from name to
 * Firestore's JSON document, not in the query's order. changed contains the names that were received since the last
 * call, which are all names after a lost stream.
 * readTime is the time of the state. onError(Failure) is called at most once and ends the listener. user is who
 * listens, or null for an administrator. Returns a function that ends the listener.
 *
 * A lost stream is opened again. Its listeners then receive all of their documents anew.
 */
export function listen(target, onSnapshot, onError = () => {}, user = null) {
  if (!streams.has(user)) streams.set(user, new ListenStream(user));
  return streams.get(user).add({
    target, onSnapshot, onError,
    documents: new Map(), fresh: new Map(), changed: new Set(), isAdded: false, isCurrent: false, isDirty: false,
  });
}

/**
 * Closes all streams until `resumeListeners`. A browser allows six connections to a server, and a hidden page needs
 * none.
 */
export function suspendListeners() {
  isSuspended = true;
  for (const stream of streams.values()) stream.suspend();
}

export function resumeListeners() {
  isSuspended = false;
  for (const stream of streams.values()) stream.open();
}

/**
 * Returns the URL of a Listen stream. The machine's own names take turns, because a browser allows six connections to
 * each name.
 */
async function urlOf(number) {
  const url = new URL(await service("firestore"));
  const names = ["127.0.0.1", "localhost"];
  if (names.includes(location.hostname)) url.hostname = names[number % 2];
  return `${url.origin}/google.firestore.v1.Firestore/Listen/channel`;
}

/** A user's Listen stream. */
class ListenStream {
  #user;
  #number = opened++;
  #targets = new Map();
  #nextTarget = 1;
  #channel = null;
  /** Counts the attempts to open the stream. An attempt that is no longer the last one does nothing. */
  #attempt = 0;
  #isOpening = false;
  #delay = firstDelay;
  #timer;
  #database;

  constructor(user) {
    this.#user = user;
  }

  add(listener) {
    const id = this.#nextTarget++;
    this.#targets.set(id, listener);
    if (this.#channel) this.#channel.send(this.#adding(id));
    else this.open();
    return () => {
      if (this.#targets.delete(id)) this.#removed(id);
    };
  }

  /** Opens the stream if it has listeners and isn't open. */
  async open() {
    if (this.#channel || this.#isOpening || isSuspended || !this.#targets.size) return;
    clearTimeout(this.#timer);
    const attempt = ++this.#attempt;
    this.#isOpening = true;
    let token = null;
    try {
      const { project } = await status();
      this.#database = `projects/${project}/databases/(default)`;
      const url = await urlOf(this.#number);
      token = this.#user && (await this.#user.token());
      if (attempt !== this.#attempt) return;
      this.#isOpening = false;
      if (!this.#targets.size) return;
      for (const listener of this.#targets.values()) {
        listener.fresh = new Map();
        listener.isAdded = false;
      }
      const channel = new WebChannel(url, {
        headers: { Authorization: `Bearer ${token ?? "owner"}` },
        messages: [...this.#targets.keys()].map((id) => this.#adding(id)),
        onMessage: (response) => this.#channel === channel && this.#respond(response),
        onEnd: (failure) => this.#channel === channel && this.#ended(failure, token),
      });
      this.#channel = channel;
    } catch (failure) {
      if (attempt !== this.#attempt) return;
      this.#isOpening = false;
      // A user who has no token any more, such as a deleted one, hears of nothing again.
      if (failure.status) this.#failAll(failure);
      else this.#ended(failure, token);
    }
  }

  /** Closes the stream. Its listeners stay. */
  suspend() {
    clearTimeout(this.#timer);
    this.#attempt += 1;
    this.#isOpening = false;
    this.#channel?.close();
    this.#channel = null;
  }

  #adding(id) {
    return { database: this.#database, addTarget: { ...this.#targets.get(id).target, targetId: id } };
  }

  #removed(id) {
    this.#channel?.send({ database: this.#database, removeTarget: id });
    this.#closeIfUnused();
  }

  #closeIfUnused() {
    if (this.#targets.size) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#targets.size) return;
      this.suspend();
      if (streams.get(this.#user) === this) streams.delete(this.#user);
    }, closingDelay);
  }

  async #ended(failure, token) {
    this.#channel = null;
    if (failure.code === "INVALID_ARGUMENT" && !failure.message.includes("Unknown SID")) this.#refuse(failure);
    if (failure.code === "UNAUTHENTICATED" && token) {
      try {
        await this.#user.renew(token);
      } catch (error) {
        if (error.status) return this.#failAll(error);
      }
    }
    if (this.#channel) return;
    // The other name may have connections left.
    this.#number += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(this.#delay * 1.5, maximumDelay);
  }

  /** Ends the listener whose request has ended the stream: the first one that the server hasn't added. */
  #refuse(failure) {
    const culprit = [...this.#targets].find(([, listener]) => !listener.isAdded);
    if (culprit) this.#fail(culprit[0], failure);
  }

  #failAll(failure) {
    for (const id of [...this.#targets.keys()]) this.#fail(id, failure);
  }

  #fail(id, failure) {
    const { onError } = this.#targets.get(id);
    this.#targets.delete(id);
    tell(onError, failure);
    this.#closeIfUnused();
  }

  // Responses

  #respond({ targetChange, documentChange, documentDelete, documentRemove }) {
    this.#delay = firstDelay;
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
    for (const id of targetIds.length ? targetIds : [...this.#targets.keys()]) {
      const listener = this.#targets.get(id);
      if (!listener) continue;
      if (type === "ADD") {
        listener.isAdded = true;
      } else if (type === "REMOVE") {
        if (cause) this.#fail(id, failureOf(cause));
        else this.#targets.delete(id);
      } else if (type === "RESET") {
        listener.fresh = new Map();
        listener.isDirty = true;
      } else if (type === "CURRENT") {
        takeFresh(listener);
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
}

/** Replaces a listener's documents by those received since a reset or a new stream. */
function takeFresh(listener) {
  if (!listener.fresh) return;
  for (const name of listener.documents.keys()) listener.changed.add(name);
  listener.documents = listener.fresh;
  listener.fresh = null;
}

/** The errors with which a listener ends, by gRPC's number: the HTTP status and the name. */
const codes = {
  3: [400, "INVALID_ARGUMENT"], 7: [403, "PERMISSION_DENIED"], 8: [429, "RESOURCE_EXHAUSTED"],
  9: [400, "FAILED_PRECONDITION"], 16: [401, "UNAUTHENTICATED"],
};

const failureOf = ({ code, message }) => new Failure(...(codes[code] ?? [500, "UNKNOWN"]), message);

/** Calls a callback. Its errors are reported and don't affect other listeners. */
function tell(callback, ...details) {
  try {
    callback(...details);
  } catch (error) {
    reportError(error);
  }
}

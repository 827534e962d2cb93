// A client of WebChannel, version 8: the protocol with which Firebase's Web SDK keeps a stream of JSON messages open
// over HTTP.

import { Failure } from "./emulator.js";

/** The time in which a stream opens. A browser that has used up its connections to a server sends nothing. */
const openingTime = 8_000;
/** The time without any data after which the back channel is lost: the server sends something every 30 seconds. */
const idleTimeout = 45_000;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * A stream to and from a server. onMessage(message) is called for each message. onEnd(Failure) is called at most once,
 * when the stream has failed, or the server can't be reached or doesn't know the session.
 */
export class WebChannel {
  #url;
  #headers;
  #onMessage;
  #onEnd;
  #session = null;
  #requests = Math.floor(Math.random() * 100_000);
  /** The messages that the server hasn't received, and the number of the first of them. */
  #outgoing = [];
  #firstNumber = 0;
  #isSending = false;
  /** The number of the last array that was received. */
  #last = 0;
  #abort = new AbortController();

  /** Opens a stream. The headers are those of the stream; `messages` are its first ones. */
  constructor(url, { headers, messages, onMessage, onEnd }) {
    this.#url = url;
    this.#headers = headers;
    this.#onMessage = onMessage;
    this.#onEnd = onEnd;
    this.#outgoing = [...messages];
    this.#open();
  }

  send(message) {
    this.#outgoing.push(message);
    this.#write();
  }

  /** Ends the stream without a call of onEnd. The request reaches the server even if the page is left. */
  close() {
    this.#abort.abort();
    if (!this.#session) return;
    navigator.sendBeacon(this.#target({ SID: this.#session, RID: this.#requests++, TYPE: "terminate" }));
    this.#session = null;
  }

  #end(failure) {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    this.#onEnd(failure);
  }

  #target(query) {
    return `${this.#url}?${new URLSearchParams({ VER: 8, ...query })}`;
  }

  async #post(query, form, signal = this.#abort.signal) {
    const target = this.#target({ ...query, RID: this.#requests++ });
    const response = await fetch(target, {
      method: "POST", body: new URLSearchParams(form), signal,
    });
    const text = await response.text();
    if (!response.ok) throw failureOf(response.status, text);
    return JSON.parse(text.slice(text.indexOf("\n") + 1));
  }

  #form() {
    const form = { count: this.#outgoing.length, ofs: this.#firstNumber };
    for (const [index, message] of this.#outgoing.entries()) form[`req${index}___data__`] = JSON.stringify(message);
    return form;
  }

  async #open() {
    const count = this.#outgoing.length;
    const headers = Object.entries(this.#headers).map(([name, value]) => `${name}:${value}\r\n`).join("");
    try {
      const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(openingTime)]);
      const [[, [, session]]] = await this.#post({ CVER: 22 }, { headers, ...this.#form() }, signal);
      this.#session = session;
    } catch (error) {
      return this.#end(lostUnless(error));
    }
    this.#outgoing.splice(0, count);
    this.#firstNumber += count;
    this.#write();
    this.#read();
  }

  /** Sends the messages in turn. A request that gets no response is sent again. */
  async #write() {
    if (!this.#session || this.#isSending) return;
    this.#isSending = true;
    while (this.#outgoing.length) {
      const count = this.#outgoing.length;
      try {
        await this.#post({ SID: this.#session, AID: this.#last }, this.#form());
        this.#outgoing.splice(0, count);
        this.#firstNumber += count;
      } catch (error) {
        if (error instanceof Failure || this.#abort.signal.aborted) return this.#end(error);
        await wait(1_000);
      }
    }
    this.#isSending = false;
  }

  /** Reads the back channel, and opens it again when it ends. After two failures in a row, the stream ends. */
  async #read() {
    for (let failures = 0; !this.#abort.signal.aborted;) {
      const last = this.#last;
      try {
        await this.#readOnce();
        failures = 0;
      } catch (error) {
        if (error instanceof Failure) return this.#end(error);
        failures = this.#last > last ? 1 : failures + 1;
        if (failures === 2) return this.#end(lostUnless(error));
        await wait(100);
      }
    }
  }

  async #readOnce() {
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#abort.signal]);
    let timer = setTimeout(() => lost.abort(), idleTimeout);
    try {
      const query = { SID: this.#session, RID: "rpc", AID: this.#last, CI: 0, TYPE: "xmlhttp" };
      const response = await fetch(this.#target(query), { signal });
      if (!response.ok) throw failureOf(response.status, await response.text());
      let text = "";
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => lost.abort(), idleTimeout);
        text = this.#takeFrames(text + value);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Handles the complete frames in a text: a length, a line feed, and arrays in JSON. Returns the rest. */
  #takeFrames(text) {
    let start = 0;
    for (;;) {
      const line = text.indexOf("\n", start);
      const end = line + 1 + Number(text.slice(start, line));
      if (line < 0 || end > text.length) return text.slice(start);
      for (const [number, [content]] of JSON.parse(text.slice(line + 1, end))) {
        if (number <= this.#last || this.#abort.signal.aborted) continue;
        this.#last = number;
        this.#take(content);
      }
      start = end;
    }
  }

  #take(content) {
    if (content === "close") this.#end(new Failure(0, "UNAVAILABLE", "The stream has ended."));
    else if (content.error) this.#end(new Failure(content.error.code, content.error.status, content.error.message));
    else if (content !== "noop") this.#onMessage(content);
  }
}

/** Returns the error in a response. */
function failureOf(status, text) {
  try {
    const { error } = JSON.parse(text);
    return new Failure(status, error.status, error.message);
  } catch {
    return new Failure(status, "UNKNOWN", text);
  }
}

const lostUnless = (error) =>
  error instanceof Failure ? error : new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");

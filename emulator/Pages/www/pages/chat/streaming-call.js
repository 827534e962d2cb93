// A streaming call of the callable protocol, which delivers partial results.

import { Failure, service, status } from "../../lib/emulator.js";
import { asUser } from "../../lib/user.js";

/**
 * Calls a function as a user. onMessage(partial) is called with each partial result. Returns the result, or throws a
 * Failure.
 */
export async function streamingCall(name, data, user, { onMessage, signal }) {
  const url = `${await service("functions")}/${(await status()).project}/us-central1/${name}`;
  const response = await asUser(user, (headers) => open(url, data, { headers, signal }));
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (!event.startsWith("data: ")) continue;
      const { message, result, error } = JSON.parse(event.slice(6));
      if (error) throw failureOf(response, error);
      if (result !== undefined) return result;
      onMessage(message);
    }
  }
  throw failureOf(response, null);
}

/** Returns the response with a stream of events. Throws a Failure for any other response. */
async function open(url, data, { headers, signal }) {
  let response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json", ...headers },
      body: JSON.stringify({ data }),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");
  }
  if (response.ok) return response;
  // The error of a refused call is an event, or the whole body.
  const body = (await response.text()).replace(/^data: /, "");
  throw failureOf(response, JSON.parse(body).error);
}

const failureOf = (response, error) =>
  new Failure(response.status, error?.status ?? "UNKNOWN", error?.message ?? "There was no response.");

// A streaming call of the callable protocol, which delivers partial results.

import { Failure, service, status } from "../../lib/emulator.js";
import { tokenOf } from "../../lib/firestore.js";

/**
 * Calls a function. onMessage(partial) is called with each partial result. Returns the result, or throws a Failure.
 */
export async function streamingCall(name, data, uid, { onMessage, signal }) {
  const { project } = await status();
  let response;
  try {
    response = await fetch(`${await service("functions")}/${project}/us-central1/${name}`, {
      method: "POST",
      headers: {
        accept: "text/event-stream", "content-type": "application/json", authorization: `Bearer ${await tokenOf(uid)}`,
      },
      body: JSON.stringify({ data }),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");
  }
  const fail = (error) => {
    throw new Failure(response.status, error?.status ?? "UNKNOWN", error?.message ?? "There was no response.");
  };
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) fail((await response.json()).error);
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (!event.startsWith("data: ")) continue;
      const { message, result, error } = JSON.parse(event.slice(6));
      if (error) fail(error);
      if (result !== undefined) return result;
      onMessage(message);
    }
  }
  return fail(null);
}

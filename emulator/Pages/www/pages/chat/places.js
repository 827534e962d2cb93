// The phones' state in the address: "sarah:sarah-marco,marco::offline" means user:conversation:state.

import { Firestore } from "../../lib/firestore.js";

/** The demo's two phones. */
export const demoPlaces = "sarah:sarah-marco,marco:sarah-marco";
const maximumPhones = 3;

/** Returns the demo's two phones, or in another database a phone without a user. */
export async function defaultPlaces() {
  const people = await new Firestore().getAll(["users/sarah", "users/marco"]);
  return people.every((person) => person) ? demoPlaces : "";
}

export function readPlaces(text) {
  return text.split(",").slice(0, maximumPhones).map((phone) => {
    const [uid = "", conversationId = "", state = ""] = phone.split(":").map(decode);
    return { uid, conversationId: conversationId || null, isOffline: state === "offline" };
  });
}

export function writePlaces(places) {
  return places.map(({ uid, conversationId, isOffline }) => {
    const parts = [uid, conversationId ?? "", isOffline ? "offline" : ""].map(encodeURIComponent);
    return parts.join(":").replace(/:+$/, "");
  }).join(",");
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Tells senders that a phone has got their message: "delivered", unless it is more than that already.

import { pathOf } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";

/** More than that wait in a crowd only: what is read soon after needs none. */
const maximumWaiting = 50;

let last = Promise.resolve();
const waiting = new Set();

/** One after the other, whichever phone it is: none waits for another's lock. */
export function acknowledge(firestore, name) {
  const key = `${firestore.uid} ${name}`;
  if (waiting.has(key) || waiting.size >= maximumWaiting) return;
  waiting.add(key);
  last = last.then(() => markDelivered(firestore, name)).catch(() => {}).finally(() => waiting.delete(key));
}

function markDelivered(firestore, name) {
  return firestore.transact([pathOf(name)], ([document]) => {
    const members = membersOf(document);
    if (members.string("status") !== "sent" || members.string("senderId") === firestore.uid) return [];
    const update = { name, fields: { status: { stringValue: "delivered" } } };
    return [{ update, updateMask: { fieldPaths: ["status"] } }];
  });
}

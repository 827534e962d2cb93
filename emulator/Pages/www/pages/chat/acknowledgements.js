// Acknowledgements: a message that a phone has received is marked as "delivered" if it isn't delivered or read yet.

import { pathOf } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";

/**
 * The maximum number of waiting acknowledgements. Further ones are dropped. Only many phones together reach it, and
 * a message that is read soon needs no acknowledgement.
 */
const maximumWaiting = 50;

let last = Promise.resolve();
const waiting = new Set();

/** Queues an acknowledgement. All phones share the queue, so that no transaction waits for another's lock. */
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

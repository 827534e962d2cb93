// Acknowledgements: change a message's status from "sent" to "delivered" once another user's phone has received it.

import { pathOf } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";

/**
 * The maximum number of waiting acknowledgements. It is reached only in large groups. Further ones are dropped; a
 * message that is read soon needs none.
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

// Who is online: a user is while one of their phones here is.

import { Firestore } from "../../lib/firestore.js";

export function openPresence(people) {
  const phones = new Map();
  const told = new Map();

  async function tell(uid, isOnline, options) {
    if (!people.get(uid) || told.get(uid) === isOnline) return;
    told.set(uid, isOnline);
    const firestore = new Firestore(uid);
    try {
      await firestore.commit([{
        update: { name: await firestore.name(`users/${uid}`), fields: { online: { booleanValue: isOnline } } },
        updateMask: { fieldPaths: ["online"] },
        updateTransforms: [{ fieldPath: "lastSeen", setToServerValue: "REQUEST_TIME" }],
      }], options);
    } catch {
      told.delete(uid);
    }
  }

  const leave = () => {
    for (const uid of phones.keys()) tell(uid, false, { keepalive: true });
  };
  addEventListener("pagehide", leave);

  return {
    /** Says who is online now: the users of the phones that are. */
    show(uids) {
      for (const uid of phones.keys()) if (!uids.has(uid)) tell(uid, false);
      phones.clear();
      for (const uid of uids) {
        phones.set(uid, true);
        tell(uid, true);
      }
    },
    /** Another run of the emulator may know nothing of it. */
    tellAgain() {
      told.clear();
      for (const uid of phones.keys()) tell(uid, true);
    },
    close() {
      removeEventListener("pagehide", leave);
      leave();
    },
  };
}

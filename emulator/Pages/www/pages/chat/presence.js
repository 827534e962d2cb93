// Who is online: a user is while one of their phones here is.

import { Firestore } from "../../lib/firestore.js";

export function openPresence(people) {
  let phones = new Set();
  const told = new Map();

  /** Says it once, and again when a profile that has changed since says something else: other tabs tell, too. */
  async function tell(uid, isOnline, options) {
    const profile = people.get(uid);
    const last = told.get(uid);
    const isSaid = last?.profile === profile || profile?.isOnline === isOnline;
    if (!profile || (last?.isOnline === isOnline && isSaid)) return;
    told.set(uid, { isOnline, profile });
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
    for (const uid of phones) tell(uid, false, { keepalive: true });
  };
  addEventListener("pagehide", leave);

  return {
    /** Says who is online now: the users of the phones that are. */
    show(uids) {
      for (const uid of phones) if (!uids.has(uid)) tell(uid, false);
      phones = uids;
      for (const uid of phones) tell(uid, true);
    },
    close() {
      removeEventListener("pagehide", leave);
      leave();
    },
  };
}

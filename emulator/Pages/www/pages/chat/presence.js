// Presence: a user is online while one of the user's phones on this page is online.

import { Firestore } from "../../lib/firestore.js";

/** The delay before a failed update is repeated. */
const pauseMilliseconds = 1_000;

/** Returns whether an update may succeed later: after an outage, or another transaction's lock. */
const mayPass = ({ status }) => status === 0 || status === 409 || status === 429 || status >= 500;

export function openPresence(people) {
  let phones = new Set();
  const told = new Map();

  /**
   * Updates a profile's presence once, and again if another tab has changed it to another value since.
   */
  async function tell(uid, isOnline, options) {
    const profile = people.get(uid);
    const last = told.get(uid);
    const isSaid = last?.profile === profile || profile?.isOnline === isOnline;
    if (!profile || (last?.isOnline === isOnline && isSaid)) return;
    const saying = { isOnline, profile };
    told.set(uid, saying);
    const firestore = new Firestore(uid);
    try {
      await firestore.commit([{
        update: { name: await firestore.name(`users/${uid}`), fields: { online: { booleanValue: isOnline } } },
        updateMask: { fieldPaths: ["online"] },
        updateTransforms: [{ fieldPath: "lastSeen", setToServerValue: "REQUEST_TIME" }],
        // A deleted profile isn't created again.
        currentDocument: { exists: true },
      }], options);
    } catch (error) {
      if (told.get(uid) !== saying) return;
      told.delete(uid);
      const again = () => phones.has(uid) === isOnline && tell(uid, isOnline);
      if (mayPass(error)) setTimeout(again, pauseMilliseconds);
    }
  }

  function say() {
    for (const uid of phones) tell(uid, true);
  }

  const leave = () => {
    for (const uid of phones) tell(uid, false, { keepalive: true });
  };
  // The browser's back/forward cache may restore the page.
  const comeBack = ({ persisted }) => persisted && say();
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);

  return {
    /** Sets the users who are online: those of the online phones. */
    show(uids) {
      for (const uid of phones) if (!uids.has(uid)) tell(uid, false);
      phones = uids;
      say();
    },
    close() {
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", comeBack);
      leave();
      phones = new Set();
    },
  };
}

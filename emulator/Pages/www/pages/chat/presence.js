// Presence: a user is online while one of the user's phones on this page is online.

import { Firestore } from "../../lib/firestore.js";

/** The delay before a failed update is repeated. */
const pauseMilliseconds = 1_000;

/** Returns whether an update may succeed later: after an outage, or another transaction's lock. */
const mayPass = ({ status }) => status === 0 || status === 409 || status === 429 || status >= 500;

export function openPresence(people) {
  /** The users of the online phones, by their IDs. */
  let users = new Map();
  const told = new Map();

  /**
   * Updates a profile's presence once, and again if another tab has changed it to another value since.
   */
  async function tell(user, isOnline, options) {
    const { uid } = user;
    const profile = people.get(uid);
    const last = told.get(uid);
    const isSaid = last?.profile === profile || profile?.isOnline === isOnline;
    if (!profile || (last?.isOnline === isOnline && isSaid)) return;
    const saying = { isOnline, profile };
    told.set(uid, saying);
    const firestore = new Firestore(user);
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
      const again = () => users.has(uid) === isOnline && tell(user, isOnline);
      if (mayPass(error)) setTimeout(again, pauseMilliseconds);
    }
  }

  function say() {
    for (const user of users.values()) tell(user, true);
  }

  const leave = () => {
    for (const user of users.values()) tell(user, false, { keepalive: true });
  };
  // The browser's back/forward cache may restore the page.
  const comeBack = ({ persisted }) => persisted && say();
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);

  return {
    /** Sets the users who are online: those of the online phones, by their IDs. */
    show(online) {
      for (const [uid, user] of users) if (!online.has(uid)) tell(user, false);
      users = online;
      say();
    },
    close() {
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", comeBack);
      leave();
      users = new Map();
    },
  };
}

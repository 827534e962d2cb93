// Who is online: a user is while one of their phones here is.

import { Firestore } from "../../lib/firestore.js";

/** How long to wait before saying again what the database couldn't take just then. */
const pauseMilliseconds = 1_000;

/** What may be taken a moment later: an outage, or another's lock. */
const mayPass = ({ status }) => status === 0 || status === 409 || status === 429 || status >= 500;

export function openPresence(people) {
  let phones = new Set();
  const told = new Map();

  /** Says it once, and again when a profile that has changed since says something else: other tabs tell, too. */
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
        // Who has no profile any more gets none by this.
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
  // The browser's Back may bring the page again as it was.
  const comeBack = ({ persisted }) => persisted && say();
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);

  return {
    /** Says who is online now: the users of the phones that are. */
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

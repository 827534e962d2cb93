// Who there is: one address book for all phones, live.

import { idOf, Firestore } from "../../lib/firestore.js";
import { stream } from "../../lib/emulator.js";
import { shortened } from "../../lib/members.js";
import { readProfile } from "./documents.js";

/** As many as a list to choose from can hold; others are looked up when a conversation names them. */
const maximumListed = 300;

/** onChange() is called whenever somebody is different. */
export async function openPeople(onChange) {
  const firestore = new Firestore();
  const root = await firestore.root();
  const listed = new Map();
  const named = new Map();
  /** Those that are talked of. */
  const wanted = new Set();
  let isReady = false;
  let error = null;
  let stopNamed = () => {};
  let timer;

  const keep = (people) => ({ documents, changed }) => {
    for (const name of changed) {
      const document = documents.get(name);
      if (document) people.set(idOf(name), readProfile(document));
      else people.delete(idOf(name));
    }
    isReady ||= people === listed;
    lookUpMissing();
    onChange();
  };

  const stop = stream.listen({
    query: {
      parent: root,
      structuredQuery: {
        from: [{ collectionId: "users" }], orderBy: [{ field: { fieldPath: "__name__" } }], limit: maximumListed,
      },
    },
  }, keep(listed), (failure) => {
    error = failure;
    onChange();
  });

  /** A list that has room has everybody. */
  function lookUpMissing() {
    if (listed.size < maximumListed) return;
    const missing = [...wanted].filter((uid) => !get(uid) && !named.has(uid)).slice(0, maximumListed - named.size);
    if (!missing.length) return;
    for (const uid of missing) named.set(uid, null);
    clearTimeout(timer);
    timer = setTimeout(lookUpNamed, 100);
  }

  function lookUpNamed() {
    stopNamed();
    const documents = [...named.keys()].map((uid) => `${root}/users/${uid}`);
    stopNamed = stream.listen({ documents: { documents } }, keep(named));
  }

  const get = (uid) => listed.get(uid) ?? named.get(uid) ?? null;
  return {
    get isReady() {
      return isReady;
    },
    get error() {
      return error;
    },
    get,
    /** Whether it is certain that somebody has no profile. */
    isMissing: (uid) => isReady && listed.size < maximumListed && !get(uid),
    name: (uid) => get(uid)?.name ?? shortened(uid),
    all: () => [...listed.values()].sort((a, b) => a.name.localeCompare(b.name)),
    /** Says who is talked of, so that they are looked up if the list doesn't have them. */
    need(uids) {
      for (const uid of uids) wanted.add(uid);
      lookUpMissing();
    },
    close() {
      clearTimeout(timer);
      stop();
      stopNamed();
    },
  };
}

// The people: a live address book, shared by all phones.

import { idOf, Firestore } from "../../lib/firestore.js";
import { listen } from "../../lib/listeners.js";
import { shortened } from "../../lib/members.js";
import { linkReader } from "../../lib/firebase-storage.js";
import { readProfile } from "./documents.js";

/** The maximum length of the list of people. Others are loaded when a conversation refers to them. */
const maximumListed = 300;

/** Opens the address book. onChange() is called after every change. */
export async function openPeople(onChange) {
  const firestore = new Firestore();
  const root = await firestore.root();
  const readLink = await linkReader();
  const listed = new Map();
  const named = new Map();
  /** The people that conversations refer to. */
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

  const stop = listen({
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

  /** Loads missing people, if the list is too short to contain everyone. */
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
    stopNamed = listen({ documents: { documents } }, keep(named));
  }

  const get = (uid) => listed.get(uid) ?? named.get(uid) ?? null;
  return {
    get error() {
      return error;
    },
    get,
    /** A Boolean value that indicates whether there are certainly no people. */
    get isEmpty() {
      return isReady && listed.size === 0;
    },
    /** Returns whether a user certainly has no profile. */
    isMissing: (uid) => isReady && listed.size < maximumListed && !get(uid),
    name: (uid) => get(uid)?.name ?? shortened(uid),
    /**
     * Returns the URL of a user's profile picture, or "". Pictures of other servers aren't loaded: a profile must not
     * make this browser contact its author.
     */
    picture(uid) {
      const link = readLink(get(uid)?.pictureURL ?? "");
      return link && link.host === null ? link.source : "";
    },
    all: () => [...listed.values()].sort((a, b) => a.name.localeCompare(b.name)),
    /** Adds people that a conversation refers to, so that they are loaded if they aren't in the list. */
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

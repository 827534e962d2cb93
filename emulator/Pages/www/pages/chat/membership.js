// The membership of conversations: creating one, adding and removing members, and its mirror in the Realtime Database.

import { call } from "../../lib/firestore.js";
import { fieldPath, newId } from "./documents.js";

/** The time in which mirrorMembership copies a new membership. A copy that comes later counts as missing. */
const lateMilliseconds = 2_000;

/** Creates a conversation and returns its ID. languageOf(uid) returns a member's language, or "" if it is unknown. */
export async function beginConversation(firestore, participants, name, languageOf) {
  const id = newId();
  const isGroup = participants.length > 2 || name !== "";
  const languages = participants.map((participant) => [participant, { stringValue: languageOf(participant) }]);
  await firestore.commit([{
    update: {
      name: await firestore.name(`conversations/${id}`),
      fields: {
        type: { stringValue: isGroup ? "group" : "one-on-one" },
        ...(isGroup && { name: { stringValue: name } }),
        participants: { arrayValue: { values: participants.map((participant) => ({ stringValue: participant })) } },
        participantLanguages: { mapValue: { fields: Object.fromEntries(languages) } },
      },
    },
    updateTransforms: [{ fieldPath: "createdAt", setToServerValue: "REQUEST_TIME" }],
    currentDocument: { exists: false },
  }]);
  return id;
}

/** Adds a member, who sees the messages from now on. */
export async function addMember(firestore, conversationId, uid, language) {
  await firestore.commit([{
    update: {
      name: await firestore.name(`conversations/${conversationId}`),
      fields: { participantLanguages: { mapValue: { fields: { [uid]: { stringValue: language } } } } },
    },
    updateMask: { fieldPaths: [fieldPath("participantLanguages", uid)] },
    updateTransforms: [
      { fieldPath: "participants", appendMissingElements: { values: [{ stringValue: uid }] } },
      { fieldPath: fieldPath("joinedAt", uid), setToServerValue: "REQUEST_TIME" },
    ],
    currentDocument: { exists: true },
  }]);
}

export async function removeMember(firestore, conversationId, uid) {
  await firestore.commit([{
    update: { name: await firestore.name(`conversations/${conversationId}`), fields: {} },
    updateMask: { fieldPaths: [fieldPath("participantLanguages", uid), fieldPath("joinedAt", uid)] },
    updateTransforms: [{ fieldPath: "participants", removeAllFromArray: { values: [{ stringValue: uid }] } }],
    currentDocument: { exists: true },
  }]);
}

/**
 * Listens to a participant's membership in the Realtime Database. Returns a function that ends the listener.
 *
 * The database's rules can't read Firestore, so the function mirrorMembership copies the membership to
 * members/{conversationId}/{uid}. If the copy is missing, the function is called for it once. onValue(isMember) is
 * called after every change, and for each new connection.
 */
export function followMembership({ socket, conversationId, user, onValue }) {
  let hasAsked = false;
  let timer;

  function ask() {
    hasAsked = true;
    // After a failure, there is no typing, and everything else works.
    call("mirrorMembership", { conversationId }, user).catch(() => {});
  }

  const stop = socket.watch(["members", conversationId, user.uid], (value) => {
    clearTimeout(timer);
    if (value !== true && !hasAsked) timer = setTimeout(ask, lateMilliseconds);
    onValue(value === true);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

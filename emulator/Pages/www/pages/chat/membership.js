// The membership of conversations: creating one, adding and removing members, and its mirror in the Realtime Database.

import { call } from "../../lib/firestore.js";
import { fieldPath, newId } from "./documents.js";

/** The time after which the mirror of a membership is missing rather than late. */
const patienceMilliseconds = 2_000;

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
 * Follows the membership of a user who is a participant, as the Realtime Database's rules see it: they can't read
 * Firestore, so the function mirrorMembership copies it to members/{conversationId}/{uid}. If the copy is missing, the
 * function is asked for it once. onChange(isMember) is called after every change. Returns a function that ends this.
 */
export function followMembership({ socket, conversationId, user, onChange }) {
  let isMember = false;
  let hasAsked = false;
  let timer;

  function ask() {
    hasAsked = true;
    // Without the function, or with a failure, there is only no typing.
    call("mirrorMembership", { conversationId }, user).catch(() => {});
  }

  const stop = socket.watch(["members", conversationId, user.uid], (value) => {
    clearTimeout(timer);
    if (value !== true && !hasAsked) timer = setTimeout(ask, patienceMilliseconds);
    if (isMember === (value === true)) return;
    isMember = value === true;
    onChange(isMember);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

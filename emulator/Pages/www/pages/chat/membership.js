// Who is in a conversation: beginning one, coming and going.

import { fieldPath, newId } from "./documents.js";

/** Answers the new conversation's id. languageOf(uid) is a member's, as far as it is known. */
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

/** A new member sees what is written from now on. */
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

// What is being written in each conversation, kept over a reload for as long as the tab stays.

const drafts = new Map();
const keyOf = (uid, conversationId) => `chat.draft/${uid}/${conversationId}`;

export function draftOf(uid, conversationId) {
  const key = keyOf(uid, conversationId);
  return drafts.get(key) ?? sessionStorage.getItem(key) ?? "";
}

export function keepDraft(uid, conversationId, text) {
  const key = keyOf(uid, conversationId);
  drafts.set(key, text);
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Full: it is kept until the page goes.
  }
}

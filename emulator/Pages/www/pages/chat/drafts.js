// The drafts of all conversations. They survive a reload and end with the tab.

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
    // The storage is full: the draft is kept until the page is closed.
  }
}

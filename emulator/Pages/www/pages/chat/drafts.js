// The drafts of all conversations. Texts survive a reload and end with the tab; files end with the page.

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

const files = new Map();

/** Returns the file that is attached to a draft, or null. */
export const draftFileOf = (uid, conversationId) => files.get(keyOf(uid, conversationId)) ?? null;

export function keepDraftFile(uid, conversationId, file) {
  if (file) files.set(keyOf(uid, conversationId), file);
  else files.delete(keyOf(uid, conversationId));
}

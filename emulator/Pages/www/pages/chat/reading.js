// The reader's view of each message: the current translation and hint, and the delivery status.

import { stream } from "../../lib/emulator.js";
import { compareMessages, hashOf, hintId, sharedLanguage } from "./documents.js";
import { kindOf } from "./media.js";

const isReadableAs = (code, other) => sharedLanguage(code) === sharedLanguage(other);

/** Returns the delivery status of the user's own message, which never goes back. */
function statusOf(message, participants) {
  const others = participants.filter((other) => other !== message.senderId);
  const readers = others.filter((other) => message.readBy.has(other));
  if (message.status === "read" || (others.length && readers.length === others.length)) return { status: "read" };
  if (message.status === "failed") return { status: "failed" };
  const isDelivered = message.status === "delivered" || readers.length > 0;
  return { status: isDelivered ? "delivered" : "sent", readers: readers.length, others: others.length };
}

/**
 * Opens the view. language() returns the reader's language, and profile() the reader's profile or undefined;
 * readLink(url) returns the place of a file. onHash() is called when a text's hash was computed, because the view may
 * depend on it.
 */
export function openReading({ id, uid, language, profile, about, readLink, onHash }) {
  let hashes = new Map();

  /** Returns whether a hash is that of the message's text. A hash that this browser can't check is accepted. */
  function isOf(message, hash) {
    const known = hashes.get(message.id);
    if (known?.text === message.text) return known.hash === null || known.hash === hash;
    const entry = { text: message.text, hash: undefined };
    hashes.set(message.id, entry);
    hashOf(message.text).then((result) => {
      entry.hash = result;
      onHash();
    });
    return false;
  }

  /** Returns whether the reader wants the original, without a translation or a hint. */
  function isAsWritten({ language: code }) {
    const { secondaryLanguages, translationMode } = profile() ?? { secondaryLanguages: [] };
    return translationMode === "never" || secondaryLanguages.some((known) => isReadableAs(code, known));
  }

  function translationOf(message) {
    const translation = message.translation(language());
    const isCurrent = translation.text !== "" && isOf(message, translation.hash);
    const isForeign = message.text !== "" && !isReadableAs(message.language, language());
    return {
      ...translation, text: isCurrent ? translation.text : "", hasFailed: !isCurrent && translation.hasFailed,
      isTooLong: !isCurrent && message.isTooLong && isForeign,
      isOnDemand: !isCurrent && isForeign && profile()?.translationMode === "onDemand",
    };
  }

  function hintOf(message, hint) {
    const isForReader = hint?.messageId === message.id && isReadableAs(hint.language, language());
    return isForReader && isOf(message, hint.hash) ? hint : null;
  }

  /** Returns a message with its media {kind, source, path, host}, or null; source is "" if the link is of no use. */
  function withMedia(message) {
    const { url, type } = message.media;
    if (url === "") return { ...message, media: null };
    const link = readLink(url) ?? { source: "", path: null, host: null };
    return { ...message, media: { kind: kindOf(type, url), ...link } };
  }

  /**
   * Returns the messages, newest last: those of the database (a map by ID) and the outbox's unsent ones. hints is a
   * map of the conversation's hints by ID.
   */
  function list({ messages, hints, outbox }) {
    const conversation = about() ?? { participants: [] };
    const { participants } = conversation;
    const stateOf = (entry) => entry.error ? "failed" : entry.sentAt ? "sent"
      : outbox.isPaused || !stream.isConnected || outbox.isStalled(entry) ? "waiting" : "sending";
    hashes = new Map([...hashes].filter(([messageId]) => messages.has(messageId)));

    function pendingMediaOf(entry) {
      const media = outbox.mediaOf(entry);
      return media && { ...media, kind: kindOf(media.type), path: null, host: null };
    }

    const changes = new Map();
    const unsent = [];
    for (const entry of outbox.entries) {
      if (entry.conversationId !== id) continue;
      if (entry.kind === "message" && !messages.has(entry.messageId)) unsent.push(entry);
      else if (entry.kind === "edit" || entry.kind === "deletion") changes.set(entry.messageId, entry);
    }
    const stored = [...messages.values()].sort(compareMessages).map(withMedia).map((message) => {
      if (message.senderId === uid) return { ...message, isOwn: true, ...statusOf(message, participants) };
      if (isAsWritten(message)) return { ...message, isOwn: false, translation: null, hint: null, status: "" };
      const hint = hintOf(message, hints.get(hintId(message, language(), conversation)));
      return { ...message, isOwn: false, translation: translationOf(message), hint, status: "" };
    });
    const pending = unsent.map((entry) => ({
      id: entry.messageId, entryId: entry.id, isOwn: true, isPending: true, senderId: uid, text: entry.text,
      clientTimestamp: entry.clientTimestamp, status: stateOf(entry), error: entry.error, media: pendingMediaOf(entry),
    }));
    return [...stored, ...pending].flatMap((message) => {
      const change = changes.get(message.id);
      if (!change) return [message];
      if (change.kind === "deletion" && !change.error) return [];
      const text = change.text ?? message.text;
      if (change.sentAt) return [{ ...message, text }];
      return [{ ...message, text, entryId: change.id, status: stateOf(change), error: change.error }];
    });
  }

  return { list };
}

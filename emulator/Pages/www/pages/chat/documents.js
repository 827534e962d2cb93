// WorldChat's documents: what this client reads in them, whatever their fields hold, and how it names things.

import { decodeFields } from "../../lib/values.js";
import { idOf } from "../../lib/firestore.js";

const string = (value) => (typeof value === "string" ? value : "");
const strings = (value) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);
const map = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
/** As the functions count, in code points; to count those of a megabyte for nothing takes long. */
const maximumTranslated = 30_000;
const isTooLong = (text) => text.length > 2 * maximumTranslated ||
  (text.length > maximumTranslated && [...text].length > maximumTranslated);

const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Twenty random characters, as Firebase's SDKs make ids. */
export function newId() {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % letters.length]).join("");
}

/** A field's path: fieldPath("joinedAt", "marco-1"). */
export function fieldPath(...segments) {
  const quote = (segment) => `\`${segment.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
  return segments.map((segment) => (/^[A-Za-z_]\w*$/.test(segment) ? segment : quote(segment))).join(".");
}

export const messagePath = (conversationId, id) => `conversations/${conversationId}/messages/${id}`;

export function readProfile(document) {
  const fields = decodeFields(document.fields);
  return {
    uid: idOf(document.name),
    name: string(fields.displayName) || idOf(document.name),
    language: string(fields.primaryLanguage) || string(fields.language),
    isOnline: fields.online === true,
    lastSeen: string(fields.lastSeen),
    tokens: [string(fields.fcmToken), ...strings(fields.fcmTokens)].filter((token) => token !== ""),
  };
}

export function readConversation(document) {
  const fields = decodeFields(document.fields);
  const lastMessage = fields.lastMessage;
  return {
    id: idOf(document.name),
    isGroup: fields.type === "group",
    name: string(fields.name),
    participants: strings(fields.participants),
    lastMessage: string(lastMessage) || string(map(lastMessage).text),
    lastMessageAt: string(fields.lastMessageAt) || string(fields.createdAt),
    languageOf: (uid) => string(own(map(fields.languageOverrides), uid)),
    copiedLanguageOf: (uid) => string(own(map(fields.participantLanguages), uid)),
    /** From when on somebody sees messages; "" is from the beginning. */
    joinedAt: (uid) => (map(fields.settings).history === true ? "" : string(own(map(fields.joinedAt), uid))),
  };
}

export function readMessage(document) {
  const fields = decodeFields(document.fields);
  const translations = map(fields.translations);
  const metadata = map(fields.translationMeta);
  return {
    id: idOf(document.name),
    senderId: string(fields.senderId),
    text: string(fields.text),
    language: string(fields.language),
    isTooLong: isTooLong(string(fields.text)),
    status: string(fields.status),
    timestamp: string(fields.timestamp),
    clientTimestamp: string(fields.clientTimestamp),
    readBy: strings(fields.readBy),
    /** {text, hash, engine} of a language; text is "" where there is none, error where it failed. */
    translation(language) {
      const about = map(own(metadata, language));
      return {
        text: string(own(translations, language)), hash: string(about.textHash), engine: string(about.engine),
        hasFailed: about.error !== undefined && about.error !== null,
      };
    },
  };
}

export function readHint(document) {
  const fields = decodeFields(document.fields);
  return {
    messageId: string(fields.messageId),
    language: string(fields.language),
    hash: string(fields.textHash),
    phrase: string(fields.idiomDetected),
    explanation: string(fields.explanation),
    equivalent: string(fields.suggestedEquivalent),
    engine: string(fields.engine),
  };
}

const order = (x, y) => (x < y ? -1 : x > y ? 1 : 0);

/** Timestamps have as many digits as they need. */
export function compareTimes(a, b) {
  const whole = (text) => text.replace("Z", text.includes(".") ? "" : ".").padEnd(30, "0");
  return order(whole(a), whole(b));
}

/** A batch gives all its messages one time, so that the client's and the id decide. */
export function compareMessages(a, b) {
  return compareTimes(a.timestamp, b.timestamp) || compareTimes(a.clientTimestamp, b.clientTimestamp) ||
    order(a.id, b.id);
}

/** The lower-case hex SHA-256 of a text; null where the browser has none, which is everywhere but on loopback. */
export async function hashOf(text) {
  if (!crypto.subtle) return null;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const names = new Intl.DisplayNames(undefined, { type: "language", fallback: "code" });

/** "Italian" of "it". */
export function languageName(code) {
  try {
    return code ? names.of(code) : "";
  } catch {
    return code;
  }
}

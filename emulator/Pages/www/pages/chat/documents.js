// WorldChat's documents: the members that this client reads, whatever their types, and the naming of fields and
// paths.

import { idOf } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";

/**
 * The functions' limit for a translation, in code points. Code points of a very long text aren't counted, as that is
 * slow.
 */
const maximumTranslated = 30_000;
/** The maximum length of a file's URL, as in the rules. */
const longestURL = 2_048;
const isTooLong = (text) => text.length > 2 * maximumTranslated ||
  (text.length > maximumTranslated && [...text].length > maximumTranslated);

/** Returns a random ID of 20 characters, like those of Firebase's SDKs. */
export function newId() {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % letters.length]).join("");
}

/** Returns a field path: fieldPath("joinedAt", "marco-1"). */
export function fieldPath(...segments) {
  const quote = (segment) => `\`${segment.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
  return segments.map((segment) => (/^[A-Za-z_]\w*$/.test(segment) ? segment : quote(segment))).join(".");
}

export const messagePath = (conversationId, id) => `conversations/${conversationId}/messages/${id}`;

export function readProfile(document) {
  const members = membersOf(document);
  return {
    uid: idOf(document.name),
    name: members.title("displayName") || idOf(document.name),
    language: members.language("primaryLanguage") || members.language("language"),
    isOnline: members.isTrue("online"),
    lastSeen: members.time("lastSeen"),
    pictureURL: members.string("profilePictureURL", longestURL),
    secondaryLanguages: members.ids("secondaryLanguages").slice(0, 20),
    translationMode: modeOf(members),
    tokens: [members.string("fcmToken"), ...members.ids("fcmTokens")].filter((token) => token !== ""),
  };
}

/** Returns "always", "never" or "onDemand" as the functions read a profile's mode. */
function modeOf(members) {
  const mode = members.string("translationMode");
  if (mode === "never" || mode === "onDemand") return mode;
  return mode === "" && members.has("translationMode") ? "onDemand" : "always";
}

export function readConversation(document) {
  const members = membersOf(document);
  return {
    id: idOf(document.name),
    isGroup: members.string("type") === "group",
    name: members.title("name"),
    participants: members.ids("participants"),
    lastMessage: members.string("lastMessage") || members.map("lastMessage").string("text"),
    lastMessageAt: members.time("lastMessageAt") || members.time("createdAt"),
    lastMessageId: members.string("lastMessageId"),
    lastMessageType: members.string("lastMessageType"),
    languageOf: (uid) => members.map("languageOverrides").language(uid),
    copiedLanguageOf: (uid) => members.map("participantLanguages").language(uid),
    /** Returns the time from which a user sees messages; "" is the beginning. */
    joinedAt: (uid) => (members.map("settings").isTrue("history") ? "" : members.map("joinedAt").time(uid)),
  };
}

/** Reads a user's inbox of a conversation: the unread count and a preview of the last message by others. */
export function readInbox(document) {
  const members = membersOf(document);
  return {
    unread: members.integer("unread"),
    lastMessage: members.string("lastMessage"),
    lastMessageId: members.string("lastMessageId"),
  };
}

/**
 * Returns the text of a conversation's last message for a list. The inbox has it in its user's language, unless the
 * user wrote that message or the inbox is still that of an earlier one.
 */
export function previewOf(conversation, inbox) {
  const isSame = inbox !== undefined && inbox.lastMessageId === conversation.lastMessageId;
  return (isSame && inbox.lastMessage) || conversation.lastMessage;
}

export function readMessage(document) {
  const members = membersOf(document);
  const text = members.string("text");
  return {
    id: idOf(document.name),
    senderId: members.string("senderId"),
    text,
    language: members.language("language"),
    isTooLong: isTooLong(text),
    status: members.string("status"),
    /** The message's picture, audio or video: {url, type}. url is "" if there is none. */
    media: { url: members.string("mediaURL", longestURL), type: members.string("mediaType") },
    timestamp: members.time("timestamp"),
    clientTimestamp: members.time("clientTimestamp"),
    /** The IDs of the readers. */
    readBy: new Set(members.ids("readBy")),
    /** The rules refuse a receipt of a message without a sender, or whose readers aren't an array. */
    takesReceipts: members.string("senderId") !== "" && members.isArrayOrAbsent("readBy"),
    /** Returns the translation into a language: {text, hash, engine, hasFailed}. text is "" if there is none. */
    translation(language) {
      const about = members.map("translationMeta").map(language);
      return {
        text: members.map("translations").string(language), hash: about.string("textHash"),
        engine: about.title("engine"), hasFailed: about.has("error"),
      };
    },
  };
}

export function readHint(document) {
  const members = membersOf(document);
  return {
    messageId: members.string("messageId"),
    language: members.language("language"),
    hash: members.string("textHash"),
    phrase: members.string("idiomDetected"),
    explanation: members.string("explanation"),
    equivalent: members.string("suggestedEquivalent"),
    engine: members.title("engine"),
  };
}

/**
 * Returns the code of the language that readers of variants share, such as "pt" for "pt-BR". Chinese has two written
 * forms, and Malay and Punjabi are also written in Arabic letters.
 */
export function sharedLanguage(code) {
  try {
    const locale = new Intl.Locale(code.replaceAll("_", "-"));
    const { language = code } = locale;
    const { script } = locale.maximize();
    if (language === "zh") return script === "Hant" ? "zh-TW" : "zh-CN";
    if (script === "Arab" && (language === "ms" || language === "pa")) return `${language}-Arab`;
    return language === "nb" ? "no" : language;
  } catch {
    return code;
  }
}

/** Returns the ID of a message's hint for readers of a language. Between two people it is the message's own ID. */
export function hintId(message, language, { isGroup, participants }) {
  const users = new Set(participants);
  const isPrivate = !isGroup && users.size <= 2 && [...users].filter((uid) => uid !== message.senderId).length === 1;
  return isPrivate ? message.id : `${message.id}_${sharedLanguage(language)}`;
}

const order = (x, y) => (x < y ? -1 : x > y ? 1 : 0);

/** Compares two timestamps, whose fractions may have different lengths. */
export function compareTimes(a, b) {
  const whole = (text) => text.replace("Z", text.includes(".") ? "" : ".").padEnd(30, "0");
  return order(whole(a), whole(b));
}

/** Compares two messages by time. Messages of a batch have the same time, so the client's time and the ID decide. */
export function compareMessages(a, b) {
  return compareTimes(a.timestamp, b.timestamp) || compareTimes(a.clientTimestamp, b.clientTimestamp) ||
    order(a.id, b.id);
}

/**
 * Returns the SHA-256 of a text in lowercase hexadecimal, or null if the browser has no Web Crypto: it requires
 * loopback or HTTPS.
 */
export async function hashOf(text) {
  if (!crypto.subtle) return null;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const names = new Intl.DisplayNames(undefined, { type: "language", fallback: "code" });

/** Returns the name of a language, such as "Italian" for "it". */
export function languageName(code) {
  try {
    return code ? names.of(code) : "";
  } catch {
    return code;
  }
}

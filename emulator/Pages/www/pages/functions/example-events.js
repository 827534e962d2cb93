// Events to begin a test with.

import { Firestore, pathOf } from "../../lib/firestore.js";
import { api, status } from "../../lib/emulator.js";

const conversation = "sarah-marco";
const text = "Break a leg at your interview tomorrow!";

const calls = {
  translateMessage: { text: "Thank you so much!", sourceLang: "en", targetLang: "it" },
  analyzeMessage: { conversationId: conversation, messageId: "interview", text, sourceLang: "en", targetLang: "it" },
  smartReplies: { conversationId: conversation },
  askAI: { conversationId: conversation, query: "Quando ci vediamo per un caffè?" },
  forgetUser: { uid: "marco" },
};

/** As an ID a browser makes one: 20 characters, like Firestore's. */
export function newID() {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % 62]).join("");
}

const call = (name) => ({ data: calls[name] ?? {}, auth: { uid: "marco" } });

/** A message that was just written: the demo's newest, or one like it. */
async function created() {
  const newest = {
    from: [{ collectionId: "messages" }],
    orderBy: [{ field: { fieldPath: "timestamp" }, direction: "DESCENDING" }],
    limit: 1,
  };
  const [{ project }, [document]] = await Promise.all([
    status(), new Firestore().query(newest, `conversations/${conversation}`),
  ]);
  const root = `projects/${project}/databases/(default)`;
  const message = document ? pathOf(document.name) : `conversations/${conversation}/messages/interview`;
  const now = new Date().toISOString();
  const value = document ?? {
    name: `${root}/documents/${message}`,
    fields: {
      senderId: { stringValue: "sarah" }, text: { stringValue: text }, language: { stringValue: "en" },
      timestamp: { timestampValue: now }, status: { stringValue: "sent" }, readBy: { arrayValue: {} },
    },
    createTime: now,
    updateTime: now,
  };
  return {
    specversion: "1.0",
    id: newID(),
    source: `//firestore.googleapis.com/${root}`,
    type: "google.cloud.firestore.document.v1.created",
    subject: `documents/${message}`,
    time: now,
    datacontenttype: "application/json",
    project,
    database: "(default)",
    document: message,
    data: { value },
  };
}

/**
 * What a test may begin with: {id, title, make()}, the kinds this function takes first, then its newest
 * events, which have an event's id.
 */
export async function examples({ name, triggers, callable }) {
  const recent = await api.get(`events?function=${encodeURIComponent(name)}&limit=20`).catch(() => []);
  return [
    ...(triggers.length ? [{ id: "created", title: "A created message", make: created }] : []),
    ...(callable ? [{ id: "call", title: "A call", make: async () => call(name) }] : []),
    ...recent.reverse().map((delivery) => ({
      id: delivery.eventId,
      title: `${delivery.eventType.split(".").pop()} ${delivery.document} (${delivery.state})`,
      make: async () => (await api.get(`events/${encodeURIComponent(delivery.eventId)}`)).event,
    })),
  ];
}

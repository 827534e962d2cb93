// Example events for the test bench.

import { defaultDatabase } from "../../lib/database.js";
import { Firestore, pathOf } from "../../lib/firestore.js";
import { api, status } from "../../lib/emulator.js";
import { triggerText } from "./words.js";

const conversation = "sarah-marco";
const text = "Break a leg at your interview tomorrow!";

const calls = {
  translateMessage: { text: "Thank you so much!", sourceLang: "en", targetLang: "it" },
  analyzeMessage: { conversationId: conversation, messageId: "interview", text, sourceLang: "en", targetLang: "it" },
  smartReplies: { conversationId: conversation },
  askAI: { conversationId: conversation, query: "Quando ci vediamo per un caffè?" },
  forgetUser: { uid: "marco" },
  trackOpen: { conversationId: conversation, messageId: "interview" },
};

/** Returns a random ID of 20 characters, like those of Firestore. */
export function newID() {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % 62]).join("");
}

const call = (name) => ({ data: calls[name] ?? {}, auth: { uid: "marco" } });

/** Returns the newest document that matches a trigger's pattern, or an example of one. */
async function documentFor(pattern, root) {
  const segments = pattern.split("/");
  const isMessage = segments.length === 4 && !/[{*]/.test(segments[0]) && segments[2] === "messages";
  const parent = isMessage ? `${segments[0]}/${conversation}` : "";
  const collection = segments.at(-2);
  const query = isMessage
    ? { from: [{ collectionId: collection }], orderBy: [{ field: { fieldPath: "timestamp" }, direction: "DESCENDING" }] }
    : { from: [{ collectionId: collection, allDescendants: segments.length > 2 }] };
  const [document] = /[{*]/.test(collection) ? []
    : await new Firestore().query({ ...query, limit: 1 }, parent);
  if (document) return document;
  const now = new Date().toISOString();
  const place = isMessage ? `${parent}/messages/interview`
    : segments.map(exampleSegment).join("/");
  const fields = isMessage ? {
    senderId: { stringValue: "sarah" }, text: { stringValue: text }, language: { stringValue: "en" },
    timestamp: { timestampValue: now }, status: { stringValue: "sent" }, readBy: { arrayValue: {} },
  } : {};
  return { name: `${root}/documents/${place}`, fields, createTime: now, updateTime: now };
}

/** Returns the event data of a change of the trigger's kind. */
function dataOf(kind, fields, document) {
  if (kind === "deleted") return { oldValue: document };
  if (kind !== "updated") return { value: document };
  const name = (fields ?? Object.keys(document.fields ?? {}))[0]?.split(".")[0] ?? "example";
  const { [name]: member = { stringValue: text }, ...before } = document.fields ?? {};
  const value = { ...document, fields: { ...before, [name]: member } };
  return { value, oldValue: { ...document, fields: before }, updateMask: { fieldPaths: [name] } };
}

/** Returns an event that matches a trigger in the Realtime Database. */
async function referenceExample({ eventType, ref: pattern, instance }) {
  const kind = kindOf(eventType);
  const name = instance.includes("*") ? await defaultDatabase() : instance;
  const ref = examplePath(pattern);
  return {
    specversion: "1.0",
    id: newID(),
    source: `//firebasedatabase.googleapis.com/projects/_/locations/us-central1/instances/${name}`,
    type: eventType,
    subject: `refs/${ref}`,
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    instance: name,
    ref,
    data: {
      data: kind === "created" ? null : { state: "online" },
      delta: kind === "deleted" ? null : { state: kind === "created" ? "online" : "offline" },
    },
  };
}

/** Returns an event that matches a trigger in Cloud Storage. */
async function objectExample({ eventType, object: pattern = "example.png", bucket: wanted }) {
  const { project } = await status();
  const bucket = wanted === "*" ? `${project}.appspot.com` : wanted;
  const name = examplePath(pattern);
  const time = new Date().toISOString();
  const generation = `${Date.now()}000`;
  return {
    specversion: "1.0",
    id: newID(),
    source: `//storage.googleapis.com/projects/_/buckets/${bucket}`,
    type: eventType,
    subject: `objects/${name}`,
    time,
    datacontenttype: "application/json",
    bucket,
    data: {
      kind: "storage#object", id: `${bucket}/${name}/${generation}`, bucket, name, generation,
      metageneration: kindOf(eventType) === "metadataUpdated" ? "2" : "1",
      contentType: "image/png", size: "0", md5Hash: "1B2M2Y8AsgTpgAmY7PhCfg==", crc32c: "AAAAAA==",
      storageClass: "STANDARD", timeCreated: time, updated: time,
    },
  };
}

const exampleSegment = (segment) => (/[{*]/.test(segment) ? "example" : segment);
const examplePath = (pattern) =>
  pattern.split("/").map((segment) => (segment === "{uid}" ? "marco" : exampleSegment(segment))).join("/");

/** Returns an event that matches a trigger. */
async function exampleFor(trigger) {
  const { eventType, document: pattern, ref, instance, bucket, fields, database = "(default)" } = trigger;
  if (bucket) return objectExample(trigger);
  if (ref) return referenceExample({ eventType, ref, instance });
  const { project } = await status();
  const root = `projects/${project}/databases/${database}`;
  const document = await documentFor(pattern, root);
  return {
    specversion: "1.0",
    id: newID(),
    source: `//firestore.googleapis.com/${root}`,
    type: eventType,
    subject: `documents/${pathOf(document.name)}`,
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    project,
    database,
    document: pathOf(document.name),
    data: dataOf(kindOf(eventType), fields, document),
  };
}

const kindOf = (eventType) => /\.v1\.(\w+)/.exec(eventType)?.[1];

/**
 * Returns the inputs to start a test with, {id, title, make()}: the function's event types first, then its newest
 * events, whose id is an event's ID.
 */
export async function examples({ name, triggers, callable }) {
  const recent = await api.get(`events?function=${encodeURIComponent(name)}&limit=20`).catch(() => []);
  return [
    ...triggers.map((trigger, index) => ({
      id: triggers.findIndex(({ eventType }) => eventType === trigger.eventType) === index
        ? kindOf(trigger.eventType) : `${kindOf(trigger.eventType)}-${index}`,
      title: triggerText(trigger),
      make: () => exampleFor(trigger),
    })),
    ...(callable ? [{ id: "call", title: "A call", make: async () => call(name) }] : []),
    ...recent.reverse().map((delivery) => ({
      id: delivery.eventId,
      title: `${delivery.eventType.split(".").pop()} ${delivery.document} (${delivery.state})`,
      make: async () => (await api.get(`events/${encodeURIComponent(delivery.eventId)}`)).event,
    })),
  ];
}

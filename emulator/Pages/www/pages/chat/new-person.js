// The dialog for a new person: a profile, and a device with its own token.

import { h } from "../../lib/dom.js";
import { request, service } from "../../lib/emulator.js";
import { Firestore } from "../../lib/firestore.js";
import { languageName, newId } from "./documents.js";
import { formOf, showDialog } from "./dialog.js";

const languages = ["en", "it", "fr", "de", "es", "pt", "ar", "he", "ja", "zh", "hi", "tr", "uk", "nl", "pl"];

export const languageSelect = (selected, properties = {}) => h("select", { name: "language", ...properties },
  [...new Set([...languages, ...(selected ? [selected] : [])])].map((code) => h("option", {
    value: code, selected: code === selected,
  }, languageName(code))));

/** Shows the dialog. created(uid) is called after the profile was created. */
export function showNewPerson(created) {
  const close = showDialog("New person", formOf(async (data) => {
    const uid = await create(data.get("name").trim(), data.get("language"));
    close();
    created(uid);
  },
  h("label", {}, "Name",
    h("input", { name: "name", required: true, dir: "auto", autocomplete: "off", pattern: ".*\\S.*" })),
  h("label", {}, "Language", languageSelect("es")),
  h("button", { type: "submit", className: "primary" }, "Create")));
}

async function create(name, language) {
  const readable = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, 20) || "user";
  const uid = `${readable}-${newId().slice(0, 6).toLowerCase()}`;
  const token = `${uid}-phone`;
  const firestore = new Firestore(uid);
  const now = { setToServerValue: "REQUEST_TIME" };
  await firestore.commit([
    {
      update: {
        name: await firestore.name(`users/${uid}`),
        fields: { displayName: { stringValue: name }, primaryLanguage: { stringValue: language } },
      },
      updateTransforms: [{ fieldPath: "createdAt", ...now }, { fieldPath: "lastSeen", ...now }],
      currentDocument: { exists: false },
    },
    {
      update: {
        name: await firestore.name(`users/${uid}/devices/phone`),
        fields: { fcmToken: { stringValue: token }, platform: { stringValue: "web" } },
      },
      updateTransforms: [{ fieldPath: "updatedAt", ...now }],
    },
  ]);
  await register(token);
  return uid;
}

/** Registers the token if devices were registered before. Without any registration FCM's fake accepts every token. */
async function register(token) {
  const devices = `${await service("functions")}/providers/fcm/devices`;
  const { strict } = await request("GET", devices);
  if (strict) await request("POST", devices, { body: { token } });
}

// Whose phone a token is: people's profiles and their devices say it.

import { Firestore } from "../../lib/firestore.js";
import { decodeFields } from "../../lib/values.js";

const members = (...paths) => ({ fields: paths.map((fieldPath) => ({ fieldPath })) });

/** A Map from token to the name of its user. */
export async function owners() {
  const firestore = new Firestore();
  const [users, devices] = await Promise.all([
    firestore.query({
      from: [{ collectionId: "users" }], select: members("displayName", "fcmToken", "fcmTokens"), limit: 1_000,
    }),
    firestore.query({
      from: [{ collectionId: "devices", allDescendants: true }], select: members("fcmToken"), limit: 5_000,
    }),
  ]);
  const names = new Map();
  const tokens = new Map();
  for (const { name, fields } of users) {
    const uid = name.split("/documents/users/")[1];
    const { displayName, fcmToken, fcmTokens } = decodeFields(fields);
    names.set(uid, typeof displayName === "string" ? displayName : uid);
    const all = [fcmToken, ...(Array.isArray(fcmTokens) ? fcmTokens : [])];
    for (const token of all) if (typeof token === "string") tokens.set(token, names.get(uid));
  }
  for (const { name, fields } of devices) {
    const uid = /\/documents\/users\/([^/]+)\/devices\//.exec(name)?.[1];
    const { fcmToken } = decodeFields(fields);
    if (uid && typeof fcmToken === "string") tokens.set(fcmToken, names.get(uid) ?? uid);
  }
  return tokens;
}

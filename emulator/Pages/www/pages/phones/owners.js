// The owners of device tokens, from people's profiles and their devices.

import { Firestore } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";

const select = (...paths) => ({ fields: paths.map((fieldPath) => ({ fieldPath })) });

/** Returns a Map from token to the name of its user. */
export async function owners() {
  const firestore = new Firestore();
  const [users, devices] = await Promise.all([
    firestore.query({
      from: [{ collectionId: "users" }], select: select("displayName", "fcmToken", "fcmTokens"), limit: 1_000,
    }),
    firestore.query({
      from: [{ collectionId: "devices", allDescendants: true }], select: select("fcmToken"), limit: 5_000,
    }),
  ]);
  const names = new Map();
  const tokens = new Map();
  for (const user of users) {
    const uid = user.name.split("/documents/users/")[1];
    const members = membersOf(user);
    names.set(uid, members.title("displayName") || uid);
    for (const token of [members.string("fcmToken"), ...members.ids("fcmTokens")]) {
      if (token) tokens.set(token, names.get(uid));
    }
  }
  for (const device of devices) {
    const uid = /\/documents\/users\/([^/]+)\/devices\//.exec(device.name)?.[1];
    const token = membersOf(device).string("fcmToken");
    if (uid && token) tokens.set(token, names.get(uid) ?? uid);
  }
  return tokens;
}

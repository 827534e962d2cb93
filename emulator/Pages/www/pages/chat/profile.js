// The profile of a new user, and the device on which the user signed up.

import { request, service } from "../../lib/emulator.js";
import { Firestore } from "../../lib/firestore.js";

/** Returns whether the user has a profile. */
export async function hasProfile(user) {
  const [profile] = await new Firestore(user).getAll([`users/${user.uid}`]);
  return profile !== null;
}

/** Writes the profile and the device as the user, as an app does after the sign-up. */
export async function createProfile(user, { email, name, language }) {
  const { uid } = user;
  const token = `${uid}-phone`;
  const firestore = new Firestore(user);
  const now = { setToServerValue: "REQUEST_TIME" };
  await firestore.commit([
    {
      update: {
        name: await firestore.name(`users/${uid}`),
        fields: {
          email: { stringValue: email }, displayName: { stringValue: name }, primaryLanguage: { stringValue: language },
        },
      },
      updateTransforms: [{ fieldPath: "createdAt", ...now }],
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
}

/** Registers the token if devices were registered before. Without any registration FCM's fake accepts every token. */
async function register(token) {
  const devices = `${await service("functions")}/providers/fcm/devices`;
  const { strict } = await request("GET", devices);
  if (strict) await request("POST", devices, { body: { token } });
}

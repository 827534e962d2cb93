// The profile picture: its dialog, and its changes in Cloud Storage and in the profile.

import { announce, fill, h } from "../../lib/dom.js";
import { pathOf } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";
import { downloadURL } from "../../lib/firebase-storage.js";
import { avatar } from "./avatar.js";
import { showDialogWith } from "./dialog.js";
import { newId } from "./documents.js";
import { checkAvatar, extensionOf, uploadWords } from "./media.js";

const folderOf = (uid) => `avatars/${uid}/`;

/**
 * Uploads a file, makes it the user's profile picture, and deletes the picture before it. Returns the URL from which
 * this page loads the picture. The error of a refused file has words as its message.
 */
export async function setPicture({ firestore, storage, readLink, file, signal, onProgress }) {
  checkAvatar(file);
  const path = `${folderOf(firestore.uid)}${newId()}.${extensionOf(file)}`;
  const url = await uploaded(path);
  try {
    await change({ firestore, storage, readLink, url });
    return readLink(url).source;
  } catch (error) {
    storage.delete(path).catch(() => {});
    throw error;
  }

  async function uploaded(path) {
    let session;
    try {
      const object = await storage.upload(path, file, {
        type: file.type, cacheControl: "private, max-age=3600", signal, onProgress,
        onSession: (begun) => (session = begun),
      });
      signal?.throwIfAborted();
      return await downloadURL(object);
    } catch (error) {
      if (session) storage.cancel(session).catch(() => storage.delete(path)).catch(() => {});
      throw error.name === "AbortError" ? error : new Error(uploadWords(error));
    }
  }
}

/** Removes the profile picture, and deletes its file. */
export const removePicture = (client) => change({ ...client, url: null });

/** Replaces the URL in the profile, and then deletes the old file. */
async function change({ firestore, storage, readLink, url }) {
  const name = await firestore.name(`users/${firestore.uid}`);
  let profile;
  await firestore.transact([pathOf(name)], ([document]) => {
    profile = document;
    if (!profile) return [];
    return [{
      update: { name, fields: url === null ? {} : { profilePictureURL: { stringValue: url } } },
      updateMask: { fieldPaths: ["profilePictureURL"] },
      currentDocument: { exists: true },
    }];
  });
  if (!profile) throw new Error("You have no profile yet.");
  const path = readLink(membersOf(profile).string("profilePictureURL"))?.path;
  // If the file can't be deleted now, nobody sees it anymore.
  if (path?.startsWith(folderOf(firestore.uid))) await storage.delete(path).catch(() => {});
}

/** Shows the dialog in which the user of a phone changes the picture. */
export function showProfilePicture({ client, people }) {
  const { uid } = client;
  let uploading = null;
  let picture = people.picture(uid);
  let hasPicture = (people.get(uid)?.pictureURL ?? "") !== "";
  const shown = h("div", { className: "large-avatar" });
  const problem = h("p", { className: "error", role: "alert" });
  const progress = h("progress", { max: 1, "aria-label": "Upload" });
  const input = h("input", {
    type: "file", accept: "image/*", hidden: true, "aria-label": "Picture file", onchange: () => choose(input.files[0]),
  });
  const chooseButton = h("button", { type: "button", className: "primary", onclick: () => input.click() },
    "Choose a picture");
  const removeButton = h("button", { type: "button", className: "danger", onclick: () => attempt(async () => {
    await client.removePicture();
    show("", false);
  }) }, "Remove the picture");
  const cancelButton = h("button", { type: "button", onclick: () => uploading.abort() }, "Cancel");

  function show(newPicture, isThere) {
    picture = newPicture;
    hasPicture = isThere;
    announce(isThere ? "The profile picture is changed." : "The profile picture is removed.");
  }

  function draw() {
    fill(shown, avatar(uid, people.name(uid), picture));
    progress.hidden = cancelButton.hidden = uploading === null;
    chooseButton.hidden = uploading !== null;
    removeButton.hidden = uploading !== null || !hasPicture;
  }

  async function attempt(work) {
    problem.textContent = "";
    try {
      await work();
    } catch (error) {
      if (error.name !== "AbortError") problem.textContent = error.message;
    }
    uploading = null;
    draw();
    chooseButton.focus();
  }

  const choose = (file) => file && attempt(async () => {
    input.value = "";
    checkAvatar(file);
    const { signal } = (uploading = new AbortController());
    progress.value = 0;
    draw();
    cancelButton.focus();
    show(await client.setPicture(file, { signal, onProgress: (bytes) => (progress.value = bytes / file.size) }), true);
  });

  draw();
  showDialogWith({ onclose: () => uploading?.abort() }, "Profile picture", shown, progress, problem,
    h("div", { className: "actions" }, input, chooseButton, removeButton, cancelButton));
}

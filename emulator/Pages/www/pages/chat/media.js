// Pictures, audio and videos: their kinds, and which files the app sends. storage.rules has the same limits.

import { h } from "../../lib/dom.js";

const mebibyte = 1_024 * 1_024;
const maximumAvatarBytes = 5 * mebibyte;
const maximumBytes = 10 * mebibyte;

// A plus sign, as in image/svg+xml, isn't allowed: an SVG file can contain scripts.
const imageType = /^image\/[a-z0-9.-]+$/;
const soundOrVideoType = /^(audio|video)\/[a-z0-9.-]+(;[^/]*)?$/;

/** The kinds of media with their words. Functions begin a text with the symbol if the message has no own text. */
export const kinds = {
  photo: { symbol: "📷", word: "Photo", noun: "picture" },
  video: { symbol: "🎥", word: "Video", noun: "video" },
  audio: { symbol: "🎤", word: "Voice message", noun: "audio" },
  file: { symbol: "📎", word: "File", noun: "file" },
};

/** Creates the icon of a kind. Without a label, screen readers ignore it. */
export const kindIcon = (kind, label = "") => h("span", {
  className: `kind ${kind}`, role: "img", ...(label ? { "aria-label": label } : { "aria-hidden": "true" }),
});

const extensions = {
  photo: "jpg jpeg png gif webp heic heif avif bmp tif tiff", video: "mp4 mov m4v webm mkv avi 3gp mpg mpeg",
  audio: "m4a mp3 aac ogg oga opus wav amr caf flac",
};

/** Returns the kind of a message's media from its type, or else from the URL's extension, as the functions do. */
export function kindOf(type, url = "") {
  const [general] = type.toLowerCase().split("/");
  const byType = { image: "photo", photo: "photo", picture: "photo", video: "video", audio: "audio", voice: "audio" };
  if (Object.hasOwn(byType, general)) return byType[general];
  const extension = /\.([^./]+)$/.exec(url.split(/[?#]/)[0])?.[1].toLowerCase();
  return Object.keys(extensions).find((kind) => extensions[kind].split(" ").includes(extension)) ?? "file";
}

/** Checks a file that a message is to have. The error says why it can't be sent. */
export function checkMedia(file) {
  if (file.type.includes("svg")) throw new Error(`${quoted(file)} can't be sent: an SVG file may contain scripts.`);
  if (!imageType.test(file.type) && !soundOrVideoType.test(file.type)) {
    throw new Error(`${quoted(file)} can't be sent: only pictures, audio and videos can.`);
  }
  checkSize(file, maximumBytes, "a picture, audio or video");
}

/** Checks a file that is to be the profile picture. The error says why it can't. */
export function checkAvatar(file) {
  if (file.type.includes("svg")) throw new Error(`${quoted(file)} can't be used: an SVG file may contain scripts.`);
  if (!imageType.test(file.type)) throw new Error(`${quoted(file)} isn't a picture.`);
  checkSize(file, maximumAvatarBytes, "a profile picture");
}

function checkSize(file, maximum, what) {
  if (file.size === 0) throw new Error(`${quoted(file)} is empty.`);
  if (file.size > maximum) {
    throw new Error(`${quoted(file)} is too large: ${what} may have at most ${maximum / mebibyte} MiB.`);
  }
}

const quoted = ({ name }) => `“${name.length > 60 ? `${name.slice(0, 60)}…` : name}”`;

/** Returns a file's extension from its name, or else from its type. */
export function extensionOf({ name, type }) {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? /^[a-z]+\/([a-z0-9]{1,8})/.exec(type)?.[1];
  return extension?.toLowerCase() ?? "bin";
}

/** Returns the words for an error of an upload. */
export function uploadWords({ status, name, message }) {
  if (["NotReadableError", "NotFoundError"].includes(name)) return "The file can't be read anymore: choose it again.";
  if (status === 403) return "The security rules refuse this file.";
  return status === 507 ? "The disk of the emulator is full: free some space, and try again." : message;
}

/** Returns whether the same upload may succeed later, without anybody's help. */
export const isTemporary = ({ status }) =>
  status === 0 || status === 409 || status === 429 || (status >= 500 && status !== 507);

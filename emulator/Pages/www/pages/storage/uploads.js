// The uploads of this window, one after another. They go on while other pages are open.

import { Failure } from "../../lib/emulator.js";
import { failureOf, uploadAddress } from "../../lib/storage.js";
import { announce } from "../../lib/dom.js";

/**
 * An upload: {id, bucket, name, file, generation} and its progress. `generation` is that of the object which it
 * replaces, or "0". The state is "waiting", "running", "done", "failed" or "cancelled".
 */
let uploads = [];
let last = 0;
let isRunning = false;
const listeners = new Set();

/** Calls the callback with all uploads after each change, and with the one that has just ended, if any. */
export function onUploads(callback) {
  listeners.add(callback);
  callback(uploads, null);
  return () => listeners.delete(callback);
}

const tell = (ended = null) => {
  for (const callback of listeners) callback(uploads, ended);
};

/** Adds uploads of {bucket, name, file, generation}. */
export function addUploads(added) {
  for (const upload of added) uploads.push({ ...upload, id: ++last, state: "waiting", sent: 0 });
  tell();
  if (!isRunning) run();
}

export function cancelUpload(upload) {
  if (upload.state === "waiting") end(upload, "cancelled");
  else upload.request?.abort();
}

/** Removes an upload that has ended from the list. */
export function forgetUpload(upload) {
  uploads = uploads.filter((each) => each !== upload);
  tell();
}

/** Removes all uploads that have ended from the list. */
export function forgetEndedUploads() {
  uploads = uploads.filter(({ state }) => state === "waiting" || state === "running");
  tell();
}

function end(upload, state, reason = "") {
  Object.assign(upload, { state, reason, request: null });
  if (state === "done") announce(`${upload.name} is uploaded`);
  if (state === "failed") announce(`${upload.name} isn't uploaded: ${reason}`);
  tell(upload);
}

async function run() {
  isRunning = true;
  addEventListener("beforeunload", warn);
  for (;;) {
    const upload = uploads.find(({ state }) => state === "waiting");
    if (!upload) break;
    upload.state = "running";
    tell();
    try {
      await send(upload);
      end(upload, "done");
    } catch (error) {
      if (error.name === "AbortError") end(upload, "cancelled");
      else end(upload, "failed", reasonOf(error));
    }
  }
  isRunning = false;
  removeEventListener("beforeunload", warn);
}

/** Lets the browser ask before the window is closed. */
const warn = (event) => event.preventDefault();

function reasonOf({ status, message }) {
  if (status === 412) return "The object was changed after the upload was chosen. Try again to replace it.";
  if (status === 507) return `The disk is full: free some space, then try again (${message}).`;
  return message;
}

/** Sends a file. XMLHttpRequest reports the progress, which fetch can't. */
async function send(upload) {
  const url = await uploadAddress(upload);
  const { file } = upload;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    upload.request = request;
    request.open("POST", url);
    request.setRequestHeader("authorization", "Bearer owner");
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded }) => {
      upload.sent = loaded;
      tell();
    };
    request.onload = () => {
      if (request.status === 200) resolve();
      else reject(failureOf(request.status, request.responseText));
    };
    request.onerror = () => reject(new Failure(0, "UNAVAILABLE",
      "The upload was interrupted: the emulator can't be reached, or the file can't be read."));
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    request.send(file);
  });
}

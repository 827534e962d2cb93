// The list of uploads, each with its progress and a button that cancels it or removes it from the list.

import { fill, h, reconcile } from "../../lib/dom.js";
import { bytes, number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { objectAddress, uri } from "./address.js";
import { cancelUpload, forgetEndedUploads, forgetUpload, onUploads } from "./uploads.js";

/** The number of uploads that are shown. Those that wait or have failed come before those that are done. */
const shownCount = 100;
const order = { running: 0, failed: 1, waiting: 2, cancelled: 3, done: 4 };

/** Creates the list. retry(upload) is called to try an upload again, ended(upload) when one has ended. */
export function uploadList({ retry, ended }) {
  /** The parts of each row, by its element, and the state that it shows. */
  const rows = new WeakMap();
  const list = h("ul", { "aria-label": "Uploads" });
  const summary = h("span", { role: "status" });
  const clear = h("button", { type: "button", onclick: forgetEndedUploads }, "Remove from the list");
  const element = h("section", { className: "uploads panel", "aria-label": "Uploads", hidden: true },
    h("div", { className: "bar" }, summary, h("span", { className: "space" }), clear), list);

  function make(upload) {
    const progress = h("progress", { max: Math.max(upload.file.size, 1), "aria-label": `Upload of ${upload.name}` });
    const name = h("span", { className: "name", dir: "auto", title: uri(upload.bucket, upload.name) });
    const text = h("span", { className: "state" });
    const actions = h("span", { className: "actions" });
    const row = h("li", {}, name, progress, text, actions);
    rows.set(row, { progress, name, text, actions, shown: null });
    update(row, upload);
    return row;
  }

  function update(row, upload) {
    const { state, sent, file } = upload;
    const parts = rows.get(row);
    const { progress, name, text, actions, shown } = parts;
    progress.value = sent;
    progress.hidden = state !== "running";
    if (state === "running") text.textContent = `${bytes(sent)} of ${bytes(file.size)}`;
    if (state === shown) return;
    parts.shown = state;
    fill(name, state === "done"
      ? h("a", { href: objectAddress(upload.bucket, upload.name) }, marked(upload.name)) : marked(upload.name));
    text.className = state === "failed" ? "state error" : "state";
    if (state !== "running") text.textContent = words(upload);
    const action = (label, perform) =>
      h("button", { type: "button", "aria-label": `${label} ${upload.name}`, onclick: perform }, label);
    fill(actions, state === "waiting" || state === "running" ? action("Cancel", () => cancelUpload(upload)) : [
      state !== "done" && action("Try again", () => {
        forgetUpload(upload);
        retry(upload);
      }),
      action("Remove", () => forgetUpload(upload)),
    ]);
  }

  const close = onUploads((uploads, last) => {
    element.hidden = uploads.length === 0;
    const count = (state) => uploads.filter((upload) => upload.state === state).length;
    const parts = [["failed", "failed"], ["done", "uploaded"], ["cancelled", "cancelled"]]
      .map(([state, word]) => [count(state), word]).filter(([count]) => count > 0)
      .map(([count, word]) => `${number(count)} ${word}`);
    const open = count("waiting") + count("running");
    if (open > 0) parts.unshift(`${number(open)} to upload`);
    const text = parts.join(", ");
    if (summary.textContent !== text) summary.textContent = text;
    clear.hidden = open === uploads.length;
    const shown = [...uploads].sort((first, second) => order[first.state] - order[second.state]).slice(0, shownCount);
    reconcile(list, shown, { key: ({ id }) => id, make, update });
    if (last) ended(last);
  });
  return { element, close };
}

function words({ state, reason, file }) {
  if (state === "failed") return reason;
  if (state === "done") return `${bytes(file.size)}, uploaded`;
  return state === "waiting" ? "waiting" : "cancelled";
}

// The dialogs that import documents from files, and that delete all documents.

import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";
import { request, service, status } from "../../lib/emulator.js";
import { number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";

/** The size of a request, in bytes. A service accepts 11 MiB. */
const pieceBytes = 8 << 20;
const lineEnd = 10;
/** The UTF-8 byte order mark that some editors put at the beginning of a file. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Calls send(bytes, firstLine) with pieces of a file, one after another. A piece consists of as many lines as fit; a
 * longer line is sent on its own.
 */
async function eachPiece(file, send) {
  let rest = new Uint8Array(0);
  let line = 1;
  const sendUpTo = async (end) => {
    const piece = rest.subarray(0, end);
    await send(piece, line);
    for (const byte of piece) line += byte === lineEnd ? 1 : 0;
    rest = rest.slice(end);
  };
  const head = new Uint8Array(await file.slice(0, byteOrderMark.length).arrayBuffer());
  const first = byteOrderMark.every((byte, index) => head[index] === byte) ? byteOrderMark.length : 0;
  for (let start = first; start < file.size; start += pieceBytes) {
    const bytes = new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer());
    const joined = new Uint8Array(rest.length + bytes.length);
    joined.set(rest);
    joined.set(bytes, rest.length);
    rest = joined;
    for (;;) {
      const last = rest.lastIndexOf(lineEnd, pieceBytes - 1);
      const end = last >= 0 ? last + 1 : rest.indexOf(lineEnd) + 1;
      if (end === 0 || rest.length < pieceBytes) break;
      await sendUpTo(end);
    }
  }
  if (rest.length > 0) await sendUpTo(rest.length);
}

/**
 * Returns the database of each file: the one that an export's manifest gives, or the displayed one for a single file.
 */
async function databases(files) {
  const manifest = files.find(({ name }) => name === "worldchat-export.json");
  const lines = files.filter((file) => file !== manifest);
  const entries = manifest ? JSON.parse(await manifest.text()).databases : [];
  const other = lines.find(({ name }) => !/\.(ndjson|jsonl)$/.test(name));
  if (other) {
    const hint = "Import Google's format with “emulator import FOLDER”.";
    throw new Error(`${other.name} isn't an NDJSON file (.ndjson). ${hint}`);
  }
  for (const { file } of entries) {
    const isChosen = lines.some(({ name }) => name === file);
    if (!isChosen) throw new Error(`Choose ${file}, too: the export's manifest lists it.`);
  }
  if (lines.length === 0) throw new Error("Choose an NDJSON file (.ndjson), or all files of an export's folder.");
  return lines.map((file) => ({
    file, database: entries.find((entry) => entry.file === file.name)?.database ?? "(default)",
  }));
}

export function importDocuments({ onDone }) {
  const files = h("input", { type: "file", multiple: true, accept: ".ndjson,.jsonl,.json", required: true });
  const triggers = h("input", { type: "checkbox" });
  const note = h("p", { className: "note", role: "status" });
  const stop = new AbortController();
  openDialog({
    title: "Import", action: "Import",
    body: [
      h("p", {}, "Imported documents overwrite existing ones. Documents that aren't in the file stay."),
      h("label", { className: "stacked" }, "An NDJSON file, or all files of an export's folder", files),
      h("label", {}, triggers, "trigger functions, as if an app had written the documents"),
      note,
    ],
    async confirm() {
      const chosen = [...files.files];
      let count = 0;
      for (const { file, database } of await databases(chosen)) {
        await eachPiece(file, async (piece, line) => {
          const query = new URLSearchParams({ line, database, triggers: triggers.checked });
          const answer = await send(`/api/import?${query}`, piece, stop.signal, file.name, count);
          count += answer.documents;
          note.textContent = `${number(count)} documents…`;
        });
      }
      if (count === 0) throw new Error(`There are no documents in ${chosen.map(({ name }) => name).join(", ")}.`);
      announce(`${number(count)} documents imported.`);
      onDone();
    },
    onClose: () => stop.abort(),
  });
}

async function send(url, bytes, signal, name, count) {
  try {
    const response = await fetch(url, {
      method: "POST", headers: { "content-type": "application/x-ndjson" }, body: bytes, signal,
    });
    const answer = await response.json();
    if (response.ok) return answer;
    throw new Error(answer.error.message);
  } catch (error) {
    const before = count > 0 ? ` The ${number(count)} documents before it were imported.` : "";
    throw new Error(`${name}: ${error.message}.${before}`);
  }
}

export async function clearAll({ firestore, asker, onDone }) {
  const [ids, count, { project }] = await Promise.all([
    firestore.collections(), firestore.count({ from: [{ allDescendants: true }] }), status(),
  ]);
  openDialog({
    title: "Clear all data?", action: `Clear ${number(count)} documents`, isDangerous: true, asker,
    body: [
      h("p", {}, `This deletes all ${number(count)} documents of ${project} without triggering functions: `,
        ids.length > 0 ? marked(ids.join(", ")) : "there are no collections", "."),
    ],
    async confirm() {
      const base = await service("firestore");
      await request("DELETE", `${base}/emulator/v1/projects/${project}/databases/(default)/documents`);
      announce("All data is cleared.");
      onDone();
    },
  });
}

// The files that somebody drops or chooses, and the question whether they replace objects.

import { openDialog } from "../../lib/dialog.js";
import { h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { inParallel } from "../../lib/parallel.js";
import { generationOf } from "../../lib/storage.js";
import { addUploads } from "./uploads.js";

/** The number of names that a question lists. */
const listedNames = 10;

/**
 * Returns the dropped files, {file, path}: the path of a file in a dropped folder begins with the folder's name. Must
 * be called by the drop event's listener.
 */
export function droppedFiles({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.());
  if (entries.some((entry) => !entry)) return [...files].map((file) => ({ file, path: file.name }));
  return filesOf(entries);
}

async function filesOf(entries) {
  const found = [];
  for (const entry of entries) {
    if (entry.isDirectory) {
      for await (const inner of entriesOf(entry)) found.push(...await filesOf([inner]));
    } else {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    }
  }
  return found;
}

async function* entriesOf(directory) {
  const reader = directory.createReader();
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    yield* entries;
  }
}

/** Uploads files, {file, name}, to a bucket. Asks first if objects of these names exist. */
export async function upload(bucket, files, asker) {
  const uploads = [];
  await inParallel(files, 4, async ({ file, name }, index) => {
    // A file's name may have half a surrogate pair, which no URL can contain.
    const wellFormed = name.toWellFormed();
    uploads[index] = { bucket, name: wellFormed, file, generation: await generationOf(bucket, wellFormed) };
  });
  const existing = uploads.filter(({ generation }) => generation !== "0");
  if (existing.length === 0) return addUploads(uploads);
  ask(uploads, existing, asker);
}

function ask(uploads, existing, asker) {
  const others = uploads.filter((upload) => !existing.includes(upload));
  const [count, rest] = [number(existing.length), existing.length - listedNames];
  const objects = existing.length === 1 ? "object" : "objects";
  const choice = (value, label, checked) => h("label", {}, h("input", { type: "radio", name: "choice", value, checked }), label);
  const replace = choice("replace", existing.length === 1 ? "Replace it" : "Replace them", true);
  const skip = choice("skip", others.length === 1
    ? "Upload only the other file" : `Upload only the other ${number(others.length)} files`, false);
  openDialog({
    title: `Replace ${count} ${objects}?`, action: "Upload", isDangerous: true, asker,
    body: [
      h("p", {}, existing.length === 1 ? "There is an object of this name:" : "There are objects of these names:"),
      h("ul", {}, existing.slice(0, listedNames).map(({ name }) => h("li", { dir: "auto" }, marked(name))),
        rest > 0 && h("li", {}, `and ${number(rest)} more`)),
      h("p", { className: "note" }, "The old content and its metadata are lost, and so are links with its download tokens."),
      others.length > 0 && h("div", { className: "choices" }, replace, skip),
    ],
    confirm() {
      const isSkipped = others.length > 0 && skip.querySelector("input").checked;
      addUploads(isSkipped ? others : uploads);
    },
  });
}

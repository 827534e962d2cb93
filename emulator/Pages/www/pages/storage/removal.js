// The dialogs that delete objects and folders, and that revoke links.

import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { inParallel } from "../../lib/parallel.js";
import { list, metadata, remove } from "../../lib/storage.js";

const countOf = (count) => `${number(count)} ${count === 1 ? "object" : "objects"}`;

const note = () => h("p", { className: "note" }, "Functions with a trigger for deletions run for each object.");

/** Deletes an object. If it has changed meanwhile, that is confirmed first. */
export function removeObject({ object, asker, onDone }) {
  let version = object;
  openDialog({
    title: `Delete ${object.name}?`, action: "Delete", isDangerous: true, asker, body: note(),
    async confirm() {
      try {
        await remove(version);
      } catch (error) {
        if (error.status !== 412 && error.status !== 404) throw error;
        version = await metadata(object.bucket, object.name);
        if (version) throw new Error("The object has changed since this dialog was opened. Delete again to delete it anyway.");
      }
      announce("Deleted");
      onDone();
    },
  });
}

/** Deletes entries of a list: objects, and folders with everything in them. */
export async function removeEntries({ bucket, entries, asker, onDone }) {
  const folders = entries.filter(({ isFolder }) => isFolder);
  const objects = entries.filter(({ isFolder }) => !isFolder).map(({ name, generation }) => ({ bucket, name, generation }));
  for (const { name } of folders) objects.push(...await objectsIn(bucket, name));
  const progress = h("p", { className: "note", role: "status" });
  let isWanted = true;
  openDialog({
    title: title(entries, folders), action: `Delete ${countOf(objects.length)}`, isDangerous: true, asker,
    body: [
      folders.length > 0 && h("p", {}, `This deletes everything in ${folders.length === 1 ? "the folder" : "the folders"}: `,
        `${countOf(objects.length)} in all.`),
      note(), progress,
    ],
    async confirm() {
      let count = 0;
      try {
        await inParallel(objects, 4, async (object) => {
          if (!isWanted) throw new Error("Stopped.");
          await removeIfUnchanged(object);
          progress.textContent = `${number(++count)} deleted…`;
        });
      } catch (error) {
        onDone();
        throw new Error(`${error.message} ${countOf(count)} of ${number(objects.length)} deleted.`);
      }
      announce(`${countOf(count)} deleted`);
      onDone();
    },
    onClose: () => (isWanted = false),
  });
}

/** Deletes an object, unless somebody else already has. */
async function removeIfUnchanged(object) {
  try {
    await remove(object);
  } catch (error) {
    if (error.status === 404 && !await metadata(object.bucket, object.name)) return;
    if (error.status !== 412 && error.status !== 404) throw error;
    throw new Error(`${object.name} has changed meanwhile.`);
  }
}

function title(entries, folders) {
  if (entries.length === 1) return `Delete ${entries[0].name}?`;
  if (folders.length === 0) return `Delete ${number(entries.length)} objects?`;
  return `Delete ${number(entries.length)} entries?`;
}

/** Returns all objects whose names begin with a prefix. */
async function objectsIn(bucket, prefix) {
  const found = [];
  let pageToken;
  do {
    const page = await list(bucket, { prefix, pageToken, fields: "nextPageToken,items(name,generation)" });
    for (const { name, generation } of page.items) found.push({ bucket, name, generation });
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

export function revoke({ isLast, asker, confirm }) {
  openDialog({
    title: "Revoke the link?", action: "Revoke", isDangerous: true, asker, confirm,
    body: h("p", {}, "The link no longer works.", isLast && " It is the last one, so the object gets a new one."),
  });
}

// The dialog that imports JSON, and the export.

import { openDialog } from "../../lib/dialog.js";
import { announce, h } from "../../lib/dom.js";

/** The size of a request, in bytes, that a service accepts. */
const largestFile = 11 << 20;

/** Replaces the data of a node by a file's. */
export function importNode({ database, path, asker }) {
  const file = h("input", { type: "file", accept: ".json,application/json", required: true });
  openDialog({
    title: "Import", action: "Import", isDangerous: true, asker,
    body: [
      h("p", {}, `The file replaces everything below /${path.join("/")}.`),
      h("label", { className: "stacked" }, "A JSON file", file),
    ],
    async confirm() {
      const [chosen] = file.files;
      if (chosen.size > largestFile) {
        throw new Error("The file has more than 11 MiB. “emulator import FOLDER” loads exports of any size.");
      }
      await database.replace(path, await chosen.text());
      announce("Imported");
    },
  });
}

/** Downloads the data of a node. */
export async function exportNode({ database, name, path }) {
  const file = `${[name, ...path].join("-").replaceAll(/[^\w-]/g, "_").slice(0, 100)}.json`;
  h("a", { href: await database.download(path, file), download: file }).click();
}

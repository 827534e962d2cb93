// An object: its preview, its metadata and its links.

import { copyButton } from "../../lib/copy-button.js";
import { announce, fill, h } from "../../lib/dom.js";
import { bytes, number, wholeTime } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { content, createToken, customOf, link, metadata, revokeToken, tokensOf } from "../../lib/storage.js";
import { uri } from "./address.js";
import { editMetadata } from "./metadata-dialog.js";
import { nameText } from "./names.js";
import { preview } from "./preview.js";
import { removeObject, revoke } from "./removal.js";

/** The number of characters above which a name is folded, so that it leaves room for the object's details. */
const foldedCharacters = 120;

/** Creates the view. changed() is called after a change, and deleted() after the object's deletion. */
export function objectDetail({ bucket, name, changed, deleted }) {
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const note = h("p", { className: "empty" }, "Loading…");
  const bar = h("div", { className: "pane-bar" });
  const previewPlace = h("div", {});
  const description = h("div", {});
  const parts = h("div", { hidden: true }, bar, previewPlace, description);
  let view = { close() {} };
  /** The metadata that is shown, as JSON. */
  let shown = "";
  let generation = null;
  let readings = 0;

  async function refresh() {
    const number = ++readings;
    try {
      const object = await metadata(bucket, name);
      if (number !== readings) return;
      problem.hidden = true;
      const text = JSON.stringify(object);
      if (text === shown) return;
      shown = text;
      if (object) await show(object);
      else showMissing();
    } catch (error) {
      // The shell already shows that the emulator can't be reached.
      if (number !== readings || error.status === 0) return;
      fail(error);
    }
  }

  function fail(error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }

  function showMissing() {
    view.close();
    generation = null;
    parts.hidden = true;
    note.hidden = false;
    note.textContent = "There is no object of this name: it was deleted, or not uploaded yet.";
  }

  async function show(object) {
    const links = await Promise.all(tokensOf(object).map(async (token) => ({ token, url: await link(object, token) })));
    // An unchanged content isn't read again, and its video goes on.
    if (generation !== object.generation) {
      generation = object.generation;
      view.close();
      view = preview(object);
      fill(previewPlace, view.element);
    }
    keepingFocus(() => {
      fill(bar,
        action("Edit…", async (asker) => editMetadata({ object, asker, onDone: done })),
        action("Download", () => download(object)),
        h("span", { className: "space" }),
        action("Delete…", async (asker) => removeObject({ object, asker, onDone: deleted }), "danger"));
      fill(description,
        facts(object),
        section("Custom metadata", custom(object)),
        section("Links",
          links.length > 0 && h("ul", { className: "links" }, links.map((entry) => linkRow(object, entry))),
          h("p", { className: "note" }, links.length > 0
            ? "Whoever has a link can read the object, whatever the rules say."
            : "There is no link with which anybody can read the object, whatever the rules say."),
          action("New link", async () => {
            await createToken(object);
            announce("A link is created");
            await done();
          })));
    });
    note.hidden = true;
    parts.hidden = false;
  }

  /** Replaces elements. A button that has the focus is replaced by one with the same label, which gets the focus. */
  function keepingFocus(replace) {
    const labelOf = (element) => element.ariaLabel ?? element.textContent;
    const label = parts.contains(document.activeElement) && labelOf(document.activeElement);
    replace();
    if (label) [...parts.querySelectorAll("button, a, pre")].find((element) => labelOf(element) === label)?.focus();
  }

  const done = async () => {
    await refresh();
    changed();
  };

  function action(label, perform, className = "") {
    let isBusy = false;
    const button = h("button", { type: "button", className, onclick: async () => {
      if (isBusy) return;
      isBusy = true;
      problem.hidden = true;
      await perform(button).catch(fail);
      isBusy = false;
    } }, label);
    return button;
  }

  function linkRow(object, { token, url }) {
    const address = h("a", { href: url, target: "_blank", rel: "noopener", className: "mono" }, url);
    return h("li", {}, address, h("span", { className: "actions" },
      copyButton({ text: url, title: "Copy the link", source: address }),
      h("button", { type: "button", onclick: ({ currentTarget }) => revoke({
        isLast: tokensOf(object).length === 1, asker: currentTarget, async confirm() {
          await revokeToken(object, token);
          announce("The link is revoked");
          await done();
        },
      }) }, "Revoke…")));
  }

  const heading = h("h2", { dir: "auto" }, nameText(name.slice(name.lastIndexOf("/") + 1)));
  const address = uri(bucket, name);
  const source = h("code", { dir: "auto" }, marked(address));
  const isLong = address.length > foldedCharacters;
  const unfold = h("button", { type: "button", "aria-expanded": "false", hidden: !isLong, onclick: () => {
    const isFolded = header.classList.toggle("folded");
    unfold.textContent = isFolded ? "Show the whole name" : "Show less";
    unfold.setAttribute("aria-expanded", !isFolded);
  } }, "Show the whole name");
  const header = h("header", { className: isLong ? "folded" : "" }, heading,
    h("p", { className: "address" },
      source, " ", copyButton({ text: address, title: "Copy the address", source }), " ", unfold));
  const first = refresh();
  return {
    element: h("div", { className: "object" },
      header, problem, note, parts),
    first, refresh,
    close() {
      readings++;
      view.close();
    },
  };
}

const section = (title, ...children) => h("section", { "aria-label": title }, h("h3", {}, title), children);

function facts(object) {
  const rows = [
    ["Size", Number(object.size) < 1_024 ? bytes(Number(object.size))
      : `${bytes(Number(object.size))} (${number(Number(object.size))} bytes)`],
    ["Type", object.contentType],
    ["Encoding", object.contentEncoding],
    ["Cache-Control", object.cacheControl],
    ["Disposition", object.contentDisposition],
    ["Language", object.contentLanguage],
    ["Created", wholeTime(object.timeCreated)],
    ["Updated", wholeTime(object.updated)],
    ["Generation", object.generation],
    ["Metageneration", object.metageneration],
    ["MD5", object.md5Hash],
    ["CRC-32C", object.crc32c],
    ["Storage class", object.storageClass],
    ["Custom time", object.customTime && wholeTime(object.customTime)],
    ["Components", object.componentCount],
  ];
  return section("Metadata", table(rows.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)])));
}

function custom(object) {
  const rows = customOf(object);
  return rows.length > 0 ? table(rows) : h("p", { className: "note" }, "None.");
}

const table = (rows) => h("table", {}, h("tbody", {}, rows.map(([name, value]) => h("tr", {},
  h("th", { scope: "row", dir: "auto" }, nameText(name)), h("td", { dir: "auto" }, marked(value))))));

/** Saves the content as a file. */
async function download(object) {
  const response = await content(object);
  const url = URL.createObjectURL(await response.blob());
  const file = object.name.split("/").findLast((part) => part !== "") ?? "object";
  h("a", { href: url, download: file }).click();
  // The browser needs the address until it has begun to save.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

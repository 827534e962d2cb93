// The page of Cloud Storage: the folders and objects of a bucket, and an object.

import { fill, h } from "../lib/dom.js";
import { status, stream } from "../lib/emulator.js";
import { number } from "../lib/format.js";
import { sparingly } from "../lib/polling.js";
import { navigate } from "../lib/router.js";
import { buckets, list } from "../lib/storage.js";
import { folderAddress, objectAddress, placeOf, uri } from "./storage/address.js";
import { droppedFiles, upload } from "./storage/choosing.js";
import { nameText } from "./storage/names.js";
import { objectDetail } from "./storage/object-detail.js";
import { objectList } from "./storage/object-list.js";
import { removeEntries } from "./storage/removal.js";
import { uploadList } from "./storage/upload-list.js";

export async function open(main, location) {
  const { services } = await status();
  if (!services.storage) return explain(main, services);
  const standard = await firstBucket();

  /** The place on the page: {bucket, prefix, name}. */
  let shown = null;
  let selection = [];
  /** The views of the panes: {key, view}. */
  const views = { list: null, detail: null };

  const names = h("select", { "aria-label": "Bucket", onchange: () => navigate(folderAddress(names.value)) });
  const crumbs = h("nav", { "aria-label": "Path", className: "crumbs" });
  const files = h("input", { type: "file", multiple: true, hidden: true, onchange: () => {
    const chosen = [...files.files].map((file) => ({ file, path: file.name }));
    files.value = "";
    attempt(() => send(chosen));
  } });
  const choose = () => files.click();
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const uploads = uploadList({
    retry: ({ bucket, name, file }) => attempt(() => upload(bucket, [{ file, name }])),
    ended: ({ bucket }) => bucket === shown?.bucket && refreshSoon(),
  });
  const removeSelected = button("", (asker) => removeEntries({
    bucket: shown.bucket, entries: selection, asker, onDone: changed,
  }), "danger");
  removeSelected.hidden = true;
  const listPane = h("section", { className: "pane list", "aria-label": "Objects" });
  const detailPane = h("section", { className: "pane detail", "aria-label": "Object" });
  const panes = h("div", { className: "panes" }, listPane, detailPane);
  main.append(
    h("div", { className: "bar" },
      h("h1", {}, "Storage"), names, crumbs, h("span", { className: "space" }),
      h("span", { className: "actions" }, removeSelected, button("Reload", changed),
        h("button", { type: "button", className: "primary", onclick: choose }, "Upload…")),
      files),
    problem, uploads.element, panes);

  function button(label, perform, className = "") {
    const onclick = ({ currentTarget }) => attempt(() => perform(currentTarget));
    return h("button", { type: "button", className, onclick }, label);
  }

  /** Shows the error with which an action fails. */
  async function attempt(perform) {
    problem.hidden = true;
    try {
      await perform();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }

  /** Uploads files, {file, path}, to the folder. */
  const send = (chosen) =>
    upload(shown.bucket, chosen.map(({ file, path }) => ({ file, name: shown.prefix + path })));

  // MARK: What an address names

  function update({ query }) {
    problem.hidden = true;
    const place = placeOf(query);
    if (!place && query.get("at")) {
      problem.textContent = `“${query.get("at")}” isn't an address of the form gs://BUCKET/NAME.`;
      problem.hidden = false;
    }
    shown = place ?? { bucket: standard, prefix: "", name: null };
    close.title = place ? uri(shown.bucket, shown.name ?? shown.prefix) : "";
    panes.dataset.depth = shown.name === null ? "list" : "detail";
    showCrumbs();
    showNames();
    showList();
    showDetail();
  }

  function showCrumbs() {
    const parts = shown.prefix.split("/").slice(0, -1);
    const link = (address, content, isCurrent) =>
      h("a", { href: address, dir: "auto", "aria-current": isCurrent ? "page" : null }, content);
    const isFolder = shown.name === null;
    fill(crumbs,
      link(folderAddress(shown.bucket), shown.bucket, isFolder && parts.length === 0),
      parts.map((part, index) => {
        const prefix = parts.slice(0, index + 1).map((each) => `${each}/`).join("");
        return [separator(), link(folderAddress(shown.bucket, prefix), nameText(part), isFolder && index === parts.length - 1)];
      }),
      !isFolder && [separator(),
        link(objectAddress(shown.bucket, shown.name), nameText(shown.name.slice(shown.prefix.length)), true)]);
  }

  const separator = () => h("span", { "aria-hidden": "true" }, "/");

  /** Replaces a pane's view if its key has changed. */
  function put(name, pane, key, make) {
    if (views[name]?.key === key) return views[name].view;
    views[name]?.view?.close();
    views[name] = { key, view: make() };
    fill(pane, views[name].view?.element ?? h("p", { className: "empty" }, "Select an object."));
    return views[name].view;
  }

  function showList() {
    const { bucket, prefix } = shown;
    const view = put("list", listPane, JSON.stringify([bucket, prefix]), () =>
      objectList({ bucket, prefix, empty: () => emptyText(prefix), onSelection: select }));
    view.open(shown.name);
  }

  function showDetail() {
    const { bucket, name } = shown;
    put("detail", detailPane, name && JSON.stringify([bucket, name]), () => name && objectDetail({
      bucket, name, changed: () => views.list.view.refresh(),
      deleted: () => {
        changed();
        navigate(folderAddress(shown.bucket, shown.prefix));
      },
    }));
  }

  const emptyText = (prefix) => [
    h("p", {}, prefix ? "There is nothing in this folder." : "This bucket is empty."),
    h("p", {}, "Drop files here, or ", h("button", { type: "button", onclick: choose }, "choose files"), " to upload."),
    prefix && h("p", { className: "note" }, "A folder exists as long as the name of an object begins with its own."),
  ];

  function select(entries) {
    selection = entries;
    removeSelected.hidden = entries.length === 0;
    removeSelected.textContent = `Delete ${number(entries.length)} selected…`;
  }

  // MARK: Changes

  async function changed() {
    await Promise.all([views.list.view.refresh(), views.detail?.view?.refresh(), readNames()]);
  }
  const refreshSoon = sparingly(changed, 500);

  let allNames = [];
  async function readNames() {
    allNames = await buckets();
    showNames();
  }

  /** Offers the buckets. */
  function showNames() {
    const all = [...new Set([...allNames, shown.bucket])];
    const text = JSON.stringify([shown.bucket, all]);
    if (names.dataset.shown === text) return;
    names.dataset.shown = text;
    fill(names, all.map((each) => h("option", { selected: each === shown.bucket }, each)));
  }

  // MARK: Dropped files

  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");

  function onDrag(event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    listPane.classList.toggle("dropping", event.type !== "dragleave" || main.contains(event.relatedTarget));
  }

  function onDrop(event) {
    if (!hasFiles(event)) return;
    // Else the browser would leave the page for the file.
    event.preventDefault();
    listPane.classList.remove("dropping");
    if (main.querySelector("dialog")) return;
    const dropped = droppedFiles(event.dataTransfer);
    attempt(async () => send(await dropped));
  }

  for (const name of ["dragenter", "dragover", "dragleave"]) main.addEventListener(name, onDrag);
  main.addEventListener("drop", onDrop);

  // Other clients change objects without a notification.
  const onFocus = () => refreshSoon();
  addEventListener("focus", onFocus);
  const stopWatching = stream.onConnection(({ isConnected }) => isConnected && refreshSoon());

  const close = Object.assign(() => {
    removeEventListener("focus", onFocus);
    stopWatching();
    refreshSoon.close();
    uploads.close();
    for (const each of Object.values(views)) each?.view?.close();
  }, { update, title: "" });
  update(location);
  await Promise.all([views.list.view.first, views.detail.view?.first, readNames()]);
  return close;
}

/** Returns the first bucket with objects, or the first one. */
async function firstBucket() {
  const names = await buckets();
  for (const name of names.slice(0, 10)) {
    if ((await list(name, { maxResults: 1, fields: "items/name" })).items.length > 0) return name;
  }
  return names[0] ?? "";
}

/** Says how to start Cloud Storage. */
function explain(main, services) {
  const started = Object.keys(services).filter((name) => name !== "hub").sort();
  main.append(
    h("h1", {}, "Storage"),
    h("p", {}, "Cloud Storage isn't started. Start the emulator without ", h("code", {}, "--only"), ", or name it there:"),
    h("pre", { className: "panel" }, `emulator start --only ${[...started, "storage"].join(",")}`));
}

// A message's picture, audio or video in its row.

import { fill, h } from "../../lib/dom.js";
import { bytes } from "../../lib/format.js";
import { showDialogWith } from "./dialog.js";
import { kindIcon, kinds } from "./media.js";

/**
 * Shows a message's media in an element. media is {kind, source, path, host, arrived?}, label says what it is.
 * isDeleted(path) returns a promise of whether the file is missing.
 */
export function showMedia(element, media, label, isDeleted) {
  element.hidden = media === null;
  if (!media) return fill(element);
  const { kind, source, host, path } = media;
  const { noun } = kinds[kind];
  const note = (...children) => fill(element, h("p", { className: "media-note" },
    kindIcon(kind), h("span", {}, children)));
  const link = (...children) => h("a", { href: source, target: "_blank", rel: "noopener noreferrer" }, children);

  /** Says why the file can't be shown. */
  async function explain() {
    note(`Loading the ${noun}…`);
    try {
      if (path !== null && await isDeleted(path)) note(`This ${noun} was deleted.`);
      else note(`This ${noun} can't be shown here. `, link("Open it"));
    } catch (error) {
      if (error.status === 401 || error.status === 403) return note(`The security rules refuse this ${noun}.`);
      note(`This ${noun} can't be loaded. `, h("button", { type: "button", onclick: show }, "Try again"));
    }
  }

  function show() {
    const properties = { src: source, onerror: explain };
    fill(element, kind === "photo" ? picture(properties) : kind === "file" ? link("File")
      : h(kind, { ...properties, controls: true, preload: "metadata", "aria-label": label }));
  }

  const picture = (properties) => h("button", {
    type: "button", className: "picture", title: "Show it large", "aria-haspopup": "dialog",
    onclick: () => showDialogWith({ className: "large-picture" }, label, h("img", { src: source, alt: label })),
  }, h("img", { loading: "lazy", ...properties, alt: label }));

  if (source === "") return note(`This ${noun} isn't in this emulator's Cloud Storage.`);
  if (host === null) return show();
  // Otherwise, a message would make this browser contact any server.
  note(h("button", { type: "button", onclick: show }, `Show the ${noun} from ${host}`));
}

/** Shows the progress of an upload in an element; media has {size, arrived}. cancel() ends the upload. */
export function showProgress(element, media, cancel) {
  const isUploading = media?.arrived !== undefined && media?.arrived !== null;
  element.hidden = !isUploading;
  if (!isUploading) return fill(element);
  const { size, arrived } = media;
  if (!element.firstChild) {
    fill(element, h("progress", { "aria-label": "Upload" }), h("span", { className: "faint" }),
      h("button", { type: "button", className: "quiet", onclick: cancel }, "Cancel"));
  }
  const [bar, text] = element.children;
  bar.max = size;
  bar.value = arrived;
  text.textContent = `${bytes(arrived)} of ${bytes(size)}`;
}

// The file that is attached to a new message: the button to choose it, and its preview.

import { fill, h } from "../../lib/dom.js";
import { bytes } from "../../lib/format.js";
import { draftFileOf, keepDraftFile } from "./drafts.js";
import { checkMedia, kindIcon, kindOf, kinds } from "./media.js";

/**
 * Opens the attachment of a conversation's draft. isBlocked() returns whether nothing can be attached now; changed() is
 * called when the user has attached or removed a file.
 */
export function openAttachment({ uid, conversation, isBlocked, changed }) {
  let file = draftFileOf(uid, conversation.id);
  let url = "";
  const input = h("input", {
    type: "file", accept: "image/*,audio/*,video/*", hidden: true, "aria-label": "Picture, audio or video",
    onchange: () => {
      attach([...input.files]);
      input.value = "";
    },
  });
  const button = h("button", {
    type: "button", className: "quiet attach", "aria-label": "Attach a picture, audio or video",
    title: "Attach a picture, audio or video", onclick: () => input.click(),
  });
  const preview = h("div", { className: "preview", role: "group", "aria-label": "Attached file", hidden: true });
  const problem = h("p", { className: "error", role: "alert" });

  function attach(files) {
    problem.textContent = "";
    if (!files.length) return;
    try {
      if (files.length > 1) throw new Error("A message has one file: send the others in further messages.");
      checkMedia(files[0]);
      set(files[0]);
    } catch (error) {
      problem.textContent = error.message;
    }
    changed();
  }

  function set(newFile) {
    file = newFile;
    keepDraftFile(uid, conversation.id, file);
    show();
  }

  function show() {
    URL.revokeObjectURL(url);
    url = file ? URL.createObjectURL(file) : "";
    fill(preview, file && [thumbnail(kindOf(file.type)),
      h("span", { className: "file-name" }, h("bdi", {}, file.name.slice(0, 200)),
        h("span", { className: "faint" }, `${kinds[kindOf(file.type)].word}, ${bytes(file.size)}`)),
      h("button", { type: "button", className: "quiet", "aria-label": "Remove the attached file", onclick: () => {
        set(null);
        changed();
      } }, "✕")]);
    draw();
  }

  /** Returns a small picture; the icon of the kind if the browser can't show it. */
  function thumbnail(kind) {
    const icon = h("span", { className: "thumbnail" }, kindIcon(kind));
    if (kind === "audio") return icon;
    const properties = { src: url, className: "thumbnail", onerror: () => element.replaceWith(icon) };
    const element = kind === "photo" ? h("img", { ...properties, alt: "" })
      : h("video", { ...properties, muted: true, "aria-hidden": "true" });
    return element;
  }

  function draw() {
    button.disabled = isBlocked();
    preview.hidden = file === null || isBlocked();
  }

  show();
  return {
    element: h("div", { className: "attachment" }, problem, preview, input),
    button,
    draw,
    get file() {
      return file;
    },
    /** Attaches the files of a paste or a drop, if it has any. */
    take(event, { files }) {
      if (!files.length || isBlocked()) return;
      event.preventDefault();
      attach([...files]);
    },
    clear() {
      problem.textContent = "";
      set(null);
    },
    close: () => URL.revokeObjectURL(url),
  };
}

// The preview of an object's content. The content is never used as markup: pictures, sound and video are shown by their
// elements, which run no scripts, and texts as text.

import { fill, h } from "../../lib/dom.js";
import { bytes } from "../../lib/format.js";
import { content, contentAddress } from "../../lib/storage.js";

/** The number of bytes of a text that are shown. */
const shownBytes = 256 << 10;

const textTypes = /^(text\/.*|application\/(.+\+)?(json|xml|javascript|yaml|x-ndjson|sql|x-sh)|message\/.*)$/;

function kindOf(type) {
  const name = type.split(";")[0].trim().toLowerCase();
  const [, kind] = /^(image|audio|video)\//.exec(name) ?? [];
  return kind ?? (textTypes.test(name) ? "text" : null);
}

/** Creates the preview of a generation of an object. */
export function preview(object) {
  const element = h("div", { className: "preview" });
  const stop = new AbortController();
  const kind = kindOf(object.contentType ?? "");
  const note = (text) => fill(element, h("p", { className: "note" }, text));
  const show = { text: showText, image: showMedia, audio: showMedia, video: showMedia }[kind];
  if (object.size === "0") note("The object is empty.");
  else if (show) {
    show().catch((error) => {
      if (error.name !== "AbortError") note(error.message);
    });
  } else note(`There is no preview of the type ${object.contentType ?? "(none)"}.`);

  async function showMedia() {
    const src = await contentAddress(object);
    const onerror = () => note(`The content can't be shown as ${object.contentType}: maybe it has another type.`);
    fill(element, kind === "image"
      ? h("img", { src, alt: `Preview of ${object.name}`, onerror })
      : h(kind, { src, controls: true, preload: "metadata", "aria-label": `Preview of ${object.name}`, onerror }));
  }

  async function showText() {
    const { text, isWhole } = await beginning(await content(object, stop.signal));
    fill(element, h("pre", { tabIndex: 0, "aria-label": "Content" }, text),
      !isWhole && h("p", { className: "note" }, `The first ${bytes(shownBytes)}: download the object to see all of it.`));
  }

  return { element, close: () => stop.abort() };
}

/** Reads the beginning of a text. */
async function beginning({ body }) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, shownBytes - count), { stream: true });
    count += value.length;
    if (count <= shownBytes) continue;
    reader.cancel();
    return { text, isWhole: false };
  }
}

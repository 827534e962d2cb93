// A message as a bubble: its media, text, translation, hint and delivery status.

import { fill, h } from "../../lib/dom.js";
import { number, shortTime } from "../../lib/format.js";
import { path } from "../../lib/router.js";
import { isUntranslated } from "../../lib/untranslated.js";
import { languageName } from "./documents.js";
import { kinds } from "./media.js";
import { showMedia, showProgress } from "./message-media.js";
import { closePopover, showPopover } from "./popover.js";
import { untranslatedNote } from "./untranslated.js";

/** The number of characters above which a text is folded, so that it doesn't hide other messages. */
const foldedCharacters = 600;
const foldedLines = 20;

const statuses = {
  waiting: ["◷", "Waiting"], sending: ["◷", "Sending"], sent: ["✓", "Sent"], delivered: ["✓✓", "Delivered"],
  read: ["✓✓", "Read"], failed: ["!", "Not sent"],
};

const updates = new WeakMap();

/** Returns a function that redraws a part only if its content has changed, so that focus and selection stay. */
function part(element, show) {
  let shown;
  return (key, ...values) => {
    const text = typeof key === "string" ? key : JSON.stringify(key);
    if (text === shown) return;
    shown = text;
    show(element, key, ...values);
  };
}

/** Returns the number of characters that are shown of a folded text. */
function foldedLength(text) {
  let end = -1;
  for (let line = 0; line < foldedLines; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0 || end >= foldedCharacters) return Math.min(text.length, foldedCharacters);
  }
  return end;
}

/** Shows the beginning of a long text, with a button that shows more of it each time. */
function showText(element, text, length = foldedLength(text)) {
  if (foldedLength(text) === text.length) return fill(element, text);
  const isWhole = length >= text.length;
  // A surrogate pair isn't split.
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? "") ? length - 1 : length;
  return fill(element, isWhole ? text : `${text.slice(0, end)}… `, h("button", {
    type: "button", className: "quiet fold",
    onclick: () => showText(element, text, isWhole ? undefined : length * 16),
  }, isWhole ? "Show less" : `Show more of ${number(text.length)} characters`));
}

/**
 * Creates the row of a message. actions are {translate, edit, remove, retrySending, discard}, each of which
 * receives the message; isDeleted(path), which returns a promise of whether a file is missing; and pathOf(message),
 * which returns the segments of its document's path.
 */
export function makeRow(message, actions) {
  const text = h("div", { className: "text", dir: "auto" });
  const translated = h("div", { className: "translation", hidden: true });
  const extra = h("span", { className: "extra" });
  const time = h("time", {});
  const status = h("span", { className: "status" });
  const more = h("button", {
    type: "button", className: "quiet more", "aria-label": "Edit or delete this message", "aria-haspopup": "dialog",
  }, "⋯");
  const places = h("span", { className: "places", hidden: true });
  const problem = h("div", { className: "problem", hidden: true });
  const senderName = h("bdi", { className: "sender" });
  const media = h("div", { className: "media", hidden: true });
  const progress = h("div", { className: "upload", hidden: true });
  const face = h("span", { className: "face", hidden: true });
  const bubble = h("div", { className: "bubble" },
    senderName, media, progress, text, translated, problem, h("div", { className: "foot" }, extra, more, places, time, status));
  const row = h("li", { className: "message" }, face, bubble);
  let current = message;

  more.addEventListener("click", () => showPopover(more, "Message", h("div", { className: "menu" },
    h("button", { type: "button", onclick: () => (closePopover(), actions.edit(current)) }, "Edit"),
    h("button", { type: "button", className: "danger", onclick: () => (closePopover(), actions.remove(current)) },
      "Delete"),
  )));

  const showFace = part(face, (element, _, makeAvatar) => fill(element, makeAvatar?.()));
  const showMessageMedia = part(media, (element, _, message, sender) => {
    const { noun } = kinds[message.media?.kind] ?? kinds.file;
    const label = message.isOwn ? `Your ${noun}` : `${kinds[message.media?.kind]?.word ?? "File"} from ${sender}`;
    showMedia(element, message.media, label, actions.isDeleted);
  });
  const showOriginal = part(text, showText);
  const showTranslation = part(translated, (element, _, translation, language) => {
    element.hidden = !translation.text;
    if (element.hidden) return;
    if (isUntranslated(translation.engine ?? "")) return fill(element, untranslatedNote(current.language, language));
    const original = h("div", { dir: "auto", lang: language });
    showText(original, translation.text);
    fill(element, h("span", { className: "language", title: `Translated by ${translation.engine || "?"}` },
      languageName(language)), original);
  });
  const showExtra = part(extra, (element, _, message, isTranslating, translationError) => {
    const { hint, translation } = message;
    fill(element,
      (translation?.hasFailed || translation?.isOnDemand) && !translation.isTooLong && h("button", {
        type: "button", className: "retry", disabled: isTranslating,
        title: translation.hasFailed ? "The translation failed" : "",
        onclick: () => actions.translate(current),
      }, isTranslating ? "Translating…" : translation.hasFailed ? "↻ Translate again" : "Translate"),
      translation && !translation.text && translationError &&
        h("span", { className: "translation-error" }, translationError),
      translation?.isTooLong && h("span", {}, "Too long to be translated"),
      hint && h("button", {
        type: "button", className: "hint", "aria-haspopup": "dialog", "aria-label": "What does this mean?",
        onclick: (event) => showHint(event.currentTarget, hint),
      }, "Hint"),
    );
  });
  const showProblem = part(problem, (element, error) => {
    element.hidden = !error;
    fill(element, h("span", { role: "alert" }, error),
      h("button", { type: "button", onclick: () => actions.retrySending(current) }, "Try again"),
      h("button", { type: "button", className: "quiet", onclick: () => actions.discard(current) }, "Discard"));
  });
  /** Shows links to what the message has caused and to its document. */
  const showPlaces = part(places, (element, segments) => {
    element.hidden = segments.length === 0;
    const link = (page, label) =>
      h("a", { className: `to-${page[0]}`, href: path(...page, ...segments), title: label, "aria-label": label });
    fill(element, segments.length > 0 && [
      link(["events", "document"], "What this message has caused"), link(["data"], "This message's document"),
    ]);
  });
  const showStatus = part(status, (element, [name, readers, others]) => {
    const [icon, word] = statuses[name] ?? ["", ""];
    const isPartly = name === "delivered" && readers > 0 && others > 1;
    element.className = `status ${name}`;
    const words = isPartly ? `Read by ${readers} of ${others}` : word;
    fill(element, h("span", { "aria-hidden": "true" }, icon), ` ${words}`);
  });

  updates.set(row, ({ message, sender, isGroup, avatar, language, isTranslating, translationError }) => {
    current = message;
    row.classList.toggle("own", message.isOwn);
    const isNamed = isGroup && !message.isOwn;
    senderName.textContent = isNamed ? sender : "";
    senderName.hidden = face.hidden = !isNamed;
    showFace(isNamed ? avatar.key : "", isNamed ? avatar.make : null);
    showMessageMedia([message.media?.kind, message.media?.source, sender], message, sender);
    showProgress(progress, message.error ? null : message.media, () => actions.discard(current));
    showOriginal(message.text);
    const { translation, hint } = message;
    const { text = "", engine } = translation ?? {};
    showTranslation(`${engine} ${language} ${text}`, { ...translation, text }, language);
    const { hasFailed, isOnDemand, isTooLong } = translation ?? {};
    showExtra([hasFailed, isOnDemand, isTooLong, hint, isTranslating, translationError],
      message, isTranslating, translationError);
    showProblem(message.error ?? "");
    showStatus([message.status, message.readers, message.others]);
    more.hidden = !message.isOwn || message.isPending;
    showPlaces(message.isPending ? [] : actions.pathOf(message));
    const at = message.timestamp || message.clientTimestamp;
    time.textContent = at && shortTime(at);
    time.dateTime = at;
  });
  return row;
}

/** Updates a row. shown is {message, sender, isGroup, avatar, language, isTranslating, translationError}. */
export const updateRow = (row, shown) => updates.get(row)(shown);

function showHint(button, { phrase, explanation, equivalent, language, engine }) {
  showPopover(button, "What does this mean?", h("div", { className: "explanation", lang: language },
    phrase && h("p", { className: "phrase", dir: "auto" }, `“${phrase}”`),
    h("p", { dir: "auto" }, explanation),
    equivalent && h("p", { className: "equivalent", dir: "auto" }, `≈ ${equivalent}`),
    engine && h("p", { className: "faint" }, `explained by ${engine}`),
    h("button", { type: "button", className: "quiet", onclick: closePopover }, "Close"),
  ));
}

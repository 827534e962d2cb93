// The composer, in which a message is written or edited, with three suggested replies on demand.

import { announce, fill, h } from "../../lib/dom.js";
import { languageName } from "./documents.js";
import { openAttachment } from "./attachment.js";
import { draftOf, keepDraft } from "./drafts.js";

const maximumPixels = 140;
/**
 * The maximum length of a text that is measured. Longer texts fill the box anyway, and measuring them takes seconds.
 */
const measuredCharacters = 2_000;

/**
 * Creates the composer. send(text, {language?, file?}) receives the written or selected text and the attached file;
 * cancel() ends editing.
 */
export function composer({ client, send, cancel }) {
  const { conversation, uid } = client;
  let isEditing = false;
  let isSuggesting = false;
  let edited = "";

  const input = h("textarea", {
    rows: 1, dir: "auto", placeholder: "Message", "aria-label": "Message",
    oninput: () => {
      grow();
      notice.textContent = "";
      if (!isEditing) keepDraft(uid, conversation.id, input.value);
      if (input.value && !client.isOffline && !isEditing) conversation.typing.key();
    },
    onblur: () => conversation.typing.stop(),
    onpaste: (event) => attachment.take(event, event.clipboardData),
    onkeydown: (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        submit();
      } else if (event.key === "Escape" && isEditing) {
        cancel();
      }
    },
  });
  const suggestButton = h("button", {
    type: "button", className: "quiet", "aria-label": "Suggest replies", onclick: suggest,
  }, "Suggest");
  const attachment = openAttachment({
    uid, conversation, isBlocked: () => isEditing, changed: () => input.focus(),
  });
  const sendButton = h("button", { type: "submit", className: "primary" }, "Send");
  const pills = h("div", { className: "pills", role: "group", "aria-label": "Suggested replies", hidden: true });
  const notice = h("p", { className: "notice faint", role: "status" });
  const editBar = h("div", { className: "edit-bar", hidden: true }, "Editing a message",
    h("button", { type: "button", className: "quiet", onclick: () => cancel() }, "Cancel"));
  const form = h("form", {
    className: "composer", noValidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      submit();
    },
  }, client.hasStorage && attachment.button, suggestButton, input, sendButton);

  function grow() {
    if (input.value.length > measuredCharacters) {
      input.style.height = `${maximumPixels}px`;
      return;
    }
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight + 2, maximumPixels)}px`;
  }

  /** Sets the text and keeps it as the draft, which outlives the view and a reload. */
  function write(text) {
    input.value = text;
    keepDraft(uid, conversation.id, text);
  }

  function submit() {
    const text = input.value;
    const file = isEditing ? null : attachment.file;
    if (text.trim() === "" && !file) return;
    if (!isEditing) write("");
    hidePills();
    // A text of white space is none.
    send(text.trim() === "" ? "" : text, { file });
    if (file) attachment.clear();
    grow();
  }

  function hidePills() {
    pills.hidden = true;
    fill(pills);
  }

  async function suggest() {
    isSuggesting = true;
    pills.hidden = false;
    fill(pills, h("span", { className: "faint" }, "Thinking of replies…"));
    draw();
    try {
      const { suggestions, engine } = await client.suggest();
      showSuggestions(suggestions, engine);
    } catch (error) {
      fill(pills, h("span", { className: "error", role: "alert" }, error.message),
        h("button", { type: "button", onclick: suggest }, "Try again"));
    }
    isSuggesting = false;
    draw();
  }

  function showSuggestions(suggestions, engine) {
    fill(pills,
      suggestions.map(({ text, language, translation, translationLanguage }) => h("button", {
        type: "button", className: "pill", dir: "auto", lang: language,
        title: translation && `${languageName(translationLanguage)}: ${translation}`,
        onclick: () => {
          hidePills();
          send(text, { language });
          input.focus();
        },
      }, text)),
      h("span", { className: "faint" }, engine === "fallback" ? "fallback: no model answered" : `by ${engine}`),
      h("button", { type: "button", className: "quiet", "aria-label": "Dismiss suggestions", onclick: hidePills }, "✕"),
    );
    announce(`${suggestions.length} suggested replies.`);
  }

  function draw() {
    suggestButton.disabled = isSuggesting || client.isOffline || isEditing;
    attachment.draw();
    sendButton.textContent = isEditing ? "Save" : "Send";
    editBar.hidden = !isEditing;
  }

  input.value = draftOf(uid, conversation.id);
  // In the next frame the element is in the document. Before, its height would be 0.
  requestAnimationFrame(() => input.offsetParent && grow());
  return {
    element: h("div", { className: "writing" }, pills, editBar, notice, attachment.element, form),
    draw,
    /** Attaches a dropped file. */
    drop: (event) => client.hasStorage && attachment.take(event, event.dataTransfer),
    close: () => attachment.close(),
    focus: () => input.focus(),
    /** Begins to edit a text. null ends editing and restores the draft. */
    edit(text) {
      if (text !== null) {
        isEditing = true;
        edited = text;
        input.value = text;
        notice.textContent = "";
        input.focus();
      } else if (isEditing) {
        isEditing = false;
        input.value = draftOf(uid, conversation.id);
      }
      draw();
      grow();
    },
    /** Ends editing because the message was deleted. A changed text becomes a part of the draft. */
    editLost() {
      const text = input.value;
      isEditing = false;
      const draft = draftOf(uid, conversation.id);
      write(text === edited ? draft : [draft, text].filter((part) => part.trim() !== "").join("\n"));
      notice.textContent = text === edited ? "The message was deleted."
        : "The message was deleted. Your text is now a new message.";
      draw();
      grow();
    },
  };
}

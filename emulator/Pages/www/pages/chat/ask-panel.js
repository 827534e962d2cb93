// The panel for questions about the conversation, with answers and their source messages.

import { announce, fill, h } from "../../lib/dom.js";
import { idOf } from "../../lib/firestore.js";
import { membersOf } from "../../lib/members.js";
import { messagePath } from "./documents.js";

/** Creates the panel. jump(messageId) scrolls to a message. */
export function askPanel({ client, people, jump }) {
  const { conversation, firestore } = client;
  let aborting = null;

  const input = h("input", {
    type: "text", dir: "auto", required: true, maxLength: 1_000, placeholder: "What was said about …?",
    "aria-label": "Question about this conversation",
  });
  const button = h("button", { type: "submit", className: "primary" }, "Ask");
  const answer = h("div", { className: "answer", "aria-busy": "false" });
  const element = h("section", { className: "ask", hidden: true, "aria-label": "Ask AI" },
    h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        ask(input.value);
      },
    }, input, button), answer);

  async function ask(query) {
    aborting?.abort();
    const controller = new AbortController();
    aborting = controller;
    button.disabled = true;
    answer.setAttribute("aria-busy", "true");
    const text = h("p", { className: "answer-text", dir: "auto" }, "Thinking…");
    fill(answer, text);
    try {
      const result = await client.ask(query, {
        signal: controller.signal,
        onMessage: ({ aiResponse }) => (text.textContent = aiResponse),
      });
      text.textContent = result.aiResponse;
      const engine = h("p", { className: "faint" }, `by ${result.engine}`);
      fill(answer, text, await citations(result.contextIds ?? []), engine);
      announce(result.aiResponse);
    } catch (error) {
      if (controller.signal.aborted) return;
      fill(answer, h("p", { className: "error", role: "alert" }, error.message),
        h("button", { type: "button", onclick: () => ask(query) }, "Ask again"));
    }
    answer.setAttribute("aria-busy", "false");
    button.disabled = false;
  }

  async function citations(ids) {
    if (!ids.length) return null;
    const documents = await firestore.getAll(ids.map((id) => messagePath(conversation.id, id)));
    return h("ul", { className: "citations", "aria-label": "Source messages" },
      documents.filter(Boolean).map((document) => {
        const members = membersOf(document);
        return h("li", {}, h("button", { type: "button", className: "quiet", onclick: () => jump(idOf(document.name)) },
          h("bdi", { className: "sender" }, people.name(members.string("senderId"))), " ",
          h("span", { dir: "auto" }, members.string("text").slice(0, 120))));
      }));
  }

  return {
    element,
    toggle() {
      element.hidden = !element.hidden;
      if (!element.hidden) input.focus();
      return !element.hidden;
    },
    close: () => aborting?.abort(),
  };
}

// The timeline of a trace: a row for each node of the causal tree, with a bar to scale, and details on demand.

import { fill, h, reconcile } from "../../lib/dom.js";
import { duration, number } from "../../lib/format.js";
import { details } from "./details.js";
import { stateTag } from "./row.js";
import { timeScale } from "./time-scale.js";
import { authorOf, changeWord } from "./words.js";

/** Returns the text of a node's row, and the tone of its bar. */
function face({ write, delivery, attempt, call, provider }) {
  if (write) {
    // A function's writes are below its attempt, which names the function.
    const author = write.author === "function" ? "" : ` by ${authorOf(write)}`;
    const words = [h("span", { className: "path", dir: "auto", title: write.document }, write.document),
      ` ${changeWord(write.change)}${author}`];
    return { words, tone: "write", mark: "✎" };
  }
  if (delivery) return { words: [delivery.function], tag: delivery.state, tone: "delivery", mark: "→" };
  if (call) {
    return {
      words: [`${call.report.function}, called by ${call.report.uid ?? "an anonymous caller"}`],
      tag: call.report.state, tone: call.report.state === "failed" ? "bad" : "good", mark: "☎",
    };
  }
  if (attempt) {
    const code = attempt.exitCode;
    const end = code === undefined ? "running" : `exit ${code}`;
    return { words: [`attempt ${attempt.number}: ${end}`], tone: code > 0 ? "bad" : "good", mark: "▸" };
  }
  const failed = !(provider.status < 400);
  const status = h("strong", { className: failed ? "error" : "" }, String(provider.status ?? "connection closed"));
  return {
    words: [`${provider.provider}: `, status, took(provider)],
    tone: failed ? "bad" : "provider", mark: "⇄",
  };
}

/** Returns the tokens or characters of a response. */
function took({ charge }) {
  if (!charge) return null;
  const { promptTokens, completionTokens, characters } = charge;
  const amount = characters === undefined
    ? `${number(promptTokens + completionTokens)} tokens` : `${number(characters)} characters`;
  return h("small", {}, amount);
}

/** Creates the timeline. onOpen(ids) is called with the IDs of the open nodes. */
export function makeTimeline(open, onOpen, context) {
  const list = h("ol", { className: "timeline" });
  const axis = h("div", { className: "axis", "aria-hidden": "true" });
  const element = h("section", { "aria-label": "Timeline" }, axis, list);
  let depths = new Map();
  /** The start of each delivery's first attempt. */
  let begun = new Map();
  let scale = null;
  let now = 0;
  let subject = "";

  function toggle(item, node) {
    if (!open.delete(node.id)) open.add(node.id);
    onOpen(open);
    draw(item, node);
  }

  function make(node) {
    const bar = h("span", { className: "lane", "aria-hidden": "true" }, h("span"), h("span"));
    const panel = h("div", { className: "details", id: `details-${node.id}`, hidden: true });
    const button = h("button", { type: "button", className: "line", "aria-controls": panel.id });
    const item = h("li", {}, button, panel);
    Object.assign(item, { button, panel, bar });
    button.addEventListener("click", () => toggle(item, item.node));
    draw(item, node);
    return item;
  }

  function draw(item, node) {
    const text = JSON.stringify(node);
    const isOpen = open.has(node.id);
    const isNew = item.text !== text;
    Object.assign(item, { node, text });
    const { words, tag, tone, mark } = face(node);
    item.className = node.id === subject ? "subject" : "";
    item.button.setAttribute("aria-expanded", isOpen);
    if (isNew) {
      fill(item.button,
        h("span", { className: "words" },
          h("span", { className: "mark", "aria-hidden": "true" }, mark), h("span", {}, words), tag && stateTag(tag)),
        item.bar,
        h("span", { className: "took" },
          node.kind === "write" ? `+${duration(node.offsetMs)}` : duration(node.durationMs)));
    }
    item.button.firstElementChild.style.paddingInlineStart = `${Math.min(depths.get(node.id) ?? 0, 12) * 0.9}rem`;
    drawBars(item.bar, node, tone);
    if (isOpen && (isNew || item.panel.hidden)) fill(item.panel, details(node, context));
    if (!isOpen) fill(item.panel);
    item.panel.hidden = !isOpen;
  }

  function drawBars(lane, { id, kind, offsetMs, durationMs }, tone) {
    const [bar, waiting] = lane.children;
    const isOver = durationMs !== undefined;
    place(bar, offsetMs, isOver ? offsetMs + durationMs : Math.max(now, offsetMs), tone);
    bar.classList.toggle("running", !isOver);
    if (kind === "write") bar.style.inlineSize = "";
    waiting.hidden = kind !== "delivery";
    if (!waiting.hidden) place(waiting, offsetMs, begun.get(id) ?? now, "waiting");
  }

  function place(bar, startMs, endMs, tone) {
    const [start, end] = [scale.place(startMs), scale.place(endMs)];
    bar.className = `bar-of ${tone}`;
    bar.style.insetInlineStart = `${start * 100}%`;
    bar.style.inlineSize = `max(3px, ${(end - start) * 100}%)`;
  }

  /** Shows some nodes of a trace; open nodes stay open. */
  function show(trace, nodes) {
    subject = trace.subject;
    depths = new Map();
    begun = new Map();
    for (const { id, parent, kind, offsetMs } of trace.nodes) {
      depths.set(id, parent === undefined ? 0 : depths.get(parent) + 1);
      if (kind === "attempt" && !begun.has(parent)) begun.set(parent, offsetMs);
    }
    now = Math.max(...trace.nodes.map(({ offsetMs, durationMs }) => offsetMs + (durationMs ?? 0)));
    scale = timeScale(trace.nodes, now);
    reconcile(list, nodes, { key: ({ id }) => id, make, update: draw });
    fill(axis, [0, 0.2, 0.4, 0.6, 0.8].map((place) => h("span", {}, duration(scale.timeAt(place)) || "0 ms")),
      scale.breaks.length > 0 && h("em", {}, "idle time is left out"));
  }

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.classList.contains("line")) return;
    const buttons = [...list.querySelectorAll("button.line")];
    const next = buttons[buttons.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return { element, show };
}

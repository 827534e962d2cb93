// The test bench: an editor for an event, and the result of the function.

import { announce, fill, h } from "../../lib/dom.js";
import { Failure, stream } from "../../lib/emulator.js";
import { duration, said } from "../../lib/format.js";
import { setQuery } from "../../lib/router.js";
import { examples, newID } from "./example-events.js";
import { exitCodeText } from "./words.js";

/**
 * Returns the event's text with a new ID. The text isn't parsed and serialized, so that numbers keep their digits.
 */
function withNewID(text, event) {
  if (!event.specversion || typeof event.id !== "string") return text;
  return text.replace(/("id"\s*:\s*)"(?:[^"\\]|\\.)*"/, (_, member) => `${member}"${newID()}"`);
}

/** Sends the text unchanged. */
async function run(name, text) {
  let response;
  try {
    response = await fetch(`/api/functions/${encodeURIComponent(name)}/test`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
    });
  } catch {
    throw new Failure(0, "UNAVAILABLE", "The emulator can't be reached.");
  }
  const answer = await response.json();
  if (!response.ok) throw new Failure(response.status, answer.error?.status, answer.error?.message);
  return answer;
}

/** Creates the bench. close() ends its log subscription. */
export function testBench(manifest, query) {
  const choice = h("select", { onchange: load });
  const editor = h("textarea", {
    id: "test-event", rows: 16, spellcheck: false, className: "mono", oninput: check,
    "aria-describedby": "test-problem",
  });
  const problem = h("p", { id: "test-problem", className: "error", role: "alert" });
  const fresh = h("input", { type: "checkbox", checked: true });
  const button = h("button", { type: "submit", className: "primary" }, "Run");
  const result = h("section", { className: "result", "aria-label": "Result" });
  let options = [];
  let endLogs = () => {};
  let isClosed = false;

  /** Returns {event}, or {error} if the text is invalid. */
  function read() {
    try {
      const event = JSON.parse(editor.value);
      if (event === null || typeof event !== "object" || Array.isArray(event)) {
        return { error: "An event is a JSON object." };
      }
      return { event };
    } catch (error) {
      return { error: `This is not JSON: ${error.message}` };
    }
  }

  function check() {
    const { error } = read();
    problem.textContent = error ?? "";
    editor.setAttribute("aria-invalid", error ? "true" : "false");
    return !error;
  }

  async function load() {
    const option = options.find(({ id }) => id === choice.value);
    setQuery({ event: option?.id });
    const before = editor.value;
    try {
      const event = await option.make();
      // Another example may have been selected meanwhile, or the text edited.
      if (choice.value !== option.id || editor.value !== before) return;
      editor.value = JSON.stringify(event, null, 2);
      check();
    } catch (error) {
      if (choice.value === option.id) problem.textContent = error.message;
    }
  }

  function show(answer) {
    const logs = h("ul", { className: "log-lines" });
    const seen = new Set();
    const add = (entry) => {
      if (entry.invocationId !== answer.invocationId || seen.has(entry.number)) return;
      seen.add(entry.number);
      logs.append(h("li", {}, h("span", { className: "tag" }, entry.severity), " ",
        h("span", { className: "message", dir: "auto" }, said(entry))));
    };
    answer.logs.forEach(add);
    // The last log lines may arrive after the response.
    endLogs();
    endLogs = stream.subscribe("logs", (entries) => entries.forEach(add));
    fill(result,
      h("h3", {}, "Result"),
      h("p", { className: "bar" },
        h("span", { className: answer.exitCode === 0 ? "tag good" : "tag bad" }, `exit ${answer.exitCode}`),
        exitCodeText(answer.exitCode), h("span", {}, duration(answer.durationMs)),
        answer.output?.status && h("span", { className: "tag" }, answer.output.status)),
      answer.error && h("p", { className: "error" }, `${answer.error.code}: ${answer.error.message}`),
      answer.output
        ? h("pre", { className: "panel", tabIndex: 0 }, JSON.stringify(answer.output, null, 2))
        : h("p", { className: "empty" }, "The function printed no result line."),
      h("h3", {}, "Log lines"), logs,
    );
    announce(`${manifest.name} ended with exit code ${answer.exitCode}`);
  }

  async function submit(event) {
    event.preventDefault();
    if (!check()) return editor.focus();
    if (fresh.checked) editor.value = withNewID(editor.value, read().event);
    button.disabled = true;
    fill(result, h("p", { className: "empty", role: "status" }, "Running…"));
    try {
      const answer = await run(manifest.name, editor.value);
      if (isClosed) return;
      show(answer);
    } catch (error) {
      fill(result, h("p", { className: "error", role: "alert" }, error.message));
    }
    button.disabled = false;
  }

  async function begin() {
    options = await examples(manifest);
    // Another page may be open by now, so the address isn't this page's.
    if (!element.isConnected) return;
    if (options.length === 0) options = [{ id: "call", title: "An empty call", make: async () => ({ data: {} }) }];
    fill(choice, options.map(({ id, title }) => h("option", { value: id }, title)));
    const wanted = query.get("event");
    if (options.some(({ id }) => id === wanted)) choice.value = wanted;
    if (editor.value === "") await load();
  }

  const element = h("form", { className: "bench", onsubmit: submit },
    h("h2", {}, "Test"),
    h("p", { className: "hint" },
      "Runs the function's current build once on this event. Its writes are kept, and a failure isn't retried. ",
      "An event that matches none of its triggers is refused."),
    h("div", { className: "bar" }, h("label", {}, "Begin with", choice)),
    h("label", { className: "field", htmlFor: "test-event" }, "Event"), editor, problem,
    h("div", { className: "bar" }, button,
      h("label", {}, fresh, "with a new event ID: a function handles each ID only once")),
    result,
  );
  begin().catch((error) => (problem.textContent = error.message));
  return {
    element,
    close() {
      isClosed = true;
      endLogs();
    },
  };
}

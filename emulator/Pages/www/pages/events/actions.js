// The actions on a delivery or call: retry, replay and copy.

import { announce, fill, h, openModal } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";
import { navigate, path } from "../../lib/router.js";
import { isCall } from "./words.js";

/**
 * Returns a shell here-document for the emulator's environment. The JSON is a single line, so it can't contain the
 * document's end marker.
 */
function commandLine(name, event) {
  return `cat <<'EVENT' | ${name}\n${JSON.stringify(event)}\nEVENT\n`;
}

/** Shows a text that the browser didn't allow to copy. */
function offer(title, text) {
  const dialog = openModal(title, { className: "copy" },
    h("h2", {}, title),
    h("textarea", { readOnly: true, rows: 12, value: text, "aria-label": title }),
    h("p", { className: "bar" },
      h("button", { type: "button", className: "primary", onclick: () => copy(title, text) }, "Copy"),
      h("button", { type: "button", onclick: () => dialog.close() }, "Close")));
}

async function copy(title, text) {
  try {
    await navigator.clipboard.writeText(text);
    document.querySelector("dialog.copy")?.close();
  } catch {
    if (!document.querySelector("dialog.copy")) offer(title, text);
    return;
  }
  announce(`${title}: copied`);
  return true;
}

async function fixture(id) {
  // The text isn't parsed, because large numbers would lose digits.
  const response = await fetch(`/api${path("events", id)}/fixture`);
  const text = await response.text();
  if (response.ok) return text;
  const error = new Error(JSON.parse(text).error.message);
  error.needsRecording = !(await api.get("recording")).on;
  throw error;
}

/** Creates the buttons for the report of a delivery or call. context.eventOf(report) returns the function's input. */
export function actionsOf(report, context) {
  const { id } = report;
  const said = h("p", { className: "said", role: "status" });
  const button = (label, work, properties = {}) => {
    const element = h("button", { type: "button", ...properties, onclick: async () => {
      element.disabled = true;
      fill(said);
      try {
        await work();
      } catch (error) {
        if (error.needsRecording) fill(said, switchOn());
        else fill(said, h("span", { className: "error" }, error.message));
      }
      element.disabled = false;
    } }, label);
    return element;
  };
  const say = async (title, text) => (await copy(title, text)) && fill(said, `${title}: copied.`);

  /** Explains that a fixture needs a recording, with a button that switches recording on. */
  function switchOn() {
    return ["There is no recording, because recording was off. ", button("Switch recording on", async () => {
      await api.put("recording", { on: true });
      fill(said, "From now on invocations are recorded: run it again, or replay it. ",
        "You can switch recording off on the Functions page.");
    })];
  }

  const canRetry = report.state === "deadLettered" || (report.state === "waiting" && report.attempts > 0);
  return h("div", { className: "actions" },
    h("div", { className: "bar" },
      canRetry && button("Retry", async () => {
        await api.post(`events/${encodeURIComponent(id)}/retry`);
        announce("A retry was started.");
      }, { className: "primary" }),
      !isCall(report) && button("Replay against the current build", async () => {
        const { pathname } = location;
        const delivery = await api.post(`events/${encodeURIComponent(id)}/replay`);
        announce("The event is delivered again.");
        // The page isn't changed if another one is open by now.
        if (location.pathname === pathname) navigate(path("events", delivery.id));
      }),
      button("Copy as fixture", async () => say("Fixture", await fixture(id))),
      button("Copy as command line", async () =>
        say("Command line", commandLine(report.function, await context.eventOf(report)))),
      button("Copy link", () => say("Link", new URL(path("events", id), location.href).href))),
    said);
}

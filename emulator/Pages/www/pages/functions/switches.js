// The switches for pausing functions, chaos and recording.

import { announce, h } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";

/** Creates a button that pauses and resumes a function's deliveries; update(isPaused) updates it. */
export function pauseButton(name, onChange) {
  let isPaused = false;
  const button = h("button", { type: "button", onclick: toggle }, "Pause");
  async function toggle() {
    button.disabled = true;
    try {
      await api.put(`functions/${encodeURIComponent(name)}`, { paused: !isPaused });
      announce(isPaused ? `${name} is resumed` : `Deliveries to ${name} are paused`);
      await onChange();
    } catch (error) {
      announce(error.message);
    }
    button.disabled = false;
  }
  function update(value) {
    isPaused = value;
    button.textContent = isPaused ? "Resume" : "Pause";
    button.setAttribute("aria-label", `${isPaused ? "Resume" : "Pause"} ${name}`);
    button.className = isPaused ? "primary" : "";
  }
  return { element: button, update };
}

/**
 * Creates the switches for all functions, {buttons, faults, update}: buttons for pausing and recording, with the
 * state of chaos; and the form for chaos, with errors and explanations. update() loads their state.
 */
export function globalSwitches(onChange) {
  let isPaused = false;
  let isRecording = false;
  const pause = h("button", { type: "button", onclick: () => change("triggers", { paused: !isPaused }) }, "Pause all");
  const spec = h("input", { type: "text", placeholder: "seed=7,duplicate=0.2,crash=0.05", spellcheck: false });
  const off = h("button", { type: "button", onclick: () => change("chaos", { spec: null }) }, "Chaos off");
  // The form may be out of view, below the list of functions.
  const state = h("button", { type: "button", className: "tag", onclick: () => spec.focus() });
  const record = h("button", { type: "button", onclick: () => change("recording", { on: !isRecording }) });
  const error = h("p", { className: "error", role: "alert", hidden: true });

  async function change(path, body) {
    try {
      await api.put(path, body);
      error.hidden = true;
      await onChange();
    } catch (failure) {
      error.hidden = false;
      error.textContent = failure.message;
      error.scrollIntoView({ block: "nearest" });
    }
  }

  async function update() {
    const [triggers, chaos, recording] =
      await Promise.all(["triggers", "chaos", "recording"].map((path) => api.get(path)));
    isPaused = triggers.paused;
    pause.textContent = isPaused ? "Resume all" : "Pause all";
    pause.className = isPaused ? "primary" : "";
    state.textContent = chaos.spec ? `chaos: ${chaos.spec}` : "no chaos";
    state.className = chaos.spec ? "tag warn" : "tag";
    state.title = "Change the faults";
    off.hidden = !chaos.spec;
    isRecording = recording.on;
    record.textContent = isRecording ? "Stop recording" : "Record";
    return { isPaused };
  }

  const faults = h("section", { className: "panel switches", "aria-label": "Faults in all functions" },
    h("div", { className: "bar" },
      h("form", { className: "bar", onsubmit: (event) => {
        event.preventDefault();
        change("chaos", { spec: spec.value.trim() });
      } },
        h("label", {}, "Chaos", spec),
        h("button", { type: "submit" }, "Apply"),
      ),
      off,
    ),
    error,
    h("p", { className: "hint" },
      "Pausing holds deliveries: events are recorded, nothing is lost, and calls are still answered. ",
      "A function paused by the document config/functions still runs and refuses its events: that uses up attempts. ",
      "Chaos injects faults; the same seed injects the same faults. ",
      "Recording keeps the newest invocations, so that the Events page can copy them as fixtures."),
  );
  return { buttons: [pause, record, state], faults, update };
}

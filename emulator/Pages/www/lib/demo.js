// The offer to write the demo's data, for pages that have nothing to show yet.

import { announce, h } from "./dom.js";
import { api } from "./emulator.js";

/** Creates the offer; onDone() is called after the data was written. */
export function demoOffer(onDone = () => {}) {
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const button = h("button", { type: "button", className: "primary", onclick: async () => {
    button.disabled = true;
    problem.hidden = true;
    try {
      await api.post("demo");
      announce("The demo's data was written.");
      onDone();
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error.message;
      button.disabled = false;
    }
  } }, "Write the demo's data");
  return h("div", { className: "demo-offer" },
    h("p", {}, "The demo has four people, two conversations and a few messages."), button, problem);
}

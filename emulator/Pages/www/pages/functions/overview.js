// The overview of all functions, each with its state, latency and cost.

import { fill, h, reconcile } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";
import { money } from "../../lib/format.js";
import { poll } from "../../lib/polling.js";
import { path } from "../../lib/router.js";
import { globalSwitches, pauseButton } from "./switches.js";
import { count, failedAttempts, hitRate, percentiles, saved, stateOf, succeededAttempts } from "./words.js";

export async function openOverview(main) {
  const total = h("p", { className: "hint" });
  const list = h("ul", { className: "cards", "aria-label": "Functions" });
  const failure = h("p", { className: "error", role: "alert", hidden: true });
  const switches = globalSwitches(() => polling.now());
  const cards = new Map();

  function makeCard({ name }) {
    const button = pauseButton(name, () => polling.now());
    const tag = h("span", { className: "tag" });
    const numbers = h("dl", { className: "numbers" });
    const element = h("li", { className: "panel card" },
      h("div", { className: "bar" },
        h("h2", {}, h("a", { href: path("functions", name) }, name)), tag, button.element),
      numbers,
    );
    cards.set(element, { button, tag, numbers });
    return element;
  }

  function update(element, status, isAllPaused) {
    const { button, tag, numbers } = cards.get(element);
    const [state, colour] = stateOf(status, isAllPaused);
    tag.textContent = state;
    tag.className = `tag ${colour}`;
    button.update(status.paused);
    const failed = failedAttempts(status);
    const entry = (name, value, className = "") => h("div", { className }, h("dt", {}, name), h("dd", {}, value));
    fill(numbers,
      entry("Running", `${count(status.processes?.busy ?? status.running)} of ${count(status.concurrency)}`),
      entry("Waiting", count(status.waiting)),
      entry("Processes", status.processes ? count(status.processes.count) : "elsewhere"),
      entry("Succeeded", count(succeededAttempts(status))),
      entry("Failed", count(failed), failed ? "bad" : ""),
      entry("Given up", count(status.deadLettered), status.deadLettered ? "bad" : ""),
      status.latency && entry("Commit to done, p50 · p95 · p99", percentiles(status.latency), "wide"),
      status.callLatency && entry("Call to answer, p50 · p95 · p99", percentiles(status.callLatency), "wide"),
      entry("Cache hits", hitRate(status.usage)),
      entry("Provider calls", count(status.usage.providerCalls)),
      entry("Tokens", count(status.usage.promptTokens + status.usage.completionTokens)),
      entry("Cost", money(status.usage.costMicros)),
      entry("Saved by the cache", saved(status.savedMicros), "rest"),
    );
  }

  async function show() {
    const [statuses, { isPaused }] = await Promise.all([api.get("functions/status"), switches.update()]);
    failure.hidden = true;
    const sum = (member) => statuses.reduce((sum, status) => sum + member(status), 0);
    total.textContent = statuses.length
      ? `${money(sum((one) => one.usage.costMicros))} at list prices, and `
        + `${saved(sum((one) => one.savedMicros ?? 0))} saved by the cache: hits times the average cost of a miss.`
      : "There are no functions. Build them, or give their folder with --functions DIR.";
    reconcile(list, statuses, {
      key: ({ name }) => name,
      make: (status) => {
        const element = makeCard(status);
        update(element, status, isPaused);
        return element;
      },
      update: (element, status) => update(element, status, isPaused),
    });
    for (const element of cards.keys()) if (!element.isConnected) cards.delete(element);
  }

  fill(main,
    h("div", { className: "bar" }, h("h1", {}, "Functions"), switches.buttons), failure, list, total, switches.faults);
  const polling = poll(show, { onError: (error) => {
    failure.hidden = false;
    failure.textContent = error.message;
  } });
  await polling.first;
  return polling.close;
}

// The details of a function: its manifest, its numbers, and a test bench.

import { fill, h } from "../../lib/dom.js";
import { api, Failure } from "../../lib/emulator.js";
import { duration, number } from "../../lib/format.js";
import { poll } from "../../lib/polling.js";
import { pauseButton } from "./switches.js";
import { testBench } from "./test-bench.js";
import { cost, count, exitCodeText, hitRate, saved, stateOf, triggerText } from "./words.js";

const row = (name, ...value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));

/** Returns a path that a narrow page breaks after its slashes. */
const breakable = (text) => text.split("/").map((part, index) => (index > 0 ? ["/", h("wbr"), part] : part));

function manifestTable(manifest) {
  const lines = (items) =>
    (items.length ? items.map((item) => h("div", { className: "mono" }, breakable(item))) : "none");
  return h("table", { className: "panel" },
    h("caption", { className: "visually-hidden" }, "Manifest"),
    h("tbody", {},
      row("Triggers", lines(manifest.triggers.map(triggerText))),
      row("Callable", manifest.callable ? "yes" : "no"),
      row("Writes", lines(manifest.writes)),
      manifest.refWrites?.length > 0 && row("Writes to the Realtime Database", lines(manifest.refWrites)),
      manifest.objectWrites?.length > 0 && row("Writes to Cloud Storage", lines(manifest.objectWrites)),
      row("Secrets", lines(manifest.secrets)),
      row("Variables", h("details", {},
        h("summary", {}, `${manifest.environment.length} variables`),
        lines(manifest.environment.map(({ name, required }) => (required ? `${name} (required)` : name))),
      )),
      row("Limits", `${manifest.timeoutSeconds} s, ${manifest.concurrency} at once, ${manifest.memoryMiB} MiB`),
      row("Failures", manifest.retry ? "are retried" : "are not retried"),
      row("Runs as", manifest.worker ? "a worker: one event at a time" : "a process per event"),
    ),
  );
}

function latencyTable(status) {
  const line = (name, latency) => h("tr", {}, h("th", { scope: "row" }, name),
    (latency ? [number(latency.count), ...[latency.p50, latency.p95, latency.p99].map(duration)] : ["0", "–", "–", "–"])
      .map((text) => h("td", { className: "number" }, text)));
  return h("table", { className: "panel" },
    h("caption", {}, "Latency: percentiles of the newest 1,000"),
    h("thead", {}, h("tr", {}, ["", "count", "p50", "p95", "p99"].map((text) =>
      text ? h("th", { scope: "col", className: "number" }, text) : h("td", {})))),
    h("tbody", {}, line("Commit to done", status.latency), line("Call to answer", status.callLatency)));
}

function attemptsTable(status) {
  const codes = Object.entries(status.attempts).sort(([a], [b]) => a - b);
  return h("table", { className: "panel" },
    h("caption", {}, "Attempts and calls by exit code"),
    h("tbody", {}, codes.length
      ? codes.map(([code, times]) => h("tr", {},
        h("th", { scope: "row" }, h("span", { className: code === "0" ? "tag good" : "tag bad" }, code)),
        h("td", {}, exitCodeText(Number(code))), h("td", { className: "number" }, number(times))))
      : h("tr", {}, h("td", {}, "none yet"))));
}

function usageTable({ usage, savedMicros, succeeded, skipped, deadLettered }) {
  const hits = `${count(usage.cacheHits)} of ${count(usage.cacheHits + usage.cacheMisses)} (${hitRate(usage)})`;
  return h("table", { className: "panel" },
    h("caption", {}, "Usage, and its cost at list prices"),
    h("tbody", {},
      row("Ended", `${count(succeeded)} done, ${count(skipped)} skipped, ${count(deadLettered)} given up`),
      row("Provider calls", count(usage.providerCalls)),
      row("Cache hits", hits),
      row("Characters billed", count(usage.charactersBilled)),
      row("Tokens", `${count(usage.promptTokens)} in, ${count(usage.completionTokens)} out`),
      row("Engines", usage.engines.join(", ") || "none"),
      row("Cost", cost(usage)),
      row("Saved by the cache", saved(savedMicros),
        h("div", { className: "hint" }, "Hits times the average cost of a miss with the same engines.")),
    ));
}

export async function openDetail(main, name, query) {
  const manifest = (await api.get("functions")).find((manifest) => manifest.name === name);
  if (!manifest) throw new Failure(404, "NOT_FOUND", `There is no function ${name}.`);

  const state = h("span", { className: "tag" });
  const now = h("span", {});
  const button = pauseButton(name, () => polling.now());
  const numbers = h("div", { className: "columns" });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const bench = testBench(manifest, query);
  let shown = "";

  async function show() {
    const [statuses, triggers] = await Promise.all([api.get("functions/status"), api.get("triggers")]);
    const status = statuses.find((status) => status.name === name);
    error.hidden = Boolean(status);
    if (!status) return (error.textContent = `The function ${name} no longer exists.`);
    const [word, colour] = stateOf(status, triggers.paused);
    state.textContent = word;
    state.className = `tag ${colour}`;
    button.update(status.paused);
    const { processes } = status;
    now.textContent = `${count(processes?.busy ?? status.running)} of ${count(status.concurrency)} running, `
      + `${count(status.waiting)} waiting`
      + (processes ? `, processes: ${count(processes.count)} (${count(processes.idle)} idle)` : ", elsewhere");
    // Unchanged numbers aren't redrawn, so that a selection or a screen reader's position isn't lost.
    const { waiting, running, paused, processes: _, ...lasting } = status;
    if (JSON.stringify(lasting) === shown) return;
    shown = JSON.stringify(lasting);
    fill(numbers, latencyTable(status), attemptsTable(status), usageTable(status));
  }

  const filter = `?function=${encodeURIComponent(name)}`;
  fill(main,
    h("h1", {}, h("a", { href: "/functions" }, "Functions"), " / ", name),
    h("div", { className: "bar" }, state, now, button.element,
      h("a", { href: `/events${filter}` }, "Its events"), h("a", { href: `/logs${filter}` }, "Its logs")),
    h("p", { className: "hint" },
      "Pausing holds the function's deliveries until you resume. Calls and tests still run."),
    error, numbers,
    h("h2", {}, "Manifest"), manifestTable(manifest),
    bench.element,
  );
  const polling = poll(show, { onError: (failure) => {
    error.hidden = false;
    error.textContent = failure.message;
  } });
  await polling.first;
  return () => {
    polling.close();
    bench.close();
  };
}

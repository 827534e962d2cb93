// The usage of providers: requests, outcomes and estimated cost.

import { fill, h } from "../../lib/dom.js";
import { api } from "../../lib/emulator.js";
import { money, number } from "../../lib/format.js";
import { poll } from "../../lib/polling.js";
import { providers } from "./presets.js";
import { provider } from "./provider.js";

export function openUsage() {
  const content = h("div", { className: "columns" });
  const element = h("section", { "aria-label": "Usage" }, h("h2", {}, "Usage and cost"), content);
  let shown = "";

  async function show() {
    const [usage, functions] = await Promise.all([provider("GET", "usage"), api.get("functions/status")]);
    const costs = functions.map(({ name, usage, savedMicros }) => ({ name, usage, savedMicros }));
    const state = JSON.stringify([usage, costs]);
    if (state === shown) return;
    shown = state;
    fill(content, requestTable(usage), costTable(costs));
  }

  const polling = poll(show);
  return { element, first: polling.first, close: polling.close };
}

function requestTable({ requests, translatedTexts, translatedCharacters }) {
  const outcomes = (counts) => Object.entries(counts).sort().map(([outcome, count]) => [
    h("span", { className: /^2/.test(outcome) ? "tag good" : "tag bad" }, outcome), ` ${number(count)} `,
  ]);
  const asked = providers.filter(([name]) => requests[name]);
  return h("table", { className: "panel" },
    h("caption", {}, "Requests by the status of the response, or by the fault that replaced it"),
    h("tbody", {},
      asked.length ? asked.map(([name, title]) => h("tr", {}, h("th", { scope: "row" }, title),
        h("td", {}, outcomes(requests[name])))) : h("tr", {}, h("td", {}, "No requests yet.")),
      h("tr", {}, h("th", { scope: "row" }, "Translated"),
        h("td", {}, `${number(translatedTexts)} texts, ${number(translatedCharacters)} characters`))));
}

const about = (micros) => (micros ? `≈ ${money(micros)}` : money(micros));

function costTable(costs) {
  const sum = (member) => costs.reduce((sum, cost) => sum + member(cost), 0);
  const used = costs.filter(({ usage }) => usage.providerCalls + usage.cacheHits > 0);
  return h("table", { className: "panel" },
    h("caption", {}, "Estimated cost at list prices"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Function"),
      h("th", { scope: "col", className: "number" }, "Cost"),
      h("th", { scope: "col", className: "number" }, "Saved by the cache"))),
    h("tbody", {},
      used.map(({ name, usage, savedMicros }) => h("tr", {},
        h("th", { scope: "row" }, h("a", { href: `/functions/${encodeURIComponent(name)}` }, name)),
        h("td", { className: "number" }, money(usage.costMicros)),
        h("td", { className: "number" }, savedMicros === undefined ? "–" : about(savedMicros)))),
      h("tr", {}, h("th", { scope: "row" }, "All"),
        h("td", { className: "number" }, money(sum(({ usage }) => usage.costMicros))),
        h("td", { className: "number" }, about(sum(({ savedMicros }) => savedMicros ?? 0))))));
}

// The status page: services with their addresses, the emulator's state, and the code that connects an app.

import { fill, h } from "../lib/dom.js";
import { api } from "../lib/emulator.js";
import { Firestore } from "../lib/firestore.js";
import { number, wholeTime } from "../lib/format.js";
import { poll } from "../lib/polling.js";
import { connectLines } from "./status/connect-lines.js";
import { copyable, tabs } from "./status/copyable.js";
import { databaseRulesSection, rulesSection, storageRulesSection } from "./status/rules.js";

const names = {
  firestore: "Firestore", auth: "Authentication", database: "Realtime Database", storage: "Storage",
  functions: "Functions", ui: "These pages", hub: "Hub",
};

export async function open(main) {
  const tables = h("div", {});
  const lines = h("section", { "aria-label": "Connect your app" });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  let shownLines = "";

  async function show() {
    const [status, rules, databases, storage, documents] = await Promise.all([
      api.get("status"),
      api.get("rules"),
      api.get("databases"),
      api.get("storage"),
      // Counts the documents of all collections.
      new Firestore().count({ from: [{ allDescendants: true }] }).catch(() => null),
    ]);
    error.hidden = true;
    fill(tables, serviceTable(status), rulesSection(rules), databaseRulesSection(databases), storageRulesSection(storage),
      stateTable(status, documents));
    // Unchanged lines aren't replaced, because a selection in them would be lost.
    if (JSON.stringify(status.services) === shownLines) return;
    shownLines = JSON.stringify(status.services);
    fill(lines,
      h("h2", {}, "Connect your app"),
      h("p", {}, "Before its first request, an app calls these lines. Its project ID must be ",
        h("code", {}, status.project), "."),
      tabs("Connect an app", connectLines(status)),
      h("h3", {}, "Servers and tests"),
      copyable("Environment", status.environment.map((line) => `export ${line}`).join("\n")),
      h("p", { className: "faint" }, "A phone on your network needs this machine's address in place of 127.0.0.1: start ",
        "with ", h("code", {}, "--host 0.0.0.0"), ". Whole samples, phones, and what to do if an app doesn't connect: ",
        h("code", {}, "emulator/CONNECT.md"), "."),
    );
  }

  fill(main, h("h1", {}, "Status"), error, h("div", { className: "columns" }, tables, lines));
  const polling = poll(show, { milliseconds: 5_000, onError: (failure) => {
    error.hidden = false;
    error.textContent = failure.message;
  } });
  await polling.first;
  return polling.close;
}

const row = (name, ...value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));

function serviceTable({ services }) {
  return h("section", { "aria-label": "Services" },
    h("h2", {}, "Services"),
    h("table", { className: "panel" }, h("tbody", {},
      Object.entries(services).sort().map(([name, { host, port }]) =>
        row(names[name] ?? name, h("code", {}, `${host.includes(":") ? `[${host}]` : host}:${port}`))),
    )));
}

function stateTable(status, documents) {
  const { project, started, engines, realProviders, isolation, dataFolder, switches } = status;
  const tag = (colour, text) => h("span", { className: `tag ${colour}` }, text);
  const { triggers, paused, pausedFunctions, chaos } = switches;
  return h("section", { "aria-label": "State" },
    h("h2", {}, "State"),
    h("table", { className: "panel" }, h("tbody", {},
      row("Project", project),
      row("Started", wholeTime(started)),
      row("Documents", [
        documents === null ? "" : h("a", { href: "/data" }, `${number(documents)} documents`), " ",
        dataFolder ? `stored in ${dataFolder}` : "in memory: lost when the emulator stops",
      ]),
      row("Deliveries", [
        `${number(status.unfinishedDeliveries)} unfinished, `,
        status.deadLetters
          ? h("a", { href: "/events?state=deadLettered" },
            tag("bad", `${number(status.deadLetters)} dead letter${status.deadLetters === 1 ? "" : "s"}`))
          : "no dead letters",
      ]),
      row("Triggers", !triggers ? tag("warn", "off: changes don't trigger functions")
        : paused ? tag("warn", "paused: deliveries wait") : "on"),
      pausedFunctions.length > 0 && row("Paused functions", h("a", { href: "/functions" },
        tag("warn", pausedFunctions.join(", ")))),
      row("Chaos", chaos ? tag("warn", chaos) : "none"),
      row("Providers", `simulated by ${engines}`),
      realProviders.map((line) => row("Real provider", tag("warn", line))),
      row("Functions run in", isolation === "worker" ? "workers" : "a process per event"),
    )));
}

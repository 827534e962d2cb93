// Every service with its address, and what an app needs to talk to it.

import { fill, h } from "../lib/dom.js";
import { status, stream } from "../lib/emulator.js";

export async function open(main) {
  async function show() {
    const { project, services, engines, realProviders, isolation, dataFolder, environment, started } = await status();
    const row = (name, ...value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
    fill(
      main,
      h("h1", {}, "Status"),
      h("table", { className: "panel" }, h("tbody", {},
        row("Project", project),
        row("Started", new Date(started).toLocaleString()),
        Object.entries(services).sort().map(([name, { host, port }]) => row(name, h("code", {}, `${host}:${port}`))),
        row("Providers", engines),
        realProviders.map((line) => row("Real provider", line)),
        row("Functions run in", isolation === "worker" ? "workers" : "a process per event"),
        row("Documents", dataFolder ? `kept in ${dataFolder}` : "in memory: they end with the emulator"),
      )),
      h("h2", {}, "For an app on this machine"),
      h("pre", { className: "panel" }, environment.join("\n")),
    );
  }
  await show();
  return stream.onConnection(({ isConnected }) => isConnected && show());
}

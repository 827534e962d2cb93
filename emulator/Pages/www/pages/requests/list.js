// The live list of requests, with its filters.

import { fill, h } from "../../lib/dom.js";
import { api, status } from "../../lib/emulator.js";
import { number } from "../../lib/format.js";
import { poll } from "../../lib/polling.js";
import { setQuery } from "../../lib/router.js";
import { VirtualList } from "../../lib/virtual-list.js";
import { makeRow } from "./row.js";

const narrow = matchMedia("(max-width: 60rem)");

export async function openList(main, query) {
  const { project } = await status();
  let version = "";
  /** The number of changes of the filters. A list of earlier filters isn't shown. */
  let changes = 0;
  let isClosed = false;
  let timer;

  const decision = select("decision", "Decision", [["", "Allowed and denied"], ["denied", "Denied"], ["allowed", "Allowed"]]);
  const kind = select("kind", "Kind", [
    ["", "Every kind"], ["get", "get"], ["list", "list"], ["listen", "listen"], ["commit", "commit"],
  ]);
  const sender = select("from", "Sender", [["", "Everybody"], ["nobody", "Nobody signed in"]]);
  const uid = input("uid", "User ID");
  const path = input("path", "Part of a path");
  const order = h("input", { type: "checkbox", checked: query.get("order") !== "time", onchange: changed });
  const count = h("p", { className: "count", role: "status" });
  const error = h("p", { className: "error", role: "alert", hidden: true });
  const empty = h("p", { className: "empty", hidden: true });
  const list = new VirtualList({ rowHeight: narrow.matches ? 64 : 36, label: "Requests",
    key: ({ number }) => number, make: (request) => makeRow(request, project), update: () => {} });

  function select(name, label, options) {
    const element = h("select", { "aria-label": label, onchange: changed },
      options.map(([value, text]) => h("option", { value }, text)));
    const wanted = query.get(name) ?? "";
    element.value = wanted;
    // The error of an unknown value is shown.
    if (element.value !== wanted) element.append(h("option", { value: wanted, selected: true }, wanted));
    return element;
  }

  function input(name, label) {
    return h("input", { type: "search", "aria-label": label, placeholder: label, value: query.get(name) ?? "",
      spellcheck: false, oninput: soon, onchange: changed });
  }

  /** Delays the request while the user types. */
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(() => !isClosed && changed(), 250);
  }

  const filters = () => ({
    decision: decision.value, kind: kind.value, from: sender.value, uid: uid.value.trim(), path: path.value.trim(),
    project: query.get("project") ?? "",
  });

  function changed() {
    clearTimeout(timer);
    setQuery({ ...filters(), order: order.checked ? "" : "time" });
    version = "";
    changes++;
    list.scrollTo(0);
    polling.now();
  }

  async function load() {
    const asked = changes;
    const { from, ...others } = filters();
    const chosen = Object.entries({ ...others, unauthenticated: from && "true" }).filter(([, value]) => value);
    const report = await api.get(`requests?${new URLSearchParams([...chosen, ["version", version]])}`);
    if (isClosed || asked !== changes) return;
    error.hidden = true;
    version = String(report.version);
    if (report.requests) show(report.requests, chosen.length > 0);
  }

  function show(requests, isFiltered) {
    const denied = requests.filter(({ isAllowed }) => !isAllowed);
    const shown = order.checked ? [...denied, ...requests.filter(({ isAllowed }) => isAllowed)] : requests;
    list.show(shown);
    list.element.hidden = shown.length === 0;
    count.textContent = `${number(requests.length)} requests, ${number(denied.length)} denied`;
    empty.hidden = shown.length > 0;
    fill(empty, isFiltered ? "No request matches these filters." : [
      "Security rules have decided on no request yet. Administrators, such as functions, pass without rules. If ",
      h("a", { href: "/status" }, "no rules"), " are loaded, all data is open.",
    ]);
  }

  const polling = poll(load, { milliseconds: 1_000, onError: (failure) => {
    error.textContent = failure.message;
    error.hidden = false;
  } });
  fill(main,
    h("div", { className: "title" }, h("h1", {}, "Requests"), count),
    h("form", { className: "bar", role: "search", onsubmit: (event) => event.preventDefault() },
      decision, kind, sender, uid, path, h("label", {}, order, " Denied first")),
    error, empty, list.element);
  await polling.first;
  return () => {
    isClosed = true;
    clearTimeout(timer);
    polling.close();
    list.close();
  };
}

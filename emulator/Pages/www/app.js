// The shell of the pages: the navigation, the connection state and the open page.

import { resumeSockets, suspendSockets } from "./lib/database-socket.js";
import { fill, h } from "./lib/dom.js";
import { api, status, stream } from "./lib/emulator.js";
import { number } from "./lib/format.js";
import { resumeListeners, suspendListeners } from "./lib/listeners.js";
import { poll } from "./lib/polling.js";
import { followLinks, navigate, onNavigation } from "./lib/router.js";

/**
 * A page's module exports open(main, {path, query}), which may return a function that closes the page. If that
 * function has a member `update({path, query})`, the shell calls it for another address of the same page instead of
 * reopening the page. The function's member `title` is the page's subject, if the address doesn't contain it. Its
 * member `comeBack()` restores the focus after the browser's Back or Forward button.
 */
const pages = [
  { path: "chat", title: "Chat", load: () => import("./pages/chat.js") },
  { path: "events", title: "Events", load: () => import("./pages/events.js") },
  { path: "data", title: "Data", load: () => import("./pages/data.js") },
  { path: "database", title: "Realtime Database", load: () => import("./pages/database.js") },
  { path: "storage", title: "Storage", load: () => import("./pages/storage.js") },
  { path: "authentication", title: "Authentication", load: () => import("./pages/authentication.js") },
  { path: "requests", title: "Requests", load: () => import("./pages/requests.js") },
  { path: "functions", title: "Functions", load: () => import("./pages/functions.js") },
  { path: "phones", title: "Phones & providers", load: () => import("./pages/phones.js") },
  { path: "logs", title: "Logs", load: () => import("./pages/logs.js") },
  { path: "status", title: "Status", load: () => import("./pages/status.js") },
];

/** The open page's main element. Each page gets a new one, so that late additions of a closed page have no effect. */
let main = h("main");
const connection = h("p", { id: "connection", role: "status", hidden: true });
const project = h("span", { className: "project" });
const paused = h("a", { className: "tag warn", href: "/functions", hidden: true }, "All functions are paused");
const dead = h("a", { className: "dead-letters", href: "/events?state=deadLettered", hidden: true });
const links = pages.map((page) => h("a", { href: `/${page.path}` }, page.title));

let close = () => {};
let current = null;
let opened = 0;

/** Scrolls the navigation of a narrow window to a link. */
const reveal = (link) => link?.scrollIntoView({ inline: "center", block: "nearest" });

async function open(location) {
  // A dialog belongs to the page that opened it.
  for (const dialog of main.querySelectorAll("dialog")) dialog.close();
  const segments = location.path;
  if (segments.length === 0) return navigate("/chat", { replace: true });
  const page = pages.find((page) => page.path === segments[0]);
  if (page && page === current && close.update) {
    close.update({ path: segments.slice(1), query: location.query });
    entitle(page, segments);
    if (document.activeElement === document.body) focusHeading();
    return;
  }
  const isFirst = current === null;
  const number = ++opened;
  close();
  close = () => {};
  current = page;
  for (const [index, link] of links.entries()) {
    if (pages[index] === page) {
      link.setAttribute("aria-current", "page");
      reveal(link);
    } else link.removeAttribute("aria-current");
  }
  const place = h("main", { id: "main", tabIndex: -1, className: page ? `page-${page.path}` : "" });
  main.replaceWith(place);
  main = place;
  main.ariaBusy = "true";
  entitle(page, segments);
  if (!page) {
    fill(main, h("h1", {}, "Not found"), h("p", {}, `There is no page /${segments.join("/")}.`));
    main.ariaBusy = "false";
    return focusHeading();
  }
  try {
    const module = await page.load().catch(() => {
      stream.reconnect();
      throw new Error("The emulator can't be reached.");
    });
    if (number !== opened) return;
    const opening = (await module.open(place, { path: segments.slice(1), query: location.query })) ?? (() => {});
    // Another page may have been opened meanwhile.
    if (number === opened) close = opening;
    else opening();
  } catch (error) {
    if (number !== opened) return;
    fill(
      main,
      h("h1", {}, page.title),
      h("p", { className: "error", role: "alert" }, error.message),
      h("p", {}, h("button", { type: "button", onclick: () => open(location) }, "Try again")),
    );
    // A page that failed without an emulator opens once the emulator is connected.
    close = stream.onConnection(({ isConnected }) => isConnected && open(location));
  }
  if (number !== opened) return;
  main.ariaBusy = "false";
  entitle(page, segments);
  // A focus that is already inside the page stays there.
  if (isFirst || main.contains(document.activeElement)) return;
  if (location.isReturn && close.comeBack) close.comeBack();
  else focusHeading();
}

function entitle(page, segments) {
  const subject = close.title ?? segments.slice(1).join("/");
  document.title = [subject, page?.title ?? "Not found", "WorldChat emulator"].filter(Boolean).join(" – ");
}

/** Moves the focus to the page's heading, so that screen readers continue there. */
function focusHeading() {
  const heading = main.querySelector("h1");
  heading.tabIndex = -1;
  heading.focus();
}

/** Stores, applies and returns the theme: auto, light or dark. */
function theme(next) {
  const value = next ?? localStorage.getItem("theme") ?? "auto";
  localStorage.setItem("theme", value);
  document.documentElement.dataset.theme = value;
  return value;
}

function themeButton() {
  const order = ["auto", "light", "dark"];
  const label = () => `Theme: ${theme()}`;
  const button = h("button", { type: "button", className: "quiet", onclick: () => {
    theme(order[(order.indexOf(theme()) + 1) % order.length]);
    button.textContent = label();
  } }, label());
  return button;
}

theme();
document.body.append(
  h("a", { href: "#main", className: "skip", onclick: (event) => {
    event.preventDefault();
    main.focus();
  } }, "Skip to content"),
  h("header", {},
    h("strong", {}, "WorldChat emulator"), project, paused,
    h("nav", { "aria-label": "Pages" }, links.map((link, index) => [link, pages[index].path === "events" && dead])),
    themeButton(),
  ),
  connection,
  main,
);

stream.onConnection(({ isConnected, isNewRun }) => {
  connection.hidden = isConnected && !isNewRun;
  connection.className = isConnected ? "good" : "bad";
  connection.textContent = isConnected
    ? "The emulator was restarted: the page now shows its current data."
    : "The emulator doesn't respond, or too many windows show these pages. Reconnecting…";
  if (isConnected && isNewRun) setTimeout(() => (connection.hidden = stream.isConnected), 5_000);
});

function connect() {
  stream.connect();
  resumeListeners();
  resumeSockets();
}

function disconnect() {
  stream.disconnect();
  suspendListeners();
  suspendSockets();
}

// A hidden page disconnects after a while, because browsers limit the connections to a server.
let hiding;
function look() {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(disconnect, 3_000);
  else connect();
}
document.addEventListener("visibilitychange", look);

// The browser's back/forward cache may keep a page that was left, together with its connection.
addEventListener("pagehide", () => {
  clearTimeout(hiding);
  disconnect();
});
addEventListener("pageshow", ({ persisted }) => persisted && connect());

stream.connect();
look();
poll(async () => {
  const { switches, deadLetters } = await api.get("status");
  paused.hidden = !switches.paused;
  const words = deadLetters === 1 ? "1 dead letter" : `${number(deadLetters)} dead letters`;
  // A screen reader would announce an assignment of the same text again.
  if (dead.title === words) return;
  dead.textContent = number(deadLetters);
  dead.title = words;
  dead.setAttribute("aria-label", words);
  dead.hidden = deadLetters === 0;
  reveal(links[pages.indexOf(current)]);
});
status().then((status) => (project.textContent = status.project), () => {});
followLinks();
onNavigation(open);

// The shell: navigation, the connection, and the one page that is open.

import { fill, h } from "./lib/dom.js";
import { api, status, stream } from "./lib/emulator.js";
import { poll } from "./lib/polling.js";
import { followLinks, navigate, onNavigation } from "./lib/router.js";

/**
 * A page's module has open(main, {path, query}) and may return a function that closes it. If that has a function
 * `update({path, query})`, the page that is open is told of another address of its own instead of being made anew.
 * Its `title` says what the page is about if the address doesn't; `comeBack()` puts the focus where it was when the
 * browser's own buttons brought one here.
 */
const pages = [
  { path: "chat", title: "Chat", load: () => import("./pages/chat.js") },
  { path: "events", title: "Events", load: () => import("./pages/events.js") },
  { path: "data", title: "Data", load: () => import("./pages/data.js") },
  { path: "functions", title: "Functions", load: () => import("./pages/functions.js") },
  { path: "phones", title: "Phones & providers", load: () => import("./pages/phones.js") },
  { path: "logs", title: "Logs", load: () => import("./pages/logs.js") },
  { path: "status", title: "Status", load: () => import("./pages/status.js") },
];

/** Each opening has one of its own: what a page adds late, when somebody has gone on, is nowhere. */
let main = h("main");
const connection = h("p", { id: "connection", role: "status", hidden: true });
const project = h("span", { className: "project" });
const paused = h("a", { className: "tag warn", href: "/functions", hidden: true }, "All functions are paused");
const links = pages.map((page) => h("a", { href: `/${page.path}` }, page.title));

let close = () => {};
let current = null;
let opened = 0;

async function open(location) {
  // What a dialog asks belongs to where it was asked.
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
      link.scrollIntoView({ inline: "center", block: "nearest" });
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
    // Somebody may have gone on while it opened.
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
    // What failed for want of an emulator opens when there is one.
    close = stream.onConnection(({ isConnected }) => isConnected && open(location));
  }
  if (number !== opened) return;
  main.ariaBusy = "false";
  entitle(page, segments);
  // Whoever has begun to do something there goes on.
  if (isFirst || main.contains(document.activeElement)) return;
  if (location.isReturn && close.comeBack) close.comeBack();
  else focusHeading();
}

function entitle(page, segments) {
  const subject = close.title ?? segments.slice(1).join("/");
  document.title = [subject, page?.title ?? "Not found", "WorldChat emulator"].filter(Boolean).join(" – ");
}

/** Who follows a link is read the page's heading, and goes on from there. */
function focusHeading() {
  const heading = main.querySelector("h1");
  heading.tabIndex = -1;
  heading.focus();
}

/** auto, light or dark. */
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
  } }, "To the content"),
  h("header", {},
    h("strong", {}, "WorldChat emulator"), project, paused,
    h("nav", { "aria-label": "Pages" }, links),
    themeButton(),
  ),
  connection,
  main,
);

stream.onConnection(({ isConnected, isNewRun }) => {
  connection.hidden = isConnected && !isNewRun;
  connection.className = isConnected ? "good" : "bad";
  connection.textContent = isConnected
    ? "The emulator was started anew: this is what it has now."
    : "The emulator doesn't answer. Trying again…";
  if (isConnected && isNewRun) setTimeout(() => (connection.hidden = stream.isConnected), 5_000);
});

// A hidden page lets go of its connection after a while: browsers have few for each server.
let hiding;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(() => stream.disconnect(), 3_000);
  else stream.connect();
});

// A page that one has left may be kept for the browser's Back, and its connection with it.
addEventListener("pagehide", () => {
  clearTimeout(hiding);
  stream.disconnect();
});
addEventListener("pageshow", ({ persisted }) => persisted && stream.connect());

stream.connect();
poll(async () => (paused.hidden = !(await api.get("triggers")).paused));
status().then((status) => (project.textContent = status.project), () => {});
followLinks();
onNavigation(open);

// A phone: its owner, the app's badge, and its notifications.

import { h, reconcile } from "../../lib/dom.js";
import { shortTime } from "../../lib/format.js";
import { path } from "../../lib/router.js";
import { tagged } from "../../lib/untranslated.js";

const maximumShown = 12;

/** Creates a phone. update({owner, badge, pushes, isUninstalled}) updates it. */
export function lockScreen(target, uninstall) {
  const owner = h("strong", { dir: "auto" });
  const badge = h("span", { className: "badge" });
  const note = h("p", { className: "note" });
  const list = h("ol", { className: "notifications" });
  const button = h("button", { type: "button", onclick: () => uninstall(target),
    "aria-label": `Uninstall the app on ${target}` }, "Uninstall");
  const element = h("li", { className: "phone" },
    h("div", { className: "phone-head" },
      h("img", { className: "app-icon", src: "/assets/icon.svg", alt: "" }), badge,
      h("span", { className: "owner" }, owner, h("span", { className: "mono token" }, target)),
      button),
    note, list);

  function update({ owner: name, badge: number, pushes, isUninstalled }) {
    owner.textContent = name ?? "Unknown owner";
    badge.textContent = number > 0 ? number : "";
    badge.setAttribute("aria-label", `badge ${number}`);
    badge.setAttribute("role", "img");
    badge.hidden = !(number > 0);
    element.classList.toggle("uninstalled", isUninstalled);
    button.hidden = isUninstalled;
    note.textContent = isUninstalled ? "Uninstalled: FCM rejects the token."
      : pushes.length === 0 ? "Nothing yet."
      : pushes.length > maximumShown ? `${pushes.length - maximumShown} older pushes aren't shown.` : "";
    note.hidden = note.textContent === "";
    reconcile(list, pushes.slice(0, maximumShown), {
      key: ({ push }) => push.name,
      make: notification,
    });
  }
  return { element, update };
}

function notification({ push, shown, times }) {
  const at = push.receivedSeconds ? shortTime(push.receivedSeconds * 1_000) : "";
  const raw = h("details", { ontoggle: () => {
    if (raw.open && raw.children.length === 1) raw.append(h("pre", {}, JSON.stringify(push.message, null, 2)));
  } }, h("summary", {}, "Raw message"));
  const what = shown.isSilent
    ? h("p", { className: "silent" }, "Silent push",
      shown.badge !== undefined ? `: badge ${shown.badge}` : shown.type ? `: ${shown.type}` : "")
    : [
      h("p", { className: "title", dir: "auto" }, shown.title ?? ""),
      h("p", { className: "body", dir: "auto" }, tagged(shown.body ?? "")),
      shown.image && pictureOf(shown.image),
    ];
  return h("li", { className: shown.isSilent ? "notification quiet-push" : "notification" },
    h("span", { className: "at" }, at, times > 1 ? ` · ${times}×` : ""),
    what,
    shown.conversation
      ? h("a", { href: path("data", "conversations", shown.conversation) }, "Conversation") : null,
    raw);
}

/**
 * Returns a button that loads a push's picture. A phone loads it by itself, but here a push must not make the browser
 * contact any server.
 */
function pictureOf(url) {
  const { host } = new URL(url);
  const button = h("button", { type: "button", className: "picture", onclick: () => {
    const image = h("img", { src: url, alt: "Picture of the push", onerror: () => {
      image.replaceWith(h("p", { className: "silent", role: "alert" }, `The picture from ${host} can't be loaded.`));
    } });
    button.replaceWith(image);
  } }, `Show the picture from ${host}`);
  return button;
}

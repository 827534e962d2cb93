// Push banners at the top of a phone's screen, shown for a few seconds.

import { h } from "../../lib/dom.js";
import { tagged } from "../../lib/untranslated.js";
import { shownBy } from "../phones/push.js";

const shownMilliseconds = 8_000;
const maximumShown = 2;

/** Creates the banners. open(conversationId) opens the conversation of a push. */
export function banners(open) {
  const element = h("div", { className: "banners", "aria-live": "polite" });
  const timers = new Set();

  return {
    element,
    show({ message }, isQuiet) {
      const { title = "", body = "" } = shownBy({ message });
      const banner = h("button", {
        type: "button", className: isQuiet ? "banner quiet-banner" : "banner",
        onclick: () => {
          banner.remove();
          if (message.data?.conversationId) open(message.data.conversationId);
        },
      }, h("strong", {}, h("bdi", {}, title)), h("span", { dir: "auto" }, tagged(body.slice(0, 300))));
      element.append(banner);
      while (element.children.length > maximumShown) element.firstElementChild.remove();
      const timer = setTimeout(() => {
        timers.delete(timer);
        banner.remove();
      }, shownMilliseconds);
      timers.add(timer);
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

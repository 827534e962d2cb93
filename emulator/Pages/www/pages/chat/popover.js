// A popover next to the button that opened it. Escape or a click elsewhere closes it.

import { fill, h } from "../../lib/dom.js";

const panel = h("div", { className: "chat-popover", popover: "auto" });
panel.addEventListener("toggle", ({ newState }) => newState === "closed" && panel.remove());

/** Shows the popover. The page's main element contains it, so that it is removed with the page. */
export function showPopover(button, label, ...children) {
  panel.remove();
  button.closest("main").append(fill(panel, children));
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", label);
  panel.showPopover();
  const place = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const below = place.bottom + 4;
  panel.style.left = `${Math.max(4, Math.min(place.left, innerWidth - width - 4))}px`;
  panel.style.top = `${below + height < innerHeight ? below : Math.max(4, place.top - height - 4)}px`;
  panel.querySelector("button")?.focus();
}

export const closePopover = () => panel.isConnected && panel.hidePopover();

// A round avatar: an initial in a color derived from the ID, so that it is the same everywhere.

import { h } from "../../lib/dom.js";

export function avatar(id, name) {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.codePointAt(0)) % 360;
  const initial = Array.from(name.trim())[0] ?? "?";
  const element = h("span", { className: "avatar", "aria-hidden": "true" }, initial.toLocaleUpperCase());
  element.style.setProperty("--hue", String(hash));
  return element;
}

// A round avatar: the profile picture, or an initial in a color derived from the ID, so that it is the same everywhere.

import { h } from "../../lib/dom.js";

/** Creates an avatar. picture is the URL of the picture, or "". */
export function avatar(id, name, picture = "") {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.codePointAt(0)) % 360;
  const initial = Array.from(name.trim())[0] ?? "?";
  const element = h("span", { className: "avatar", "aria-hidden": "true" }, initial.toLocaleUpperCase());
  element.style.setProperty("--hue", String(hash));
  // The initial stays until the picture is loaded, and if it can't be.
  if (picture) {
    const image = h("img", {
      src: picture, alt: "", onerror: () => image.remove(), onload: () => {
        element.replaceChildren(image);
        element.classList.add("loaded");
      },
    });
    element.append(image);
  }
  return element;
}

/** Creates a person's avatar. */
export const personAvatar = (people, uid) => avatar(uid, people.name(uid), people.picture(uid));

// The list of the people who can use a phone.

import { fill, h } from "../../lib/dom.js";

/** Creates the list. choose(uid) is called when a person is chosen. */
export function userSelect({ people, choose }) {
  const element = h("select", {
    className: "who", "aria-label": "Who uses this phone", onchange: () => element.value && choose(element.value),
  });

  return {
    element,
    /** Updates the list only if it has changed, because an update would close an open list. */
    draw(uid) {
      const all = people.all();
      if (uid && !all.some((person) => person.uid === uid)) all.unshift({ uid, name: people.name(uid) });
      const key = JSON.stringify([uid === "", all.map(({ uid, name }) => [uid, name])]);
      if (element.dataset.shown !== key) {
        element.dataset.shown = key;
        fill(element, !uid && h("option", { value: "" }, "Nobody"),
          all.map(({ uid, name }) => h("option", { value: uid }, name.slice(0, 60))));
      }
      element.value = uid;
    },
  };
}

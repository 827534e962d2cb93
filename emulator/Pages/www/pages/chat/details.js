// The dialog of a conversation's members, the reader's language, and the buttons to add and remove members.

import { fill, h } from "../../lib/dom.js";
import { personAvatar } from "./avatar.js";
import { languageName } from "./documents.js";
import { formOf, showDialog } from "./dialog.js";
import { languageSelect } from "./language-select.js";
import { titleOf } from "./titles.js";

/** Shows the dialog. left() is called after this phone's user has left the group. */
export function showDetails({ client, people, left }) {
  const { about, uid } = client;
  if (!about) return;
  const members = new Set(about.participants);
  const list = h("ul", { className: "members" });
  const problem = h("p", { className: "error", role: "alert" });
  const adding = h("div", {});

  async function attempt(action) {
    problem.textContent = "";
    try {
      await action();
    } catch (error) {
      problem.textContent = error.message;
    }
    draw();
  }

  function draw() {
    fill(list, [...members].map((member) => h("li", {},
      personAvatar(people, member),
      h("bdi", {}, people.name(member)), member === uid && " (you)",
      h("span", { className: "faint" }, languageName(people.get(member)?.language ?? "")),
      about.isGroup && member !== uid && h("button", {
        type: "button", className: "danger",
        onclick: () => attempt(async () => {
          await client.removeMember(member);
          members.delete(member);
        }),
      }, "Remove"),
    )));
    const others = people.all().filter((person) => !members.has(person.uid));
    fill(adding, about.isGroup && others.length > 0 && formOf(async (data) => {
      await client.addMember(data.get("person"));
      members.add(data.get("person"));
      draw();
    },
    h("label", {}, "Add", h("select", { name: "person" },
      others.map((person) => h("option", { value: person.uid }, person.name)))),
    h("button", { type: "submit" }, "Add member")));
  }

  draw();
  const close = showDialog(titleOf(about, uid, people), list, adding,
    h("label", {}, "Your language", languageSelect(people.get(uid)?.language, {
      onchange: async ({ target }) => {
        await attempt(() => client.setLanguage(target.value));
        if (problem.textContent) target.value = people.get(uid)?.language;
      },
    })),
    problem,
    about.isGroup && h("button", {
      type: "button", className: "danger",
      onclick: () => attempt(async () => {
        await client.removeMember(uid);
        close();
        left();
      }),
    }, "Leave the group"));
}

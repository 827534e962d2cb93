// The tree of a document's fields. Folded parts are created when they are opened, and changes are applied in place.

import { fill, h, reconcile } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { dataPath } from "./address.js";
import { isContainer, members, names, pathBelow, summary, typeOf, vectorNumbers } from "./types.js";

/** The maximum number of members without groups, and the size of a group. */
const groupSize = 100;
/** The number of characters above which a text is truncated until it is expanded. */
const foldedLength = 300;

/**
 * Creates the tree. actions are called with a path: edit(path), add(path), remove(path). References below root are
 * links. Returns {element, update(fields)}.
 */
export function fieldTree(root, actions) {
  const element = h("ul", { className: "fields" });
  const list = memberList(element, [], { ...actions, root });
  return { element, update: (fields) => list.update(members({ mapValue: { fields } })) };
}

function memberList(element, path, actions) {
  const item = ([key, value]) => memberItem([...path, key], value, actions);
  const group = (entries) => groupItem(entries, path, actions);
  return {
    update(entries) {
      const parts = entries.length <= groupSize ? entries : groups(entries);
      reconcile(element, parts, {
        key: (part) => (Array.isArray(part) ? `m${part[0]}` : `g${part.start}`),
        make: (part) => (Array.isArray(part) ? item(part) : group(part)),
        update: (child, part) => child.show(Array.isArray(part) ? part[1] : part),
      });
    },
  };
}

function groups(entries) {
  const result = [];
  for (let start = 0; start < entries.length; start += groupSize) {
    result.push({ start, entries: entries.slice(start, start + groupSize) });
  }
  return result;
}

/** Creates a button that opens and closes a list. The list is created when it is first opened. */
function disclosure(makeList) {
  let list = null;
  const button = h("button", { type: "button", className: "fold", "aria-expanded": "false", onclick: toggle });
  function toggle() {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    list ??= makeList();
    list.element.hidden = isOpen;
    if (!isOpen) list.refresh();
  }
  return { button, toggle, get isOpen() {
    return button.getAttribute("aria-expanded") === "true";
  }, refresh: () => list?.refresh() };
}

function groupItem(first, path, actions) {
  let part = first;
  const element = h("li", { className: "group" });
  const fold = disclosure(() => {
    const list = h("ul", { className: "fields" });
    const content = memberList(list, path, actions);
    element.append(list);
    return { element: list, refresh: () => content.update(part.entries) };
  });
  element.append(fold.button);
  element.show = (next) => {
    part = next;
    fill(fold.button, ...label(part.entries[0][0]), " … ", ...label(part.entries.at(-1)[0]));
    if (fold.isOpen) fold.refresh();
  };
  element.show(first);
  return element;
}

const label = (key) => (typeof key === "number" ? [`${key}`] : marked(key));

function memberItem(path, first, actions) {
  const key = path.at(-1);
  let value = null;
  let json = "";
  let isWhole = false;
  const name = h("bdi", { className: "name", dir: "auto" }, key === "" ? "(empty)" : label(key));
  const head = h("div", { className: "field" });
  const element = h("li", {}, head);
  const fold = disclosure(() => {
    const list = h("ul", { className: "fields" });
    const content = memberList(list, path, actions);
    element.append(list);
    return { element: list, refresh: () => content.update(isContainer(value) ? members(value) : []) };
  });

  // The elements are created once, so that the focus stays when the value changes.
  const button = (action, text, sign) => h("button", {
    type: "button", className: "quiet", "aria-label": `${text} ${key}`, title: text,
    onclick: () => actions[action](path),
  }, sign);
  const type = h("span", { className: "type" });
  const content = h("span");
  const add = button("add", "Add to", "+");
  fold.button.setAttribute("aria-label", String(key));
  head.append(fold.button, name, type, content,
    h("span", { className: "field-actions" }, add, button("edit", "Edit", "✎"), button("remove", "Delete", "✕")));

  function draw() {
    const hasMembers = isContainer(value) && members(value).length > 0;
    if (!hasMembers && fold.isOpen) fold.toggle();
    fold.button.classList.toggle("none", !hasMembers);
    fold.button.disabled = !hasMembers;
    add.hidden = !isContainer(value);
    type.textContent = names[typeOf(value)] ?? typeOf(value);
    content.className = `value ${typeOf(value)}`;
    const isAtWhole = content.contains(document.activeElement) && document.activeElement.tagName === "BUTTON";
    fill(content, shown());
    if (isAtWhole) content.querySelector("button")?.focus();
  }

  /** Returns the display of the value: all of it, or its beginning and a button for the rest. */
  function shown() {
    const type = typeOf(value);
    if (type === "reference") return reference(actions.root, value.referenceValue);
    if (!["string", "bytes", "vector"].includes(type)) return h("bdi", {}, marked(summary(value, 200)));
    const text = type === "string" ? value.stringValue
      : type === "bytes" ? value.bytesValue : `[${vectorNumbers(value).join(", ")}]`;
    if (text === "") return h("em", { className: "note" }, "empty");
    if (text.length <= foldedLength) return whole(text);
    const length = type === "bytes" ? summary(value) : `${number(text.length)} characters`;
    return [
      whole(isWhole ? text : `${text.slice(0, foldedLength)}…`),
      h("button", { type: "button", className: "quiet", onclick: () => {
        isWhole = !isWhole;
        draw();
      } }, isWhole ? "Show less" : `Show all ${length}`),
    ];
  }

  const whole = (text) => h("bdi", { className: "text", dir: "auto" }, marked(text));

  element.show = (next) => {
    const text = JSON.stringify(next);
    if (text === json && Object.is(next.doubleValue, value?.doubleValue)) return;
    if (json !== "") flash(head);
    value = next;
    json = text;
    draw();
    if (fold.isOpen) fold.refresh();
  };
  element.show(first);
  return element;
}

function flash(element) {
  element.classList.remove("changed");
  void element.offsetWidth;
  element.classList.add("changed");
}

function reference(root, name) {
  const path = pathBelow(root, name);
  return path === null
    ? h("bdi", { dir: "auto" }, marked(name)) : h("a", { href: dataPath(path), dir: "auto" }, marked(path));
}

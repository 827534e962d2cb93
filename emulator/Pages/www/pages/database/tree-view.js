// The tree of a node: its open parts as rows, of which only the visible ones are elements.

import { fill, h } from "../../lib/dom.js";
import { number } from "../../lib/format.js";
import { marked } from "../../lib/marked-text.js";
import { sparingly } from "../../lib/polling.js";
import { VirtualList } from "../../lib/virtual-list.js";

/** The number of characters of a text that a row shows. */
const shownLength = 300;

/**
 * Creates the tree. `name` is the topmost row's. actions are called with a path below the tree's node: edit(path),
 * add(path), remove(path); address(path) is the address of a node's own page.
 */
export function treeView({ name, actions, address }) {
  /** The open nodes, by their paths as JSON. */
  const open = new Set(["[]"]);
  /** When nodes have changed, by their paths as JSON, until the list is drawn. */
  let changed = new Set();
  let root = null;

  const list = new VirtualList({
    rowHeight: 30, label: "Data", key: ({ id }) => id,
    make: (row) => {
      const element = h("div", { role: "listitem", className: "node" });
      draw(element, row);
      return element;
    },
    update: (element, row) => draw(element, row),
  });

  /** Returns the rows of the open nodes. */
  function rows() {
    const found = [];
    const visit = (node, key, path) => {
      const id = JSON.stringify(path);
      found.push({ id, key, path, node, isOpen: open.has(id) && node.count > 0 });
      if (!found.at(-1).isOpen) return;
      for (const childKey of node.keys) visit(node.child(childKey), childKey, [...path, childKey]);
    };
    if (root) visit(root, name, []);
    return found;
  }

  const show = () => list.show(rows());
  const showSoon = sparingly(show, 100);

  function draw(element, row) {
    const { id, key, path, node, isOpen } = row;
    const shown = JSON.stringify([key, node.value, node.priority, node.count, isOpen]);
    if (element.dataset.shown === shown) return;
    if (element.dataset.shown && changed.delete(id)) flash(element);
    element.dataset.shown = shown;
    element.style.paddingInlineStart = `${0.4 + Math.min(path.length, 16) * 1.1}rem`;
    const hasFocus = element.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    fill(element,
      h("button", { type: "button", className: `fold ${node.count ? "" : "none"}`, disabled: node.count === 0,
        "aria-expanded": node.count ? String(isOpen) : null, "aria-label": key, onclick: () => toggle(id) }),
      path.length
        ? h("a", { className: "key", dir: "auto", href: address(path), title: key }, marked(key))
        : h("span", { className: "key", dir: "auto" }, marked(key)),
      h("span", { className: typeof node.value === "string" ? "value text" : "value", dir: "auto" }, summary(node)),
      node.priority !== null && h("span", { className: "tag" }, "priority ", marked(JSON.stringify(node.priority))),
      h("span", { className: "node-actions" },
        action("add", path, key, "Add to", "+"), action("edit", path, key, "Edit", "✎"),
        action("remove", path, key, "Delete", "✕")));
    if (hasFocus) [...element.querySelectorAll("button")].find((each) => each.ariaLabel === hasFocus)?.focus();
  }

  const action = (name, path, key, text, sign) => h("button", {
    type: "button", className: "quiet", "aria-label": `${text} ${key}`, title: text,
    // The row's button may be replaced while the dialog's data is read.
    onclick: () => actions[name](path, list.element),
  }, sign);

  function toggle(id) {
    if (!open.delete(id)) open.add(id);
    show();
  }

  return {
    element: list.element,
    /** Shows a node, or nothing for null. `path` is where it has changed. */
    show(node, path) {
      root = node;
      const id = JSON.stringify(path);
      changed.add(id);
      setTimeout(() => changed.delete(id), 500);
      showSoon();
    },
    close() {
      showSoon.close();
      list.close();
    },
  };
}

function summary({ value, count }) {
  if (value === null) return h("em", { className: "note" }, count === 1 ? "1 child" : `${number(count)} children`);
  if (typeof value !== "string") return String(value);
  return marked(JSON.stringify(value.length > shownLength ? `${value.slice(0, shownLength)}…` : value));
}

function flash(element) {
  element.classList.remove("changed");
  void element.offsetWidth;
  element.classList.add("changed");
}

// Creation of elements. Text is always inserted as text: nothing here parses a string as markup.

/**
 * Creates an element: h("button", {type: "button", onclick: save}, "Save", icon).
 *
 * Properties that begin with "on" are event listeners. "class", "data-…", "aria-…", "role" and names without a DOM
 * property are attributes. Values null, undefined and false are ignored. Children are nodes, texts, numbers, or
 * arrays of them; null, undefined and false are ignored.
 */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) set(element, key, value);
  append(element, children);
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key in element && !key.includes("-") && key !== "list" && key !== "form") element[key] = value;
  else element.setAttribute(key === "className" ? "class" : key, value === true ? "" : String(value));
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces all children of an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * Updates a list's elements to the given items with as few DOM changes as possible: elements that stay keep their
 * position, focus and selection.
 *
 * key(item) is unique; make(item) creates an element; update(element, item) updates an existing one. If either
 * throws, the item's element shows the error, and the other items aren't affected.
 */
export function reconcile(parent, items, { key, make, update = () => {} }) {
  const wanted = new Map(items.map((item) => [String(key(item)), item]));
  const old = new Map();
  // Obsolete elements are removed first; otherwise all following elements would be moved.
  for (const element of [...parent.children]) {
    if (wanted.has(element.dataset.key)) old.set(element.dataset.key, element);
    else element.remove();
  }
  let next = parent.firstElementChild;
  for (const [name, item] of wanted) {
    const before = old.get(name);
    const element = brought(before, item, { make, update }, parent);
    element.dataset.key = name;
    if (before && before !== element) {
      if (before === next) next = next.nextElementSibling;
      before.remove();
    }
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
}

/** The elements that show an error in place of an item. */
const failures = new WeakSet();

/** Returns an item's element, created or updated. */
function brought(before, item, { make, update }, parent) {
  try {
    if (!before || failures.has(before)) return make(item);
    update(before, item);
    return before;
  } catch (error) {
    reportError(error);
    const name = /^[OU]L$/.test(parent.tagName) ? "li" : "div";
    const element = h(name, { className: "error" }, `This can't be shown: ${error.message}`);
    failures.add(element);
    return element;
  }
}

/**
 * Opens a modal dialog, which is removed when it is closed or another page opens. onclose() is always called then.
 */
export function openModal(title, { onclose = () => {}, ...properties }, ...children) {
  const dialog = h("dialog", { "aria-label": title, ...properties, onclose: () => {
    dialog.remove();
    onclose();
  } }, children);
  document.getElementById("main").append(dialog);
  dialog.showModal();
  return dialog;
}

let announcer;

/** Announces a text to screen readers. */
export function announce(text) {
  announcer ??= document.body.appendChild(h("div", { className: "visually-hidden", role: "status" }));
  announcer.textContent = text;
}

// Making elements. Text is always text: nothing here turns a string into markup.

/**
 * Makes an element: h("button", {type: "button", onclick: save}, "Save", icon).
 * Properties that begin with "on" are listeners; "class", "data-…", "aria-…" and "role" are attributes,
 * as is anything the element has no property for. Values null, undefined and false leave out.
 * Children are nodes, texts, numbers, or arrays of them; null, undefined and false are none.
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

/** Replaces all children. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * Brings a list's elements to the given items with as few changes as it takes: those that stay keep
 * their place, focus and selection.
 *
 * key(item) is unique; make(item) gives a new element; update(element, item) is called for those that
 * were there. An item for which either fails is shown as that, and the others as ever.
 */
export function reconcile(parent, items, { key, make, update = () => {} }) {
  const wanted = new Map(items.map((item) => [String(key(item)), item]));
  const old = new Map();
  // What goes is gone first: else all that follows it would be moved.
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

/** The elements that stand for items that can't be shown. */
const failures = new WeakSet();

/** An item's element, made or brought up to date. */
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

/** Opens a modal dialog, gone when it is closed or one goes elsewhere. onclose() is called however it ends. */
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

/** Tells those who listen to the page instead of looking at it. */
export function announce(text) {
  announcer ??= document.body.appendChild(h("div", { className: "visually-hidden", role: "status" }));
  announcer.textContent = text;
}

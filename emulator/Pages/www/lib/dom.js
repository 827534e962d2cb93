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
 * were there.
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
    let element = old.get(name);
    if (element) {
      update(element, item);
    } else {
      element = make(item);
      element.dataset.key = name;
    }
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
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

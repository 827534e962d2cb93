// Addresses: every view has one, so that it can be linked to.

let listener = () => {};

/** Where we are: the path's segments, decoded, and the query. */
function here() {
  const path = location.pathname.split("/").filter((segment) => segment !== "");
  return { path: path.map(decodeURIComponent), query: new URLSearchParams(location.search) };
}

/**
 * Calls back now and whenever the address changes, with {path, query}; isReturn is true where the browser's own
 * buttons, Back or Forward, brought one.
 */
export function onNavigation(callback) {
  listener = callback;
  addEventListener("popstate", () => callback({ ...here(), isReturn: true }));
  callback(here());
}

/** Goes to an address, such as "/events/ID?state=deadLettered". */
export function navigate(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return listener(here());
}

/** Changes the address's query without opening the page anew; empty values leave out. */
export function setQuery(members) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(members)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
}

/** A path of segments, each encoded: path("data", "users", "a/b"). */
export function path(...segments) {
  return `/${segments.map(encodeURIComponent).join("/")}`;
}

/** Lets links to our own pages open them without loading anything. */
export function followLinks() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/api") || link.pathname.startsWith("/assets")) return;
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}

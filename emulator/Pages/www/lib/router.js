// The router. Every view has an address, so that it can be linked to.

let listener = () => {};

/** Returns the current address: the path's decoded segments and the query. */
function here() {
  const path = location.pathname.split("/").filter((segment) => segment !== "");
  return { path: path.map(decodeURIComponent), query: new URLSearchParams(location.search) };
}

/**
 * Calls the callback with {path, query} now and after each change of the address. isReturn is true after the
 * browser's Back or Forward button.
 */
export function onNavigation(callback) {
  listener = callback;
  addEventListener("popstate", () => callback({ ...here(), isReturn: true }));
  callback(here());
}

/** Navigates to an address, such as "/events/ID?state=deadLettered". */
export function navigate(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return listener(here());
}

/** Changes the address's query without reopening the page; empty values are removed. */
export function setQuery(members) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(members)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
}

/** Returns a path of encoded segments: path("data", "users", "a/b"). */
export function path(...segments) {
  return `/${segments.map(encodeURIComponent).join("/")}`;
}

/** Opens links to the emulator's own pages without loading the document again. */
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

// The list of the collections of the root or of a document.

import { demoOffer } from "../../lib/demo.js";
import { fill, h } from "../../lib/dom.js";
import { stream } from "../../lib/emulator.js";
import { marked } from "../../lib/marked-text.js";
import { dataPath } from "./address.js";

/** The interval of requests for new collections, in milliseconds: Firestore can't notify of them. */
const interval = 5_000;

/**
 * Creates the list. parent is a document's path, or "" for the root. Returns {element, select(id), refresh, close}.
 */
export function collectionList({ firestore, parent }) {
  let selected = null;
  let ids = null;
  let timer = null;
  let isClosed = false;
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const list = h("ul", { className: "rows" });
  const element = h("div", { className: "collection-list" }, problem, list);

  function show() {
    if (!ids) return;
    fill(list, ids.map((id) => h("li", {},
      h("a", {
        className: "row", href: dataPath(parent ? `${parent}/${id}` : id), dir: "auto",
        "aria-current": id === selected ? "page" : null,
      }, marked(id)))));
    if (ids.length === 0) {
      list.append(h("li", { className: "empty" },
        parent ? "No subcollections." : ["No collections yet.", demoOffer(refresh)]));
    }
  }

  async function refresh() {
    clearTimeout(timer);
    try {
      if (!document.hidden && stream.isConnected || !ids) {
        const found = await firestore.collections(parent);
        if (isClosed) return;
        problem.hidden = true;
        if (JSON.stringify(found) !== JSON.stringify(ids)) {
          ids = found;
          show();
        }
      }
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(refresh, interval);
  }

  const stopWatching = stream.onConnection(({ isConnected }) => isConnected && refresh());
  refresh();
  return {
    element,
    refresh,
    select(id) {
      if (id === selected) return;
      selected = id;
      show();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      stopWatching();
    },
  };
}

// The events page: all deliveries and calls, or the trace of a single one, or that of a document:
// /events/document/conversations/trip/messages/m1.

import { openList } from "./events/list.js";
import { openTrace } from "./events/trace.js";

export function open(main, { path, query }) {
  if (path.length === 0) return openList(main, query);
  const [id, ...document] = path;
  return openTrace(main, document.length > 0 ? { document: document.join("/") } : { id }, query);
}

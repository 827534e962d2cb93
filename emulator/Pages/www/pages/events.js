// The events page: all deliveries and calls, or the trace of a single one.

import { openList } from "./events/list.js";
import { openTrace } from "./events/trace.js";

export function open(main, { path, query }) {
  return path.length === 0 ? openList(main, query) : openTrace(main, path[0], query);
}

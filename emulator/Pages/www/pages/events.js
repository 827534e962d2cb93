// Every delivery of an event to a function, and every call; and what led to one, and came of it.

import { openList } from "./events/list.js";
import { openTrace } from "./events/trace.js";

export function open(main, { path, query }) {
  return path.length === 0 ? openList(main, query) : openTrace(main, path[0], query);
}

// The page Requests: the clients' requests that security rules have decided on, or a single one.

import { openList } from "./requests/list.js";
import { openRequest } from "./requests/request.js";

export function open(main, { path, query }) {
  return path.length === 0 ? openList(main, query) : openRequest(main, path[0]);
}

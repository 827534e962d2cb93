// The functions page: an overview, or the details of one function.

import { openDetail } from "./functions/detail.js";
import { openOverview } from "./functions/overview.js";

export function open(main, { path, query }) {
  return path[0] ? openDetail(main, path[0], query) : openOverview(main);
}

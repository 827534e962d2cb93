// Addresses of the Realtime Database's page, such as /database/presence/sarah?as=marco.

import { path } from "../../lib/router.js";

/** Returns the address of a node of a database, and of who reads and writes; "" for the project's own, and for all. */
export function treePath(keys, { database = "", uid = "" } = {}) {
  const query = new URLSearchParams({ ...(database && { name: database }), ...(uid && { as: uid }) });
  const address = path("database", ...keys);
  return query.size ? `${address}?${query}` : address;
}

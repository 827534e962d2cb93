// Addresses of the data page, such as /data/users/sarah?q=….

import { path } from "../../lib/router.js";

/** Returns the address of a collection or document. q is the encoded query. */
export function dataPath(documentPath, q = "") {
  const address = path("data", ...documentPath.split("/").filter((segment) => segment !== ""));
  return q ? `${address}?${new URLSearchParams({ q })}` : address;
}

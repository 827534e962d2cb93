// Addresses of this page: /data/users/sarah?q=…

import { path } from "../../lib/router.js";

/** The address of a collection's or a document's path; q is the query as the address has it. */
export function dataPath(documentPath, q = "") {
  const address = path("data", ...documentPath.split("/").filter((segment) => segment !== ""));
  return q ? `${address}?${new URLSearchParams({ q })}` : address;
}

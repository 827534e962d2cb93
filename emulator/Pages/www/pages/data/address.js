// Addresses of the data page, such as /data/users/sarah?q=….

import { h } from "../../lib/dom.js";
import { path } from "../../lib/router.js";

/** The ID of the user as whom the page reads and writes, or "" for an administrator. Every address has it. */
let actor = "";

export function actAs(uid) {
  actor = uid;
}

/** Returns the address of a collection or document. q is the encoded query; uid is who reads and writes. */
export function dataPath(documentPath, q = "", uid = actor) {
  const address = path("data", ...documentPath.split("/").filter((segment) => segment !== ""));
  const query = new URLSearchParams({ ...(q && { q }), ...(uid && { as: uid }) });
  return query.size ? `${address}?${query}` : address;
}

/** Returns a link to a user's denied requests for a path. */
export const whyLink = (uid, path) =>
  h("a", { href: `/requests?${new URLSearchParams({ decision: "denied", uid, path })}` }, "Why?");

// The document, node or object that an event is of.

import { path } from "../../lib/router.js";
import { treePath } from "../database/address.js";
import { objectAddress } from "../storage/address.js";

/** Returns the noun for a report's or a change's subject. */
export function subjectNoun({ resource }) {
  if (resource.startsWith("projects/_/instances/")) return "Node";
  return resource.startsWith("projects/_/buckets/") ? "Object" : "Document";
}

/**
 * Returns the address of the page that shows a delivery's subject, or null for a document of another database than the
 * default one, which the page Data doesn't show.
 */
export function subjectAddress(report) {
  const { resource, document } = report;
  const [, , , owner] = resource.split("/", 4);
  switch (subjectNoun(report)) {
    case "Node": return treePath(document.split("/"), { database: owner });
    case "Object": return objectAddress(owner, document);
    default: return owner === "(default)" ? path("data", ...document.split("/")) : null;
  }
}

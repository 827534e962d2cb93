// Addresses of the page Storage, such as /storage?at=gs://BUCKET/avatars/sarah/me.png. An address that ends with a slash
// is a folder's: the objects whose names begin with it.

const readable = (text) => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%3A", ":");

/** Returns the URI of an object or folder: gs://BUCKET/NAME. */
export const uri = (bucket, name = "") => `gs://${bucket}/${name}`;

/** Returns the address of a folder, given as the prefix of its objects' names: "" or a text that ends with a slash. */
export const folderAddress = (bucket, prefix = "") => `/storage?at=${readable(uri(bucket, prefix))}`;

/** Returns the address of an object. A name that ends with a slash needs a mark, because it looks like a folder's. */
export const objectAddress = (bucket, name) =>
  `/storage?at=${readable(uri(bucket, name))}${name.endsWith("/") ? "&object=true" : ""}`;

/** Returns the prefix of the folder that an object is in. */
export const folderOf = (name) => name.slice(0, name.slice(0, -1).lastIndexOf("/") + 1);

/**
 * Returns what a query names, {bucket, prefix, name}: the folder, and the opened object or null. It is null for a query
 * that names nothing.
 */
export function placeOf(query) {
  const match = /^gs:\/\/([^/]+)\/?(.*)$/s.exec(query.get("at") ?? "");
  if (!match) return null;
  const [, bucket, text] = match;
  if (text === "" || (text.endsWith("/") && !query.has("object"))) return { bucket, prefix: text, name: null };
  // The object that has a folder's own name is listed in it.
  return { bucket, prefix: text.endsWith("/") ? text : folderOf(text), name: text };
}

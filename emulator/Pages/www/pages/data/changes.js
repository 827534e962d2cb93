// Changes of single fields as Firestore writes, with a field mask and a precondition on the document's version.

/** Returns a field path, with quoted names where necessary. */
export function fieldPath(segments) {
  const quoted = (name) => "`" + name.replaceAll("\\", "\\\\").replaceAll("`", "\\`") + "`";
  return segments.map((name) => (/^[A-Za-z_][A-Za-z_0-9]*$/.test(name) ? name : quoted(name))).join(".");
}

/** Returns the value at a path of names and indexes, or undefined if there is none. */
export function valueAt(value, path) {
  let found = value;
  for (const key of path) {
    if (typeof key === "number") found = found?.arrayValue?.values?.[key];
    else found = own(found?.mapValue?.fields, key);
  }
  return found;
}

/** Returns a field of the object itself: a field may be called "constructor". */
const own = (fields, name) => (fields && Object.hasOwn(fields, name) ? fields[name] : undefined);

/** Returns the value with another value at a path; undefined removes the value there. */
function changed(value, [key, ...rest], change) {
  if (typeof key === "number") {
    const values = [...(value?.arrayValue?.values ?? [])];
    if (rest.length > 0) values[key] = changed(values[key], rest, change);
    else if (change === undefined) values.splice(key, 1);
    else values[key] = change;
    return { arrayValue: { values } };
  }
  const fields = new Map(Object.entries(value?.mapValue?.fields ?? {}));
  const member = rest.length > 0 ? changed(fields.get(key), rest, change) : change;
  if (member === undefined) fields.delete(key);
  else fields.set(key, member);
  return { mapValue: { fields: Object.fromEntries(fields) } };
}

/** Returns the value with -0 as a text, because JSON.stringify drops the sign. */
function sendable(value) {
  if (Object.is(value, -0)) return "-0";
  if (Array.isArray(value)) return value.map(sendable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sendable(member)]));
}

/**
 * Returns the write that applies changes to a document as it was read. A change is {path, value}, with value
 * undefined for a deletion. The write fails if the document has changed since. An array is written as a whole.
 */
export function write(document, changes) {
  const before = { mapValue: { fields: document.fields ?? {} } };
  const after = changes.reduce((value, change) => changed(value, change.path, change.value), before);
  const tops = changes.map(({ path }) => {
    const index = path.findIndex((key) => typeof key === "number");
    return index < 0 ? path : path.slice(0, index);
  });
  let update = { mapValue: { fields: {} } };
  for (const top of tops) {
    const value = valueAt(after, top);
    if (value !== undefined) update = changed(update, top, value);
  }
  return {
    update: { name: document.name, fields: sendable(update.mapValue.fields) },
    updateMask: { fieldPaths: [...new Set(tops.map(fieldPath))] },
    currentDocument: { updateTime: document.updateTime },
  };
}

/** Returns the write that creates a document. */
export function creation(name, fields) {
  return { update: { name, fields: sendable(fields) }, currentDocument: { exists: false } };
}

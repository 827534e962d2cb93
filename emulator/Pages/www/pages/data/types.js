// Firestore's types: their names, the one-line summary of a value, and the text of a value in an input.

export const names = {
  string: "string", integer: "integer", double: "double", boolean: "boolean", timestamp: "timestamp", map: "map",
  array: "array", null: "null", geoPoint: "geopoint", reference: "reference", bytes: "bytes", vector: "vector",
};

/** Returns the type of a value: one of the names above. */
export function typeOf(value) {
  const [key] = Object.keys(value);
  if (key === "mapValue" && value.mapValue.fields?.__type__?.stringValue === "__vector__") return "vector";
  return key?.replace(/Value$/, "") ?? "null";
}

export const isContainer = (value) => ["map", "array"].includes(typeOf(value));

/**
 * Returns the members of a map or an array as [key, value] pairs, a map's in the order of their keys' code points.
 */
export function members(value) {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map((element, index) => [index, element]);
  return Object.entries(value.mapValue?.fields ?? {}).sort(([a], [b]) => compareText(a, b));
}

/** Compares texts by code points, as Firestore does. The order of UTF-16 is different. */
export function compareText(a, b) {
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [one, other] = [left.next(), right.next()];
    if (one.done || other.done) return Number(other.done ?? false) - Number(one.done ?? false);
    const difference = one.value.codePointAt(0) - other.value.codePointAt(0);
    if (difference) return difference;
  }
}

export const vectorNumbers = (value) =>
  (value.mapValue.fields.value?.arrayValue?.values ?? []).map((element) => doubleText(element.doubleValue));

const doubleText = (number) => (Object.is(number, -0) ? "-0" : String(number));

/**
 * Returns the text in an input for a value that isn't a map or an array. References below root, projects/…/documents,
 * are paths; others are full names.
 */
export function textOf(value, root = "") {
  switch (typeOf(value)) {
    case "null": case "map": case "array": return "";
    case "double": return doubleText(value.doubleValue);
    case "vector": return vectorNumbers(value).join(", ");
    case "reference": return pathBelow(root, value.referenceValue) ?? value.referenceValue;
    case "geoPoint": return `${value.geoPointValue.latitude ?? 0}, ${value.geoPointValue.longitude ?? 0}`;
    default: return String(Object.values(value)[0]);
  }
}

/** Returns the path of a document's name in the displayed database, or null for another database. */
export const pathBelow = (root, name) => (root && name.startsWith(`${root}/`) ? name.slice(root.length + 1) : null);

/** Returns a one-line summary of a value, truncated to a number of characters. */
export function summary(value, limit = 80) {
  const cut = (text) => (text.length > limit ? `${text.slice(0, limit)}…` : text);
  switch (typeOf(value)) {
    case "null": return "null";
    case "string": return `"${cut(value.stringValue)}"`;
    case "reference": return cut(value.referenceValue.split("/documents/")[1] ?? value.referenceValue);
    case "bytes": return `${byteCount(value.bytesValue)} bytes`;
    case "map": {
      const count = Object.keys(value.mapValue.fields ?? {}).length;
      return count === 0 ? "{ }" : `{ ${count} ${count === 1 ? "field" : "fields"} }`;
    }
    case "array": {
      const count = value.arrayValue.values?.length ?? 0;
      return count === 0 ? "[ ]" : `[ ${count} ${count === 1 ? "element" : "elements"} ]`;
    }
    case "vector": return cut(`[${vectorNumbers(value).join(", ")}]`);
    default: return cut(textOf(value));
  }
}

const byteCount = (base64) =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);

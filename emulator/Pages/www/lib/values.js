// Firestore's typed values in their JSON form, {"stringValue": "…"}, and what JavaScript has for them.

/** A value of plain JavaScript: strings, booleans, integers and other numbers, null, arrays, objects, Date. */
export function encode(value) {
  if (value === null || value === undefined) return { nullValue: null };
  if (typeof value === "boolean") return { booleanValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { integerValue: String(value) } : { doubleValue: value };
  }
  if (typeof value === "string") return { stringValue: value };
  if (value instanceof Date) return { timestampValue: value.toISOString() };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(encode) } };
  return { mapValue: { fields: encodeFields(value) } };
}

export function encodeFields(object) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, encode(value)]));
}

/**
 * The plain value: integers become numbers, so that large ones lose digits; timestamps, references and
 * bytes stay text; a geographical point is {latitude, longitude}. For showing and deciding, not for
 * writing back.
 */
export function decode(value) {
  if (value === undefined) return undefined;
  const [type, content] = Object.entries(value)[0] ?? ["nullValue", null];
  switch (type) {
    case "integerValue": return Number(content);
    case "doubleValue": return Number(content);
    case "arrayValue": return (content.values ?? []).map(decode);
    case "mapValue": return decodeFields(content.fields ?? {});
    case "nullValue": return null;
    default: return content;
  }
}

export function decodeFields(fields = {}) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decode(value)]));
}

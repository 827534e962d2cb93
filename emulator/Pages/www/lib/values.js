// Firestore's typed values in their JSON form, {"stringValue": "…"}, as people read them.

/**
 * The plain value: integers become numbers, so that large ones lose digits; timestamps, references and
 * bytes stay text; a geographical point is {latitude, longitude}. For showing: what decides something reads
 * `Members`.
 */
export function decode(value) {
  if (value === undefined) return undefined;
  const [type, content] = Object.entries(value)[0] ?? ["nullValue", null];
  switch (type) {
    case "integerValue": return Number(content);
    case "doubleValue": return Number(content);
    case "arrayValue": return (content.values ?? []).map(decode);
    case "mapValue":
      return Object.fromEntries(Object.entries(content.fields ?? {}).map(([name, member]) => [name, decode(member)]));
    case "nullValue": return null;
    default: return content;
  }
}

// Firestore's typed values in their JSON form, {"stringValue": "…"}, converted for display.

/**
 * Returns the plain value, for display only: logic reads `Members`. Integers become numbers, so large ones lose
 * digits. Timestamps, references and bytes stay text; a geographical point is {latitude, longitude}.
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

// Parsers that convert entered text to a value of a type. Each throws an Error that describes the expected form.

const fail = (message) => {
  throw new Error(message);
};

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function double(text) {
  const word = text.trim();
  // JSON has no form for these values.
  if (["NaN", "Infinity", "-Infinity", "-0"].includes(word)) return word;
  const value = number.test(word) ? Number(word) : NaN;
  if (!Number.isFinite(value)) fail("A double is a number such as 1.5 or 2e10, NaN, Infinity or -Infinity.");
  return Object.is(value, -0) ? "-0" : value;
}

function integer(text) {
  const word = text.trim();
  const value = /^[+-]?\d+$/.test(word) ? BigInt(word.replace("+", "")) : null;
  if (value === null || BigInt.asIntN(64, value) !== value) {
    fail("An integer has digits only, from -9223372036854775808 to 9223372036854775807.");
  }
  return String(value);
}

function timestamp(text) {
  const word = text.trim();
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(word)) {
    fail("A timestamp looks like 2026-05-17T09:30:00.123456Z.");
  }
  return word;
}

function bytes(text) {
  const word = text.replaceAll(/\s/g, "");
  try {
    atob(word);
  } catch {
    fail("Bytes are written in base64, such as AAEC/w==.");
  }
  return word;
}

function reference(text, root) {
  const word = text.trim().replace(/^\//, "");
  if (word.startsWith("projects/")) return word;
  const segments = word.split("/");
  if (segments.length % 2 === 1 || segments.includes("")) {
    fail("A reference is a document's path, such as users/sarah.");
  }
  return `${root}/${word}`;
}

function point(text) {
  const parts = text.split(",").map((part) => part.trim());
  const [latitude, longitude] = parts.map((part) => (number.test(part) ? Number(part) : NaN));
  if (parts.length !== 2 || !(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    fail("A geopoint is a latitude from -90 to 90 and a longitude from -180 to 180, such as 45.46, 9.19.");
  }
  return { latitude, longitude };
}

export const vector = (values) => ({
  mapValue: {
    fields: {
      __type__: { stringValue: "__vector__" },
      value: { arrayValue: { values: values.map((doubleValue) => ({ doubleValue })) } },
    },
  },
});

/**
 * Parses a text as a value of a type. root is the name that a reference's path is relative to, projects/…/documents.
 */
export function valueOf(type, text, root) {
  switch (type) {
    case "null": return { nullValue: null };
    case "boolean": return { booleanValue: text === "true" };
    case "integer": return { integerValue: integer(text) };
    case "double": return { doubleValue: double(text) };
    case "timestamp": return { timestampValue: timestamp(text) };
    case "bytes": return { bytesValue: bytes(text) };
    case "reference": return { referenceValue: reference(text, root) };
    case "geoPoint": return { geoPointValue: point(text) };
    case "vector": return vector(text.split(/[,\s]+/).filter((part) => part !== "").map(double));
    case "map": return { mapValue: {} };
    case "array": return { arrayValue: {} };
    default: return { stringValue: text };
  }
}

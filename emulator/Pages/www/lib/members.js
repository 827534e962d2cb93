// The members of a document, each read with an expected type.

const none = {};

/**
 * The members of a document. Clients may have written any value, or none: a member of another type than the requested
 * one counts as missing. Only code that shows every value, such as the Data page, reads Firestore's JSON itself.
 */
class Members {
  #fields;

  constructor(fields) {
    this.#fields = fields ?? none;
  }

  #member(name, type) {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name]?.[type] : undefined;
  }

  /** Returns whether there is a member of any type but null. */
  has(name) {
    return Object.hasOwn(this.#fields, name) && !("nullValue" in this.#fields[name]);
  }

  /** Returns a text, or "" if the member isn't one or has more than `maximum` characters. */
  string(name, maximum = Infinity) {
    const text = this.#member(name, "stringValue");
    return typeof text === "string" && text.length <= maximum ? text : "";
  }

  /** Returns the name of a person or group, shortened if it is too long for a name. */
  title(name) {
    return shortened(this.string(name));
  }

  /** Returns a language code, or "" if the member isn't one. */
  language(name) {
    return this.string(name, longestLanguage);
  }

  /** Returns whether the member is true. */
  isTrue(name) {
    return this.#member(name, "booleanValue") === true;
  }

  /** Returns an integer, or 0 if the member isn't a safe integer of JavaScript. */
  integer(name) {
    const number = Number(this.#member(name, "integerValue"));
    return Number.isSafeInteger(number) ? number : 0;
  }

  /** Returns an RFC 3339 time, or "" if the member isn't a timestamp. */
  time(name) {
    const text = this.#member(name, "timestampValue");
    return Number.isNaN(Date.parse(text)) ? "" : text;
  }

  /** Returns whether the member is an array, or doesn't exist. */
  isArrayOrAbsent(name) {
    return !Object.hasOwn(this.#fields, name) || this.#member(name, "arrayValue") !== undefined;
  }

  /** Returns the texts in an array that are short enough to be IDs. */
  ids(name) {
    const values = this.#member(name, "arrayValue")?.values ?? [];
    return values.map((value) => value.stringValue)
      .filter((text) => typeof text === "string" && text.length <= longestID);
  }

  /** Returns the members of a map. */
  map(name) {
    return new Members(this.#member(name, "mapValue")?.fields);
  }
}

const longestTitle = 200;
/** The maximum length of a document's ID, in bytes. Device tokens are shorter. */
const longestID = 1_500;
/** The maximum length of a language code. Every BCP 47 tag in use is shorter. */
const longestLanguage = 35;

/** Returns a name, shortened for display. */
export const shortened = (text) => (text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text);

/** Returns the members of a document in Firestore's JSON form; null has no members. */
export const membersOf = (document) => new Members(document?.fields);

// The members of a document, each read as one type.

const none = {};

/**
 * What pages read a document's members with: any client may have written anything, or nothing. A member of another
 * type than the one that is asked for is as one that isn't there. Only what shows whatever there is, such as the
 * page Data, looks at Firestore's JSON itself.
 */
export class Members {
  #fields;

  constructor(fields) {
    this.#fields = fields ?? none;
  }

  #member(name, type) {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name]?.[type] : undefined;
  }

  /** A member of any type but null. */
  has(name) {
    return Object.hasOwn(this.#fields, name) && !("nullValue" in this.#fields[name]);
  }

  /** A text; "" if it is none, or has more than `maximum` characters. */
  string(name, maximum = Infinity) {
    const text = this.#member(name, "stringValue");
    return typeof text === "string" && text.length <= maximum ? text : "";
  }

  /** What a person or a group is called: of a text that is no name for its length, the beginning. */
  title(name) {
    return shortened(this.string(name));
  }

  /** A language's code; "" for what is none. */
  language(name) {
    return this.string(name, longestLanguage);
  }

  /** Whether it is true. */
  isTrue(name) {
    return this.#member(name, "booleanValue") === true;
  }

  /** 0 if it is no integer that a number of JavaScript holds. */
  integer(name) {
    const number = Number(this.#member(name, "integerValue"));
    return Number.isSafeInteger(number) ? number : 0;
  }

  /** An RFC 3339 time; "" if it is no timestamp. */
  time(name) {
    const text = this.#member(name, "timestampValue");
    return Number.isNaN(Date.parse(text)) ? "" : text;
  }

  /** The texts in an array that can be ids. */
  ids(name) {
    const values = this.#member(name, "arrayValue")?.values ?? [];
    return values.map((value) => value.stringValue)
      .filter((text) => typeof text === "string" && text.length <= longestID);
  }

  /** The members of a map. */
  map(name) {
    return new Members(this.#member(name, "mapValue")?.fields);
  }
}

const longestTitle = 200;
/** Of a document, in bytes; tokens of phones are shorter. */
const longestID = 1_500;
/** More than any tag of BCP 47 that is in use. */
const longestLanguage = 35;

/** As much of a name as a page shows. */
export const shortened = (text) => (text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text);

/** The members of a document in Firestore's JSON; of none there are none. */
export const membersOf = (document) => new Members(document?.fields);

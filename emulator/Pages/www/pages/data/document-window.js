// A window into a long list of documents: the visible part and some documents around it, read by cursors and kept
// live.
//
// The list may have any number of documents. At most a thousand of them are kept, with only the fields that the query
// needs; others are read when they are scrolled into view.

import { listen } from "../../lib/listeners.js";
import { segments } from "./query.js";
import { valueAt } from "./changes.js";

const page = 200;
const most = 5 * page;

export class DocumentWindow {
  /**
   * parent is a document's path, or "" for the root; parentName is its full name. query is a structured query with a
   * complete order; limit is null for no limit. onChange() is called after every change of items, index or count:
   * items are the documents from index on, of count in total.
   */
  constructor({ firestore, parent, parentName, query, limit, onChange, onError }) {
    Object.assign(this, { firestore, parent, parentName, query, limit, onChange, onError });
    Object.assign(this, { items: [], index: 0, count: 0, isClosed: false, isReading: false, isStale: false });
    this.sight = [0, 0];
  }

  async start() {
    await this.#work(async () => {
      const items = await this.#read({ limit: page });
      const count = items.length < page ? items.length : await this.#countAll();
      Object.assign(this, { items, index: 0, count });
    });
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.refreshing);
    this.#listenTo(null);
  }

  /** Sets the visible range, from first to before last, and reads missing documents there. */
  see(first, last) {
    this.sight = [first, last];
    this.#continue();
  }

  /** Reads the documents again, at most a few times a second. */
  refresh() {
    this.refreshing ??= setTimeout(() => {
      this.refreshing = null;
      this.isStale = true;
      this.#continue();
    }, 200);
  }

  /** Returns the number of documents before a name, in a query that is ordered by name only. */
  async indexOf(name) {
    const position = { values: [{ referenceValue: name }], before: true };
    return this.firestore.count({ ...this.query, select: undefined, endAt: position }, this.parent);
  }

  // Reading

  #continue() {
    if (this.isReading || this.isClosed) return;
    const [first, last] = this.sight;
    const end = this.index + this.items.length;
    if (this.isStale) this.#work(() => this.#readAgain());
    else if (first > end + page || last < this.index - page) this.#work(() => this.#jump(first));
    else if (last > end - page / 2 && end < this.count) this.#work(() => this.#readAfter());
    else if (first < this.index + page / 2 && this.index > 0) this.#work(() => this.#readBefore());
    else this.#listenSoon();
  }

  async #work(read) {
    this.isReading = true;
    try {
      await read();
      if (!this.isClosed) this.onChange();
    } catch (error) {
      if (!this.isClosed) this.onError(error);
      return;
    } finally {
      this.isReading = false;
    }
    this.#continue();
  }

  async #readAgain() {
    this.isStale = false;
    const limit = this.#span;
    const [items, count] = await Promise.all([
      this.#read({ startAt: this.#position(this.items[0], true), limit, index: this.index }),
      this.#countAll(),
    ]);
    this.items = items;
    if (items.length === 0) {
      Object.assign(this, { index: 0, count });
      if (count > 0) await this.#jump(count - 1);
    } else {
      this.count = items.length < limit ? this.index + items.length : count;
    }
  }

  async #readAfter() {
    const end = this.index + this.items.length;
    const items = await this.#read({ startAt: this.#position(this.items.at(-1), false), limit: page, index: end });
    this.items.push(...items);
    if (items.length < page) this.count = this.index + this.items.length;
    this.count = Math.max(this.count, this.index + this.items.length);
    const surplus = this.items.length - most;
    if (surplus > 0) {
      this.items.splice(0, surplus);
      this.index += surplus;
    }
  }

  async #readBefore() {
    const startAt = this.#position(this.items[0], false);
    const items = await this.#read({ startAt, limit: page, isBackwards: true });
    this.items.unshift(...items.reverse());
    // After writes of other clients, the numbers are approximate until an end of the list is visible.
    this.index = items.length < page ? 0 : Math.max(this.index - items.length, 1);
    this.count = Math.max(this.count, this.index + this.items.length);
    if (this.items.length > most) this.items.length = most;
  }

  async #jump(index) {
    const first = Math.max(0, Math.min(index, this.count - 1) - page / 2);
    this.items = await this.#read({ offset: first, limit: page, index: first });
    this.index = first;
    if (this.items.length < page) this.count = first + this.items.length;
  }

  /** The number of documents to read again. At the end of the list it includes documents that are appended. */
  get #span() {
    const { length } = this.items;
    return this.index + length < this.count ? length : (Math.floor(length / page) + 1) * page;
  }

  /** Returns the cursor of a document in the order. With `before`, the document itself follows the cursor. */
  #position(document, before) {
    if (!document || (before && this.index === 0)) return undefined;
    const fields = { mapValue: { fields: document.fields ?? {} } };
    const values = this.query.orderBy.map(({ field }) => field.fieldPath === "__name__"
      ? { referenceValue: document.name } : valueAt(fields, segments(field.fieldPath)));
    return { values, before };
  }

  #part({ startAt, offset, limit, index = 0, isBackwards = false }) {
    const orderBy = !isBackwards ? this.query.orderBy : this.query.orderBy.map(({ field, direction }) => ({
      field, direction: direction === "ASCENDING" ? "DESCENDING" : "ASCENDING",
    }));
    const left = this.limit === null || isBackwards ? limit : Math.min(limit, Math.max(0, this.limit - index));
    return { ...this.query, orderBy, startAt, offset, limit: left };
  }

  #read(part) {
    return this.firestore.query(this.#part(part), this.parent);
  }

  #countAll() {
    return this.firestore.count({ ...this.query, select: undefined, limit: this.limit ?? undefined }, this.parent);
  }

  // Listening

  #listenSoon() {
    const key = `${this.index} ${this.items.length} ${this.items[0]?.name}`;
    if (key === this.listenedTo) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#listenTo(key), 150);
  }

  #listenTo(key) {
    this.listenedTo = key;
    this.endListening?.();
    this.endListening = null;
    if (key === null || this.isClosed) return;
    const startAt = this.#position(this.items[0], true);
    const structuredQuery = this.#part({ startAt, limit: this.#span, index: this.index });
    this.endListening = listen({ query: { parent: this.parentName, structuredQuery } }, ({ documents }) => {
      if (this.#isNews(documents)) this.refresh();
    }, this.onError, this.firestore.user);
  }

  #isNews(documents) {
    return documents.size !== this.items.length
      || this.items.some(({ name, updateTime }) => documents.get(name)?.updateTime !== updateTime);
  }
}

// The part of a long list of documents that is in sight, and a bit around it: read by cursors, kept live.
//
// The list may have any number of documents. At most a thousand are kept, without more than the fields that the
// query needs; the rest is read when somebody scrolls there.

import { stream } from "../../lib/emulator.js";
import { segments } from "./query.js";
import { valueAt } from "./changes.js";

const page = 200;
const most = 5 * page;

export class DocumentWindow {
  /**
   * parent is a document's path, "" the root, parentName the same in full. query is structured, its order said in
   * full; limit null for all. onChange() is called whenever items, index or count are different: items are the
   * documents from index on of count.
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

  /** Says which are in sight, from first to before last; reads what is missing there. */
  see(first, last) {
    this.sight = [first, last];
    this.#continue();
  }

  /** Reads again what is there, not more than a few times a second. */
  refresh() {
    this.refreshing ??= setTimeout(() => {
      this.refreshing = null;
      this.isStale = true;
      this.#continue();
    }, 200);
  }

  /** How many documents come before one of this name, in a query that is ordered by names only. */
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
    // Where others have written meanwhile, the numbers are only nearly right until an end is in sight.
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

  /** How many are kept up to date: at the end of the list what is added behind the last, too. */
  get #span() {
    const { length } = this.items;
    return this.index + length < this.count ? length : (Math.floor(length / page) + 1) * page;
  }

  /** The place of a document in the order; with `before`, the document itself comes after it. */
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

  // Being told

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
    this.endListening = stream.listen({ query: { parent: this.parentName, structuredQuery } }, ({ documents }) => {
      if (this.#isNews(documents)) this.refresh();
    }, this.onError);
  }

  #isNews(documents) {
    return documents.size !== this.items.length
      || this.items.some(({ name, updateTime }) => documents.get(name)?.updateTime !== updateTime);
  }
}

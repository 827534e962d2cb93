// All documents of a short collection, including missing documents that have subcollections.

import { listen } from "../../lib/listeners.js";

/** The number of documents up to which a collection is read completely. */
export const shortList = 1_000;

export class NameList {
  /**
   * The list has the members of DocumentWindow, but reads everything. A short collection is live. With `limit` null, all
   * documents are read once, however many there are. onLong() is called if there are more than `limit`.
   */
  constructor({ firestore, collection, parentName, query, limit = shortList, onChange, onError, onLong }) {
    Object.assign(this, { firestore, collection, parentName, query, limit, onChange, onError, onLong });
    Object.assign(this, { items: [], index: 0, count: 0, isClosed: false });
  }

  async start() {
    await this.#readAll();
    if (this.isClosed || this.limit === null) return;
    const target = { query: { parent: this.parentName, structuredQuery: this.query } };
    this.endListening = listen(target, ({ documents }) => {
      if (this.#isNews(documents)) this.refresh();
    }, this.onError);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.refreshing);
    this.endListening?.();
  }

  see() {}

  refresh() {
    this.isStale = true;
    this.refreshing ??= setTimeout(async () => {
      while (this.isStale && !this.isClosed) {
        this.isStale = false;
        await this.#readAll();
      }
      this.refreshing = null;
    }, 200);
  }

  async indexOf(name) {
    const index = this.items.findIndex((document) => document.name === name);
    return Math.max(index, 0);
  }

  async #readAll() {
    const items = [];
    let pageToken;
    try {
      do {
        const page = await this.firestore.list(this.collection, { pageToken, fields: ["__name__"] });
        if (this.isClosed) return;
        items.push(...page.documents);
        pageToken = page.nextPageToken;
        if (this.limit !== null && items.length > this.limit) return this.onLong();
      } while (pageToken);
    } catch (error) {
      if (!this.isClosed) this.onError(error);
      return;
    }
    Object.assign(this, { items, count: items.length });
    this.onChange();
  }

  #isNews(documents) {
    const known = this.items.filter(({ updateTime }) => updateTime);
    return documents.size !== known.length
      || known.some(({ name, updateTime }) => documents.get(name)?.updateTime !== updateTime);
  }
}

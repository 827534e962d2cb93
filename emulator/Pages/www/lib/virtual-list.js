// A virtual list: a long list of rows of equal height, of which only the visible ones are elements.

import { h, reconcile } from "./dom.js";

export class VirtualList {
  /**
   * rowHeight is in pixels; key(item) is unique; make(item) creates a row; update(element, item) updates one. role
   * and label are for screen readers. onNear(index) is called with the index after the last visible row.
   */
  constructor({ rowHeight, key, make, update, label, role = "list", onNear = () => {} }) {
    Object.assign(this, { rowHeight, key, make, update, onNear, items: [], count: 0 });
    this.rows = h("div", { className: "virtual-rows" });
    this.element = h("div", { className: "virtual-list", role, "aria-label": label, tabIndex: 0 }, this.rows);
    this.element.addEventListener("scroll", () => this.#plan(), { passive: true });
    this.resizing = new ResizeObserver(() => this.#plan());
    this.resizing.observe(this.element);
  }

  /** Shows items. Holes in items are items that aren't loaded yet; count is the total number. */
  show(items, count = items.length) {
    this.items = items;
    this.count = count;
    // The height is set immediately and not in the next frame, so that the caller can scroll to the new rows.
    this.rows.style.height = `${count * this.rowHeight}px`;
    this.#plan();
  }

  scrollTo(index) {
    this.element.scrollTop = index * this.rowHeight;
  }

  get isAtTop() {
    return this.element.scrollTop < this.rowHeight;
  }

  close() {
    this.resizing.disconnect();
    cancelAnimationFrame(this.frame);
  }

  #plan() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 5);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 5);
    const shown = [];
    for (let index = first; index < last; index++) {
      if (this.items[index] !== undefined) shown.push({ index, item: this.items[index] });
    }
    const place = (element, { index, item }) => {
      element.style.transform = `translateY(${index * this.rowHeight}px)`;
      element.setAttribute("aria-posinset", index + 1);
      element.setAttribute("aria-setsize", this.count);
      return item;
    };
    reconcile(this.rows, shown, {
      key: ({ item }) => this.key(item),
      make: (row) => {
        const element = this.make(row.item);
        element.classList.add("virtual-row");
        element.style.height = `${this.rowHeight}px`;
        place(element, row);
        return element;
      },
      update: (element, row) => this.update(element, place(element, row)),
    });
    this.onNear(last);
  }
}

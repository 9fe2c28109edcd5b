// A long list. Only the rows on the screen have elements.

import { attribute } from "./dom.js";

/** The greatest height of the scrolled element in pixels, since browsers limit heights. Longer lists scroll at another scale. */
const TALLEST = 8_000_000;

/**
 * Rows of equal height. `create` makes an object with an `element`. `fill(row, index)` shows row `index` in such an object, and returns the id of the
 * active element if it is in this row. The elements are in a fixed layer, so that they do not move when the scroll position changes.
 */
export class Scroller {
  count = 0;
  #rows = [];
  #first = 0;
  /** The offset, in pixels of the list, of the upper edge of the viewport. `#seen` is the browser's scroll position. */
  #top = 0;
  #seen = 0;

  constructor(viewport, { rowHeight, create, fill }) {
    Object.assign(this, { viewport, rowHeight, create, fill });
    const part = (className) => Object.assign(document.createElement("div"), { className, role: "presentation" });
    [this.sizer, this.layer, this.body] = [part("sizer"), part("layer"), part("body")];
    this.layer.append(this.body);
    this.sizer.append(this.layer);
    viewport.append(this.sizer);
    viewport.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    viewport.addEventListener("scrollend", () => this.#rebase());
    new ResizeObserver(() => this.#resized()).observe(viewport);
    this.height = 0;
  }

  get length() {
    return this.count * this.rowHeight;
  }

  get page() {
    return Math.max(1, Math.floor(this.height / this.rowHeight) - 1);
  }

  /** The range of rows on the screen. */
  get range() {
    return [this.#first, Math.min(this.count, this.#first + this.#rows.length)];
  }

  setCount(count) {
    this.count = count;
    this.sizer.style.height = `${Math.min(this.length, TALLEST)}px`;
    this.#moveTo(this.#top);
  }

  /** Fills all rows on the screen again. */
  refresh() {
    this.#render(true);
  }

  /** Scrolls as little as needed to show a row. A distant row is centered. */
  reveal(index) {
    const at = index * this.rowHeight, last = at + this.rowHeight - this.height;
    if (at >= this.#top && last <= this.#top) return;
    const isNear = at > this.#top - this.height && last < this.#top + this.height;
    this.#moveTo(!isNear ? at - this.height / 2 : at < this.#top ? at : last);
  }

  /** Uses another height of rows, such as a larger one for fingers. */
  setRowHeight(rowHeight) {
    if (rowHeight === this.rowHeight) return;
    const first = this.#top / this.rowHeight;
    this.rowHeight = rowHeight;
    this.#top = first * rowHeight;
    this.setCount(this.count);
  }

  rowOf(index) {
    const row = this.#rows[index - this.#first];
    return row && index < this.count ? row : undefined;
  }

  #furthest() {
    return Math.max(0, this.length - this.height);
  }

  #moveTo(top) {
    this.#top = Math.min(Math.max(0, top), this.#furthest());
    this.#rebase();
    this.#render(true);
  }

  #scrolled() {
    const { scrollTop } = this.viewport, moved = scrollTop - this.#seen, room = this.#room();
    if (this.length <= TALLEST) this.#top = scrollTop;
    else if (Math.abs(moved) < 2 * this.height && scrollTop > 0 && scrollTop < room - 1) this.#top += moved;
    else if (moved !== 0) this.#top = room > 0 ? (scrollTop / room) * this.#furthest() : 0;
    this.#top = Math.min(Math.max(0, this.#top), this.#furthest());
    this.#seen = scrollTop;
    this.#render(false);
  }

  #room() {
    return Math.min(this.length, TALLEST) - this.height;
  }

  /** Sets the browser's scroll position according to `#top`. */
  #rebase() {
    const furthest = this.#furthest();
    const wanted = this.length <= TALLEST ? this.#top : (this.#top / furthest) * this.#room();
    if (Math.abs(this.viewport.scrollTop - wanted) >= 1) this.viewport.scrollTop = wanted;
    this.#seen = this.viewport.scrollTop;
  }

  #resized() {
    this.height = this.viewport.clientHeight;
    this.layer.style.height = `${this.height}px`;
    this.#moveTo(this.#top);
  }

  #render(isAll) {
    const first = Math.floor(this.#top / this.rowHeight), needed = this.count === 0 ? 0 : Math.ceil(this.height / this.rowHeight) + 1;
    const moved = first - this.#first;
    while (this.#rows.length < needed) {
      const row = this.create();
      this.#rows.push(row);
      this.body.append(row.element);
      isAll = true;
    }
    while (this.#rows.length > needed) this.#rows.pop().element.remove();
    this.#first = first;
    let from = 0, to = needed;
    if (!isAll && Math.abs(moved) < needed) {
      this.#rotate(moved);
      [from, to] = moved > 0 ? [needed - moved, needed] : [0, -moved];
    }
    for (let slot = from; slot < to; slot++) this.#show(this.#rows[slot], first + slot);
    this.#activate();
    this.body.style.transform = `translateY(${first * this.rowHeight - this.#top}px)`;
  }

  /** Moves row elements that left the screen at one edge to the other edge. */
  #rotate(by) {
    if (by > 0) {
      const gone = this.#rows.splice(0, by);
      this.#rows.push(...gone);
      this.body.append(...gone.map(({ element }) => element));
    } else if (by < 0) {
      const gone = this.#rows.splice(by);
      this.#rows.unshift(...gone);
      this.body.prepend(...gone.map(({ element }) => element));
    }
  }

  #show(row, index) {
    row.element.hidden = index >= this.count;
    row.active = index < this.count ? this.fill(row, index) : undefined;
  }

  /** Reports the active element to screen readers, while one of the rows has it. */
  #activate() {
    attribute(this.viewport, "aria-activedescendant", this.#rows.find(({ active }) => active !== undefined)?.active);
  }
}

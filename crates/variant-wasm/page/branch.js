// An open container of the tree: its rows, which are fetched in pages, and the open containers in it.

import { countBefore } from "./order.js";

const PAGE = 256;
/** The number of pages of rows that a branch keeps. */
const KEPT = 64;

export class Branch {
  #pages = new Map();
  #size;
  #starts;
  /** The open branches directly below this branch, in order. */
  open = [];

  /** The nodes that are known without their pages. */
  #known = new Map();

  /**
   * `source` has two functions: `page(way, start, count)` returns nodes, `count(way)` the number of rows. The file has the way `[]` and no node. If
   * there are `positions`, in ascending order, the branch shows only these children.
   */
  constructor({ node, way, rows, parent, position, source, positions }) {
    Object.assign(this, { node, way, rows, parent, position, source, positions });
    this.level = way.length + 1;
  }

  /** The number of shown children. */
  get #shown() {
    return this.positions?.length ?? this.rows;
  }

  /** The number of shown children before a position. */
  #slotOf(position) {
    return this.positions ? countBefore(this.positions.length, (slot) => this.positions[slot] < position) : position;
  }

  /** Shows also the child at a position. */
  show(position, node) {
    if (node) this.#known.set(position, node);
    const slot = this.#slotOf(position);
    if (!this.positions || this.positions[slot] === position) return;
    this.positions.splice(slot, 0, position);
    this.#resized();
  }

  /** The number of rows below this branch, including the rows of open branches. */
  get size() {
    return this.#size ??= this.open.reduce((size, branch) => size + branch.size, this.#shown);
  }

  /** The row of each open branch, counted from the first row below this branch. */
  get #rowsOfOpen() {
    if (!this.#starts) {
      let more = 0;
      this.#starts = this.open.map((branch) => {
        const row = this.#slotOf(branch.position) + more;
        more += branch.size;
        return row;
      });
    }
    return this.#starts;
  }

  #resized() {
    for (let branch = this; branch; branch = branch.parent) branch.#size = branch.#starts = undefined;
  }

  /** The branch that contains a row, and the position of the row in it. */
  locate(row) {
    let branch = this;
    for (;;) {
      const starts = branch.#rowsOfOpen, number = lastAtMost(starts, row);
      const at = (slot) => ({ branch, position: branch.positions ? branch.positions[slot] : slot });
      if (number < 0) return at(row);
      const inner = branch.open[number], below = row - starts[number];
      if (below === 0) return { branch, position: inner.position };
      if (below > inner.size) return at(branch.#slotOf(inner.position) + below - inner.size);
      [branch, row] = [inner, below - 1];
    }
  }

  /** The row of the child at a position, counted from the first row below the outermost branch. */
  rowOf(position) {
    const number = this.#openBefore(position) - 1;
    const slot = this.#slotOf(position), inner = this.open[number];
    const before = inner ? this.#rowsOfOpen[number] + inner.size + slot - this.#slotOf(inner.position) : slot;
    return this.parent ? this.parent.rowOf(this.position) + 1 + before : before;
  }

  /** The number of open branches before a position. */
  #openBefore(position) {
    return countBefore(this.open.length, (number) => this.open[number].position < position);
  }

  branchAt(position) {
    const inner = this.open[this.#openBefore(position)];
    return inner?.position === position ? inner : undefined;
  }

  /** Opens the child at a position: all of it, or only some `positions`. */
  expand(position, node, positions) {
    const there = this.branchAt(position);
    if (there) return there;
    this.show(position);
    const { source } = this;
    const branch = new Branch({ node, way: [...this.way, position], rows: node.rows, parent: this, position, source, positions });
    this.open.splice(this.#openBefore(position), 0, branch);
    this.#resized();
    return branch;
  }

  collapse(position) {
    this.open = this.open.filter((branch) => branch.position !== position);
    this.#resized();
  }

  /** The node of a child if it has been fetched. Otherwise fetches the node, and calls `arrived` afterwards. */
  peek(position, arrived) {
    if (this.#known.has(position)) return this.#known.get(position);
    const page = this.#page(position);
    if (page.nodes) return page.nodes[position % PAGE];
    page.waiting.then(arrived, () => {});
    return undefined;
  }

  async child(position) {
    if (this.#known.has(position)) return this.#known.get(position);
    const page = this.#page(position);
    await page.waiting;
    return page.nodes?.[position % PAGE];
  }

  #page(position) {
    const number = Math.floor(position / PAGE);
    let page = this.#pages.get(number);
    if (page) return page;
    if (this.#pages.size >= KEPT) this.#pages.delete(this.#pages.keys().next().value);
    page = { waiting: this.#load(number * PAGE) };
    this.#pages.set(number, page);
    return page;
  }

  async #load(start) {
    const wanted = Math.min(PAGE, this.rows - start), nodes = await this.source.page(this.way, start, wanted);
    const page = this.#pages.get(start / PAGE);
    if (page) page.nodes = nodes;
    // Rows after damage are missing.
    if (nodes.length < wanted) {
      if (nodes.length === 0) return this.recount();
      this.rows = Math.min(this.rows, start + nodes.length);
      this.#resized();
    }
  }

  /** Determines the number of rows. */
  async recount() {
    this.rows = await this.source.count(this.way);
    this.#resized();
  }
}

/** The index of the last of the ascending `numbers` that is at most `most`, or -1. */
const lastAtMost = (numbers, most) => countBefore(numbers.length, (place) => numbers[place] <= most) - 1;

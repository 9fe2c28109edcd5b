// Keys for new pairs of dictionaries.

import { isTextKey, keyOf } from "./kinds.js";

/** The number of rows that are read at once. */
const PAGE = 10_000;

/** Finds keys that dictionaries do not have, for any number of new pairs. */
export class FreeKeys {
  #known = new Map();

  /** `children(way, start, count)` returns rows. */
  constructor(children) {
    this.children = children;
  }

  /** The keys of a dictionary, and the last number that was added to each name. */
  #of(way) {
    const known = this.#known.get(way.join()) ?? { keys: new Set(), numbers: new Map() };
    if (this.#known.has(way.join())) return known;
    for (let start = 0, rows = []; start === 0 || rows.length === PAGE; start += PAGE) {
      rows = this.children(way, start, PAGE);
      for (const row of rows) known.keys.add(keyOf(row));
    }
    this.#known.set(way.join(), known);
    return known;
  }

  /** The key of a new pair of the dictionary at a way: that of `label` or, if it is taken, the same with another number. */
  take(way, label) {
    const { keys, numbers } = this.#of(way), key = keyOf({ label }), isNumber = !isTextKey({ label }) && /^-?\d+$/.test(label);
    const name = isNumber ? "" : `${key.replace(/_?\d+$/, "")}_`;
    let free = key;
    for (let number = numbers.get(name) ?? (isNumber ? BigInt(key) + 1n : 2n); keys.has(free); number++) {
      free = `${name}${number}`;
      numbers.set(name, number + 1n);
    }
    keys.add(free);
    return free;
  }
}

// An open file of the worker: its document, and what the page's edits do to the document.

import { Literal } from "../js/literal.js";
import { FreeKeys } from "./keys.js";
import { isKeyed, isList, stepOf } from "./kinds.js";
import { back, merged } from "./places.js";

/** The number of changes that the page gets after each change. It asks for earlier changes. */
const RECENT = 100;

/** A file. The document has its steps of undo; the file has what the page needs again of each step. */
export class File {
  #done = [];
  #undone = [];

  /** `blob` has the bytes as they were opened. */
  constructor(document, blob) {
    Object.assign(this, { document, blob });
  }

  /** The page's state of the file. It is sent after each call that may change it. */
  get state() {
    const { document } = this, { info } = document;
    if (info.isLocked) return { info, rows: 0, changes: { count: 0, recent: [] } };
    return { info, rows: document.node([]).rows, changes: { count: this.#done.length, recent: this.#done.slice(-RECENT) } };
  }

  /** Steps before the recent ones. */
  steps(from, end) {
    return this.#done.slice(from, end);
  }

  /** Makes edits as one step. If one fails, none is made. Without a change of a value, there is no step. */
  edit(edits) {
    const { document } = this, { changes, moves, ...to } = planOf(document, edits), made = document.edit(changes);
    const step = { made, moves, way: to.isGone ? nearest(document, to.way) : wayOf(document, to.way) };
    if (made.length === 0) return { ...step, moves: [], ...this.state };
    this.#done.push(step);
    this.#undone = [];
    return { ...step, ...this.state };
  }

  undo() {
    const step = this.#done.pop();
    if (!step) return this.state;
    this.document.undo();
    this.#undone.push(step);
    const moves = back(step.moves), last = moves.at(-1);
    return { ...step, moves, way: nearest(this.document, last?.to ?? last?.at ?? step.way), ...this.state };
  }

  redo() {
    const step = this.#undone.pop();
    if (!step) return this.state;
    this.document.redo();
    this.#done.push(step);
    return { ...step, ...this.state };
  }

  free() {
    this.document.free();
  }
}

/**
 * What the edits of a step do: the changes of the document, the moves of other values, and the place that is selected afterwards. `isGone`: it is that of
 * a deleted value.
 */
function planOf(document, edits) {
  const keys = freeKeysOf(document), plans = edits.map((edit) => PLANS[Object.keys(edit)[0]](document, edit, keys));
  const moves = merged(plans.flatMap((plan) => plan.moves ?? [])), { way, isGone } = plans.at(-1) ?? {};
  const changes = plans.every((plan) => plan.isGone) ? moves.flatMap((move) => deletions(document, move)) : plans.flatMap((plan) => plan.changes);
  return { changes, moves, way, isGone };
}

/** Each edit of the page, as changes. Values are those before the step, so a step has later positions before earlier ones. */
const PLANS = {
  set: (document, { set, to }) => ({ changes: [{ set, value: new Literal(to) }], way: set }),
  insert: (document, { insert, value, at = insert }) => inserted(insert, new Literal(value), at),
  delete(document, { delete: place }) {
    const way = wayOf(document, place);
    return { changes: [{ delete: place }], moves: way ? [{ kind: "delete", at: way }] : [], way, isGone: way !== undefined };
  },
  rename: (document, { rename, key }) => ({ changes: [{ rename, key }], way: rename }),
  duplicate(document, { duplicate: way }, keys) {
    const around = document.node(way.slice(0, -1)), node = document.node(way), value = document.at(way, { exact: true });
    if (!isKeyed(around.kind)) return inserted(placeIn(around, `[${way.at(-1) + 1}]`), value, way.with(-1, way.at(-1) + 1));
    const { key, position } = keys.take(around, node.label);
    return inserted(placeIn(around, stepOf(key, node)), value, way.with(-1, position));
  },
  move(document, { move: way, by }) {
    const around = document.node(way.slice(0, -1)), position = way.at(-1) + by, to = way.with(-1, position);
    if (isKeyed(around.kind)) throw refusal("keys have no order that can be changed");
    if (position < 0 || position >= around.rows) return { changes: [], way };
    const insertion = { insert: placeIn(around, `[${position}]`), value: document.at(way, { exact: true }) };
    return { changes: [{ delete: way }, insertion], moves: [{ kind: "move", at: way, to }], way: to };
  },
};

/** An insertion of a value that gets the way `at`. */
const inserted = (place, value, at) => ({ changes: [{ insert: place, value }], moves: Array.isArray(at) ? [{ kind: "insert", at }] : [], way: at });

/** The deletions of neighbours. Those of one list are one change, since each change is a pass over the file. */
function deletions(document, { at, count }) {
  const around = document.node(at.slice(0, -1)), first = at.at(-1);
  if (count > 1 && isList(around.kind) && around.path !== undefined) return [{ delete: placeIn(around, `[${first}:${first + count}]`) }];
  return Array.from({ length: count }, (_, number) => ({ delete: at.with(-1, first + count - 1 - number) }));
}

const refusal = (message) => Object.assign(new Error(message), { name: "VariantError", class: "edit" });

function placeIn({ frame, path }, step) {
  if (path === undefined) throw refusal("the container has no path");
  return { frame: Math.max(1, frame), path: path + step };
}

/** Free keys for new pairs of dictionaries, and the positions of these pairs. */
function freeKeysOf(document) {
  const keys = new FreeKeys((...of) => document.children(...of)), added = new Map();
  return {
    take({ way, rows }, label) {
      const position = added.get(way.join()) ?? rows;
      added.set(way.join(), position + 1);
      return { key: keys.take(way, label), position };
    },
  };
}

function wayOf(document, place) {
  return Array.isArray(place) ? place : nodeAt(document, place)?.way;
}

/** The way of the value that took the place of a deleted value: the next one, the one before it, or the container. */
function nearest(document, way) {
  if (!way) return undefined;
  const last = way.at(-1), before = last > 0 ? [way.with(-1, last - 1)] : [];
  return [way, ...before, way.slice(0, -1)].find((place) => place.length > 0 && nodeAt(document, place)?.kind !== undefined);
}

/** The row of a value, if it is there. */
export function nodeAt(document, place) {
  try {
    return document.node(place);
  } catch {
    return undefined;
  }
}

// The worker with the open files. Each message of the page is one call about one file.

import { filesIn } from "./archive.js";
import { Document, Literal, dialects, initialize } from "../js/document-browser.js";
import { countBefore } from "./order.js";
import { compiled } from "./parts.js";
import { back } from "./places.js";

/** The maximum number of bytes of a literal offered for editing. */
const LITERAL = 1 << 20;
/** The number of changes that the page gets after each change. It asks for earlier changes. */
const RECENT = 100;

const ready = initialize(compiled);
/** The open files, by the page's numbers. */
const files = new Map();

const blobOf = (content) => new Blob([content], { type: "application/octet-stream" });
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
/** The result, with its bytes as a blob. The page only passes the blob to a download. */
const passed = ({ bytes, ...rest }) => ({ ...rest, blob: bytes && blobOf(bytes) });

/** A file, and its steps of undo. A step may consist of several changes of the document. */
class File {
  #count = 0;
  #done = [];
  #undone = [];

  /** `blob` has the bytes as they were opened. */
  constructor(document, blob) {
    Object.assign(this, { document, blob });
  }

  /** The number of the last step. */
  get step() {
    return this.#done.at(-1)?.number ?? 0;
  }

  /** The page's state of the file. It is sent after each call that may change it. */
  get state() {
    const { document } = this, info = document.info;
    if (info.isLocked) return { info, rows: 0, step: 0, changes: { count: 0, recent: [] } };
    Object.assign(info, { canUndo: this.#done.length > 0, canRedo: this.#undone.length > 0 });
    return { info, rows: document.node([]).rows, step: this.step, changes: { count: this.#done.length, recent: this.#done.slice(-RECENT) } };
  }

  /** Steps before the recent ones. */
  steps(from, end) {
    return this.#done.slice(from, end);
  }

  /** Makes edits as one step. If one fails, none is made. A step that is made again keeps its number. */
  edit(edits, number = this.#count + 1) {
    this.#count = Math.max(this.#count, number);
    const step = { number, made: [], moves: [], parts: 0 };
    try {
      if (edits.every(({ set }) => set !== undefined)) this.#take(step, setAll(this.document, edits));
      else for (const edit of edits) this.#make(step, edit);
    } catch (error) {
      // A change that was undone here has cleared what the document could redo.
      if (step.parts > 0) this.#undone = [];
      for (; step.parts > 0; step.parts--) this.document.undo();
      throw error;
    }
    if (step.parts > 0) {
      this.#done.push(step);
      this.#undone = [];
    }
    return { ...step, ...this.state };
  }

  #make(step, edit) {
    const [kind] = Object.keys(edit);
    this.#take(step, MAKERS[kind](this.document, edit));
  }

  /** A call that changes nothing makes no step of the document. */
  #take(step, { made, parts = made.length > 0 ? 1 : 0, moves = [], way }) {
    step.parts += parts;
    step.made.push(...made);
    step.moves.push(...moves);
    step.way = way;
  }

  undo() {
    const step = this.#done.pop();
    if (!step) return this.state;
    for (let part = 0; part < step.parts; part++) this.document.undo();
    this.#undone.push(step);
    const moves = back(step.moves), last = moves.at(-1);
    return { ...step, moves, way: nearest(this.document, last?.to ?? last?.at ?? step.way), ...this.state };
  }

  redo() {
    const step = this.#undone.pop();
    if (!step) return this.state;
    for (let part = 0; part < step.parts; part++) this.document.redo();
    this.#done.push(step);
    return { ...step, ...this.state };
  }

  free() {
    this.document.free();
  }
}

/** Each edit of the page: the changes, the number of changes of the document, the moves of other values, and the way to select. */
const MAKERS = {
  set: (document, edit) => setAll(document, [edit]),
  insert: (document, { insert, value }) => inserted(document, insert, new Literal(value)),
  delete(document, { delete: place }) {
    const way = wayOf(document, place), made = document.delete(place);
    return { made, way: nearest(document, way), moves: way ? [{ kind: "delete", at: way }] : [] };
  },
  rename(document, { rename, key }) {
    const way = wayOf(document, rename);
    return { made: document.renameKey(rename, key), way };
  },
  duplicate(document, { duplicate }) {
    const around = document.node(duplicate.slice(0, -1)), node = document.node(duplicate);
    const step = isKeyed(around) ? newKey(document, around, node) : `[${duplicate.at(-1) + 1}]`;
    return inserted(document, placeIn(around, step), document.at(duplicate, { exact: true }));
  },
  move(document, { move, by }) {
    const around = document.node(move.slice(0, -1)), position = move.at(-1) + by;
    if (isKeyed(around)) throw Object.assign(new Error("keys have no order that can be changed"), { name: "VariantError", class: "edit" });
    if (position < 0 || position >= around.rows) return { made: [], parts: 0, way: move };
    const value = document.at(move, { exact: true }), made = document.delete(move);
    const to = move.with(-1, position);
    try {
      made.push(...document.insert(placeIn(around, `[${position}]`), value));
    } catch (error) {
      document.undo();
      throw error;
    }
    return { made, parts: 2, moves: [{ kind: "move", at: move, to }], way: to };
  },
};

/** Sets values in one pass over the file. */
function setAll(document, edits) {
  const made = document.edit(edits.map(({ set, to }) => ({ set, value: new Literal(to) })));
  return { made, way: wayOf(document, edits.at(-1).set) };
}

function inserted(document, place, value) {
  const made = document.insert(place, value), path = made.at(-1)?.path;
  const way = path === undefined ? undefined : wayOf(document, typeof place === "string" ? path : { frame: place.frame, path });
  return { made, way, moves: way ? [{ kind: "insert", at: way }] : [] };
}

const isKeyed = ({ kind }) => /^(Dictionary|Object)/.test(kind);
const placeIn = ({ frame, path }, step) => ({ frame: Math.max(1, frame), path: path + step });

/** A key that the dictionary does not have: the key of `node` with a number. */
function newKey(document, around, { label }) {
  const key = /^&?"(.*)"$/s.exec(label)?.[1] ?? label;
  for (let number = 2; ; number++) {
    const step = `["${key}_${number}"]`;
    if (!wayOf(document, placeIn(around, step))) return step;
  }
}

function wayOf(document, place) {
  try {
    return Array.isArray(place) ? place : document.node(place).way;
  } catch {
    return undefined;
  }
}

/** The way of the value that took the place of a deleted value: the next one, the one before it, or the container. */
function nearest(document, way) {
  if (!way) return undefined;
  const last = way.at(-1), before = last > 0 ? [way.with(-1, last - 1)] : [];
  return [way, ...before, way.slice(0, -1)].find((place) => place.length > 0 && nodeAt(document, place)?.kind !== undefined);
}

function nodeAt(document, place) {
  try {
    return document.node(place);
  } catch {
    return undefined;
  }
}

/** The number of existing rows below a value. The number that the value claims may be too large. */
function rowsOf(document, way) {
  const isThere = (row) => document.children(way, row, 1).length > 0, { rows } = document.node(way);
  return rows === 0 || isThere(rows - 1) ? rows : countBefore(rows, isThere);
}

/** Calls a function with a file that is open only meanwhile. */
async function briefly(blob, options, work) {
  const document = new Document(await bytesOf(blob), options);
  try {
    return document.info.isLocked ? { isLocked: true } : work(document);
  } finally {
    document.free();
  }
}

/** Opens a file. If another file has the number, the other file is replaced. */
async function open(id, blob, options) {
  const document = new Document(await bytesOf(blob), options);
  files.get(id)?.free();
  files.set(id, new File(document, blob));
  return files.get(id).state;
}

/** The calls that are about no open file. */
const calls = {
  dialects: () => dialects,
  open,
  close(id) {
    files.get(id)?.free();
    files.delete(id);
  },
  /** The files in an archive. */
  archive: async (id, blob) => filesIn(await bytesOf(blob)).map(({ path, bytes }) => ({ path, blob: blobOf(bytes) })),
  /** What a file is, and its problems if `isChecked`. */
  survey: (id, blob, options, isChecked) => briefly(blob, options, (document) => ({ info: document.info, validation: isChecked ? document.validate() : undefined })),
  /** The first values of a file that have a text. */
  searchIn: (id, blob, options, text, how) => briefly(blob, options, (document) => document.search(text, how)),
};

/** The calls about a file. A call with another name is a method of the document. */
const callsOf = {
  edit: (file, edits, number) => file.edit(edits, number),
  undo: (file) => file.undo(),
  redo: (file) => file.redo(),
  steps: (file, from, end) => file.steps(from, end),
  unlock: (file, password) => (file.document.unlock(password), file.state),
  reread: (file, how) => (file.document.reread(how), file.state),
  rows: ({ document }, way) => rowsOf(document, way),
  /** The values around a value, the outermost first. */
  around: ({ document }, way) => way.slice(1).map((_, depth) => document.node(way.slice(0, depth + 1))),
  /** The values that a path selects. */
  selected: ({ document }, query, how) => document.nodes(query, how),
  nodes: ({ document }, places) => places.map((place) => nodeAt(document, place)),
  block: ({ document }, start, end) => ({ bytes: document.bytes(start, end), fields: document.fields(start, end) }),
  literal({ document }, way) {
    const { start, end } = document.extent(way);
    return end - start > LITERAL ? undefined : document.text(way);
  },
  /** Without a change, the bytes are those that were opened. Another compression of the same bytes could differ. */
  save: (file) => ({ blob: file.step === 0 ? file.blob : blobOf(file.document.save()), step: file.step }),
  unwrap: ({ document }) => blobOf(document.unwrap()),
  wrap: ({ document }, how) => blobOf(document.wrap(how)),
  text: ({ document }, place) => blobOf(document.text(place)),
  json: ({ document }, form, place) => blobOf(document.json(form, place)),
  convert: ({ document }, to, options) => passed(document.convert(to, options)),
  salvage: ({ document }) => passed(document.salvage()),
  /** The differences that lead from another file to this file. */
  diff: ({ document }, blob, options) => briefly(blob, options, (other) => other.diff(document, { most: 1000 })),
  /** The differences that lead from another open file, with its changes, to this file. */
  diffWith: ({ document }, id) => files.get(id).document.diff(document, { most: 1000 }),
};

function called(id, method, parts) {
  if (Object.hasOwn(calls, method)) return calls[method](id, ...parts);
  const file = files.get(id);
  return Object.hasOwn(callsOf, method) ? callsOf[method](file, ...parts) : file.document[method](...parts);
}

async function answer({ id, file, method, parts }) {
  try {
    await ready;
    const result = await called(file, method, parts);
    const bytes = [result, result?.bytes].find((part) => part instanceof Uint8Array);
    postMessage({ id, result }, bytes ? [bytes.buffer] : []);
  } catch (error) {
    // After a trap the state of the module's memory is unknown.
    const isDead = [error, error.cause].some((cause) => cause instanceof WebAssembly.RuntimeError);
    postMessage({ id, isDead, error: { ...error, name: error.name, message: error.message } });
  }
}

let last = Promise.resolve();
addEventListener("message", ({ data }) => { last = last.then(() => answer(data)); });
ready.then(() => postMessage({ isReady: true }), ({ name, message }) => postMessage({ isDead: true, error: { name, message } }));

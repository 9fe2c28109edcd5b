// The class `Document`: an open file in the module.

import { lengthOf } from "./engine.js";
import { files } from "./files.js";
import { DEPTH, known } from "./options.js";

// Arguments are checked before the module is called. The module would convert wrong types, and a RangeError during a
// call means that the module has stopped.

/** Checks an offset or a count, and limits it to the largest number of the module. */
function whole(name, number) {
  if (!(Number.isInteger(number) || number === Infinity) || number < 0) throw new RangeError(`${name}: ${number}; a whole number is wanted`);
  return Math.min(number, 0xffffffff);
}

function text(name, value) {
  if (typeof value !== "string") throw new TypeError(`${name}: a string is wanted`);
  return value;
}

/** Converts a place to a way, or to a frame and a path. A path without a frame is in the first value. */
function placeOf(place) {
  if (Array.isArray(place)) return { way: Uint32Array.from(place, (step) => whole("way", step)) };
  if (typeof place === "string") return { frame: 1, path: place };
  // Rows of a bare file have frame 0, since the file has no frames. The module counts its value as frame 1.
  if (typeof place?.path === "string") return { frame: whole("frame", place.frame ?? 1) || 1, path: place.path };
  throw new TypeError("place: a path, { frame, path } or a way is wanted");
}

/** The place of a change. A query selects values in all frames. */
function targetOf(place) {
  return typeof place?.query === "string" ? { frame: undefined, path: place.query } : placeOf(place);
}

/** The frame and the path of a way. If the file has no such value yet, an earlier change of the same step may add it. */
function addressOf(file, way, index) {
  try {
    return file.address(way);
  } catch (error) {
    if (error.class !== "path" || index === 0) throw error;
    return { frame: way[0] + 1, path: Array.from(way.slice(1), (position) => `{${position}}`).join("") };
  }
}

/** The action of a change, and its data. */
function editOf(change) {
  const action = ACTIONS.find((name) => Object.hasOwn(Object(change), name));
  if (action === undefined) throw new TypeError(`edit: ${ACTIONS.join(", ")} is wanted`);
  known(change, [action, action === "rename" ? "key" : "value"]);
  return { action, place: targetOf(change[action]), value: change.value, key: action === "rename" ? text("key", change.key) : undefined };
}

/** The part of the file for one call of a search. */
function partOf({ from = 0, most = 100, bytes = Infinity }) {
  return [whole("from", from), whole("most", most), whole("bytes", bytes)];
}

/** The password or the key in the options, in the form for the module. */
function keyOf(password) {
  if (password === undefined || typeof password === "string") return [password, undefined];
  if (password instanceof Uint8Array) return [undefined, password];
  throw new TypeError("password: a string, or the 32 bytes of a key, is wanted");
}

const OPENING = ["dialect", "framing", "password", "skip", "lenient"];
const ACTIONS = ["set", "insert", "delete", "rename"];
/** The changes that take a value. */
const TAKES_VALUE = ["set", "insert"];
const READING = ["dialect", "framing", "skip"];
const VALUE = ["exact", "dictionaries"];
const SELECTION = ["most", ...VALUE];
const PART = ["from", "most", "bytes"];
const SEARCH = [...PART, "anyCase", "keys", "values", "numbers"];
const WRAPPING = ["compression", "encryption", "password"];

/** The text of a value as scripts write it. */
export class Literal {
  constructor(literal) {
    this.text = text("literal", literal);
  }
}

/**
 * Replaces the plain bytes of a document, as one change. A function gets the plain bytes and `info`, and returns the new bytes and the changes, or
 * `undefined` to change nothing.
 */
export let replace;

export class Document {
  #engine = files.engine;
  /** The file in the module. Undefined while the file is locked. */
  #file;
  /** The bytes of a locked file, and the options to open it. */
  #locked;

  static {
    replace = (document, make) => {
      if (!(#engine in Object(document))) throw new TypeError("document: a Document is wanted");
      return document.#take(make(document.bytes(), document.info));
    };
  }

  constructor(bytes, options = {}) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes: a Uint8Array is wanted");
    known(options, OPENING);
    try {
      this.#open(bytes, options);
    } catch (error) {
      if (error.class !== "locked") throw error;
      // A new array copies the bytes. A slice of a Buffer would share the memory of the Buffer.
      this.#locked = { bytes: new Uint8Array(bytes), options, message: error.message };
    }
  }

  #open(bytes, { dialect = "", framing = "", password, skip = 0, lenient = false }) {
    const how = [text("dialect", dialect), text("framing", framing), ...keyOf(password), whole("skip", skip), Boolean(lenient)];
    const length = lengthOf.call(bytes);
    const { memory } = this.#engine;
    this.#file = this.#engine.run((module) => {
      const buffer = new module.Buffer(length);
      memory.renew();
      memory.bytes.set(bytes, buffer.address());
      return new module.File(buffer, ...how);
    });
  }

  /** Calls a function with the file. */
  #with(work) {
    if (this.#locked) throw Object.assign(new Error(this.#locked.message), { name: "VariantError", class: "locked" });
    if (!this.#file) throw new TypeError("the document was freed");
    if (this.#engine.hasStopped) throw new Error("the module has stopped, and the document with it: await initialize(), and open it again");
    return this.#engine.run(() => work(this.#file));
  }

  /** Calls a function with the file and the way of a place. */
  #at(place, work) {
    const { way, frame, path } = placeOf(place);
    return this.#with((file) => work(file, way ?? file.way(frame, path)));
  }

  free() {
    this.#locked = undefined;
    this.#file?.free();
    this.#file = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  get info() {
    if (!this.#locked) return this.#with((file) => file.info());
    const { bytes, options, message } = this.#locked;
    return {
      isLocked: true, dialect: options.dialect ?? "", framing: options.framing ?? "", isCertain: false, layers: [message], size: bytes.length,
      skipped: 0, notes: [], step: 0, isChanged: false, canUndo: false, canRedo: false,
    };
  }

  detect() {
    return this.#with((file) => file.detect());
  }

  reread(options) {
    const { dialect = "", framing = "", skip } = known(options, READING);
    const how = [text("dialect", dialect), text("framing", framing), skip === undefined ? undefined : whole("skip", skip)];
    this.#with((file) => file.reread(...how));
  }

  unlock(password) {
    if (!this.#locked) return this.#with(() => {});
    const { bytes, options } = this.#locked;
    // The module may have been restarted meanwhile.
    this.#engine = files.engine;
    this.#open(bytes, { ...options, password });
    this.#locked = undefined;
  }

  at(place, options) {
    const { exact, dictionaries } = known(options, VALUE);
    return this.#at(place, (file, way) => this.#engine.take({ exact, dictionaries }, () => file.value(way)));
  }

  node(place) {
    return this.#at(place, (file, way) => file.node(way));
  }

  kind(place) {
    return this.node(place).kind;
  }

  offset(place) {
    return this.node(place).offset;
  }

  extent(place) {
    return this.#at(place, (file, way) => file.extent(way));
  }

  children(place, start = 0, count = 10_000) {
    const range = [whole("start", start), whole("count", count)];
    return this.#at(place, (file, way) => file.children(way, ...range));
  }

  pathTo(offset) {
    const byte = whole("offset", offset);
    return this.#with((file) => file.pathTo(byte));
  }

  fields(start, end) {
    const range = [whole("start", start), whole("end", end)];
    return this.#with((file) => file.fields(...range));
  }

  bytes(start = 0, end = Infinity) {
    const range = [whole("start", start), whole("end", end)];
    return this.#with((file) => file.bytes(...range));
  }

  select(query, options) {
    const { most = 1_000, ...how } = known(options, SELECTION);
    const wanted = [text("query", query), whole("most", most)];
    return this.#with((file) =>
      file.select(...wanted).map(({ frame, path, start, end }) => ({ frame, path, value: this.#engine.take(how, () => file.valueBetween(start, end)) })));
  }

  nodes(query, options) {
    const wanted = [text("query", query), ...partOf(known(options, PART))];
    return this.#with((file) => file.nodes(...wanted));
  }

  search(sought, options) {
    const { anyCase = true, keys = true, values = true, numbers = true, ...rest } = known(options, SEARCH);
    const how = [text("text", sought), Boolean(anyCase), Boolean(keys), Boolean(values), Boolean(numbers), ...partOf(rest)];
    return this.#with((file) => file.search(...how));
  }

  validate() {
    return this.#with((file) => file.validate());
  }

  text(place = []) {
    const parts = [];
    this.#at(place, (file, way) => file.text(way, (part) => parts.push(part)));
    return parts.join("");
  }

  json(form = "plain", place = []) {
    const parts = [];
    text("form", form);
    this.#at(place, (file, way) => file.json(form, way, (part) => parts.push(part)));
    return parts.join("");
  }

  /** Calls a function with the file, the text of a literal or no text, and the size of the value in the module. */
  #give(value, take) {
    if (value instanceof Literal) return this.#with((file) => take(file, text("literal", value.text), 0));
    return this.#with((file) => this.#engine.give(value, DEPTH, (length) => take(file, undefined, length)));
  }

  edit(changes) {
    const wanted = Array.from(changes, editOf);
    const edits = this.#with((file) => file.edits());
    try {
      for (const [index, { action, place, value, key }] of wanted.entries()) {
        const add = (file, given, length) => {
          const { frame, path } = place.way ? addressOf(file, place.way, index) : place;
          edits.add(action, frame, path, given, length);
        };
        if (TAKES_VALUE.includes(action)) this.#give(value, add);
        else this.#with((file) => add(file, key, 0));
      }
      return this.#with((file) => file.edit(edits));
    } finally {
      if (!this.#engine.hasStopped) edits.free();
    }
  }

  set(place, value) {
    return this.edit([{ set: place, value }]);
  }

  insert(place, value) {
    return this.edit([{ insert: place, value }]);
  }

  delete(place) {
    return this.edit([{ delete: place }]);
  }

  renameKey(place, key) {
    return this.edit([{ rename: place, key }]);
  }

  kindOf(place, value) {
    return this.#at(place, (_, way) => this.#give(value, (file, given, length) => file.kindOf(way, given, length)));
  }

  /** Takes new plain bytes with their changes, as one change. */
  #take(made) {
    return made === undefined ? [] : this.#with((file) => file.replace(made.bytes, made.changes));
  }

  merge(other, options) {
    const { base, prefer = "", lossy = false } = known(options, ["base", "prefer", "lossy"]);
    if (text("prefer", prefer) && base === undefined) throw new TypeError("prefer: only a merge with a base chooses a side");
    const merged = (file, theirs, old) => file.merge(theirs, old, base !== undefined, prefer, Boolean(lossy));
    return this.#take(this.#with((file) => other.#with((theirs) => (base ?? other).#with((old) => merged(file, theirs, old)))));
  }

  undo() {
    return this.#with((file) => file.undo());
  }

  redo() {
    return this.#with((file) => file.redo());
  }

  get changes() {
    return this.#with((file) => file.changes());
  }

  save() {
    return this.#with((file) => file.save());
  }

  unwrap(password) {
    if (password !== undefined) this.unlock(password);
    return this.#with((file) => file.unwrap());
  }

  wrap(options) {
    const { compression = "", encryption = "", password } = known(options, WRAPPING);
    const how = [text("compression", compression), text("encryption", encryption), ...keyOf(password)];
    return this.#with((file) => file.wrap(...how));
  }

  convert(to, options) {
    const { lossy = false } = known(options, ["lossy"]);
    text("to", to);
    return this.#with((file) => file.convert(to, Boolean(lossy)));
  }

  salvage() {
    return this.#with((file) => file.salvage());
  }

  diff(other, options) {
    const { most = 1_000 } = known(options, ["most"]);
    const limit = whole("most", most);
    return this.#with((file) => other.#with((of) => file.diff(of, limit)));
  }
}

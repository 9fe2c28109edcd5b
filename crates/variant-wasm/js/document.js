// Files: a document is a file in the module.

import { files } from "./files.js";

/** Way, or frame and path, of a place; a path alone is one in the first value. */
function addressOf(place) {
  if (typeof place === "string") return { frame: 1, path: place };
  if (typeof place?.path === "string") return { frame: place.frame || 1, path: place.path };
  throw new TypeError("place: a path, { frame, path } or a way is wanted");
}

/** Password or key of `open`, as the module takes them. */
function keyOf(password) {
  if (password === undefined || typeof password === "string") return [password, undefined];
  if (password instanceof Uint8Array) return [undefined, password];
  throw new TypeError("password: a string, or the 32 bytes of a key, is wanted");
}

export class Document {
  #engine = files.engine;
  /** The file in the module; none of a locked one. */
  #file;
  /** The bytes of a locked file, and how it is opened. */
  #locked;

  constructor(bytes, options = {}) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes: a Uint8Array is wanted");
    try {
      this.#open(bytes, options);
    } catch (error) {
      if (error.class !== "locked") throw error;
      // A slice of a Buffer would be the same memory.
      this.#locked = { bytes: new Uint8Array(bytes), options, message: error.message };
    }
  }

  #open(bytes, { dialect = "", framing = "", password, skip = 0, lenient = false }) {
    const key = keyOf(password);
    const { memory } = this.#engine;
    this.#file = this.#engine.run((module) => {
      const buffer = new module.Buffer(bytes.length);
      memory.renew();
      memory.bytes.set(bytes, buffer.address());
      return new module.File(buffer, dialect, framing, ...key, skip, lenient);
    });
  }

  /** Does something with the file. */
  #with(work) {
    if (this.#locked) throw Object.assign(new Error(this.#locked.message), { name: "VariantError", class: "locked" });
    if (!this.#file) throw new TypeError("the document was freed");
    if (this.#engine.hasStopped) throw new Error("the module has stopped, and the document with it: await initialize(), and open it again");
    return this.#engine.run(() => work(this.#file));
  }

  /** The way of a place. */
  #way(file, place) {
    if (Array.isArray(place)) return Uint32Array.from(place);
    const { frame, path } = addressOf(place);
    return file.way(frame, path);
  }

  /** Frame and path of a place, to change what is there. */
  #address(file, place) {
    return Array.isArray(place) ? file.address(Uint32Array.from(place)) : addressOf(place);
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
      skipped: 0, notes: [], isChanged: false, canUndo: false, canRedo: false,
    };
  }

  detect() {
    return this.#with((file) => file.detect());
  }

  reread({ dialect = "", framing = "", skip }) {
    this.#with((file) => file.reread(dialect, framing, skip));
  }

  unlock(password) {
    if (!this.#locked) return;
    const { bytes, options } = this.#locked;
    // The module may have been started anew meanwhile.
    this.#engine = files.engine;
    this.#open(bytes, { ...options, password });
    this.#locked = undefined;
  }

  at(place, options) {
    return this.#with((file) => {
      const way = this.#way(file, place);
      return this.#engine.take(options, () => file.value(way));
    });
  }

  node(place) {
    return this.#with((file) => file.node(this.#way(file, place)));
  }

  kind(place) {
    return this.node(place).kind;
  }

  offset(place) {
    return this.node(place).offset;
  }

  extent(place) {
    return this.#with((file) => file.extent(this.#way(file, place)));
  }

  children(place, start = 0, count = 10_000) {
    return this.#with((file) => file.children(this.#way(file, place), start, count));
  }

  pathTo(offset) {
    return this.#with((file) => file.pathTo(offset));
  }

  fields(start, end) {
    return this.#with((file) => file.fields(start, end));
  }

  bytes(start = 0, end = 0xffffffff) {
    return this.#with((file) => file.bytes(start, end));
  }

  search(text, { from = 0, most = 100, anyCase = true, keys = true, values = true } = {}) {
    return this.#with((file) => file.search(text, anyCase, keys, values, from, most));
  }

  validate() {
    return this.#with((file) => file.validate());
  }

  text(place = []) {
    return this.#with((file) => {
      let text = "";
      file.text(this.#way(file, place), (part) => (text += part));
      return text;
    });
  }

  json(form = "plain", place = []) {
    return this.#with((file) => {
      let text = "";
      file.json(form, this.#way(file, place), (part) => (text += part));
      return text;
    });
  }

  /** Calls the change `name` of the file. */
  #change(name, place, ...data) {
    return this.#with((file) => {
      const { frame, path } = this.#address(file, place);
      return file[name](frame, path, ...data);
    });
  }

  set(place, literal) {
    return this.#change("set", place, literal);
  }

  insert(place, literal) {
    return this.#change("insert", place, literal);
  }

  delete(place) {
    return this.#change("delete", place);
  }

  renameKey(place, key) {
    return this.#change("renameKey", place, key);
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

  wrap({ compression = "", encryption = "", password }) {
    const key = keyOf(password);
    return this.#with((file) => file.wrap(compression, encryption, ...key));
  }

  convert(to, { lossy = false } = {}) {
    return this.#with((file) => file.convert(to, lossy));
  }

  salvage() {
    return this.#with((file) => file.salvage());
  }

  diff(other, { most = 1_000 } = {}) {
    return this.#with((file) => other.#with((of) => file.diff(of, most)));
  }
}

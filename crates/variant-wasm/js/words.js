// Events as words: the other side of src/words.rs, which says what each is.

import * as values from "./values.js";

const NIL = 0, BOOL = 1, INT = 2, FLOAT = 3, TEXT = 4, KNOWN = 5, LEARN = 6, PATH = 7, PLAIN_PATH = 8, NUMBERS = 9,
  STRINGS = 10, RID = 11, CALLABLE = 12, SIGNAL = 13, NULL_OBJECT = 14, OBJECT_ID = 15, IMAGE = 16, INPUT_EVENT = 17,
  ARRAY = 18, DICTIONARY = 19, OBJECT = 20, NAME = 21, EXIT = 22;
const FLAG_NAME = 1, FLAG_WIDE = 256, FLAG_SHARED = 256, UNKNOWN = 0xffffffff;
const ANY = 0, BUILTIN = 1, CLASS = 2, SCRIPT = 3, UNKNOWN_ID = 4;

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const utf8 = new TextEncoder();

// Two words as one number, and back.
const cell = new ArrayBuffer(8);
const cellWords = new Uint32Array(cell), cellFloat = new Float64Array(cell), cellSingle = new Float32Array(cell), cellLong = new BigInt64Array(cell),
  cellId = new BigUint64Array(cell);

/** Typed arrays by what a number is. Reals have the width of their value. */
const ARRAYS = { byte: Uint8Array, int32: Int32Array, int64: BigInt64Array, float32: Float32Array, float64: Float64Array };
/** Packed arrays that are typed arrays. */
const PLAIN_ARRAYS = {
  PackedByteArray: "byte", PackedInt32Array: "int32", PackedInt64Array: "int64",
  PackedFloat32Array: "float32", PackedFloat64Array: "float64",
};

/** The kinds by their numbers, as the module of this version numbers them. */
export class Kinds {
  constructor(names) {
    this.names = names.split(" ");
    this.numbers = new Map(this.names.map((name, number) => [name, number]));
    /** For each kind made of numbers, what makes a value of bytes. */
    this.readers = this.names.map((name) => reader(name));
  }
}

/** What makes a value from the numbers of `view`, from `index` on. */
function maker(Class) {
  const { shape } = Class;
  if (typeof shape[0] !== "string") {
    const parts = shape.map(([, part]) => (part ? { make: maker(part), count: part.count } : { make: (view, index) => view[index], count: 1 }));
    return (view, index) => {
      const made = [];
      for (const { make, count } of parts) {
        made.push(make(view, index));
        index += count;
      }
      return new Class(...made);
    };
  }
  if (shape.length === 2) return (view, index) => new Class(view[index], view[index + 1]);
  if (shape.length === 3) return (view, index) => new Class(view[index], view[index + 1], view[index + 2]);
  return (view, index) => new Class(view[index], view[index + 1], view[index + 2], view[index + 3]);
}

function copyOf(Type, memory, place, length) {
  return new Type(memory.bytes.slice(place, place + length).buffer);
}

function reader(name) {
  const plain = PLAIN_ARRAYS[name];
  if (plain) return (memory, place, length) => copyOf(ARRAYS[plain], memory, place, length);
  const Class = values[name];
  if (Class?.item) {
    const { number } = Class.item;
    return (memory, place, length, isWide) =>
      new Class(copyOf(number === "real" ? (isWide ? Float64Array : Float32Array) : ARRAYS[number], memory, place, length));
  }
  if (!Class?.shape) return undefined;
  const make = maker(Class);
  // Numbers of 32 bits stand at whole words.
  if (Class.number === "int32") return (memory, place) => make(memory.ints, place >>> 2);
  return (memory, place, length, isWide) => {
    if (!isWide || Class.number === "float32") return make(memory.floats, place >>> 2);
    const value = make(copyOf(Float64Array, memory, place, length), 0);
    value.width = 64;
    return value;
  };
}

/** Views of the module's memory, made anew when it has grown. */
export class Memory {
  constructor(memory) {
    this.memory = memory;
    this.renew();
  }
  renew() {
    const { buffer } = this.memory;
    if (this.bytes?.buffer === buffer) return;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.ints = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
  }
}

class Frame {
  constructor(kind, target, outer) {
    this.kind = kind;
    this.target = target;
    this.outer = outer;
    /** Of a dictionary or object: the key whose value comes next. */
    this.key = undefined;
    this.hasKey = false;
  }
}

/** Makes values of the module's words. */
export class ValueReader {
  constructor(memory, kinds) {
    this.memory = memory;
    this.kinds = kinds;
    /** Short texts by their slots: what `Known` tells of. */
    this.known = [];
    this.reset(false, false);
  }

  reset(isExact, asObjects) {
    this.isExact = isExact;
    this.asObjects = asObjects;
    this.frame = null;
    this.value = undefined;
  }

  bytesAt(place, length) {
    return this.memory.bytes.slice(place, place + length);
  }

  /** A text, or its bytes where it is none and every byte counts. */
  text(place, length) {
    const { bytes } = this.memory;
    if (length < 16) {
      let text = "";
      let index = place;
      const end = place + length;
      for (; index < end; index++) {
        const byte = bytes[index];
        if (byte > 127) break;
        text += String.fromCharCode(byte);
      }
      if (index === end) return text;
    }
    const part = bytes.subarray(place, place + length);
    if (!this.isExact) return lossy.decode(part);
    try {
      return strict.decode(part);
    } catch {
      return new values.RawText(part.slice());
    }
  }

  named(text, detail) {
    if ((detail & FLAG_NAME) === 0 || !this.isExact) return text;
    return text instanceof values.RawText ? new values.RawText(text.bytes, true) : new values.StringName(text);
  }

  /** Takes words; called again and again for a large value. */
  drain(address, count) {
    this.memory.renew();
    const { words } = this.memory;
    let at = address >>> 2;
    const end = at + count;
    while (at < end) {
      const word = words[at++];
      const detail = word >>> 8;
      let value;
      switch (word & 255) {
        case KNOWN:
          value = this.named(this.known[words[at++]], detail);
          break;
        case LEARN: {
          const text = this.text(words[at + 1], words[at + 2]);
          // What is lossy for one reader is not what another wants.
          this.known[words[at]] = text;
          value = this.named(text, detail);
          at += 3;
          break;
        }
        case TEXT:
          value = this.named(this.text(words[at], words[at + 1]), detail);
          at += 2;
          break;
        case INT: {
          const low = words[at] | 0, high = words[at + 1] | 0;
          value = this.int(low, high, detail === 1);
          at += 2;
          break;
        }
        case FLOAT:
          cellWords[0] = words[at++];
          cellWords[1] = words[at++];
          value = this.isExact ? exactFloat(detail === 1) : detail === 1 ? cellFloat[0] : cellSingle[0];
          break;
        case BOOL:
          value = detail === 1;
          break;
        case NIL:
          value = null;
          break;
        case NUMBERS:
          value = this.kinds.readers[detail & 255](this.memory, words[at], words[at + 1], (detail & FLAG_WIDE) !== 0);
          at += 2;
          break;
        case DICTIONARY:
          this.enter(DICTIONARY, this.dictionary(detail, at));
          at += 7;
          continue;
        case ARRAY:
          this.enter(ARRAY, this.array(detail, at));
          at += 4;
          continue;
        case STRINGS:
          this.enter(STRINGS, new values.PackedStringArray());
          at += 1;
          continue;
        case OBJECT: {
          const name = this.text(words[at + 1], words[at + 2]);
          this.enter(OBJECT, new values.GodotObject(name));
          at += 3;
          continue;
        }
        case NAME:
          this.frame.key = this.text(words[at], words[at + 1]);
          this.frame.hasKey = true;
          at += 2;
          continue;
        case EXIT:
          value = this.frame.target;
          this.frame = this.frame.outer;
          break;
        default:
          [value, at] = this.rare(word & 255, detail, at);
      }
      this.put(value);
    }
  }

  enter(kind, target) {
    this.frame = new Frame(kind, target, this.frame);
  }

  put(value) {
    const { frame } = this;
    if (frame === null) this.value = value;
    else if (frame.kind === ARRAY || frame.kind === STRINGS) frame.target.push(value);
    else if (!frame.hasKey) {
      frame.key = value;
      frame.hasKey = true;
    } else {
      frame.hasKey = false;
      if (frame.kind === OBJECT) this.pair(frame, frame.target.properties, frame.key, value);
      else this.pair(frame, frame.target, frame.key, value);
    }
  }

  pair(frame, target, key, value) {
    if (!(target instanceof Map)) {
      if (typeof key !== "string" && typeof key !== "number") {
        throw new TypeError(`a key of a plain object is a text or a number, and one of these bytes is not: dictionaries: "map" takes every key`);
      }
      // A property of that name would be the object's prototype.
      if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
      else target[key] = value;
      return;
    }
    if (this.isExact && (target.pairs !== undefined || target.has(key))) {
      if (target.pairs === undefined) target.pairs = [...target];
      target.pairs.push([key, value]);
    }
    target.set(key, value);
  }

  int(low, high, isWide) {
    const fits = high === low >> 31;
    if (this.isExact && isWide === fits) return new values.Int(long(low, high), isWide ? 64 : 32);
    if (fits) return low;
    const number = high * 0x100000000 + (low >>> 0);
    return Number.isSafeInteger(number) ? number : long(low, high);
  }

  elementType(at) {
    const { words } = this.memory;
    switch (words[at]) {
      case BUILTIN: return { builtin: this.kinds.names[words[at + 1]] };
      case CLASS: return { class: this.text(words[at + 1], words[at + 2]) };
      case SCRIPT: return { script: this.text(words[at + 1], words[at + 2]) };
      case UNKNOWN_ID: return { id: words[at + 1] };
      default: return undefined;
    }
  }

  array(detail, at) {
    const name = this.kinds.names[detail & 255];
    const isShared = (detail & FLAG_SHARED) !== 0;
    const elementType = this.elementType(at + 1);
    if (elementType === undefined && !(isShared && this.isExact) && name === "Array") return [];
    const array = new values.ArrayOf();
    array.elementType = elementType;
    if (isShared) array.isShared = true;
    if (name !== "Array") array.kind = name;
    return array;
  }

  dictionary(detail, at) {
    const { words } = this.memory;
    if (this.asObjects && !this.isExact) return {};
    const isShared = this.isExact && (detail & FLAG_SHARED) !== 0;
    if (words[at + 1] === ANY && words[at + 4] === ANY && !isShared) return new Map();
    const dictionary = new values.DictionaryOf();
    dictionary.keyType = this.elementType(at + 1);
    dictionary.valueType = this.elementType(at + 4);
    dictionary.isShared = isShared;
    return dictionary;
  }

  /** Events that packets are not full of: the value, and where the next event is. */
  rare(op, detail, at) {
    const { words } = this.memory;
    switch (op) {
      case PATH: {
        const [names, subnames] = [words[at++], words[at++]];
        const list = (count) => Array.from({ length: count }, () => this.text(words[at++], words[at++]));
        return [new values.NodePath(list(names), list(subnames), (detail & 1) !== 0, (detail & 2) !== 0), at];
      }
      case PLAIN_PATH:
        return [new values.NodePath([], [], false, false, this.text(words[at], words[at + 1])), at + 2];
      case RID:
        return [new values.RID(id(words[at], words[at + 1])), at + 2];
      case CALLABLE:
        return [new values.Callable(), at];
      case SIGNAL:
        return [new values.Signal(this.text(words[at], words[at + 1]), id(words[at + 2], words[at + 3])), at + 4];
      case NULL_OBJECT:
        return [this.isExact ? new values.NullObject() : null, at];
      case OBJECT_ID:
        return [new values.ObjectId(id(words[at], words[at + 1])), at + 2];
      case IMAGE: {
        const data = this.bytesAt(words[at + 4], words[at + 5]);
        return [new values.Image(words[at], words[at + 1], words[at + 2], words[at + 3], data), at + 6];
      }
      case INPUT_EVENT:
        return [new values.InputEvent(words[at], words[at + 1], this.bytesAt(words[at + 2], words[at + 3])), at + 4];
      default:
        throw new Error(`word ${op} is not one of an event: a defect of @variant-view/wasm`);
    }
  }
}

function long(low, high) {
  cellWords[0] = low;
  cellWords[1] = high;
  return cellLong[0];
}

function id(low, high) {
  cellWords[0] = low;
  cellWords[1] = high;
  return cellId[0];
}

/** The float of the cell, as a Number where that is written as the same bytes. */
function exactFloat(isWide) {
  const value = isWide ? cellFloat[0] : cellSingle[0];
  const fits = Math.fround(value) === value;
  const isPlain = isWide !== fits && !Number.isNaN(value) && !Number.isInteger(value);
  if (isPlain) return value;
  return new values.Float(value, isWide ? 64 : 32, Number.isNaN(value) ? cellId[0] : undefined);
}

/** Makes words of values. */
export class ValueWriter {
  constructor(kinds) {
    this.kinds = kinds;
    this.words = new Uint32Array(1 << 12);
    this.bytes = new Uint8Array(1 << 14);
    this.reset();
  }

  reset() {
    this.count = 0;
    this.length = 0;
  }

  push(word) {
    if (this.count === this.words.length) {
      const more = new Uint32Array(this.count * 2);
      more.set(this.words);
      this.words = more;
    }
    this.words[this.count++] = word;
  }

  event(op, detail, ...data) {
    this.push(((detail << 8) | op) >>> 0);
    for (const word of data) this.push(word);
  }

  room(length) {
    if (this.length + length <= this.bytes.length) return;
    const more = new Uint8Array(Math.max(this.bytes.length * 2, this.length + length));
    more.set(this.bytes.subarray(0, this.length));
    this.bytes = more;
  }

  /** Place and length of bytes. */
  placeOf(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes are a Uint8Array");
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.push(this.length);
    this.push(bytes.length);
    this.length += bytes.length;
  }

  placeOfText(text) {
    if (text instanceof values.RawText) return this.placeOf(text.bytes);
    text = String(text);
    this.room(text.length * 3);
    const { written } = utf8.encodeInto(text, this.bytes.subarray(this.length));
    this.push(this.length);
    this.push(written);
    this.length += written;
  }

  text(text, isName) {
    this.event(TEXT, isName ? FLAG_NAME : 0);
    this.placeOfText(text);
  }

  long(value) {
    cellId[0] = BigInt.asUintN(64, value);
    this.push(cellWords[0]);
    this.push(cellWords[1]);
  }

  int(value, isWide) {
    this.event(INT, isWide ? 1 : 0);
    if (typeof value === "bigint") return this.long(value);
    this.push(value >>> 0);
    this.push(Math.floor(value / 0x100000000) >>> 0);
  }

  float(value, isWide, bits) {
    this.event(FLOAT, isWide ? 1 : 0);
    if (bits !== undefined) return this.long(bits);
    cellFloat[0] = value;
    if (!isWide) {
      cellSingle[0] = value;
      cellWords[1] = 0;
    }
    this.push(cellWords[0]);
    this.push(cellWords[1]);
  }

  /** A whole value. An error names the path of what no Variant is. */
  value(root, depth) {
    const frames = [];
    let { done, value } = { done: false, value: root };
    for (;;) {
      const items = this.one(value, frames);
      if (items !== undefined) {
        if (frames.length >= depth) throw new RangeError(`nested deeper than ${depth}: a larger depth may be asked for, and a value that holds itself is none`);
        frames.push(items);
      }
      for (;;) {
        if (frames.length === 0) return;
        ({ done, value } = frames[frames.length - 1].next());
        if (!done) break;
        this.event(EXIT, 0);
        frames.pop();
      }
    }
  }

  /** One value, or the head of a container: then its children are returned. */
  one(value, frames) {
    switch (typeof value) {
      case "string": return void this.text(value, false);
      case "boolean": return void this.event(BOOL, value ? 1 : 0);
      case "bigint":
        if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} is beyond 64 bits`);
        return void this.int(value, BigInt.asIntN(32, value) !== value);
      case "number":
        if (!Number.isSafeInteger(value) || Object.is(value, -0)) return void this.float(value, Math.fround(value) !== value && !Number.isNaN(value));
        return void this.int(value, (value | 0) !== value);
      case "undefined": return void this.event(NIL, 0);
      case "object": return this.object(value, frames);
      default: throw new TypeError(`a ${typeof value} is no Variant`);
    }
  }

  object(value) {
    if (value === null) return void this.event(NIL, 0);
    if (Array.isArray(value)) return this.array(value);
    if (value instanceof Map) return this.dictionary(value.keyType, value.valueType, value.isShared, value.pairs ?? value);
    if (ArrayBuffer.isView(value)) return void this.packed(value);
    // Not the object's own word: plain data may have a key of that name.
    const prototype = Object.getPrototypeOf(value);
    const Class = prototype === null ? Object : prototype.constructor;
    if (Class === Object || typeof Class !== "function") return this.dictionary(undefined, undefined, false, Object.entries(value));
    if (value instanceof values.PackedArray) {
      const { number, count } = Class.item;
      const isWide = number === "real" && value.values instanceof Float64Array;
      const Type = isWide ? Float64Array : number === "real" ? Float32Array : ARRAYS[number];
      if (!(value.values instanceof Type) || value.values.length % count !== 0) {
        throw new TypeError(`the values of a ${Class.name} are a ${Type.name} with ${count} numbers an element`);
      }
      this.event(NUMBERS, this.kindOf(Class.name) | (isWide ? FLAG_WIDE : 0));
      return void this.placeOf(bytesOf(value.values));
    }
    if (Class.shape !== undefined) return void this.math(value, Class);
    if (value instanceof values.StringName) return void this.text(value.text, true);
    if (value instanceof values.RawText) return void this.text(value, value.isName);
    if (value instanceof values.Int) return void this.int(value.value, value.width === 64);
    if (value instanceof values.Float) return void this.float(value.value, value.width === 64, value.bits);
    if (value instanceof values.NodePath) return void this.path(value);
    if (value instanceof values.GodotObject) {
      const properties = value.properties instanceof Map ? value.properties.pairs ?? [...value.properties] : Object.entries(value.properties);
      this.event(OBJECT, 0, properties.length);
      this.placeOfText(value.className);
      return this.properties(properties);
    }
    return void this.rare(value, Class);
  }

  rare(value, Class) {
    if (value instanceof values.NullObject) return this.event(NULL_OBJECT, 0);
    if (value instanceof values.Callable) return this.event(CALLABLE, 0);
    if (value instanceof values.RID) {
      this.event(RID, 0);
      return this.long(value.id);
    }
    if (value instanceof values.ObjectId) {
      this.event(OBJECT_ID, 0);
      return this.long(value.id);
    }
    if (value instanceof values.Signal) {
      this.event(SIGNAL, 0);
      this.placeOfText(value.name);
      return this.long(value.objectId);
    }
    if (value instanceof values.Image) {
      this.event(IMAGE, 0, value.format, value.mipmaps, value.width, value.height);
      return this.placeOf(value.data);
    }
    if (value instanceof values.InputEvent) {
      this.event(INPUT_EVENT, 0, value.event, value.device);
      return this.placeOf(value.payload);
    }
    throw new TypeError(`a ${Class.name} is no Variant`);
  }

  array(array) {
    if (array instanceof values.PackedStringArray) {
      this.event(STRINGS, 0, array.length);
      for (const text of array) this.text(text, false);
      return void this.event(EXIT, 0);
    }
    this.event(ARRAY, this.kindOf(array.kind ?? "Array") | (array.isShared ? FLAG_SHARED : 0), array.length);
    this.elementType(array.elementType);
    return array[Symbol.iterator]();
  }

  dictionary(keyType, valueType, isShared, pairs) {
    this.event(DICTIONARY, isShared ? FLAG_SHARED : 0, pairs.size ?? pairs.length);
    this.elementType(keyType);
    this.elementType(valueType);
    return flat(pairs);
  }

  /** Properties, each with its name in front. */
  *properties(pairs) {
    for (const [name, value] of pairs) {
      this.event(NAME, 0);
      this.placeOfText(name);
      yield value;
    }
  }

  elementType(declared) {
    if (declared === undefined) return [ANY, 0, 0].forEach((word) => this.push(word));
    if (declared.builtin !== undefined) {
      return [BUILTIN, this.kindOf(declared.builtin), 0].forEach((word) => this.push(word));
    }
    if (declared.id !== undefined) return [UNKNOWN_ID, declared.id, 0].forEach((word) => this.push(word));
    const name = declared.class ?? declared.script;
    if (name === undefined) throw new TypeError("an element type has builtin, class, script or id");
    this.push(declared.class !== undefined ? CLASS : SCRIPT);
    this.placeOfText(name);
  }

  kindOf(name) {
    const kind = this.kinds.numbers.get(name);
    if (kind === undefined) throw new TypeError(`${name} is no type of the engine`);
    return kind;
  }

  packed(view) {
    const number = Object.keys(ARRAYS).find((name) => view instanceof ARRAYS[name]) ?? (view instanceof Uint8ClampedArray ? "byte" : undefined);
    const name = Object.keys(PLAIN_ARRAYS).find((name) => PLAIN_ARRAYS[name] === number);
    if (name === undefined) throw new TypeError(`a ${view.constructor.name} is no Variant: Uint8Array, Int32Array, BigInt64Array, Float32Array and Float64Array are`);
    this.event(NUMBERS, this.kinds.numbers.get(name) | (number === "float64" ? FLAG_WIDE : 0));
    this.placeOf(bytesOf(view));
  }

  math(value, Class) {
    const isWide = value.width === 64 && Class.number === "real";
    const numbers = Class.number === "int32" ? new Int32Array(Class.count) : new (isWide ? Float64Array : Float32Array)(Class.count);
    flatten(value, Class, numbers, 0);
    this.event(NUMBERS, this.kindOf(Class.name) | (isWide ? FLAG_WIDE : 0));
    this.placeOf(bytesOf(numbers));
  }

  path(path) {
    if (path.text !== undefined) {
      this.event(PLAIN_PATH, 0);
      return this.placeOfText(path.text);
    }
    this.event(PATH, (path.isAbsolute ? 1 : 0) | (path.hasProperty ? 2 : 0), path.names.length, path.subnames.length);
    for (const name of path.names) this.placeOfText(name);
    for (const name of path.subnames) this.placeOfText(name);
  }
}

function* flat(pairs) {
  for (const [key, value] of pairs) {
    yield key;
    yield value;
  }
}

function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function flatten(value, Class, numbers, at) {
  for (const part of Class.shape) {
    if (typeof part === "string") numbers[at++] = value[part];
    else if (part[1] === undefined) numbers[at++] = value[part[0]];
    else at = flatten(value[part[0]], part[1], numbers, at);
  }
  return at;
}

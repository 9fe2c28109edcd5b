// Makes words from values.

import { ARRAYS, PLAIN_ARRAYS } from "./kinds.js";
import { addPath } from "./path.js";
import * as values from "./values.js";
import {
  NIL, BOOL, INT, FLOAT, TEXT, PATH, PLAIN_PATH, NUMBERS, STRINGS, RID, CALLABLE, SIGNAL, NULL_OBJECT, OBJECT_ID, IMAGE,
  INPUT_EVENT, ARRAY, DICTIONARY, OBJECT, NAME, EXIT, FLAG_NAME, FLAG_WIDE, FLAG_SHARED, ANY, BUILTIN, CLASS, SCRIPT,
  UNKNOWN_ID, cellWords, cellFloat, cellSingle, cellId,
} from "./words.js";

const utf8 = new TextEncoder();

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

  /** Adds bytes to the buffer, and writes their place and length as words. */
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

  /** Writes an unsigned id. */
  id(value) {
    if (BigInt.asUintN(64, value) !== value) throw new RangeError(`${value} is no id of 64 bits`);
    this.long(value);
  }

  long(value) {
    cellId[0] = value;
    this.push(cellWords[0]);
    this.push(cellWords[1]);
  }

  int(value, isWide) {
    this.event(INT, isWide ? 1 : 0);
    if (typeof value === "bigint") {
      if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} is beyond 64 bits`);
      return this.long(value);
    }
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

  /** Writes a whole value. The depth is bounded, since an array may contain itself. */
  value(root, depth) {
    // The items of each open container, and the number of its items that were begun.
    const frames = [], counts = [];
    let { done, value } = { done: false, value: root };
    for (;;) {
      if (frames.length > depth) throw new RangeError(`nested deeper than ${depth}: a larger depth may be asked for, and a value that holds itself is none`);
      const items = this.oneAt(value, root, counts);
      if (items !== undefined) {
        frames.push(items);
        counts.push(0);
      }
      for (;;) {
        if (frames.length === 0) return;
        ({ done, value } = frames[frames.length - 1].next());
        if (!done) break;
        this.event(EXIT, 0);
        frames.pop();
        counts.pop();
      }
      counts[counts.length - 1] += 1;
    }
  }

  /** Works as `one`, and adds the path of the value to an error. */
  oneAt(value, root, counts) {
    try {
      return this.one(value);
    } catch (error) {
      throw addPath(error, root, counts);
    }
  }

  /** Writes one value, or the head of a container, and returns its children. */
  one(value) {
    switch (typeof value) {
      case "string": return void this.text(value, false);
      case "boolean": return void this.event(BOOL, value ? 1 : 0);
      case "bigint":
        return void this.int(value, BigInt.asIntN(32, value) !== value);
      case "number":
        if (!Number.isSafeInteger(value) || Object.is(value, -0)) return void this.float(value, Math.fround(value) !== value && !Number.isNaN(value));
        return void this.int(value, (value | 0) !== value);
      case "undefined": return void this.event(NIL, 0);
      case "object": return this.object(value);
      default: throw new TypeError(`a ${typeof value} is no Variant`);
    }
  }

  object(value) {
    if (value === null) return void this.event(NIL, 0);
    if (Array.isArray(value)) return this.array(value);
    if (value instanceof Map) return this.dictionary(value.keyType, value.valueType, value.isShared, value.pairs ?? value);
    if (ArrayBuffer.isView(value)) return void this.packed(value);
    // `value.constructor` is not used, since plain data may have a key `constructor`.
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
      this.event(NUMBERS, this.kinds.numberOf(Class.kind) | (isWide ? FLAG_WIDE : 0));
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
      return this.id(value.id);
    }
    if (value instanceof values.ObjectId) {
      this.event(OBJECT_ID, 0);
      return this.id(value.id);
    }
    if (value instanceof values.Signal) {
      this.event(SIGNAL, 0);
      this.placeOfText(value.name);
      return this.id(value.objectId);
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
    this.event(ARRAY, this.kinds.numberOf(array.kind ?? "Array") | (array.isShared ? FLAG_SHARED : 0), array.length);
    this.elementType(array.elementType);
    return array[Symbol.iterator]();
  }

  dictionary(keyType, valueType, isShared, pairs) {
    this.event(DICTIONARY, isShared ? FLAG_SHARED : 0, pairs.size ?? pairs.length);
    this.elementType(keyType);
    this.elementType(valueType);
    return flat(pairs);
  }

  /** Writes the name of each property, and yields its value. */
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
      return [BUILTIN, this.kinds.numberOf(declared.builtin), 0].forEach((word) => this.push(word));
    }
    if (declared.id !== undefined) return [UNKNOWN_ID, declared.id, 0].forEach((word) => this.push(word));
    const name = declared.class ?? declared.script;
    if (name === undefined) throw new TypeError("an element type has builtin, class, script or id");
    this.push(declared.class !== undefined ? CLASS : SCRIPT);
    this.placeOfText(name);
  }

  packed(view) {
    const number = Object.keys(ARRAYS).find((name) => view instanceof ARRAYS[name]) ?? (view instanceof Uint8ClampedArray ? "byte" : undefined);
    const name = Object.keys(PLAIN_ARRAYS).find((name) => PLAIN_ARRAYS[name] === number);
    if (name === undefined) throw new TypeError(`a ${view.constructor.name} is no Variant: Uint8Array, Int32Array, BigInt64Array, Float32Array and Float64Array are`);
    this.event(NUMBERS, this.kinds.numberOf(name) | (number === "float64" ? FLAG_WIDE : 0));
    this.placeOf(bytesOf(view));
  }

  math(value, Class) {
    const isWide = value.width === 64 && Class.number === "real";
    const numbers = Class.number === "int32" ? new Int32Array(Class.count) : new (isWide ? Float64Array : Float32Array)(Class.count);
    flatten(value, Class, numbers, 0);
    this.event(NUMBERS, this.kinds.numberOf(Class.kind) | (isWide ? FLAG_WIDE : 0));
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
    const [name, inner] = typeof part === "string" ? [part] : part;
    if (inner !== undefined) {
      at = flatten(value[name], inner, numbers, at);
      continue;
    }
    numbers[at] = value[name];
    if (Class.number === "int32" && numbers[at] !== value[name]) throw new RangeError(`${value[name]} is no integer of 32 bits`);
    at += 1;
  }
  return at;
}

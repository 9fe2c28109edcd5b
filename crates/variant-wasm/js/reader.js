// Makes values from words.

import * as values from "./values.js";
import {
  NIL, BOOL, INT, FLOAT, TEXT, KNOWN, LEARN, PATH, PLAIN_PATH, NUMBERS, STRINGS, RID, CALLABLE, SIGNAL, NULL_OBJECT,
  OBJECT_ID, IMAGE, INPUT_EVENT, ARRAY, DICTIONARY, OBJECT, NAME, EXIT, MISSING, FLAG_NAME, SLOT, FLAG_WIDE, FLAG_SHARED, ANY, BUILTIN,
  CLASS, SCRIPT, UNKNOWN_ID, cellWords, cellFloat, cellSingle, cellLong, cellId,
} from "./words.js";

/** Shorter texts are made without a `TextDecoder`, which takes longer to start. */
const SHORT = 20;
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

// The targets of items: an array, a plain object, a Map, or a `DictionaryOf`. A `DictionaryOf` keeps pairs that a Map
// cannot hold.
const LIST = 0, PLAIN = 1, MAP = 2, KEPT = 3;

/** A container whose items are being read. */
class Frame {
  constructor(kind, value, target, outer) {
    this.kind = kind;
    /** The value of the container. */
    this.value = value;
    /** The target of its items. */
    this.target = target;
    this.outer = outer;
    /** For a dictionary or an object, the key of the next value. */
    this.key = undefined;
    this.hasKey = false;
  }
}

/** The number of texts that the module remembers. */
const SLOTS = 4096;

/** Makes values from the module's words. */
export class ValueReader {
  constructor(memory, kinds) {
    this.memory = memory;
    this.kinds = kinds;
    /** The texts of `LEARN` events by their slots. A `KNOWN` event has only the slot of its text. */
    this.known = new Array(SLOTS).fill("");
    this.isExact = false;
    this.asObjects = false;
    this.end();
  }

  /** Must be called before the words of a value are taken. With `isList`, the words are of several values, which become an array. */
  begin({ isExact, asObjects }, isList) {
    this.isExact = isExact;
    this.asObjects = asObjects;
    this.value = isList ? [] : undefined;
    this.frame = isList ? new Frame(LIST, this.value, this.value, null) : null;
  }

  /** Drops everything that was read. */
  end() {
    this.frame = null;
    this.value = undefined;
  }

  bytesAt(place, length) {
    return this.memory.bytes.slice(place, place + length);
  }

  /** The text at a place. With `exact`, a text that is not UTF-8 becomes a `RawText`. */
  text(place, length) {
    const text = this.exactText(place, length);
    return this.isExact ? text : String(text);
  }

  exactText(place, length) {
    const { bytes } = this.memory;
    if (length < SHORT) {
      const text = ascii(bytes, place, place + length);
      if (text !== undefined) return text;
    }
    const part = bytes.subarray(place, place + length);
    try {
      return strict.decode(part);
    } catch {
      return new values.RawText(part.slice());
    }
  }

  named(text, detail) {
    if (!this.isExact) return typeof text === "string" ? text : String(text);
    if ((detail & FLAG_NAME) === 0) return text;
    return text instanceof values.RawText ? new values.RawText(text.bytes, true) : new values.StringName(text);
  }

  /** Takes words from the module. Called several times for a large value. */
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
          value = this.named(this.known[detail >>> SLOT], detail);
          break;
        case LEARN: {
          const text = internal(this.exactText(words[at], words[at + 1]));
          this.known[detail >>> SLOT] = text;
          value = this.named(text, detail);
          at += 2;
          break;
        }
        case TEXT:
          value = this.named(this.exactText(words[at], words[at + 1]), detail);
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
          this.enterDictionary(detail, at);
          at += 7;
          continue;
        case ARRAY: {
          const array = this.array(detail, at);
          this.enter(LIST, array, array);
          at += 4;
          continue;
        }
        case STRINGS: {
          const strings = new values.PackedStringArray();
          this.enter(LIST, strings, strings);
          at += 1;
          continue;
        }
        case OBJECT: {
          const properties = this.isExact ? new values.DictionaryOf() : new Map();
          const object = new values.GodotObject(this.text(words[at + 1], words[at + 2]), properties);
          this.enter(this.isExact ? KEPT : MAP, object, properties);
          at += 3;
          continue;
        }
        case NAME:
          this.frame.key = this.text(words[at], words[at + 1]);
          this.frame.hasKey = true;
          at += 2;
          continue;
        case EXIT:
          value = this.frame.value;
          this.frame = this.frame.outer;
          break;
        case MISSING:
          value = undefined;
          break;
        default:
          [value, at] = this.rare(word & 255, detail, at);
      }
      this.put(value);
    }
  }

  enter(kind, value, target) {
    this.frame = new Frame(kind, value, target, this.frame);
  }

  put(value) {
    const { frame } = this;
    if (frame === null) this.value = value;
    else if (frame.kind === LIST) frame.target.push(value);
    else if (!frame.hasKey) {
      frame.key = value;
      frame.hasKey = true;
    } else {
      frame.hasKey = false;
      if (frame.kind === PLAIN) putProperty(frame.target, frame.key, value);
      else if (frame.kind === MAP) frame.target.set(frame.key, value);
      else frame.target.keep(frame.key, value);
    }
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

  enterDictionary(detail, at) {
    if (this.asObjects) {
      const object = {};
      return this.enter(PLAIN, object, object);
    }
    const { words } = this.memory;
    if (words[at + 1] === ANY && words[at + 4] === ANY && !this.isExact) {
      const map = new Map();
      return this.enter(MAP, map, map);
    }
    const dictionary = new values.DictionaryOf();
    dictionary.keyType = this.elementType(at + 1);
    dictionary.valueType = this.elementType(at + 4);
    dictionary.isShared = (detail & FLAG_SHARED) !== 0;
    this.enter(this.isExact ? KEPT : MAP, dictionary, dictionary);
  }

  /** Reads a rare event. Returns the value, and the place of the next event. */
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

/** Sets a property of a plain object. */
function putProperty(target, key, value) {
  if (typeof key !== "string" && typeof key !== "number") {
    throw new TypeError(`a key of a plain object is a text or a number, and one of these bytes is not: dictionaries: "map" takes every key`);
  }
  // Assigning to a property of this name would set the object's prototype.
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The same text as an internalized string of the JavaScript engine, which speeds up property access. */
function internal(text) {
  return typeof text === "string" ? Object.keys({ [text]: undefined })[0] : text;
}

/** The text of ASCII bytes. Undefined if a byte is not ASCII. */
function ascii(bytes, at, end) {
  let text = "";
  for (; at + 4 <= end; at += 4) {
    const a = bytes[at], b = bytes[at + 1], c = bytes[at + 2], d = bytes[at + 3];
    if ((a | b | c | d) > 127) return undefined;
    text += String.fromCharCode(a, b, c, d);
  }
  for (; at < end; at++) {
    if (bytes[at] > 127) return undefined;
    text += String.fromCharCode(bytes[at]);
  }
  return text;
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

/** The float in the cell of words.js: a Number if `encode` writes the Number as the same bytes, otherwise a `Float`. */
function exactFloat(isWide) {
  const value = isWide ? cellFloat[0] : cellSingle[0];
  const fits = Math.fround(value) === value;
  const isPlain = isWide !== fits && !Number.isNaN(value) && !Number.isInteger(value);
  if (isPlain) return value;
  return new values.Float(value, isWide ? 64 : 32, Number.isNaN(value) ? cellId[0] : undefined);
}

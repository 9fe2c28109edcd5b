// What the package offers, over a module that is there.

import { Kinds, Memory, ValueReader, ValueWriter } from "./words.js";

const CANONICAL = 1, REFUSE_OBJECTS = 2, ALWAYS_64 = 4, SINGLE = 8, DOUBLE = 16;
/** As deep as the engines read. */
const DEPTH = 1024;
/** Buffers of more bytes than that are given back, as packets do not need them. */
const KEPT = 1 << 20;

/** A limit of levels or values, as the module takes it. */
function limit(name, number) {
  if (Number.isInteger(number) && number >= 0 && number <= 0xffffffff) return number;
  throw new RangeError(`${name}: ${number}; a whole number below 2^32 is wanted`);
}

/** Whether `value` is `chosen`. A misspelt option is told, since what it asked for, a refusal say, would not happen. */
function chooses(name, value, chosen, ...others) {
  if (value === chosen) return true;
  if (value === undefined || others.includes(value)) return false;
  throw new TypeError(`${name}: ${value}; there are ${[chosen, ...others].join(", ")}`);
}

// What an object calls its length is its own affair; what it has is told by the prototype.
const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "byteLength").get;

/** Decodes and encodes with one module. */
export class Engine {
  constructor(module, memory) {
    this.kinds = new Kinds(module.kinds());
    this.dialects = module.dialects().split(" ");
    this.memory = new Memory(memory);
    this.reader = new ValueReader(this.memory, this.kinds);
    this.writer = new ValueWriter(this.kinds);
    this.codec = new module.Codec((address, count) => this.reader.drain(address, count));
  }

  dialectOf(options) {
    const name = typeof options === "string" ? options : options?.dialect;
    const number = this.dialects.indexOf(String(name).toLowerCase());
    if (number < 0) throw new TypeError(`dialect: ${name}; there are ${this.dialects.join(", ")}`);
    return number;
  }

  /** The value at the front of `bytes`, and the number of bytes it takes. */
  decodeFront(bytes, options) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes: a Uint8Array is wanted");
    const dialect = this.dialectOf(options);
    const { exact = false, dictionaries, objects, canonical = false, reals, depth = DEPTH, values = 0xffffffff } = options;
    const flags = (canonical ? CANONICAL : 0) | (chooses("objects", objects, "refuse", "accept") ? REFUSE_OBJECTS : 0) | (chooses("reals", reals, "64", "flag") ? ALWAYS_64 : 0);
    const asObjects = chooses("dictionaries", dictionaries, "object", "map");
    const given = lengthOf.call(bytes);
    const place = this.codec.input(given);
    this.memory.renew();
    this.memory.bytes.subarray(place, place + given).set(bytes);
    // Texts that were told to one reader are wrong for the other only if they are no UTF-8.
    if (exact !== this.reader.isExact) this.codec.forget();
    this.reader.reset(exact, asObjects);
    let length;
    try {
      length = this.codec.decode(dialect, flags, limit("depth", depth), limit("values", values));
      this.reader.drain(this.codec.words_left(), this.codec.left());
    } catch (error) {
      // Words that were not taken may have told texts.
      this.codec.forget();
      throw error;
    }
    const { value } = this.reader;
    this.reader.reset(exact, false);
    if (given > KEPT) this.codec.shrink();
    return { value, length };
  }

  decode(bytes, options) {
    return this.decodeFront(bytes, options).value;
  }

  encode(value, options) {
    const dialect = this.dialectOf(options);
    const { precision, canonical = false, reals, depth = DEPTH } = options;
    const flags = (canonical ? CANONICAL : 0) | (chooses("reals", reals, "64", "flag") ? ALWAYS_64 : 0) |
      (chooses("precision", precision, "single", "double") ? SINGLE : precision === "double" ? DOUBLE : 0);
    const { codec, memory } = this;
    // A getter of the value may encode another one meanwhile: that has a writer of its own.
    const writer = this.writer ?? new ValueWriter(this.kinds);
    this.writer = undefined;
    try {
      writer.reset();
      writer.value(value, limit("depth", depth));
    } finally {
      this.writer = writer;
    }
    const bytes = codec.input(writer.length);
    const words = codec.words(writer.count);
    memory.renew();
    memory.bytes.set(writer.bytes.subarray(0, writer.length), bytes);
    memory.words.set(writer.words.subarray(0, writer.count), words >>> 2);
    const length = codec.encode(dialect, flags, depth);
    memory.renew();
    const place = codec.output();
    const written = memory.bytes.slice(place, place + length);
    if (length > KEPT) {
      codec.shrink();
      this.writer = new ValueWriter(this.kinds);
    }
    return written;
  }
}

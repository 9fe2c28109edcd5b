// What the package offers, over a module that is there.

import { Kinds } from "./kinds.js";
import { Memory } from "./memory.js";
import { ValueReader } from "./reader.js";
import { ValueWriter } from "./writer.js";

const CANONICAL = 1, REFUSE_OBJECTS = 2, ALWAYS_64 = 4, SINGLE = 8, DOUBLE = 16;
/** As deep as the engines read. */
const DEPTH = 1024;
/** Buffers of more bytes than that are given back, as packets do not need them. */
const KEPT = 1 << 20;

/** Checks a limit of levels or values. */
function checkLimit(name, number) {
  if (!(Number.isInteger(number) && number >= 0 && number <= 0xffffffff)) throw new RangeError(`${name}: ${number}; a whole number below 2^32 is wanted`);
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
    this.module = module;
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
    checkLimit("depth", depth);
    checkLimit("values", values);
    const length = lengthOf.call(bytes);
    const { codec, memory, reader } = this;
    const place = codec.input(length);
    try {
      memory.renew();
      memory.bytes.set(bytes, place);
      reader.reset(exact, asObjects);
      const taken = codec.decode(dialect, flags, depth, values);
      reader.drain(codec.words_left(), codec.left());
      return { value: reader.value, length: taken };
    } catch (error) {
      // Texts that were told and not taken are told again.
      if (codec.left() !== 0) codec.forget();
      throw error;
    } finally {
      reader.reset(false, false);
      if (length > KEPT) codec.shrink();
    }
  }

  /** Works with the module. */
  run(work) {
    return work(this.module, this.memory);
  }

  /** The value that `tell` tells with the codec. */
  take({ exact = false, dictionaries } = {}, tell) {
    const { codec, memory, reader } = this;
    const asObjects = chooses("dictionaries", dictionaries, "object", "map");
    try {
      memory.renew();
      reader.reset(exact, asObjects);
      tell(codec);
      memory.renew();
      reader.drain(codec.words_left(), codec.left());
      return reader.value;
    } catch (error) {
      if (codec.left() !== 0) codec.forget();
      throw error;
    } finally {
      reader.reset(false, false);
    }
  }

  decode(bytes, options) {
    return this.decodeFront(bytes, options).value;
  }

  encode(value, options) {
    const dialect = this.dialectOf(options);
    const { precision, canonical = false, reals, depth = DEPTH } = options;
    const flags = (canonical ? CANONICAL : 0) | (chooses("reals", reals, "64", "flag") ? ALWAYS_64 : 0) |
      (chooses("precision", precision, "single", "double") ? SINGLE : precision === "double" ? DOUBLE : 0);
    checkLimit("depth", depth);
    const { codec, memory } = this;
    // A getter of the value may encode another one meanwhile: that has a writer of its own.
    const writer = this.writer ?? new ValueWriter(this.kinds);
    this.writer = undefined;
    try {
      writer.reset();
      writer.value(value, depth);
    } finally {
      this.writer = writer;
    }
    try {
      const bytes = codec.input(writer.length);
      const words = codec.words(writer.count);
      memory.renew();
      memory.bytes.set(writer.bytes.subarray(0, writer.length), bytes);
      memory.words.set(writer.words.subarray(0, writer.count), words >>> 2);
      const length = codec.encode(dialect, flags, depth);
      memory.renew();
      const place = codec.output();
      return memory.bytes.slice(place, place + length);
    } finally {
      if (writer.length > KEPT || writer.count > KEPT) {
        codec.shrink();
        this.writer = undefined;
      }
    }
  }
}

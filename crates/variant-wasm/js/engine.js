// Decodes and encodes with one instance of the module.

import { Kinds } from "./kinds.js";
import { Memory, made } from "./memory.js";
import { Options } from "./options.js";
import { ValueReader } from "./reader.js";
import { ValueWriter } from "./writer.js";

/** Buffers of more bytes than that are given back, as packets do not need them. */
const KEPT = 1 << 20;

// What an object calls its length is its own affair; what it has is told by the prototype.
const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "byteLength").get;

export class Engine {
  /** `module` has the functions of the instance whose memory is `memory`. */
  constructor(module, memory) {
    this.module = module;
    this.kinds = new Kinds(module.kinds());
    this.options = new Options(module.dialects().split(" "));
    this.memory = new Memory(module, memory);
    this.reader = new ValueReader(this.memory, this.kinds);
    this.writer = new ValueWriter(this.kinds);
    this.hasStopped = false;
    module.listen((address, count) => this.reader.drain(address, count));
  }

  /** Calls the module; what it throws by itself passes. */
  run(call) {
    try {
      return call(this.module);
    } catch (error) {
      throw isTrap(error) ? this.stop(error) : error;
    }
  }

  /** The module has stopped amid its work, and cannot go on: the error that tells so. */
  stop(cause) {
    this.hasStopped = true;
    return new Error("the module has stopped; await initialize() starts it anew", { cause });
  }

  decode(bytes, options) {
    return this.read(bytes, this.options.decoding(options), undefined);
  }

  /** The value at the front of `bytes`, and the number of bytes it takes. */
  decodeFront(bytes, options) {
    const value = this.decode(bytes, options);
    return { value, length: this.module.taken() };
  }

  /** The value of `bytes`, or an array of the `fields` of it. */
  read(bytes, decoding, fields) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes: a Uint8Array is wanted");
    const length = lengthOf.call(bytes);
    const { memory, module, reader } = this;
    try {
      memory.put(bytes, length);
      reader.begin(decoding, fields !== undefined);
      const count = made(module, fields === undefined ? this.readAll(length, decoding) : this.readFields(length, fields));
      reader.drain(module.words(), count);
      return reader.value;
    } catch (error) {
      // Words that were told and not taken are told again.
      if (!this.hasStopped) module.forget();
      throw error;
    } finally {
      reader.end();
      if (length > KEPT && !this.hasStopped) this.shrink();
    }
  }

  readAll(length, { dialect, flags, depth, values }) {
    try {
      return this.module.decode(length, dialect, flags, depth, values);
    } catch (trap) {
      throw this.stop(trap);
    }
  }

  readFields(length, fields) {
    try {
      return fields.read(length);
    } catch (trap) {
      throw this.stop(trap);
    }
  }

  /** The value that `call` has the module tell. */
  take(options, call) {
    const decoding = this.options.decoding({ ...options, dialect: this.options.dialects[0] });
    const { module, reader } = this;
    try {
      reader.begin(decoding, false);
      const count = this.run(call);
      reader.drain(module.words(), count);
      return reader.value;
    } catch (error) {
      if (!this.hasStopped) module.forget();
      throw error;
    } finally {
      reader.end();
    }
  }

  encode(value, options) {
    const encoding = this.options.encoding(options);
    // A getter of the value may encode another one meanwhile: that has a writer of its own.
    const writer = this.writer ?? new ValueWriter(this.kinds);
    this.writer = undefined;
    try {
      writer.reset();
      writer.value(value, encoding.depth);
    } finally {
      this.writer = writer;
    }
    try {
      return this.write(writer, encoding);
    } finally {
      if ((writer.length > KEPT || writer.count > KEPT) && !this.hasStopped) {
        this.shrink();
        this.writer = undefined;
      }
    }
  }

  /** The bytes of what `writer` has. */
  write(writer, { dialect, flags, depth }) {
    const { memory, module } = this;
    memory.put(writer.bytes.subarray(0, writer.length), writer.length);
    const words = made(module, module.given(writer.count));
    memory.renew();
    memory.words.set(writer.words.subarray(0, writer.count), words >>> 2);
    let length;
    try {
      length = module.encode(writer.length, dialect, flags, depth);
    } catch (trap) {
      throw this.stop(trap);
    }
    made(module, length);
    memory.renew();
    const place = module.output();
    return memory.bytes.slice(place, place + length);
  }

  shrink() {
    this.module.shrink();
    this.memory.empty();
  }
}

/** Whether an error is none of the module's own: an instruction that cannot be, or a stack that is full. */
function isTrap(error) {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.name === "InternalError";
}

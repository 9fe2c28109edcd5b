// Decodes and encodes with one instance of the module.

import { Kinds } from "./kinds.js";
import { Memory, made } from "./memory.js";
import { Options } from "./options.js";
import { nameKeys } from "./path.js";
import { ValueReader } from "./reader.js";
import { ValueWriter } from "./writer.js";

/** The largest buffer that is kept. Larger buffers are freed, since packets do not need them. */
const KEPT = 1 << 20;

// An object may override its length. The prototype's getter returns the real length.
export const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "byteLength").get;

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

  run(call) {
    try {
      return call(this.module);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** The error for a call that has thrown `cause`. After a trap, the module cannot continue. */
  failed(cause) {
    if (!isTrap(cause)) return cause;
    this.hasStopped = true;
    return new Error("the module has stopped; await initialize() starts it again", { cause });
  }

  /** Works as `failed`, for an error within a value. Some words may be lost, so the module must write all texts in full again. */
  interrupted(cause) {
    const thrown = this.failed(cause);
    if (!this.hasStopped) this.run(({ forget }) => forget());
    return thrown;
  }

  decode(bytes, options) {
    return this.read(bytes, this.options.decoding(options), undefined);
  }

  /** The value at the start of `bytes`, and its number of bytes. */
  decodeFront(bytes, options) {
    const value = this.decode(bytes, options);
    return { value, length: this.module.taken() };
  }

  /** The value of `bytes`. With `fields`, an array of these fields of the value. */
  read(bytes, decoding, fields) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes: a Uint8Array is wanted");
    const length = lengthOf.call(bytes);
    const { memory, module, reader } = this;
    try {
      memory.put(bytes, length);
      reader.begin(decoding, fields !== undefined);
      const count = fields === undefined ? module.decode(length, decoding.dialect, decoding.flags, decoding.depth, decoding.values) : fields.read(length);
      made(module, count);
      reader.drain(module.words(), count);
      return reader.value;
    } catch (error) {
      throw this.interrupted(error);
    } finally {
      reader.end();
      if (length > KEPT && !this.hasStopped) this.shrink();
    }
  }

  /** The value that the module writes in `call`. */
  take(options, call) {
    const decoding = this.options.decoding({ ...options, dialect: this.options.dialects[0] });
    const { module, reader } = this;
    try {
      reader.begin(decoding, false);
      const count = call();
      reader.drain(module.words(), count);
      return reader.value;
    } catch (error) {
      throw this.interrupted(error);
    } finally {
      reader.end();
    }
  }

  encode(value, options) {
    const { dialect, flags, depth } = this.options.encoding(options);
    try {
      return this.give(value, depth, (length) => this.written((module) => module.encode(length, dialect, flags, depth)));
    } catch (error) {
      throw error?.class === "encode" ? nameKeys(error, value) : error;
    }
  }

  /** The bytes that the module writes in `call`. */
  written(call) {
    const { memory, module } = this;
    const length = made(module, call(module));
    memory.renew();
    const place = module.output();
    return memory.bytes.slice(place, place + length);
  }

  /** Passes a value to the module, and then calls `take` with the number of bytes to which the value's words refer. */
  give(value, depth, take) {
    // A getter of the value may encode another value during this call. That value gets a separate writer.
    const writer = this.writer ?? new ValueWriter(this.kinds);
    this.writer = undefined;
    try {
      writer.reset();
      writer.value(value, depth);
    } finally {
      this.writer = writer;
    }
    try {
      this.put(writer);
      return take(writer.length);
    } catch (error) {
      throw this.failed(error);
    } finally {
      if ((writer.length > KEPT || writer.count > KEPT) && !this.hasStopped) {
        this.shrink();
        this.writer = undefined;
      }
    }
  }

  /** Copies the words of `writer`, and the bytes to which they refer, to the module. */
  put(writer) {
    const { memory, module } = this;
    memory.put(writer.bytes.subarray(0, writer.length), writer.length);
    const words = made(module, module.given(writer.count));
    memory.renew();
    memory.words.set(writer.words.subarray(0, writer.count), words >>> 2);
  }

  shrink() {
    this.run(({ shrink }) => shrink());
    this.memory.empty();
  }
}

/** Whether the module has panicked or its stack was full. */
function isTrap(error) {
  return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && /call stack/i.test(error.message)) || error?.name === "InternalError";
}

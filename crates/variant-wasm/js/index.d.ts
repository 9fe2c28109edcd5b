// The types of packets.

import type { Value } from "./values.js";

export * from "./values.js";

/** `"godot4"` and the like: {@link dialects} has all names. */
export type Dialect = string;

export interface DecodeOptions {
  dialect: Dialect;
  /**
   * Keeps every byte, except the payload of a NaN within a vector: a value whose bytes `encode` could not restore from a plain JavaScript
   * value becomes an {@link Int}, {@link Float}, {@link StringName}, {@link RawText} or {@link NullObject}. Without `exact` a StringName is
   * a string, a null object is `null`, and bytes that are not UTF-8 become U+FFFD.
   */
  exact?: boolean;
  /** Dictionaries as Maps, or as plain objects, whose keys are strings. `"map"` by default, and with `exact`. */
  dictionaries?: "map" | "object";
  /** What to do with objects that have a class and properties. `"accept"` by default; a server refuses. */
  objects?: "accept" | "refuse";
  /** Accept only what the engine's own writer writes. */
  canonical?: boolean;
  /** `"64"`: reals have 64 bits, whatever their header says (double-precision builds of Godot 3). */
  reals?: "flag" | "64";
  /** Levels below the root; by default 1024. */
  depth?: number;
  /** Values, containers and keys included; by default without a limit. */
  values?: number;
}

export interface EncodeOptions {
  dialect: Dialect;
  /** The width of the reals of mathematical values. By default, that of each value. */
  precision?: "single" | "double";
  /** The widths of integers and floats that the engine's own writer picks. */
  canonical?: boolean;
  reals?: "flag" | "64";
  depth?: number;
}

/** Thrown for bytes that are not a value, and for values that the dialect cannot hold. */
export interface VariantError extends Error {
  name: "VariantError";
  /** The second line: only of a `Document`. */
  class: "truncated" | "malformed" | "limit" | "mismatch" | "encode" | "other"
    | "format" | "layer" | "locked" | "option" | "path" | "literal" | "edit" | "text";
  /** The byte of the error; only in errors of reading. */
  offset?: number;
  /** The path of the value: `party[0].hp`; in errors of writing `{0}[0]`, with the number of the pair in place of its key. */
  path?: string;
  /** The frame or setting, from 1, of a `Document`; 0 where there is one value. */
  frame?: number;
  found?: string;
  /** What to try. */
  expected?: string;
}

/**
 * Starts the module. In Node it runs already; elsewhere nothing can be decoded before. Another call does nothing, unless the module
 * has stopped at an internal defect, which every call reports then: it starts the module anew.
 *
 * `source` is an argument of `fetch`, its response, the bytes of the module, or a `WebAssembly.Module`; by default the file
 * `dist/codec_bg.wasm` of this package. Node takes none.
 */
export function initialize(source?: ModuleSource): Promise<void>;
/** An address, as text or URL; a `Response`, or the promise of one; bytes; a `WebAssembly.Module`. */
export type ModuleSource = string | object;

/** The names that the module knows; none before it runs. */
export let dialects: readonly Dialect[];

/**
 * The value at the front of `bytes`. O(bytes).
 *
 * Integers are Numbers where a Number holds them, and BigInts elsewhere. Packed arrays are typed arrays that own their memory.
 * @throws {VariantError}
 */
export function decode(bytes: Uint8Array, options: DecodeOptions | Dialect): Value;
/** As {@link decode}, with the number of bytes that the value takes. */
export function decodeFront(bytes: Uint8Array, options: DecodeOptions | Dialect): { value: Value; length: number };
/**
 * A few values of packets, by their paths: `"hp"`, `"party[0].name"`, `'["any text"]'`, `"[&\"name\"]"` for a key that is a StringName,
 * `"{3}"` for the value of pair 3, counted from 0. The paths are resolved once. A packet is checked as a whole, and nothing else of it
 * becomes a value of JavaScript.
 */
export class Fields {
  /** @throws {Error} for a text that is not a path */
  constructor(paths: Iterable<string>, options: DecodeOptions | Dialect);
  /**
   * The values in the order of their paths; `undefined` where a path leads to none. O(bytes).
   * @throws {VariantError} as {@link decode} does
   */
  read(bytes: Uint8Array): (Value | undefined)[];
}
/**
 * The bytes of a value. O(bytes). A Number without a fraction is an integer: `new Float(1)` is the float.
 * @throws {VariantError} for a value that the dialect cannot hold
 * @throws {TypeError} for a value that is not a Variant
 * @throws {RangeError} for a value that is nested too deep, or holds itself
 */
export function encode(value: Value, options: EncodeOptions | Dialect): Uint8Array;

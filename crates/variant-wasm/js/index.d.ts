// The types of the functions for packets.

import type { Encodable, Value } from "./values.js";

export * from "./values.js";

/** The name of a dialect: that of an engine, or of a page of the engines' documentation. {@link dialects} has the same names. */
export type Dialect =
  | "godot2" | "godot3" | "godot4" | "pandemonium3" | "pandemonium4" | "pandemonium5"
  | "documented-godot-3.0" | "documented-godot-3.1" | "documented-pandemonium-27" | "documented-pandemonium-38";

export interface DecodeOptions {
  dialect: Dialect;
  /**
   * Keeps every byte, except the payload of a NaN within a vector. If `encode` could not restore the bytes of a value from a plain JavaScript
   * value, the value becomes an {@link Int}, {@link Float}, {@link StringName}, {@link RawText} or {@link NullObject}. Without `exact` a StringName is
   * a string, a null object is `null`, and bytes that are not UTF-8 become U+FFFD.
   */
  exact?: boolean;
  /** Whether dictionaries become Maps or plain objects. The keys of plain objects are strings. `"map"` by default, and always with `exact`. */
  dictionaries?: "map" | "object";
  /** Whether objects with class and properties are accepted. `"accept"` by default. A server should refuse them. */
  objects?: "accept" | "refuse";
  /** Accepts only bytes that the engine's own writer writes. */
  canonical?: boolean;
  /** `"64"`: reals have 64 bits, whatever the header says, as in double-precision builds of Godot 3. */
  reals?: "flag" | "64";
  /** The maximum number of levels below the root. By default 1024. */
  depth?: number;
  /** The maximum number of values, including containers and keys. By default no limit. */
  values?: number;
}

export interface EncodeOptions {
  dialect: Dialect;
  /** The width of the reals of mathematical values. By default, each value has its own width. */
  precision?: "single" | "double";
  /** Writes integers and floats with the widths that the engine's own writer chooses. */
  canonical?: boolean;
  reals?: "flag" | "64";
  depth?: number;
}

/** Thrown for bytes that are not a value, and for values that the dialect cannot hold. */
export interface VariantError extends Error {
  name: "VariantError";
  /** The classes on the second line occur only in errors of a `Document` and of a `Migration`. */
  class: "truncated" | "malformed" | "limit" | "mismatch" | "encode" | "other"
    | "format" | "layer" | "locked" | "option" | "path" | "literal" | "edit" | "text" | "migration";
  /** The offset of the error. Only in errors of reading. */
  offset?: number;
  /** The path of the value: `party[0].hp`. A step such as `{0}` is the number of a pair whose key a path cannot name. */
  path?: string;
  /** The number of the frame or setting, from 1, in errors of a `Document`. 0 if the file has one value. */
  frame?: number;
  found?: string;
  /** A possible remedy. */
  expected?: string;
}

/**
 * Starts the module. In Node the module already runs. Elsewhere values can be decoded only after `initialize` has resolved. A further call does nothing,
 * unless an internal defect has stopped the module: then it restarts the module. Until then, every call of the stopped module throws an error.
 *
 * `source` is an argument of `fetch`, a response of `fetch`, the bytes of the module, or a `WebAssembly.Module`. By default it is the file
 * `dist/codec_bg.wasm` of this package. In Node, `source` is ignored.
 */
export function initialize(source?: ModuleSource): Promise<void>;
/** An address as text or URL, a `Response` or a promise of one, bytes, or a `WebAssembly.Module`. */
export type ModuleSource = string | object;

/** The names of the dialects. Empty before the module runs. */
export let dialects: readonly Dialect[];

/**
 * The value at the front of `bytes`. O(bytes). `T` is the type that the program expects, such as an interface that `variant-inspect schema --typescript`
 * wrote. The kinds are not checked against `T`.
 *
 * An integer becomes a Number if a Number can hold it, otherwise a BigInt. Packed arrays become typed arrays that own their memory.
 * @throws {VariantError}
 * @throws {TypeError} for an option that does not exist, as all functions with options do
 */
export function decode<T extends Value | object = Value>(bytes: Uint8Array, options: DecodeOptions | Dialect): T;
/** Works as {@link decode}, and also returns the number of bytes of the value. */
export function decodeFront<T extends Value | object = Value>(bytes: Uint8Array, options: DecodeOptions | Dialect): { value: T; length: number };
/**
 * Reads a few values of each packet, by their paths: `"hp"`, `"party[0].name"`, `'["any text"]'`, `"[&\"name\"]"` for a key that is a StringName,
 * `"{3}"` for the value of pair 3, counted from 0. The paths are resolved once. Each packet is checked as a whole, but only the values at the paths
 * become values of JavaScript.
 */
export class Fields {
  /** @throws {Error} for a text that is not a path */
  constructor(paths: Iterable<string>, options: DecodeOptions | Dialect);
  /**
   * The values in the order of their paths. `undefined` if a path has no value. O(bytes).
   * @throws {VariantError} as {@link decode} does
   */
  read(bytes: Uint8Array): (Value | undefined)[];
}
/**
 * The bytes of a value. O(bytes). A Number without a fraction is an integer: `new Float(1)` is the float.
 * @throws {VariantError} for a value that the dialect cannot hold
 * @throws {TypeError} for a value that is not a Variant; its message begins with the path of the value
 * @throws {RangeError} for a value that is nested too deep, or contains itself
 */
export function encode<T>(value: T & Encodable<T>, options: EncodeOptions | Dialect): Uint8Array;

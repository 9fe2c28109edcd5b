// The types of the package.

/** `"godot4"` and the like: {@link dialects} has all names. */
export type Dialect = string;

export interface DecodeOptions {
  dialect: Dialect;
  /**
   * Every byte counts: what a plain JavaScript value would be written otherwise comes as {@link Int}, {@link Float},
   * {@link StringName}, {@link RawText} or {@link NullObject}, so that `encode` writes the same bytes, but for the payload of a NaN within a vector. Without it a StringName is
   * a string, a null object is `null`, and bytes that are no UTF-8 become U+FFFD.
   */
  exact?: boolean;
  /** Dictionaries as Maps, or as plain objects, whose keys are strings. `"map"` where nothing is said, and with `exact`. */
  dictionaries?: "map" | "object";
  /** What to do with objects that have a class and properties. `"accept"` where nothing is said; a server refuses. */
  objects?: "accept" | "refuse";
  /** Accept only what the engine's own writer writes. */
  canonical?: boolean;
  /** `"64"`: reals have 64 bits, whatever their header says (double-precision builds of Godot 3). */
  reals?: "flag" | "64";
  /** Levels below the root; 1024 where nothing is said. */
  depth?: number;
  /** Values, containers and keys included; no limit where nothing is said. */
  values?: number;
}

export interface EncodeOptions {
  dialect: Dialect;
  /** The width of the reals of mathematical values. As each value has it where nothing is said. */
  precision?: "single" | "double";
  /** The widths of integers and floats that the engine's own writer picks. */
  canonical?: boolean;
  reals?: "flag" | "64";
  depth?: number;
}

/** What is thrown for bytes that are no value, and for values that the dialect cannot hold. */
export interface VariantError extends Error {
  name: "VariantError";
  class: "truncated" | "malformed" | "limit" | "mismatch" | "encode" | "other";
  /** The byte where it was found; of errors of reading. */
  offset?: number;
  /** The place among the values: `party[0].hp`; where writing, `{0}[0]`, with the number of the pair in place of its key. */
  path?: string;
  found: string;
  /** What to try. */
  expected?: string;
}

/**
 * Starts the module. In Node it runs already; elsewhere nothing can be decoded before. Called again it does nothing, unless the module
 * has stopped at a defect of its own, which every call tells then: it starts anew.
 *
 * `source` is what `fetch` takes, its response, the bytes of the module, or a `WebAssembly.Module`: the file `dist/module_bg.wasm` of
 * this package where nothing is said. Node takes none.
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
  /** @throws {Error} what is no path */
  constructor(paths: Iterable<string>, options: DecodeOptions | Dialect);
  /**
   * The values in the order of their paths; `undefined` where a path leads to none. O(bytes).
   * @throws {VariantError} what {@link decode} throws
   */
  read(bytes: Uint8Array): (Value | undefined)[];
}
/**
 * The bytes of a value. O(bytes). A Number without a fraction is an integer: `new Float(1)` is the float.
 * @throws {VariantError} what the dialect cannot hold
 * @throws {TypeError} what is no Variant
 * @throws {RangeError} what is nested too deep, or holds itself
 */
export function encode(value: Value, options: EncodeOptions | Dialect): Uint8Array;

export type Value =
  | null | undefined | boolean | number | bigint | string
  | Value[] | Map<Value, Value> | { [key: string]: Value }
  | Uint8Array | Int32Array | BigInt64Array | Float32Array | Float64Array | PackedArray<unknown> | PackedStringArray
  | StringName | RawText | Int | Float | NodePath | RID | Callable | Signal | ObjectId | NullObject | GodotObject | Image | InputEvent
  | Vector2 | Vector2i | Vector3 | Vector3i | Vector4 | Vector4i | Rect2 | Rect2i | Transform2D | Plane | Quaternion | AABB | Basis
  | Transform3D | Projection | Color;

export type ElementType = { builtin: string } | { class: string } | { script: string } | { id: number } | undefined;
type Width = 32 | 64;

export class StringName { constructor(text: string); text: string; }
export class RawText { constructor(bytes: Uint8Array, isName?: boolean); bytes: Uint8Array; isName: boolean; }
export class Int { constructor(value: bigint | number, width?: Width); value: bigint; width: Width; }
export class Float { constructor(value: number, width?: Width, bits?: bigint); value: number; width: Width; bits?: bigint; }
export class NodePath {
  constructor(names: string[], subnames?: string[], isAbsolute?: boolean, hasProperty?: boolean, text?: string);
  static parse(text: string): NodePath;
  names: string[]; subnames: string[]; isAbsolute: boolean; hasProperty: boolean; text?: string;
}
export class RID { constructor(id?: bigint); id: bigint; }
export class Callable { private readonly isCallable; }
export class Signal { constructor(name: string, objectId?: bigint); name: string; objectId: bigint; }
export class ObjectId { constructor(id: bigint); id: bigint; }
export class NullObject { private readonly isNullObject; }
export class GodotObject { constructor(className: string, properties?: Map<string, Value>); className: string; properties: Map<string, Value>; }
export class Image {
  constructor(format: number, mipmaps: number, width: number, height: number, data: Uint8Array);
  format: number; mipmaps: number; width: number; height: number; data: Uint8Array;
}
export class InputEvent { constructor(event: number, device: number, payload: Uint8Array); event: number; device: number; payload: Uint8Array; }
export class ArrayOf extends Array<Value> { static typed(elementType: ElementType, items?: Iterable<Value>): ArrayOf; elementType: ElementType; isShared?: boolean; kind?: string; }
export class DictionaryOf extends Map<Value, Value> { keep(key: Value, value: Value): void; keyType: ElementType; valueType: ElementType; isShared: boolean; pairs?: [Value, Value][]; }
/** Marks a mathematical value, and the values in it, as one of 64-bit reals. */
export function widen<T extends { width: Width }>(value: T): T;
export class Vector2 { constructor(x?: number, y?: number); x: number; y: number; width: Width; }
export class Vector2i { constructor(x?: number, y?: number); x: number; y: number; }
export class Vector3 { constructor(x?: number, y?: number, z?: number); x: number; y: number; z: number; width: Width; }
export class Vector3i { constructor(x?: number, y?: number, z?: number); x: number; y: number; z: number; }
export class Vector4 { constructor(x?: number, y?: number, z?: number, w?: number); x: number; y: number; z: number; w: number; width: Width; }
export class Vector4i { constructor(x?: number, y?: number, z?: number, w?: number); x: number; y: number; z: number; w: number; }
export class Rect2 { constructor(position?: Vector2, size?: Vector2); position: Vector2; size: Vector2; width: Width; }
export class Rect2i { constructor(position?: Vector2i, size?: Vector2i); position: Vector2i; size: Vector2i; }
/** Three columns. */
export class Transform2D { constructor(x?: Vector2, y?: Vector2, origin?: Vector2); x: Vector2; y: Vector2; origin: Vector2; width: Width; }
export class Plane { constructor(normal?: Vector3, d?: number); normal: Vector3; d: number; width: Width; }
export class Quaternion { constructor(x?: number, y?: number, z?: number, w?: number); x: number; y: number; z: number; w: number; width: Width; }
export class AABB { constructor(position?: Vector3, size?: Vector3); position: Vector3; size: Vector3; width: Width; }
/** Three rows. */
export class Basis { constructor(row0?: Vector3, row1?: Vector3, row2?: Vector3); row0: Vector3; row1: Vector3; row2: Vector3; width: Width; }
/** Three rows and an origin. */
export class Transform3D { constructor(row0?: Vector3, row1?: Vector3, row2?: Vector3, origin?: Vector3); row0: Vector3; row1: Vector3; row2: Vector3; origin: Vector3; width: Width; }
/** Four columns. */
export class Projection { constructor(x?: Vector4, y?: Vector4, z?: Vector4, w?: Vector4); x: Vector4; y: Vector4; z: Vector4; w: Vector4; width: Width; }
export class Color { constructor(r?: number, g?: number, b?: number, a?: number); r: number; g: number; b: number; a: number; }
/** `values` has the numbers of all elements, one behind the other. */
export class PackedArray<T> implements Iterable<T> {
  constructor(values: Float32Array | Float64Array | Int32Array);
  values: Float32Array | Float64Array | Int32Array;
  readonly length: number;
  at(index: number): T | undefined;
  [Symbol.iterator](): Iterator<T>;
}
export class PackedVector2Array extends PackedArray<Vector2> {}
export class PackedVector2iArray extends PackedArray<Vector2i> {}
export class PackedVector3Array extends PackedArray<Vector3> {}
export class PackedVector3iArray extends PackedArray<Vector3i> {}
export class PackedVector4Array extends PackedArray<Vector4> {}
export class PackedVector4iArray extends PackedArray<Vector4i> {}
export class PackedColorArray extends PackedArray<Color> {}
export class PackedStringArray extends Array<string> {}

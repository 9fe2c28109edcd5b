// The types of values.

export type Value =
  | null | undefined | boolean | number | bigint | string
  | Value[] | Map<Value, Value> | { [key: string]: Value }
  | Uint8Array | Int32Array | BigInt64Array | Float32Array | Float64Array | PackedArray<unknown> | PackedStringArray
  | StringName | RawText | Int | Float | NodePath | RID | Callable | Signal | ObjectId | NullObject | GodotObject | Image | InputEvent
  | Vector2 | Vector2i | Vector3 | Vector3i | Vector4 | Vector4i | Rect2 | Rect2i | Transform2D | Plane | Quaternion | AABB | Basis
  | Transform3D | Projection | Color;

/**
 * The type of a value that can be encoded: {@link Value}, and also objects of interfaces, read-only arrays and Maps of such objects. TypeScript does not
 * assign these to `Value`. `never` for functions, symbols, and objects with methods.
 */
export type Encodable<T> =
  T extends Value ? T
  : T extends ((...words: never[]) => unknown) | symbol ? never
  : T extends ReadonlyMap<infer K, infer V> ? ReadonlyMap<Encodable<K>, Encodable<V>>
  : T extends object ? { [K in keyof T]: Encodable<T[K]> }
  : never;

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
/** Marks a mathematical value, and the values in it, as values with 64-bit reals. */
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
/** `values` has the numbers of all elements in sequence. */
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

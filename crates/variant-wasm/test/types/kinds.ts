// Written by `variant-inspect schema --typescript`: the types of values that `decode` of @variant-view/wasm returns with
// `dictionaries: "object"`. An integer beyond 53 bits is a bigint.
import { decode } from "@variant-view/wasm";
import type { AABB, Basis, Color, NodePath, PackedColorArray, PackedStringArray, PackedVector2Array, PackedVector3Array, PackedVector4Array, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Value, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i } from "@variant-view/wasm";

export type Save = {
  nil: null;
  flag: boolean;
  count: number;
  long: number;
  huge: number | bigint;
  ratio: number;
  mixed: number | string;
  text: string;
  name: string;
  path: NodePath;
  v2: Vector2;
  v2i: Vector2i;
  r2: Rect2;
  r2i: Rect2i;
  v3: Vector3;
  v3i: Vector3i;
  t2: Transform2D;
  v4: Vector4;
  v4i: Vector4i;
  plane: Plane;
  quat: Quaternion;
  aabb: AABB;
  basis: Basis;
  t3: Transform3D;
  proj: Projection;
  color: Color;
  bytes: Uint8Array;
  i32s: Int32Array;
  i64s: BigInt64Array;
  f32s: Float32Array;
  f64s: Float64Array;
  texts: PackedStringArray;
  v2s: PackedVector2Array;
  v3s: PackedVector3Array;
  v4s: PackedVector4Array;
  colors: PackedColorArray;
  points: Array<Vector3>;
  names: Array<string>;
  maybe: number | null;
  maybe_at: Vector2 | null;
  extra?: number;
  both: Vector3 | null;
  more?: Vector2;
  ids: Array<number>;
  floats: Array<number>;
  ats: Array<Vector2>;
  tags: Array<string>;
  rows: Array<Row>;
  lists: Array<Array<number>>;
  rects: Array<Rect2>;
  scores: Row;
  nodes: Array<Value>;
  by_id: Record<string, ByIdItem>;
  by_name: ByName;
  by_place: Record<string, number>;
  empty: Record<string, Value>;
  none: Array<Value>;
  pairs: Array<ByName>;
  some: Array<SomeItem>;
  from: From;
  to: From;
  type: string;
  "odd key!": number;
  Class: number;
  class: number;
  str: Str;
  save: Row;
};

export type Str = {
  str: string;
  int: number;
  list: Array<number>;
};

export type From = {
  x: number;
  y: number;
};

export type SomeItem = {
  a?: number;
  b?: number;
  c?: number;
};

export type ByName = {
  a: number;
  b: number;
};

export type ByIdItem = {
  hp: number;
};

export type Row = {
  a: number;
};

/** Reads the bytes of one value. The kinds are not checked. */
export function read(bytes: Uint8Array): Save {
  return decode(bytes, { dialect: "godot4", dictionaries: "object" }) as unknown as Save;
}

// Reads a field of each kind from values whose types `schema --typescript` has written (kinds.ts, rpg_save.ts).

import type { AABB, Color, NodePath, PackedVector3Array, Projection, Transform3D, Value, Vector2, Vector3 } from "@variant-view/wasm";
import { read as readKinds, type Save as Kinds } from "./kinds.js";
import { read, type InventoryItem, type Save } from "./rpg_save.js";

export function fields(save: Kinds): unknown[] {
  const nil: null = save.nil;
  const flag: boolean = save.flag;
  const count: number = save.count;
  const huge: number | bigint = save.huge;
  const mixed: number | string = save.mixed;
  const text: string = save.text;
  const name: string = save.name;
  const path: NodePath = save.path;
  const x: number = save.v3.x;
  const box: AABB = save.aabb;
  const transform: Transform3D = save.t3;
  const projection: Projection = save.proj;
  const color: Color = save.color;
  const bytes: Uint8Array = save.bytes;
  const ints: BigInt64Array = save.i64s;
  const vectors: PackedVector3Array = save.v3s;
  const points: Vector3[] = save.points;
  const maybe: number | null = save.maybe;
  const extra: number | undefined = save.extra;
  const more: Vector2 | undefined = save.more;
  const rows: { a: number }[] = save.rows;
  const hp: number | undefined = save.by_id["1"]?.hp;
  const some: (number | undefined)[] = save.some.map((item) => item.c);
  const odd: number = save["odd key!"];
  const none: Value[] = save.none;
  // @ts-expect-error The save has no such key.
  save.lacking;
  // @ts-expect-error The value is a number.
  const wrong: string = save.count;
  return [nil, flag, count, huge, mixed, text, name, path, x, box, transform, projection, color, bytes, ints, vectors, points, maybe, extra, more, rows, hp, some, odd, none, wrong];
}

export function outcome(bytes: Uint8Array): [number, string, number, number, number] {
  const save: Save = read(bytes);
  const items: InventoryItem[] = save.inventory;
  return [save.player.level, save.meta.difficulty, items.length, Object.keys(save.npcs).length, save.player.position.x];
}

export const readsKinds: (bytes: Uint8Array) => Kinds = readKinds;

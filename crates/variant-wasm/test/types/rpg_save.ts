// Written by `variant-inspect schema --typescript`: the types of values that `decode` of @variant-view/wasm returns with
// `dictionaries: "object"`. An integer beyond 53 bits is a bigint.
import { decode } from "@variant-view/wasm";
import type { AABB, Color, NodePath, PackedStringArray, PackedVector3Array, Quaternion, Transform3D, Vector2, Vector3 } from "@variant-view/wasm";

export type Save = {
  version: number;
  meta: Meta;
  player: Player;
  inventory: Array<InventoryItem>;
  npcs: Record<string, Npc>;
  quests: Array<Quest>;
  flags: Record<string, boolean>;
  explored: Uint8Array;
};

export type Quest = {
  id: number;
  title: string;
  stage: number;
  done: boolean;
  log: Array<string>;
  reward: Reward;
};

export type Reward = {
  gold: number;
  items: Array<string>;
};

export type Npc = {
  name: string;
  pos: Vector3;
  home: Vector2;
  mood: number;
  alive: boolean;
  dialog_state: number;
  path: PackedVector3Array;
  bounds: AABB;
  loot: Array<InventoryItem>;
};

export type InventoryItem = {
  id: string;
  name: string;
  count: number;
  weight: number;
  equipped: boolean;
  color: Color;
  mods: Array<Mod>;
};

export type Mod = {
  stat: string;
  add: number;
  mul: number;
};

export type Player = {
  name: string;
  level: number;
  xp: number;
  xp_total: number;
  position: Vector3;
  rotation: Quaternion;
  stats: Stats;
  spawn: NodePath;
  skills: PackedStringArray;
  hotbar: Int32Array;
  transform: Transform3D;
};

export type Stats = {
  str: number;
  dex: number;
  int: number;
  hp: number;
  hp_max: number;
  mp: number;
};

export type Meta = {
  slot: number;
  title: string;
  playtime: number;
  timestamp: number;
  difficulty: string;
  ironman: boolean;
  screenshot: null;
};

/** Reads the bytes of one value. The kinds are not checked. */
export function read(bytes: Uint8Array): Save {
  return decode(bytes, { dialect: "godot3", dictionaries: "object" }) as unknown as Save;
}

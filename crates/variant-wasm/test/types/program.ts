// A program of a user. It is checked, and run.

import { Fields, Float, GodotObject, PackedVector2Array, StringName, Vector2, decode, decodeFront, dialects, encode, initialize, widen } from "@variant-view/wasm";
import type { DecodeOptions, Dialect, EncodeOptions, Value, VariantError } from "@variant-view/wasm";
import { Document, Literal, initialize as initializeDocument } from "@variant-view/wasm/document";
import { Migration, initialize as initializeMigration, type Version } from "@variant-view/wasm/migration";

await initialize();
await initializeDocument();
await initializeMigration();

const reading: DecodeOptions = { dialect: "godot4", dictionaries: "object", objects: "refuse", depth: 16, values: 1000 };
const writing: EncodeOptions = { dialect: "godot4", precision: "single" };
const packet: Value = { name: "Ana", at: new Vector2(1, 2.5), path: new PackedVector2Array(Float32Array.of(1, 2)), kind: new StringName("npc"), speed: new Float(1) };

const bytes: Uint8Array = encode(packet, writing);
const value: Value = decode(bytes, reading);
const { length }: { value: Value; length: number } = decodeFront(bytes, reading);
const [name, at]: (Value | undefined)[] = new Fields(["name", "at"], reading).read(bytes);
const wide: Vector2 = widen(new Vector2(0.1, 0.2));
const known: readonly Dialect[] = dialects;

function explain(error: VariantError): string {
  return `${error.class} at byte ${error.offset ?? 0}, ${error.path ?? "the root"}: ${error.found}`;
}

function refusal(): string {
  try {
    return typeof decode(encode(new GodotObject("Node"), writing), reading);
  } catch (error) {
    return explain(error as VariantError);
  }
}

// An interface is not assignable to a type with an index signature.
interface Item { id: number; tags?: readonly string[] }
interface Player { name: string; at: Vector2; bag: Item[]; byName: Map<string, Item>; friend: Player | null }
const player: Player = { name: "Bo", at: new Vector2(1, 2), bag: [{ id: 1 }], byName: new Map([["a", { id: 2 }]]), friend: null };
const again: Player = decode<Player>(encode(player, writing), reading);

const sum: number | undefined = at instanceof Vector2 ? at.x + at.y : undefined;
const document = new Document(bytes, { dialect: "godot4", framing: "bare" });
const inFile: Value = document.at("name");
document.set("name", "Bo");
document.set([0, 1], new Literal("Vector2(1, 2)"));
document.insert("player", player);
const selected: number[] = document.select<number>("..id", { most: 9 }).map(({ value }) => value);
document.undo();
const steps = new Migration('version = "v"\ndefault = 1\n[[migration]]\nfrom = 1\nto = "1.1"\nsteps = []');
const newest: Version = steps.newest;
const changed: number = steps.migrate(document).length;
export const outcome = [inFile, refusal(), name, sum, wide.width, length === bytes.length, known.length > 5, typeof value, newest, changed, again.bag[0]?.id, selected];

// @ts-expect-error: a misspelt choice
const misspelt: DecodeOptions = { dialect: "godot4", objects: "Refuse" };
// @ts-expect-error: a dialect that does not exist
const dialect: Dialect = "godot9";
export const refusedValues = () => {
  // @ts-expect-error: a function is not a value
  encode({ call: () => 1 }, writing);
  // @ts-expect-error: a Date is not a value
  encode(new Date(), writing);
  // @ts-expect-error: a symbol is not a value
  document.set("name", Symbol("a"));
};
// @ts-expect-error: a function is not a value
const refused: Value = () => 1;
// @ts-expect-error: the dialect is required
const dialectless: DecodeOptions = { exact: true };
export { dialect, dialectless, misspelt, refused };

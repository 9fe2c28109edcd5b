// Measures the decoding of packets to JavaScript values with this package and @gd-com/utils, alternating in one run.
//   npm ci --prefix crates/variant-wasm/bench
//   node crates/variant-wasm/bench/decode.js [MILLISECONDS OF A ROUND]
// Compare only the ratios. Other work on the machine slows both packages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { Fields, decode, decodeFront } from "../js/node.js";

// The ES modules of @gd-com/utils cannot be imported, so `require` loads its CommonJS module.
const { getVar } = createRequire(import.meta.url)("@gd-com/utils");

const ROUND = Number(process.argv[2] ?? 20);
const ROUNDS = 31;
const saves = new URL("../../../corpus/godot3/saves/", import.meta.url);
const options = { dialect: "godot3", dictionaries: "object", objects: "refuse" };

function time(work, count) {
  const start = performance.now();
  for (let index = 0; index < count; index++) work();
  return performance.now() - start;
}

/** The nanoseconds for each of `works`: the medians of alternating rounds. */
function compare(works) {
  const counts = works.map((work) => {
    let count = 1;
    while (time(work, count) < ROUND) count *= 2;
    return count;
  });
  const rounds = Array.from({ length: ROUNDS }, () => works.map((work, index) => (time(work, counts[index]) / counts[index]) * 1e6));
  return works.map((_, index) => rounds.map((times) => times[index]).sort((a, b) => a - b)[ROUNDS >> 1]);
}

/** Compares the packages on the value at byte `from` of a save. `paths` are the fields that a program reads. */
function report(name, file, from, paths) {
  const save = readFileSync(new URL(file, saves)).subarray(from);
  const bytes = new Uint8Array(save.subarray(0, decodeFront(save, options).length));
  // @gd-com/utils reads from a Buffer.
  const buffer = Buffer.from(bytes);
  assert.equal(getVar(buffer).length, bytes.length);
  const fields = new Fields(paths, options);
  assert.ok(fields.read(bytes).every((value) => value !== undefined));
  const [theirs, all, map, some] = compare([
    () => getVar(buffer),
    () => decode(bytes, options),
    () => decode(bytes, "godot3"),
    () => fields.read(bytes),
  ]);
  console.log(`${name}, ${bytes.length} bytes: @gd-com/utils ${theirs.toFixed(0)} ns`);
  for (const [how, time] of [["objects", all], ["Maps", map], [`${paths.length} fields`, some]]) {
    console.log(`  ${how}: ${time.toFixed(0)} ns, ${(theirs / time).toFixed(1)} times as fast`);
  }
}

report("packet", "replay_200.bin", 4, ["p", "hp", "ev"]);
report("items", "rpg_save.bin", 896, ["[0].name", "[1].name", "[1599].name"]);

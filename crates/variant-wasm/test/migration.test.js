// Values and files of older versions of a game become values and files of the newest version.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Document } from "../js/document-node.js";
import { Migration, Vector2i } from "../js/migration-node.js";
import { decode, encode } from "../js/node.js";

const folder = new URL("../../../corpus/godot3/migration/", import.meta.url);
const read = (name) => new Uint8Array(readFileSync(new URL(name, folder)));
const save = (player, version, wrapping = "save") => read(`saves/${player}_v${version}.${wrapping}`);
const open = (bytes) => new Document(bytes, { password: "hunter2" });
const migration = (name) => new Migration(readFileSync(new URL(name, folder), "utf8"), name);
const steps = migration("steps.toml");
const short = (text, head = "") => new Migration(`version = "v"\n${head}\n[[migration]]\nfrom = 1\nto = 2\nsteps = [\n${text}\n]`, "s.toml");

/** Asserts that a call throws a `VariantError` of a class. Returns the error. */
function refused(call, kind = "migration") {
  try {
    call();
  } catch (error) {
    assert.deepEqual([error.name, error.class], ["VariantError", kind], error.stack);
    return error;
  }
  assert.fail("nothing was thrown");
}

test("versions are numbers or texts", () => {
  assert.deepEqual([steps.newest, steps.versions], [3, [1, 2, 3]]);
  const mixed = new Migration(`version = "v"\n[[migration]]\nfrom = 4294967296\nto = "1.2"\nsteps = []`);
  assert.deepEqual([mixed.newest, mixed.versions], ["1.2", [4294967296n, "1.2"]]);
  assert.deepEqual(mixed.apply({ v: 4294967296 }, { dialect: "godot4", dictionaries: "object" }), { v: "1.2" });
});

for (const player of ["player1", "player2"]) {
  for (const version of [1, 2, 3]) {
    test(`${player}, version ${version}: the value becomes that of the newest game`, () => {
      const options = { dialect: "godot3", exact: true };
      // The value follows the length that `store_var` writes.
      const [old, newest] = [save(player, version), save(player, 3)].map((bytes) => bytes.subarray(4));
      const value = decode(old, options);
      assert.deepEqual(encode(steps.apply(value, options), "godot3"), newest);
      assert.deepEqual(encode(value, "godot3"), old);
    });
  }
}

for (const wrapping of ["save", "gcpf", "gdec"]) {
  for (const version of [1, 2, 3]) {
    test(`${wrapping}, version ${version}: the file becomes that of the newest game, and again that of the old one`, () => {
      const file = open(save("player1", version, wrapping)), old = file.bytes(), newest = save("player1", 3);
      const changes = steps.migrate(file);
      assert.deepEqual([file.bytes(), file.changes], [newest, changes]);
      assert.deepEqual([changes.length > 0, file.info.isChanged, file.info.canUndo], Array(3).fill(version < 3));
      const saved = open(file.save());
      assert.deepEqual([saved.bytes(), saved.info.layers.length], [newest, file.info.layers.length]);
      assert.deepEqual([steps.migrate(file), file.bytes()], [[], newest]);
      assert.deepEqual([file.undo(), file.bytes(), file.info.isChanged], [changes, old, false]);
      assert.deepEqual([file.redo(), file.bytes()], [changes, newest]);
    });
  }
}

test("a migration is one change among others", () => {
  const file = open(save("player2", 2)), old = file.bytes();
  file.set("player.mana", 7);
  const { length } = steps.migrate(file);
  file.set("player.mana", 8);
  assert.deepEqual([file.at("player.mana"), file.changes.length], [8, length + 2]);
  file.undo();
  assert.equal(file.at("player.mana"), 7);
  assert.equal(file.undo().length, length);
  assert.deepEqual([file.at("player.mana"), file.at("meta.version")], [7, 2]);
  file.undo();
  assert.deepEqual(file.bytes(), old);
});

test("a step that fails names its line and the path, and changes nothing", () => {
  const wrong = migration("wrong.toml"), why = 'wrong.toml:7:3: retype: player.class: String cannot become int; rule = "parse" reads it';
  const file = open(save("player1", 2, "gcpf")), before = file.bytes();
  const error = refused(() => wrong.apply(file.at(""), "godot3"));
  assert.deepEqual([error.message, error.path], [why, "player.class"]);
  assert.ok(refused(() => wrong.migrate(file)).message.includes(why));
  assert.deepEqual([file.bytes(), file.changes, file.info.canUndo], [before, [], false]);
});

test("a fault of the steps is named", () => {
  const error = refused(() => new Migration('version = "v"\nodd = 1', "odd.toml"));
  assert.match(error.message, /^odd\.toml:2:1: the key `odd` is unknown here/);
  assert.match(refused(() => new Migration("version = ")).message, /^steps:1:11: /);
});

test("a value that no migration is from is refused", () => {
  assert.match(refused(() => short("").apply({ v: 3 }, "godot4")).message, /newer than 2/);
  assert.match(refused(() => short("").apply({}, "godot4")).message, /no version at v/);
  assert.throws(() => short("").apply({ v: 1, at: new Vector2i(1, 2) }, "godot3"), { name: "VariantError", class: "encode", path: "at" });
});

test("the frames of a file are named", () => {
  const frame = (value) => {
    const bytes = encode(value, "godot4");
    return [...new Uint8Array(Uint32Array.of(bytes.length).buffer), ...bytes];
  };
  const file = new Document(Uint8Array.from([1, 2, 1].flatMap((v) => frame({ v }))), { dialect: "godot4" });
  assert.match(refused(() => short("").migrate(file)).message, /several values/);
  short("", 'frame = "all"').migrate(file);
  assert.deepEqual([1, 2, 3].map((frame) => file.at({ frame, path: "v" })), [2, 2, 2]);
});

test("a change that engines write in different bytes is refused until the dialect is named", () => {
  // Several engines write an empty dictionary in the same bytes.
  const file = new Document(Uint8Array.of(8, 0, 0, 0, 27, 0, 0, 0, 0, 0, 0, 0)), before = file.bytes();
  const lists = short('{ set = "a", value = "[1, 2]" }', "default = 1");
  assert.match(refused(() => lists.migrate(file), "edit").message, /godot4, pandemonium4, pandemonium3, godot2.*name the dialect/);
  assert.deepEqual([file.bytes(), file.info.canUndo], [before, false]);
  file.reread({ dialect: "godot4" });
  lists.migrate(file);
  assert.deepEqual(file.at("a"), [1, 2]);
});

test("wrong arguments are refused", () => {
  const file = open(save("player1", 1));
  for (const call of [() => new Migration(), () => new Migration("", 7), () => steps.migrate(), () => steps.migrate({}), () => steps.apply({}, "godot9"), () => steps.apply({})]) {
    assert.throws(call, TypeError);
  }
  steps.migrate(file);
  assert.equal(file.at("meta.version"), 3);
});

// A few values of a packet.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Fields, GodotObject, Int, NodePath, StringName, Vector2, decode, encode } from "../js/node.js";

const packet = { name: "Ana", hp: 93, at: new Vector2(1, 2.5), party: [{ hp: 1, tags: ["a"] }, { hp: 2 }], none: null };
const options = { dialect: "godot4", dictionaries: "object" };

test("fields are what decode has at their paths", () => {
  const bytes = encode(packet, "godot4");
  const fields = new Fields(["name", "hp", "at"], options);
  for (let round = 0; round < 3; round++) assert.deepEqual(fields.read(bytes), ["Ana", 93, new Vector2(1, 2.5)]);
  assert.deepEqual(new Fields(["party[1].hp", "party[0]", "none"], options).read(bytes), [2, { hp: 1, tags: ["a"] }, null]);
  assert.deepEqual(new Fields(["party[0].tags", "party"], "godot4").read(bytes), [["a"], [new Map([["hp", 1], ["tags", ["a"]]]), new Map([["hp", 2]])]]);
});

test("any number of fields, some of them twice", () => {
  const bytes = encode(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`key${index}`, index])), "godot4");
  for (let count = 0; count <= 25; count++) {
    const numbers = Array.from({ length: count }, (_, index) => (index * 7) % 30);
    assert.deepEqual(new Fields(numbers.map((number) => `key${number}`), options).read(bytes), numbers);
  }
  assert.deepEqual(new Fields(["key3", "key3"], options).read(bytes), [3, 3]);
});

test("a path that leads to no value is undefined", () => {
  const bytes = encode(packet, "godot4");
  assert.deepEqual(new Fields(["mana", "hp"], options).read(bytes), [undefined, 93]);
  assert.deepEqual(new Fields(["hp.of", "party[2]", "party.hp", "at[0]", "{9}"], options).read(bytes), Array(5).fill(undefined));
  assert.deepEqual(new Fields(["hp", "[0]"], options).read(encode([5], "godot4")), [undefined, 5]);
  assert.deepEqual(new Fields(["hp"], options).read(encode(7, "godot4")), [undefined]);
});

test("every way to write a path", () => {
  const bytes = encode(new Map([[1, "int"], ["a.b", "text"], [new StringName("n"), "name"], [null, new GodotObject("Node", new Map([["p", 4]]))]]), "pandemonium5");
  const paths = ["[1]", '["a.b"]', '[&"n"]', "{3}.p", "{1:key}", "n"];
  assert.deepEqual(new Fields(paths, "pandemonium5").read(bytes), ["int", "text", "name", 4, "a.b", undefined]);
  assert.deepEqual(new Fields(paths.slice(0, 3), "pandemonium5").read(bytes), ["int", "text", "name"]);
  assert.deepEqual(new Fields([""], "pandemonium5").read(encode([1], "pandemonium5")), [[1]]);
});

test("what decode refuses, fields refuse with the same error", () => {
  const bytes = encode(packet, "godot4");
  const broken = [bytes.subarray(0, -2), bytes.subarray(0, 6), new Uint8Array(0), encode({ hp: 1, object: new GodotObject("Node") }, "godot4"), encode([[[1]]], "godot4")];
  const strict = { ...options, objects: "refuse", depth: 2 };
  for (const paths of [["hp"], [], ["{0}"], ["a", "b", "c", "d", "e", "f"]]) {
    const fields = new Fields(paths, strict);
    for (const bytes of broken) {
      const errorOf = (read) => {
        try {
          return read();
        } catch ({ name, message, class: kind, offset, path }) {
          return { name, message, kind, offset, path };
        }
      };
      const error = errorOf(() => decode(bytes, strict));
      assert.equal(error.name, "VariantError");
      assert.deepEqual(errorOf(() => fields.read(bytes)), error);
    }
  }
});

test("every byte counts in fields too, and texts are those of decode", () => {
  const bytes = encode({ id: new Int(7n, 64), key: new StringName("hp"), path: new NodePath(["a"]) }, "godot4");
  const exact = { dialect: "godot4", exact: true };
  assert.deepEqual(new Fields(["id", "key", "path"], exact).read(bytes), [new Int(7n, 64), new StringName("hp"), new NodePath(["a"])]);
  assert.deepEqual(new Fields(["id", "key"], "godot4").read(bytes), [7, "hp"]);
  assert.deepEqual(decode(bytes, options).key, "hp");
});

test("a large field passes in pieces", () => {
  const all = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  assert.deepEqual(new Fields(["all", "end"], options).read(encode({ all, end: 1 }, "godot4")), [all, 1]);
});

test("wrong arguments are told", () => {
  for (const path of ["a..b", "[", "a[x]", '["a']) assert.throws(() => new Fields([path], options), (error) => error.message.startsWith(`${path}: `));
  assert.throws(() => new Fields([1], options), TypeError);
  assert.throws(() => new Fields(["hp"], { dialect: "godot4", objects: "Refuse" }), TypeError);
  assert.throws(() => new Fields(["hp"]), TypeError);
  for (const bytes of [undefined, "0000", [0, 0, 0, 0]]) assert.throws(() => new Fields(["hp"], options).read(bytes), TypeError);
});

// Values in JavaScript, and invalid values.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as godot from "../js/node.js";

const { decode, encode } = godot;
const hex = (bytes) => Buffer.from(bytes).toString("hex");

test("plain values are those of JavaScript", () => {
  const value = { name: "Ana", hp: 93, speed: 1.5, alive: true, none: null, tags: ["a", "b"] };
  const bytes = encode(value, "godot4");
  assert.deepEqual(decode(bytes, { dialect: "godot4", dictionaries: "object" }), value);
  assert.deepEqual(decode(bytes, "godot4"), new Map(Object.entries(value)));
});

test("an integer is a Number where a Number holds it", () => {
  for (const value of [0, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, -(2 ** 53) + 1, 2 ** 53 - 1, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n]) {
    assert.equal(decode(encode(value, "godot4"), "godot4"), value);
  }
  assert.throws(() => encode(2n ** 63n, "godot4"), RangeError);
});

test("what a plain value would be written otherwise has a class where every byte counts", () => {
  for (const value of [new godot.Int(7n, 64), new godot.Float(1, 32), new godot.Float(0.5, 64), new godot.Float(NaN, 64, 0x7ff8000000000001n), new godot.StringName("hp")]) {
    const bytes = encode(value, "godot4");
    assert.deepEqual(decode(bytes, { dialect: "godot4", exact: true }), value);
    assert.equal(hex(encode(decode(bytes, { dialect: "godot4", exact: true }), "godot4")), hex(bytes));
  }
  assert.equal(decode(encode(new godot.Float(1), "godot4"), "godot4"), 1);
  assert.equal(decode(encode(new godot.StringName("hp"), "godot4"), "godot4"), "hp");
});

test("keys that a Map holds once stay where every byte counts", () => {
  const pair = "0200000001000000";
  const bytes = Buffer.from("1b00000002000000" + pair.repeat(4), "hex");
  assert.deepEqual(decode(bytes, "godot4"), new Map([[1, 1]]));
  const pairs = decode(bytes, { dialect: "godot4", exact: true }).pairs;
  assert.deepEqual(pairs, [[1, 1], [1, 1]]);
});

test("a key called __proto__ is a key", () => {
  const value = decode(encode(new Map([["__proto__", { admin: true }]]), "godot4"), { dialect: "godot4", dictionaries: "object" });
  assert.deepEqual(Object.keys(value), ["__proto__"]);
  assert.equal(value.admin, undefined);
});

test("packed arrays own their memory", () => {
  const first = decode(encode(Float32Array.of(1, 2.5), "godot4"), "godot4");
  const points = decode(encode(new godot.PackedVector2Array(Float64Array.of(1, 2, 3, 4)), "godot4"), "godot4");
  assert.deepEqual(first, Float32Array.of(1, 2.5));
  assert.deepEqual([points.length, points.at(1), points.at(2)], [2, godot.widen(new godot.Vector2(3, 4)), undefined]);
  assert.ok(points.values instanceof Float64Array);
});

test("an error tells where, and what was found", () => {
  const bytes = encode({ party: [{ hp: 1 }, { hp: 2 }] }, "godot4");
  bytes[bytes.length - 8] = 99;
  assert.throws(() => decode(bytes, "godot4"), (error) => {
    assert.equal(error.name, "VariantError");
    assert.deepEqual([error.class, error.offset, error.path], ["malformed", bytes.length - 8, "party[1].hp"]);
    assert.match(error.found, /0x00000063 names no type/);
    return true;
  });
  // After the error, the module writes all texts in full again, including texts from before the error.
  assert.deepEqual(decode(encode({ hp: 1 }, "godot4"), { dialect: "godot4", dictionaries: "object" }), { hp: 1 });
});

test("a value that the dialect cannot hold tells its path", () => {
  const wrong = new godot.Vector4();
  for (const [value, path] of [
    [wrong, ""], [{ at: [wrong] }, "at[0]"], [{ a: 1, party: [{ hp: 1 }, { hp: wrong }] }, "party[1].hp"], [{ "two words": wrong }, '["two words"]'],
    [new Map([[7, [wrong]]]), "[7][0]"], [new Map([[1.5, 1], [new godot.Vector2(1, 2), wrong]]), "{1}"], [new Map([[wrong, 1]]), "{0:key}"],
    [{ it: new godot.GodotObject("Node", new Map([["at", wrong]])) }, "it.at"],
  ]) {
    assert.throws(() => encode(value, "godot3"), (error) => error.name === "VariantError" && error.path === path && error.message.includes(path), path);
  }
  const call = () => 1, object = new godot.GodotObject("Node", new Map([["a", 1], ["b", [call]]]));
  for (const [value, path] of [
    [call, undefined], [[1, [2], [3, call]], "[2][1]"], [{ a: [1], party: [{ hp: 1, call }] }, "party[0].call"], [new Map([["a", 1], [call, 1]]), "{1:key}"],
    [{ object }, "object.b[0]"], [[object.properties, { "a b": new Date() }], '[0].b[0]'], [{ at: new godot.Vector2i(1.5, 2) }, "at"],
  ]) {
    const isRefused = (error) => /Error$/.test(error.constructor.name) && error.path === path && (path === undefined || error.message.startsWith(`${path}: `));
    assert.throws(() => encode(value, "godot4"), isRefused, String(path));
  }
  assert.throws(() => decode(Uint8Array.of(0, 0, 0, 0), "godot9"), /godot9; there are godot2/);
});

test("an option that does not exist is refused", () => {
  const bytes = encode({ hp: 1 }, { dialect: "godot4", precision: "single" });
  const calls = [
    (options) => decode(bytes, options), (options) => godot.decodeFront(bytes, options), (options) => encode(1, options), (options) => new godot.Fields(["hp"], options),
  ];
  for (const call of calls) {
    // The second call has the options of the first call, and one more.
    call({ dialect: "godot4" });
    assert.throws(() => call({ dialect: "godot4", object: "refuse" }), /^TypeError: object: there is no such option; there are dialect, /);
    call({ dialect: "godot4", depth: undefined });
  }
});

test("a value that holds itself ends in an error, and so does a tower of arrays", () => {
  const loop = [];
  loop.push(loop);
  assert.throws(() => encode(loop, "godot4"), RangeError);
  const tower = Buffer.concat([...Array.from({ length: 5000 }, () => Buffer.from("1c00000001000000", "hex")), Buffer.alloc(4)]);
  assert.throws(() => decode(tower, "godot4"), (error) => error.class === "limit");
  let depth = 0;
  for (let value = decode(tower, { dialect: "godot4", depth: 6000 }); value !== null; value = value[0]) depth += 1;
  assert.equal(depth, 5000);
});

test("a claimed count makes no room", () => {
  for (const head of ["1c000000ffffff7f", "1b000000ffffff7f", "22000000ffffff7f", "04000000ffffff7f"]) {
    assert.throws(() => decode(Buffer.from(head, "hex"), "godot4"), (error) => error.class === "truncated");
  }
});

test("objects are refused where they are not wanted", () => {
  const bytes = encode(new godot.GodotObject("Node", new Map([["name", "x"]])), "godot4");
  assert.equal(decode(bytes, "godot4").className, "Node");
  assert.throws(() => decode(bytes, { dialect: "godot4", objects: "refuse" }), (error) => error.class === "limit");
});

test("a large value passes in pieces", () => {
  const value = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `item ${index % 7}`, long: "x".repeat(index % 40) }));
  assert.deepEqual(decode(encode(value, "godot3"), { dialect: "godot3", dictionaries: "object" }), value);
});

test("a value that encodes while it is encoded does not disturb", () => {
  const inner = { get own() { return encode({ deep: "inside" }, "godot4").length; } };
  const value = decode(encode({ before: 1, inner, after: 2 }, "godot4"), { dialect: "godot4", dictionaries: "object" });
  assert.deepEqual(value, { before: 1, inner: { own: inner.own }, after: 2 });
});

test("wrong arguments are told", () => {
  for (const depth of [NaN, -1, 1.5, 2 ** 32]) {
    assert.throws(() => decode(Buffer.alloc(4), { dialect: "godot4", depth }), RangeError);
    assert.throws(() => encode(null, { dialect: "godot4", depth }), RangeError);
  }
  for (const bytes of [undefined, null, "0000", [0, 0, 0, 0], new Float32Array(4), new ArrayBuffer(4)]) assert.throws(() => decode(bytes, "godot4"), TypeError);
  assert.throws(() => decode(Buffer.alloc(4)), TypeError);
  assert.throws(() => encode(godot.ArrayOf.typed({ builtin: "Vektor" }), "godot4"), TypeError);
  assert.throws(() => encode(godot.ArrayOf.typed({}), "godot4"), TypeError);
  assert.throws(() => decode(Buffer.alloc(0), "godot4"), (error) => error.class === "truncated");
});

test("bytes choose no prototype, and plain data no class", () => {
  const asObject = { dialect: "godot4", dictionaries: "object" };
  for (const key of [["__proto__"], new godot.NodePath(["__proto__"]), new godot.Vector2()]) {
    assert.throws(() => decode(encode(new Map([[key, { admin: true }]]), "godot4"), asObject), TypeError);
  }
  for (const value of [{ constructor: "x" }, { constructor: null }, { x: 7, constructor: { shape: ["x"], count: 1e8, name: "Vector2" } }]) {
    assert.deepEqual(decode(encode(value, "godot4"), asObject), value);
  }
});

test("a length that an object claims is not that of its bytes", () => {
  const bytes = new Uint8Array(1000);
  Object.defineProperty(bytes, "length", { value: 4 });
  assert.equal(decode(bytes, "godot4"), null);
  assert.deepEqual(decode(encode([1, "b"], "godot4"), "godot4"), [1, "b"]);
});

test("misspelt options are told", () => {
  for (const options of [{ objects: "Refuse" }, { objects: false }, { reals: 64 }, { dictionaries: "Map" }]) {
    assert.throws(() => decode(Buffer.alloc(4), { dialect: "godot4", ...options }), TypeError);
  }
  assert.throws(() => encode(1, { dialect: "godot4", precision: "Double" }), TypeError);
});

test("numbers of another type, and bytes that are none, are told", () => {
  const wrong = [
    new godot.PackedVector2Array([1, 2]), new godot.PackedVector2Array(Int32Array.of(1, 2)), new godot.PackedColorArray(Float64Array.of(1, 1, 1, 1)),
    new godot.PackedVector2Array(Float32Array.of(1, 2, 3)), new godot.RawText({}), new godot.RawText("abc"),
  ];
  for (const value of wrong) assert.throws(() => encode(value, "godot4"), TypeError);
});

test("a key of -0.0 stays where every byte counts", () => {
  const bytes = encode(new Map([[new godot.Float(-0, 32), 1]]), "godot4");
  assert.equal(hex(encode(decode(bytes, { dialect: "godot4", exact: true }), "godot4")), hex(bytes));
});

test("a dictionary that is changed is written as changed", () => {
  const bytes = Buffer.from("1b00000002000000" + "0200000001000000".repeat(4), "hex");
  const dictionary = decode(bytes, { dialect: "godot4", exact: true });
  assert.equal(hex(encode(dictionary, "godot4")), hex(bytes));
  dictionary.set(2, 5);
  assert.deepEqual(decode(encode(dictionary, "godot4"), "godot4"), new Map([[1, 1], [2, 5]]));
});

test("a subclass is written as its class, and parts are as wide as their value", () => {
  class Point extends godot.Vector2 {}
  assert.deepEqual(decode(encode(new Point(1, 2), "godot4"), "godot4"), new godot.Vector2(1, 2));
  const points = decode(encode(new godot.PackedVector2Array(Float64Array.of(0.1, 0.2)), "godot4"), "godot4");
  const box = decode(encode(Object.assign(new godot.Rect2(new godot.Vector2(0.1, 0.2)), { width: 64 }), "godot4"), "godot4");
  for (const part of [points.at(0), box.position]) assert.equal(decode(encode(part, "godot4"), "godot4").x, 0.1);
});

test("integers beyond their class are told", () => {
  for (const value of [new godot.Int(2n ** 64n + 5n, 64), new godot.RID(2n ** 64n), new godot.ObjectId(-1n), new godot.Vector2i(1.5, 0), new godot.Vector2i(0, 2 ** 31)]) {
    assert.throws(() => encode(value, "godot4"), RangeError);
  }
});

test("the same text is read as it is asked for each time", () => {
  // A surrogate, which Godot 3 reads.
  const raw = new godot.RawText(Uint8Array.of(0xed, 0xa0, 0x80));
  for (const exact of [true, false, true]) {
    assert.deepEqual(decode(encode(raw, "godot3"), { dialect: "godot3", exact }), exact ? raw : "\ufffd\ufffd\ufffd");
  }
});

test("an empty array is as deep as its root", () => {
  assert.deepEqual(decode(encode([], { dialect: "godot4", depth: 0 }), "godot4"), []);
  assert.throws(() => encode([1], { dialect: "godot4", depth: 0 }), RangeError);
});

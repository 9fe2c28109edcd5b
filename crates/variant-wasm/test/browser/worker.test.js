// The package's worker in a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, site } from "./site.js";

const { withPage } = site();
const SAVE = "godot4/saves/plain.bin", GIVEN = [...bytesOf(SAVE)];

/** Does `work` in the page with the package's worker, and with the bytes of a save. */
const within = (page, work) => page.evaluate(`import("/js/worker.js").then((worker) => (${work})(worker, new Uint8Array(${JSON.stringify(GIVEN)})))`);

test("a file is opened, changed and saved in the worker", withPage(async (inspector, page) => {
  const { info, version, kind, count, saved, changes } = await within(page, async ({ Literal, Vector2, open }, bytes) => {
    const place = { frame: 1, path: "version" }, file = await open(new Blob([bytes]));
    await file.set(place, new Literal("Vector2(1, 2)"));
    const vector = await file.at(place), other = await open(bytes);
    const { changed } = await file.diff(other);
    await other.free();
    return { info: await file.info(), version: vector.y, kind: vector instanceof Vector2, count: changed, changes: (await file.changes()).length, saved: [...await file.save()] };
  });
  assert.deepEqual([info.dialect, version, kind, count, changes], ["godot4", 2, true, 1, 1]);
  assert.equal(new Document(Uint8Array.from(saved)).at({ frame: 1, path: "version" }).x, 1);
}));

test("errors keep their class; terminate ends all files, and open begins again", withPage(async (inspector, page) => {
  const [wrong, ended, again] = await within(page, async ({ open, terminate }, bytes) => {
    const file = await open(bytes), of = (call) => call.then(String, ({ class: kind, message }) => kind ?? message);
    const wrong = await of(file.at("nothing.here"));
    const pending = of(file.validate());
    terminate();
    return [wrong, [await pending, await of(file.info())], (await (await open(bytes)).info()).size];
  });
  assert.equal(wrong, "path");
  assert.deepEqual(ended, ["the worker was terminated", "the worker was terminated; open the file again"]);
  assert.equal(again, GIVEN.length);
}));

test("values of every class come back from the worker as they are", withPage(async (inspector, page) => {
  const wrong = await page.evaluate(async () => {
    const { packed, unpacked } = await import("/js/carried.js"), values = await import("/js/values.js");
    const { ArrayOf, DictionaryOf, Float, GodotObject, Int, NodePath, PackedStringArray, PackedVector2Array, Rect2, StringName, Vector2, widen } = values;
    const dictionary = new DictionaryOf([["a", new Int(1)]]);
    dictionary.keyType = { builtin: "String" };
    const all = [
      1, "a", 2n, null, [new Vector2(1, 2)], new Map([[new StringName("k"), widen(new Rect2())]]), { plain: new Float(1) }, new Uint8Array(2), ArrayOf.typed({ builtin: "int" }, [1, 2]),
      dictionary, new GodotObject("Node", new Map([["x", NodePath.parse("/root/a:b")]])), PackedStringArray.from(["a"]), new PackedVector2Array(new Float32Array(4)),
    ];
    const shape = (value) => (typeof value !== "object" || value === null ? String(value)
      : `${value.constructor.name}${Object.entries(value).sort().map(([key, item]) => `${key}:${shape(item)}`)}|${value instanceof Map ? [...value].map(([key, item]) => shape(key) + shape(item)) : ""}`);
    return all.map((value) => [shape(value), shape(unpacked(structuredClone(packed(value))))]).filter(([before, after]) => before !== after);
  });
  assert.deepEqual(wrong, []);
}));

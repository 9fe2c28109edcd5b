// Values are changed, and other bytes stay the same.

import assert from "node:assert/strict";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin";

const save = (inspector) => inspector.downloaded(() => inspector.page.click("#save"));

test("an edit changes its bytes alone; undo gives the file back", withPage(async (inspector, page) => {
  const original = bytesOf(PLAIN), { offset, end } = new Document(original).extent({ frame: 1, path: "entities[1].id" });
  await inspector.open(corpus(PLAIN));
  assert.deepEqual((await save(inspector)).bytes, original);
  await inspector.change("entities[1].id", "77");
  await inspector.says("#tree .selected .value", /^77$/);
  const changed = (await save(inspector)).bytes;
  assert.equal(changed.length, original.length);
  const different = changed.reduce((all, byte, at) => (byte === original[at] ? all : [...all, at]), []);
  assert.ok(different.length > 0 && different.every((at) => at >= offset && at < end), String(different));
  assert.equal(new Document(changed).at({ frame: 1, path: "entities[1].id" }), 77);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.deepEqual((await save(inspector)).bytes, original);
  await inspector.press("Control+Shift+z");
  await inspector.says("#changes-state", /1 change/);
  assert.deepEqual((await save(inspector)).bytes, changed);
}));

test("an edit of an encrypted file is written encrypted", withPage(async (inspector, page) => {
  const name = "godot4/containers/pass_hunter2_3.gdec";
  await inspector.choose(corpus(name));
  await inspector.submit("#password", "hunter2");
  await inspector.shown();
  const before = new Document(bytesOf(name), { password: "hunter2" });
  await inspector.go("version", before.info.framing === "bare" ? undefined : 1);
  await inspector.edit("5");
  await inspector.says("#changes-state", /1 change/);
  const { bytes } = await save(inspector), after = new Document(bytes, { password: "hunter2" });
  assert.equal(new Document(bytes).info.isLocked, true);
  assert.equal(after.at("version"), 5);
  assert.deepEqual(before.diff(after).found.map(({ path }) => path), ["version"]);
}));

test("open containers stay open, the changed list leads to the value", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("entities[2].tag", "renamed");
  const rows = await inspector.rows();
  assert.ok(rows.some(({ label, isOpen }) => label === "entities" && isOpen === "true"));
  await inspector.go("version", 1);
  await inspector.tab("changes");
  await inspector.page.click("#changes-list button");
  await inspector.says("#tree .selected .value", /renamed/);
}));

test("an entry of the changes leads to its value, wherever later changes have moved it", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("entities[2].id", "77");
  await inspector.remove("entities[0]", /2 changes/);
  await inspector.tab("changes");
  await page.click("#changes-list button >> nth=1");
  await inspector.at("entities[1].id");
  await inspector.says("#tree .selected .text", /^77$/);
  await inspector.remove("entities[1]", /3 changes/);
  await page.click("#changes-list button >> nth=2");
  await inspector.says("#toast", /no longer in the save/);
}));

test("saves that are requested while another is made follow it, each once for a file and a way", withPage(async (inspector, page) => {
  const other = "godot4/saves/save_10k.variant";
  await inspector.open(corpus(other));
  await inspector.openNext(corpus(PLAIN));
  await page.evaluate(async () => {
    // A browser may start only the last of several downloads.
    const create = URL.createObjectURL;
    globalThis.sizes = [];
    URL.createObjectURL = (blob) => {
      globalThis.sizes.push(blob.size);
      return create.call(URL, blob);
    };
    const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true, cancelable: true }));
    press();
    // The save begins, and its bytes come from the worker in a later task.
    for (let turn = 0; turn < 9; turn++) await undefined;
    for (let turn = 0; turn < 2; turn++) press();
    document.getElementById("save-copy").click();
    document.querySelector("#files [aria-selected=false]").click();
    press();
  });
  await page.waitForFunction((last) => globalThis.sizes.at(-1) === last, bytesOf(other).length);
  const { length } = bytesOf(PLAIN);
  assert.deepEqual(await page.evaluate(() => globalThis.sizes), [length, length, length, bytesOf(other).length]);
}));

// Several files: tabs, two files to compare, folders and archives.

import assert from "node:assert/strict";
import test from "node:test";

import { zipSync } from "../../tools/node_modules/fflate/esm/browser.js";
import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin", OTHER = "godot4/saves/sample3.variant", LOCKED = "godot4/containers/pass_hunter2_3.gdec";
const tabs = (page) => page.$$eval("#files [role=tab]", (all) => all.map((tab) => [tab.querySelector(".name").textContent, tab.getAttribute("aria-selected")]));

/** Drops files on the page: `[name, bytes]` each. */
const drop = (page, files) => page.evaluate((files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, bytes] of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}, files.map(([name, bytes]) => [name, [...bytes]]));

test("a second file opens beside the first, which stays as it was", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("entities[2].id", "77");
  await inspector.openNext(corpus(OTHER));
  assert.deepEqual(await tabs(page), [["plain.bin", "false"], ["sample3.variant", "true"]]);
  await page.click("#files [role=tab] >> nth=0");
  await inspector.says("#tree .selected .label", /id/);
  await inspector.says("#tree .selected .text", /^77$/);
  await inspector.says("#changes-state", /1 change/);
  const { bytes, name } = await inspector.downloaded(() => page.click("#save"));
  assert.equal(name, "plain.bin");
  assert.equal(new Document(bytes).at({ frame: 1, path: "entities[2].id" }), 77);
  await page.focus("#files [aria-selected=true]");
  await page.keyboard.press("ArrowRight");
  await inspector.isOf("sample3.variant");
  await page.keyboard.press("Delete");
  await inspector.isOf("plain.bin");
  assert.equal((await tabs(page)).length, 1);
}));

test("two dropped files offer to be compared", withPage(async (inspector, page) => {
  const after = new Document(bytesOf(PLAIN));
  after.set({ frame: 1, path: "version" }, 77);
  await drop(page, [["before.sav", bytesOf(PLAIN)], ["after.sav", after.save()]]);
  await inspector.says("#offer", /before\.sav.*after\.sav/);
  await page.click("#offer .primary");
  await inspector.says("#compare-state", /1 changed, 0 added, 0 removed/);
  await page.click("#differences button");
  await inspector.isOf("after.sav");
  await inspector.says("#tree .selected .text", /^77$/);
}));

test("a file that cannot be opened leaves the open ones", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await drop(page, [["broken.png", new TextEncoder().encode("not a save at all, only text of many letters")]]);
  await page.waitForSelector("#failure:not([hidden])");
  await page.click("#back");
  assert.deepEqual(await tabs(page), [["plain.bin", "true"]]);
  assert.ok(await page.isVisible("#tree"));
}));

test("the password of a file is asked once", withPage(async (inspector, page) => {
  const file = { name: "locked.sav", buffer: Buffer.from(bytesOf(LOCKED)) };
  await inspector.choose(file);
  await inspector.submit("#password", "wrong");
  await inspector.says("#lock-error", /./);
  await inspector.submit("#password", "hunter2");
  await inspector.shown();
  await page.click("#files .close");
  await inspector.open(file);
  assert.ok(!(await page.isVisible("#lock")));
}));

test("an archive is listed, searched and checked, and its files open", withPage(async (inspector, page) => {
  const damaged = bytesOf(PLAIN).slice(0, 200);
  const zip = zipSync({ "slots/one.sav": bytesOf(PLAIN), "slots/two.sav": damaged, "slots/three.sav": bytesOf(LOCKED), "readme.png": new TextEncoder().encode("text") });
  await drop(page, [["backup.zip", zip]]);
  await inspector.says("#folder-state", /4 of 4/);
  const titles = await page.$$eval("#folder-list .title", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(titles, ["backup.zip/readme.png", "backup.zip/slots/one.sav", "backup.zip/slots/three.sav", "backup.zip/slots/two.sav"]);
  await inspector.says("#folder-list", /encrypted/);
  await page.click("#folder-check");
  await inspector.says("#folder-state", /4 of 4 files checked, 2 with errors/);
  await page.fill("#folder-text", "GODOT 4 SAVE");
  await page.press("#folder-text", "Enter");
  await inspector.says("#folder-state", /4 of 4 files searched, hits in [12]/);
  await page.click("#folder-list button >> nth=0");
  await inspector.isOf("one.sav");
  await inspector.says("#tree .selected .label", /name/);
}));

test("a folder is listed by its picker", withPage(async (inspector, page) => {
  await page.setInputFiles("#folder-picker", corpus("godot4/saves"));
  await inspector.says("#folder-state", /(\d+) of \1 files/);
  assert.ok(await page.locator("#folder-list li").count() > 5);
}));

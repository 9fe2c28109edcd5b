// Tests the selection, which tree and bytes share. Also tests search, problems, comparison, conversion and export.

import assert from "node:assert/strict";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin";

test("tree and bytes are in step, both ways", withPage(async (inspector, page) => {
  const document = new Document(bytesOf(PLAIN)), place = { frame: 1, path: "entities[15].tag" };
  await inspector.open(corpus(PLAIN));
  await inspector.go(place.path, 1);
  const { start, offset, end } = document.extent(place);
  await inspector.says("#field", new RegExp(`byte ${offset.toLocaleString("en")} is`));
  const marked = await page.$$eval("#hex .bytes .within, #hex .bytes .chosen", (cells) => cells.map((cell) => Number(cell.dataset.byte) + Number(cell.parentElement.dataset.start)));
  assert.deepEqual([Math.min(...marked), Math.max(...marked)], [start, end - 1]);

  const other = document.extent({ frame: 1, path: "entities[15].hp" });
  const cell = await page.evaluateHandle((byte) => [...document.querySelectorAll("#hex .bytes [data-byte]")].find((cell) => Number(cell.dataset.byte) + Number(cell.parentElement.dataset.start) === byte), other.end - 1);
  await cell.click();
  await inspector.says("#tree .selected .label", /^hp$/);
  assert.equal(await inspector.path(), "entities[15].hp");
  const [field] = document.fields(other.end - 1, other.end);
  await inspector.says("#field", new RegExp(field.part));
  await cell.hover();
  assert.ok((await cell.getAttribute("title")).startsWith(field.part));

  // The letters of a text are one element, in which a click selects the byte under the pointer.
  const tag = document.fields(start, end).at(-1), letter = tag.end - 1;
  const { x, y } = await page.evaluate((byte) => {
    const startOf = (letters) => Number(letters.dataset.byte) + Number(letters.parentElement.dataset.start);
    const all = [...document.querySelectorAll("#hex .letters span:not([hidden])")];
    const letters = all.find((run) => startOf(run) <= byte && byte < startOf(run) + run.textContent.length);
    const { left, top, width, height } = letters.getBoundingClientRect();
    return { x: left + (width * (byte - startOf(letters) + 0.5)) / letters.textContent.length, y: top + height / 2 };
  }, letter);
  await page.mouse.click(x, y);
  await inspector.says("#field", new RegExp(`byte ${letter.toLocaleString("en")} is`));
  await inspector.says("#tree .selected .label", /^tag$/);
}));

test("containers open and close", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  const labels = async () => (await inspector.rows()).map(({ label }) => label);
  assert.ok((await labels()).includes("entities"));
  await inspector.page.locator("#tree .row:not([hidden]) .twisty").first().click();
  assert.ok(!(await labels()).includes("entities"));
  await inspector.page.locator("#tree .row:not([hidden]) .twisty").first().click();
  await inspector.settled();
  assert.ok((await labels()).includes("entities"));
}));

test("search of a path, a key and a text; the next and the previous hit", withPage(async (inspector, page) => {
  const { found } = new Document(bytesOf(PLAIN)).search("tag");
  await inspector.open(corpus(PLAIN));
  await page.keyboard.press("Control+f");
  await page.keyboard.type("entities[3].hp");
  await page.keyboard.press("Enter");
  await inspector.at("entities[3].hp");
  await inspector.submit("#find", "tag");
  await inspector.at(found[0].path);
  await page.click("#find-next");
  await inspector.at(found[1].path);
  await page.keyboard.press("Shift+F3");
  await inspector.at(found[0].path);
}));

test("the place of the value is in the address, and leads to the value", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.go("entities[3].hp");
  assert.equal(await page.evaluate(() => location.hash), "#entities[3].hp");
  await page.click("#crumbs li:nth-last-child(2) button");
  await inspector.at("entities[3]");
  await page.click("#crumbs li:first-child button");
  await inspector.at("");
}));

test("an address that is given with the page leads to its value", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.at("entities[2].tag");
}, { search: "#entities[2].tag" }));

test("problems are shown at their place; what is sound is salvaged and opened", withPage(async (inspector, page) => {
  const name = "damaged/bad_utf8.variant", document = new Document(bytesOf(name)), validation = document.validate();
  await inspector.open(corpus(name));
  await inspector.tab("problems");
  await inspector.says("#problems-state", /1 problem/);
  assert.equal(await inspector.text("#problems-list .title"), validation.problems[0].message);
  await page.click("#problems-list button");
  await page.waitForSelector("#tree .row.problem:not([hidden])");
  await page.waitForSelector("#hex .bytes .wrong");
  await inspector.screenshot("light-problems");
  await page.click("#salvage");
  await page.waitForSelector("#salvaged .list");
  const { bytes } = await inspector.downloaded(() => page.click("text=Download what is left"));
  const expected = document.salvage();
  assert.deepEqual(bytes, expected.bytes);
  assert.equal(await page.locator("#salvaged li").count(), expected.holes.length);
  await page.click("text=Open it");
  await inspector.shown();
  await inspector.says("#problems-state", /No problems/);
}));

test("a damaged layer: told, then opened as far as it can be read", withPage(async (inspector, page) => {
  const name = "damaged/salvage/cut.gcpf";
  await inspector.choose(corpus(name));
  await inspector.says("#failure", /was not opened/);
  await page.click("text=Open what can be read");
  await inspector.shown();
  const notes = new Document(bytesOf(name), { lenient: true }).info.notes;
  for (const note of notes) assert.ok((await inspector.text("#status")).includes(note));
  await inspector.tab("problems");
  await page.click("#salvage");
  await inspector.says("#salvaged", /lost/);
}));

test("comparison with another file", withPage(async (inspector, page) => {
  const one = new Document(bytesOf("godot4/saves/sample3.variant")), other = new Document(bytesOf("godot4/saves/sample7.variant"));
  const expected = other.diff(one);
  await inspector.open(corpus("godot4/saves/sample3.variant"));
  await inspector.tab("compare");
  await page.click("#compare-form [type=submit]");
  await inspector.says("#compare-state", /the same/);
  await page.selectOption("#compare-with", "another");
  await page.click("#compare-form [type=submit]");
  await inspector.says("#compare-state", /Choose/);
  await page.setInputFiles("#other", corpus("godot4/saves/sample7.variant"));
  await page.click("#compare-form [type=submit]");
  await inspector.says("#compare-state", new RegExp(`${expected.changed} changed, ${expected.added} added`));
  assert.equal(await page.locator("#differences li").count(), expected.found.length);
  const number = expected.found.findIndex(({ change }) => change !== "changed");
  await page.locator("#differences button").nth(number).click();
  await page.waitForFunction((path) => path.startsWith(decodeURIComponent(location.hash).replace(/^#(\d+:)?/, "")), expected.found[number].pathAfter ?? expected.found[number].path);
  await page.setInputFiles("#other", corpus("godot4/containers/pass_hunter2_3.gdec"));
  await page.click("#compare-form [type=submit]");
  await inspector.says("#compare-state", /password/);
}));

test("conversion: without losses, and with", withPage(async (inspector, page) => {
  const document = new Document(bytesOf(PLAIN));
  await inspector.open(corpus(PLAIN));
  await inspector.tab("export");
  const convert = () => page.click("#convert-form [type=submit]");
  await page.selectOption("#convert-to", "pandemonium5");
  const strict = document.convert("pandemonium5");
  if (strict.bytes) assert.deepEqual((await inspector.downloaded(convert)).bytes, strict.bytes);
  await page.selectOption("#convert-to", "godot3");
  await convert();
  const { count, losses } = document.convert("godot3");
  assert.ok(count > 0);
  await inspector.says("#convert-state", /cannot be the same/);
  assert.deepEqual(await page.$$eval("#losses .line", (lines) => lines.map(({ textContent }) => textContent)), losses.map(({ message }) => message));
  const { name, bytes } = await inspector.downloaded(() => page.click("#convert-anyway"));
  assert.equal(name, "plain.godot3.bin");
  assert.deepEqual(bytes, document.convert("godot3", { lossy: true }).bytes);
}));

test("text, JSON, plain bytes, other wrappings", withPage(async (inspector, page) => {
  const name = "godot4/containers/save20.gzip.gcpf", document = new Document(bytesOf(name));
  await inspector.open(corpus(name));
  await inspector.tab("export");
  const text = async (form) => {
    await page.selectOption("#text-form-of", form);
    return Buffer.from((await inspector.downloaded(() => page.click("#text-form [type=submit]"))).bytes).toString();
  };
  assert.equal(await text("text"), document.text());
  for (const form of ["plain", "native", "exact"]) assert.equal(await text(form), document.json(form));
  assert.deepEqual((await inspector.downloaded(() => page.click("#unwrap"))).bytes, document.unwrap());
  await page.selectOption("#compression", "zstd");
  await page.selectOption("#encryption", "cfb");
  await page.fill("#wrap-password", "hunter2");
  const wrapped = new Document((await inspector.downloaded(() => page.click("#wrap-form [type=submit]"))).bytes, { password: "hunter2" });
  assert.deepEqual(wrapped.unwrap(), document.unwrap());
  assert.ok(wrapped.info.layers.join().includes("zstd"));
}));

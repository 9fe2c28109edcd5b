// A second file: each pane shows only the second file. Changes of the first file are lost only after a question.

import assert from "node:assert/strict";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const FIRST = "godot4/saves/sample20.variant", SECOND = "godot3/saves/rpg_save.bin", PLAIN = "godot4/saves/plain.bin";
const LOCKED = "godot4/containers/pass_hunter2_3.gdec", DAMAGED = "damaged/bad_utf8.variant";

const documentOf = (name) => new Document(bytesOf(name));
const hexOf = (document, from) => Buffer.from(document.bytes(from, from + 16)).toString("hex");

async function openBoth(inspector, first = FIRST, second = SECOND) {
  await inspector.open(corpus(first));
  await inspector.openNext(corpus(second));
}

/** Opens a file and changes it. */
async function openChanged(inspector, name = PLAIN) {
  await inspector.open(corpus(name));
  await change(inspector);
}

async function change(inspector, literal = "5") {
  await inspector.change("version", literal);
}

const drop = (inspector) => inspector.page.evaluate(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([new Uint8Array(8)], "dropped.bin"));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
});

const FILES = [FIRST, SECOND, PLAIN, "godot3/saves/store_var_seq.bin", "pandemonium4/saves/nested_18k.variant", "godot4/containers/save20.gzip.gcpf"];

test("bytes: each file begins with its own, whatever the pane does meanwhile", withPage(async (inspector, page) => {
  let width = 1440;
  for (const name of [...FILES, ...FILES.toReversed()]) {
    await inspector.choose(corpus(name));
    // The window is resized during the opening, so that the page's resize observer runs at this time.
    width = width === 1440 ? 700 : 1440;
    await page.setViewportSize({ width, height: 860 });
    await inspector.isOf(name.split("/").at(-1));
    await inspector.shown();
    const expected = hexOf(documentOf(name), 0);
    await page.waitForFunction((expected) => {
      const text = document.querySelector("#hex .row .bytes")?.textContent ?? "";
      return text.length >= 16 && !text.includes("·") && expected.startsWith(text.slice(0, 16));
    }, expected);
  }
}));

test("bytes: an answer about the first file is not shown in the second", withPage(async (inspector, page) => {
  const bytes = [...bytesOf(PLAIN)], document = documentOf(PLAIN);
  await inspector.open(corpus(FIRST));
  // The key and the drop are in one call, so that the page requests bytes of the first file while it opens the second.
  await page.evaluate((bytes) => {
    document.querySelector("#hex").dispatchEvent(new KeyboardEvent("keydown", { key: "End", ctrlKey: true, bubbles: true }));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(bytes)], "second.bin"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    document.querySelector("#hex").dispatchEvent(new KeyboardEvent("keydown", { key: "Home", ctrlKey: true, bubbles: true }));
  }, bytes);
  await inspector.isOf("second.bin");
  await inspector.shown();
  await page.waitForFunction((expected) => document.querySelector("#hex .row .bytes")?.textContent === expected, hexOf(document, 0));
  await inspector.says("#field", new RegExp(`byte ${document.extent([0]).offset} is`));
}));

test("tree, path, reading and status: those of the second file, from its first value on", withPage(async (inspector) => {
  await openBoth(inspector);
  const document = documentOf(SECOND), nodes = document.children([]);
  const rows = (await inspector.rows()).filter(({ level }) => level === 1);
  for (const [number, { kind, text }] of rows.entries()) assert.deepEqual([kind, text], [nodes[number].kind, nodes[number].text]);
  assert.equal(await inspector.inspector.path(), nodes[0].path);
  assert.equal(await inspector.text("#reading"), `${document.info.dialect} · ${document.info.framing}`);
  assert.ok((await inspector.text("#status")).includes(document.info.size.toLocaleString("en")));
}));

test("reading: a dialog about the first file closes, and the next one is about the second", withPage(async (inspector, page) => {
  await inspector.open(corpus(FIRST));
  await page.click("#reading");
  await page.waitForSelector("#candidates label");
  await inspector.openNext(corpus(SECOND));
  assert.ok(!(await page.isVisible("#reading-dialog")));
  await page.click("#reading");
  await page.waitForSelector("#candidates label");
  const candidates = documentOf(SECOND).detect();
  assert.deepEqual(await page.$$eval("#candidates strong", (all) => all.map(({ textContent }) => textContent)), candidates.map(({ dialect, framing }) => `${dialect}, ${framing}`));
  assert.equal(await page.inputValue("#dialect"), documentOf(SECOND).info.dialect);
}));

test("notice: a file that may be read otherwise has it, and only that file", withPage(async (inspector, page) => {
  const word = Uint8Array.of(2, 0, 0, 0, 7, 0, 0, 0);
  const framed = { name: "framed.bin", buffer: Buffer.concat([Uint8Array.of(8, 0, 0, 0), word]) }, bare = { name: "bare.bin", buffer: Buffer.from(word) };
  await inspector.open(corpus(FIRST));
  assert.ok(!(await page.isVisible("#notice")));
  for (const [file, framing] of [[framed, "frames"], [bare, "bare"]]) {
    await inspector.openNext(file);
    assert.ok(await page.isVisible("#notice"));
    assert.match(await inspector.text("#notice"), /Several engines/);
    assert.ok((await inspector.details()).includes(framing));
  }
  await inspector.openNext(corpus(SECOND));
  assert.ok(!(await page.isVisible("#notice")));
}));

test("reading: a second file without lengths is read so again, as it was detected", withPage(async (inspector, page) => {
  const save = Buffer.from(bytesOf("godot4/saves/rpc.variant"));
  await inspector.open(corpus(FIRST));
  await inspector.openNext({ name: "sequence.bin", buffer: Buffer.concat([save, save, save]) });
  assert.match(await inspector.details(), /sequence/);
  await page.click("#reading");
  await page.waitForSelector("#candidates label");
  assert.equal(await page.inputValue("#framing"), "sequence");
  await page.click("#read");
  await page.waitForSelector("#reading-dialog", { state: "hidden" });
  await inspector.shown();
  assert.match(await inspector.details(), /sequence/);
  assert.equal((await inspector.rows()).filter(({ level }) => level === 1).length, 3);
}));

test("editor: what was typed for the first file is not applied to the second", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await page.click("#edit");
  await page.fill("#editor textarea", "5");
  await inspector.openNext(corpus(FIRST));
  assert.ok(!(await page.isVisible("#editor")));
  await page.evaluate(() => document.querySelector("#editor").requestSubmit());
  await inspector.says("#changes-state", /Nothing is changed/);
}));

test("search: hits of the first file are gone", withPage(async (inspector, page) => {
  await inspector.open(corpus(FIRST));
  await inspector.submit("#find", "tag");
  await page.waitForSelector("#find-next:not([disabled])");
  await inspector.openNext(corpus(SECOND));
  assert.ok(await page.isDisabled("#find-next"));
  assert.equal(await inspector.text("#find-state"), "");
}));

test("changes: those of the first file are gone, after a question", withPage(async (inspector, page) => {
  await openChanged(inspector);
  assert.match(await inspector.asked(true, () => inspector.openNext(corpus(SECOND))), /plain\.bin has changes that were not downloaded/);
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.equal(await page.locator("#changes-list li").count(), 0);
  assert.ok(await page.isDisabled("#undo"));
}));

test("problems: those of the first file are gone, and what was salvaged of it", withPage(async (inspector, page) => {
  await inspector.open(corpus(DAMAGED));
  await inspector.tab("problems");
  await inspector.says("#problems-state", /1 problem/);
  await page.click("#salvage");
  await page.waitForSelector("#salvaged .list");
  await inspector.openNext(corpus(PLAIN));
  await inspector.says("#problems-state", /No problems/);
  assert.equal(await page.locator("#problems-list li").count(), 0);
  assert.equal(await inspector.text("#salvaged"), "");
}));

test("comparison and export: nothing is said of the first file, and its password is gone", withPage(async (inspector, page) => {
  await inspector.open(corpus("godot4/saves/sample3.variant"));
  await inspector.compareWith("another");
  await page.setInputFiles("#other", corpus("godot4/saves/sample7.variant"));
  await page.click("#compare-form [type=submit]");
  await page.waitForSelector("#differences li");
  await inspector.tab("export");
  await page.selectOption("#convert-to", "godot3");
  await page.click("#convert-form [type=submit]");
  await inspector.says("#convert-state", /./);
  await page.selectOption("#encryption", "cfb");
  await page.fill("#wrap-password", "hunter2");
  await inspector.openNext(corpus(SECOND));
  for (const id of ["#compare-state", "#differences", "#convert-state", "#losses", "#export-state"]) assert.equal(await inspector.text(id), "", id);
  for (const id of ["#encryption", "#wrap-password"]) assert.equal(await page.inputValue(id), "", id);
}));

test("a file with changes stays where the question is answered with no, by every way to open another", withPage(async (inspector, page) => {
  await openChanged(inspector);
  const sample = () => page.evaluate(() => document.querySelector("#sample").click());
  for (const action of [() => inspector.choose(corpus(SECOND)), () => drop(inspector), sample]) {
    await inspector.asked(false, action);
    assert.equal(await inspector.name(), "plain.bin");
    assert.ok(await page.isVisible("#work"));
    assert.equal((await inspector.selected()).text, "5");
  }
}));

test("what was salvaged replaces a changed file after a question only", withPage(async (inspector, page) => {
  await openChanged(inspector);
  await inspector.tab("problems");
  await page.click("#salvage");
  await page.waitForSelector("#salvaged .actions");
  const open = () => page.click("text=Open it");
  assert.match(await inspector.asked(false, open), /plain\.bin has changes/);
  assert.equal(await inspector.name(), "plain.bin");
  await inspector.asked(true, open);
  await inspector.isOf("plain.salvaged.bin");
}));

test("a change that is on its way is asked about", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await inspector.asked(false, () => page.evaluate(() => {
    document.querySelector("#delete").click();
    document.querySelector("#sample").click();
  }));
  await inspector.says("#changes-state", /1 change/);
  assert.equal(await inspector.name(), "plain.bin");
}));

test("keys mean the open file, and nothing while another one is opened", withPage(async (inspector, page) => {
  await openChanged(inspector);
  await inspector.asked(true, () => page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(8)], "dropped.bin"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    for (const key of ["z", "s"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true }));
    document.querySelector("#back").click();
  }));
  await inspector.isOf("dropped.bin");
  await inspector.shown();
  assert.ok(!(await page.isVisible("#toast")));
  await inspector.says("#changes-state", /Nothing is changed/);
}));

test("what is downloaded is changed no more, until the next change", withPage(async (inspector, page) => {
  const leave = () => page.evaluate(() => { setTimeout(() => location.reload()); });
  const download = () => inspector.downloaded(() => page.click("#save"));
  await openChanged(inspector);
  await inspector.says("#status", /changed/);
  await inspector.asked(false, leave);
  const { bytes } = await download();
  assert.equal(new Document(bytes).at({ frame: 1, path: "version" }), 5);
  await page.waitForFunction(() => !document.querySelector("#status").textContent.includes("changed"));
  // No question is expected now. An unanswered question fails the test.
  await inspector.openNext(corpus(FIRST));
  await inspector.openNext(corpus(PLAIN));
  await change(inspector);
  await download();
  // Reading the same bytes with other options changes nothing.
  await page.click("#reading");
  await page.click("#read");
  await page.waitForSelector("#reading-dialog", { state: "hidden" });
  await inspector.shown();
  assert.ok(!(await inspector.text("#status")).includes("changed"));
  await inspector.go("version", 1);
  await inspector.edit("6");
  await inspector.says("#status", /changed/);
  await download();
  await page.waitForFunction(() => !document.querySelector("#status").textContent.includes("changed"));
  await page.reload();
  await page.waitForSelector("#start:not([hidden])");
}));

test("an encrypted second file leaves the first one as it was, with its changes", withPage(async (inspector, page) => {
  await openChanged(inspector);
  const choose = async () => {
    await inspector.choose(corpus(LOCKED));
    await page.waitForSelector("#lock:not([hidden])");
  };
  await inspector.asked(true, choose);
  await inspector.submit("#password", "hunter3");
  await inspector.says("#lock-error", /./);
  await page.click("#back");
  await inspector.go("version", 1);
  assert.equal((await inspector.selected()).text, "5");
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing is changed/);
  await choose();
  await inspector.submit("#password", "hunter2");
  await inspector.isOf(LOCKED.split("/").at(-1));
  await inspector.shown();
  const document = new Document(bytesOf(LOCKED), { password: "hunter2" });
  await page.waitForFunction((expected) => document.querySelector("#hex .row .bytes")?.textContent === expected, hexOf(document, 0));
}));

test("an open editor does not write to what a change has moved", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.remove("entities[0]");
  await inspector.go("entities[2].id", 1);
  await page.click("#edit");
  await page.waitForSelector("#editor:not([hidden])");
  await page.click("#undo");
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.ok(!(await page.isVisible("#editor")));
}));

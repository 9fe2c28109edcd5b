// A second file: each pane shows it and nothing of the first, and changes of the first are not lost without a question.

import assert from "node:assert/strict";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const FIRST = "godot4/saves/sample20.variant", SECOND = "godot3/saves/rpg_save.bin", PLAIN = "godot4/saves/plain.bin";
const LOCKED = "godot4/containers/pass_hunter2_3.gdec";

const documentOf = (name) => new Document(bytesOf(name));
const hexOf = (document, from) => Buffer.from(document.bytes(from, from + 16)).toString("hex");

/** Opens two files, one after the other. */
async function openBoth(inspector, first = FIRST, second = SECOND) {
  await inspector.open(corpus(first));
  await openNext(inspector, second);
}

async function openNext(inspector, name) {
  await inspector.choose(corpus(name));
  await inspector.page.waitForFunction((name) => document.querySelector("#file").textContent === name, name.split("/").at(-1));
  await inspector.shown();
}

/** Answers the question that an action leads to. Returns it. */
async function asked(inspector, isAccepted, action) {
  const question = inspector.page.waitForEvent("dialog");
  const done = action();
  const dialog = await question, message = dialog.message();
  await (isAccepted ? dialog.accept() : dialog.dismiss());
  await done;
  return message;
}

const FILES = [FIRST, SECOND, PLAIN, "godot3/saves/store_var_seq.bin", "pandemonium4/saves/nested_18k.variant", "godot4/containers/save20.gzip.gcpf"];

test("bytes: each file begins with its own, whatever the pane does meanwhile", withPage(async (inspector) => {
  const { page } = inspector;
  let width = 1440;
  for (const round of [0, 1]) {
    for (const name of round === 0 ? FILES : FILES.toReversed()) {
      await inspector.choose(corpus(name));
      // The observer of its size runs amid the opening.
      width = width === 1440 ? 700 : 1440;
      await page.setViewportSize({ width, height: 860 });
      await page.waitForFunction((name) => document.querySelector("#file").textContent === name, name.split("/").at(-1));
      await inspector.shown();
      const expected = hexOf(documentOf(name), 0);
      await page.waitForFunction((expected) => {
        const text = document.querySelector("#hex .row .bytes")?.textContent ?? "";
        return text.length >= 16 && !text.includes("·") && expected.startsWith(text.slice(0, 16));
      }, expected);
    }
  }
}));

test("tree and path: values of the second file, from its first one on", withPage(async (inspector) => {
  await openBoth(inspector);
  const document = documentOf(SECOND), nodes = document.children([]);
  const rows = (await inspector.rows()).filter(({ level }) => level === 1);
  for (const [number, { kind, text }] of rows.entries()) assert.deepEqual([kind, text], [nodes[number].kind, nodes[number].text]);
  assert.equal(await inspector.page.inputValue("#path"), nodes[0].path);
  assert.equal(await inspector.text("#reading"), `${document.info.dialect} · ${document.info.framing}`);
  assert.ok((await inspector.text("#status")).includes(document.info.size.toLocaleString("en")));
}));

test("search: hits of the first file are gone", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(FIRST));
  await page.fill("#search-text", "tag");
  await page.press("#search-text", "Enter");
  await page.waitForSelector("#hits li");
  await openNext(inspector, SECOND);
  assert.equal(await page.locator("#hits li").count(), 0);
  await page.press("#search-text", "Enter");
  await inspector.says("#search-state", documentOf(SECOND).search("tag").found.length > 0 ? /hit/ : /Nothing/);
}));

test("changes: those of the first file are gone, after a question", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await inspector.edit("5");
  await inspector.says("#changes-state", /1 change/);
  assert.match(await asked(inspector, true, () => inspector.choose(corpus(SECOND))), /plain\.bin has changes that were not downloaded/);
  await page.waitForFunction(() => document.querySelector("#file").textContent === "rpg_save.bin");
  await inspector.shown();
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.equal(await page.locator("#changes-list li").count(), 0);
  assert.ok(await page.isDisabled("#undo"));
}));

test("problems: those of the first file are gone, and what was salvaged of it", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus("damaged/bad_utf8.variant"));
  await inspector.tab("problems");
  await inspector.says("#problems-state", /1 problem/);
  await page.click("#salvage");
  await page.waitForSelector("#salvaged .list");
  await openNext(inspector, PLAIN);
  await inspector.says("#problems-state", /No problems/);
  assert.equal(await page.locator("#problems-list li").count(), 0);
  assert.equal(await inspector.text("#salvaged"), "");
}));

test("comparison and export: nothing is said of the first file", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus("godot4/saves/sample3.variant"));
  await inspector.tab("compare");
  await page.setInputFiles("#other", corpus("godot4/saves/sample7.variant"));
  await page.click("#compare-form [type=submit]");
  await page.waitForSelector("#differences li");
  await inspector.tab("export");
  await page.selectOption("#convert-to", "godot3");
  await page.click("#convert-form [type=submit]");
  await inspector.says("#convert-state", /./);
  await openNext(inspector, SECOND);
  for (const id of ["#compare-state", "#differences", "#convert-state", "#losses", "#export-state"]) assert.equal(await inspector.text(id), "", id);
}));

test("a file with changes stays where the question is answered with no, by every way to open another", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await inspector.edit("5");
  await inspector.says("#changes-state", /1 change/);
  const drop = () => page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(8)], "dropped.bin"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  const sample = () => page.evaluate(() => document.querySelector("#sample").click());
  for (const action of [() => inspector.choose(corpus(SECOND)), drop, sample]) {
    await asked(inspector, false, action);
    assert.equal(await inspector.text("#file"), "plain.bin");
    assert.ok(await page.isVisible("#work"));
    assert.equal((await inspector.selected()).text, "5");
  }
}));

test("what is downloaded is changed no more, until the next change", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await inspector.edit("5");
  await inspector.says("#status", /changed/);
  const { bytes } = await inspector.downloaded(() => page.click("#download"));
  assert.equal(new Document(bytes).at({ frame: 1, path: "version" }), 5);
  await page.waitForFunction(() => !document.querySelector("#status").textContent.includes("changed"));
  // Nothing is asked: a dialog would be left open, and the file would not come.
  await openNext(inspector, FIRST);
  await openNext(inspector, PLAIN);
  await inspector.go("version", 1);
  await inspector.edit("5");
  await inspector.downloaded(() => page.click("#download"));
  await inspector.edit("6");
  await inspector.says("#status", /changed/);
}));

test("an encrypted second file leaves the first one as it was, with its changes", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await inspector.edit("5");
  await inspector.says("#changes-state", /1 change/);
  await asked(inspector, true, () => inspector.choose(corpus(LOCKED)));
  await page.waitForSelector("#lock:not([hidden])");
  await page.click("#back");
  await inspector.go("version", 1);
  assert.equal((await inspector.selected()).text, "5");
  await page.focus("#tree");
  await page.keyboard.press("Control+z");
  await inspector.says("#changes-state", /Nothing is changed/);
  await inspector.choose(corpus(LOCKED));
  await page.fill("#password", "hunter2");
  await page.press("#password", "Enter");
  await page.waitForFunction((name) => document.querySelector("#file").textContent === name, LOCKED.split("/").at(-1));
  await inspector.shown();
  assert.equal(await page.inputValue("#path"), "");
}));

test("a hit leads to the value that was found, after a change in front of it, too", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(PLAIN));
  const document = documentOf(PLAIN), word = document.at({ frame: 1, path: "entities[3].tag" }), text = String(word.name ?? word.value ?? word);
  await page.fill("#search-text", text);
  await page.press("#search-text", "Enter");
  await page.waitForSelector("#hits li");
  await inspector.go("entities[0]", 1);
  await page.focus("#tree");
  await page.keyboard.press("Delete");
  await inspector.says("#changes-state", /1 change/);
  document.delete({ frame: 1, path: "entities[0]" });
  const { found } = document.search(text);
  await page.waitForFunction((paths) => JSON.stringify([...document.querySelectorAll("#hits .title")].map(({ textContent }) => textContent)) === paths,
    JSON.stringify(found.map(({ frame, path, label }) => `frame ${frame}: ${path || label}`)));
  await page.click("#hits li:last-child button");
  await page.waitForFunction((path) => document.querySelector("#path").value === path, found.at(-1).path);
  assert.ok((await inspector.selected()).text.includes(text));
}));

test("an open editor does not write to what a change has moved", withPage(async (inspector) => {
  const { page } = inspector;
  await inspector.open(corpus(PLAIN));
  await inspector.go("entities[0]", 1);
  await page.focus("#tree");
  await page.keyboard.press("Delete");
  await inspector.says("#changes-state", /1 change/);
  await inspector.go("entities[2].id", 1);
  await page.click("#edit");
  await page.waitForSelector("#editor:not([hidden])");
  await page.click("#undo");
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.ok(!(await page.isVisible("#editor")));
}));

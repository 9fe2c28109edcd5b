// A second file: each pane shows only the current file, and each file has its own state again when it becomes the current one.

import assert from "node:assert/strict";
import test from "node:test";

import { Document, Literal } from "../../js/document-node.js";
import { encode } from "../../js/node.js";
import { engineOf } from "../../page/engines.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const FIRST = "godot4/saves/sample20.variant", SECOND = "godot3/saves/rpg_save.bin", PLAIN = "godot4/saves/plain.bin";
const LOCKED = "godot4/containers/pass_hunter2_3.gdec", DAMAGED = "damaged/bad_utf8.variant";

const documentOf = (name) => new Document(bytesOf(name));
const hexOf = (document, from) => Buffer.from(document.bytes(from, from + 16)).toString("hex");
const nameOf = (name) => name.split("/").at(-1);

/** Makes the open file of this name the current one. */
async function switchTo(inspector, name) {
  await inspector.page.click(`#files [role=tab]:has-text("${nameOf(name)}")`);
  await inspector.isOf(nameOf(name));
}

/** Opens a file and changes it. */
async function openChanged(inspector, name = PLAIN) {
  await inspector.open(corpus(name));
  await inspector.change("version", "5");
}

/** Drops a file on the page. */
const drop = (inspector, name, bytes) => inspector.page.evaluate(([name, bytes]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}, [name, [...bytes]]);

const FILES = [FIRST, SECOND, PLAIN, "godot3/saves/store_var_seq.bin", "pandemonium4/saves/nested_18k.variant", "godot4/containers/save20.gzip.gcpf"];

test("bytes: each file begins with its own, whatever the pane does meanwhile", withPage(async (inspector, page) => {
  let width = 1440;
  for (const name of [...FILES, ...FILES.toReversed()]) {
    await inspector.choose(corpus(name));
    // The window is resized during the opening, so that the page's resize observer runs at this time.
    width = width === 1440 ? 800 : 1440;
    await page.setViewportSize({ width, height: 860 });
    await inspector.isOf(nameOf(name));
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
  await openChanged(inspector);
  await inspector.says("#status", /changed/);
  await inspector.openNext(corpus(SECOND));
  const document = documentOf(SECOND), [first] = document.children([]), keys = document.children([0]);
  const [whole, ...rows] = await inspector.rows();
  assert.deepEqual([whole.kind, whole.count, whole.text, whole.isSelected], [first.kind, `${first.rows} keys`, first.text, true]);
  assert.deepEqual(rows.map(({ label }) => label), keys.map(({ label }) => label.replaceAll('"', "")));
  assert.equal(await inspector.path(), "");
  assert.match(await inspector.text("#reading"), /Godot 3/);
  assert.doesNotMatch(await inspector.text("#status"), /changed/);
}));

test("a file that becomes the current one again has its selection, open rows, changes and bytes", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("entities[2].tag", "renamed");
  const rows = await inspector.rows(), field = await inspector.text("#field");
  await inspector.openNext(corpus(SECOND));
  await inspector.at("");
  await inspector.press("ArrowDown");
  await page.waitForFunction(() => location.hash.length > 1);
  await inspector.settled();
  const [path, others] = [await inspector.path(), await inspector.rows()];
  await switchTo(inspector, PLAIN);
  await inspector.at("entities[2].tag");
  await inspector.settled();
  assert.deepEqual(await inspector.rows(), rows);
  await page.waitForFunction((field) => document.querySelector("#field").textContent === field, field);
  await inspector.says("#changes-list", /entities\[2\]\.tag/);
  await inspector.says("#crumbs [aria-current]", /^tag$/);
  await switchTo(inspector, SECOND);
  await inspector.at(path);
  assert.deepEqual(await inspector.rows(), others);
  await inspector.says("#changes-state", /Nothing is changed/);
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
  assert.deepEqual(await page.$$eval("#candidates strong", (all) => all.map(({ textContent }) => textContent)), candidates.map(({ dialect, framing }) => `${engineOf(dialect)}, ${framing}`));
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
  await switchTo(inspector, FIRST);
  assert.ok(!(await page.isVisible("#notice")));
  await switchTo(inspector, framed.name);
  assert.ok(await page.isVisible("#notice"));
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

test("reading: the number of bytes to skip is read", withPage(async (inspector, page) => {
  const save = Buffer.from(bytesOf("godot4/saves/rpc.variant"));
  await inspector.open({ name: "head.bin", buffer: Buffer.concat([save, save]) });
  await page.click("#reading");
  await page.click("#reading-details summary");
  await page.fill("#reading-skip", String(save.length));
  await page.selectOption("#framing", "bare");
  await page.click("#read");
  await page.waitForSelector("#reading-dialog", { state: "hidden" });
  await inspector.shown();
  assert.ok((await inspector.details()).includes(`Skipped bytes${save.length} bytes`));
}));

test("what was typed for the first file is applied to the first file alone", withPage(async (inspector, page) => {
  await inspector.open(corpus(SECOND));
  await inspector.openNext(corpus(PLAIN));
  const leave = { tab: () => switchTo(inspector, SECOND), drop: () => drop(inspector, "third.bin", bytesOf(FIRST)) };
  for (const [number, [way, act]] of Object.entries(leave).entries()) {
    await inspector.go("version", 1);
    await inspector.press("Enter");
    await page.fill("#row-field:not([hidden]) input", String(50 + number));
    await act();
    if (way === "drop") await inspector.isOf("third.bin");
    await page.waitForSelector("#row-field", { state: "hidden" });
    await inspector.says("#changes-state", /Nothing is changed/);
    await switchTo(inspector, PLAIN);
    await inspector.says("#tree .selected .text", new RegExp(`^${50 + number}$`));
    await inspector.says("#changes-state", new RegExp(`^${number + 1} change`));
  }
  assert.equal(await page.locator("#files .mark").count(), 1);
}));

test("what cannot be applied when another file becomes the current one is said", withPage(async (inspector, page) => {
  await inspector.open(corpus(SECOND));
  const document = new Document(encode({ all: null }, "godot4"), { dialect: "godot4", framing: "bare" });
  document.set("", new Literal('{"v": Vector2(1, 2), "r": RID(1), "b": 1}'));
  await inspector.openNext({ name: "typed.bin", buffer: Buffer.from(document.save()) });
  // The page refuses the first text, the module the second, and the third is the answer to a question.
  for (const [path, text, reason] of [["v", "one", /x is not a number/], ["r", "RID(1,", /./], ["b", "text", /./]]) {
    await inspector.go(path);
    await inspector.press("Enter");
    await page.fill("#row-field:not([hidden]) :is(input, textarea)", text);
    if (path === "b") {
      await page.press("#row-field input", "Enter");
      await page.waitForSelector("#row-field .question:not([hidden])");
    }
    await switchTo(inspector, SECOND);
    await page.waitForSelector("#row-field", { state: "hidden" });
    await inspector.says("#alarm", new RegExp(`“Value of ${path}”: ${text.replace(/[()]/g, "\\$&")}`));
    await inspector.says("#alarm", reason);
    await switchTo(inspector, "typed.bin");
    await inspector.says("#changes-state", /Nothing is changed/);
  }
}));

test("search: each file has its own", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await page.fill("#find", "enemy_7");
  await inspector.says("#find-state", /^1 hit$/);
  await inspector.openNext(corpus(SECOND));
  assert.equal(await page.inputValue("#find"), "");
  assert.ok(await page.isDisabled("#find-next"));
  assert.equal(await inspector.text("#find-state"), "");
  assert.equal((await inspector.rows()).length, 1 + documentOf(SECOND).node([0]).rows);
  await switchTo(inspector, PLAIN);
  assert.equal(await page.inputValue("#find"), "enemy_7");
  await inspector.says("#find-state", /^1 hit$/);
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 4);
  await page.press("#find", "Escape");
  await switchTo(inspector, SECOND);
  await switchTo(inspector, PLAIN);
  assert.equal(await page.inputValue("#find"), "");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length > 6);
}));

test("changes and their keys are those of the current file", withPage(async (inspector, page) => {
  await openChanged(inspector);
  await inspector.openNext(corpus(FIRST));
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.equal(await page.locator("#changes-list li").count(), 0);
  assert.ok(await page.isDisabled("#undo"));
  await inspector.press("Control+z");
  await inspector.press("ArrowDown");
  await inspector.press("Delete");
  await inspector.says("#changes-state", /1 change/);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.ok(!(await page.isDisabled("#redo")));
  await switchTo(inspector, PLAIN);
  await inspector.says("#changes-state", /1 change/);
  assert.ok(await page.isDisabled("#redo"));
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing is changed/);
  await inspector.says("#tree .selected .text", /^4$/);
}));

test("a change that ends while another file is current is shown when its file is the current one again", withPage(async (inspector, page) => {
  await inspector.open(corpus(SECOND));
  await inspector.openNext(corpus(PLAIN));
  await inspector.go("version", 1);
  await page.evaluate(() => {
    document.querySelector("#delete").click();
    document.querySelector("#files [role=tab]").click();
  });
  await inspector.isOf(nameOf(SECOND));
  await page.waitForSelector("#files .mark");
  await inspector.says("#changes-state", /Nothing is changed/);
  assert.equal(await page.locator("#files [role=tab]", { has: page.locator(".mark") }).locator(".name").textContent(), nameOf(PLAIN));
  await switchTo(inspector, PLAIN);
  await inspector.says("#changes-state", /1 change/);
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll("#tree .row:not([hidden])")], selected = rows.filter((row) => row.getAttribute("aria-selected") === "true");
    return selected.length === 1 && !rows.some((row) => row.querySelector(".label").textContent === "version");
  });
}));

test("the last value is deleted while another file is current: the value before it is selected", withPage(async (inspector, page) => {
  const list = (name) => {
    const document = new Document(encode({ all: [1, 2, 3] }, "godot4"), { dialect: "godot4", framing: "bare" });
    return { name, buffer: Buffer.from(document.save()) };
  };
  await inspector.open(list("one.bin"));
  await inspector.openNext(list("two.bin"));
  await inspector.go("all[2]");
  await page.evaluate(() => {
    document.querySelector("#delete").click();
    document.querySelector("#files [role=tab]").click();
  });
  await inspector.isOf("one.bin");
  await page.waitForFunction(() => document.querySelector("#files .mark"));
  await switchTo(inspector, "two.bin");
  await inspector.at("all[1]");
  await inspector.says("#tree .selected .label", /^\[1\]$/);
  assert.equal(await page.isVisible("#alarm"), false);
}));

test("a file whose change is on its way is closed after a question only", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  assert.match(await inspector.asked(false, () => page.evaluate(() => {
    document.querySelector("#delete").click();
    document.querySelector("#files .close").click();
  })), /plain\.bin has changes/);
  await inspector.says("#changes-state", /1 change/);
  assert.equal(await inspector.name(), "plain.bin");
}));

test("problems: each file has its own, and what was salvaged of it is not shown in another", withPage(async (inspector, page) => {
  await inspector.open(corpus(DAMAGED));
  await inspector.tab("problems");
  await inspector.says("#problems-state", /1 problem/);
  await page.click("#salvage");
  await page.waitForSelector("#salvaged .list");
  await inspector.openNext(corpus(PLAIN));
  await inspector.says("#problems-state", /No problems/);
  assert.equal(await page.locator("#problems-list li").count(), 0);
  assert.equal(await inspector.text("#salvaged"), "");
  await switchTo(inspector, DAMAGED);
  await inspector.says("#problems-state", /1 problem/);
  assert.ok(await page.locator("#problems-list button").count() > 0);
  assert.equal(await page.getAttribute("#tab-problems", "data-count"), "1");
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

test("a changed file stays beside the next one without a question, by every way to open it", withPage(async (inspector, page) => {
  await openChanged(inspector);
  const ways = { "sample.bin": () => page.evaluate(() => document.querySelector("#sample").click()), "dropped.bin": () => drop(inspector, "dropped.bin", bytesOf(FIRST)) };
  for (const [name, open] of Object.entries(ways)) {
    await open();
    await inspector.isOf(name);
    await inspector.shown();
    await inspector.says("#changes-state", /Nothing is changed/);
    await switchTo(inspector, PLAIN);
    await inspector.says("#tree .selected .text", /^5$/);
  }
  await inspector.tab("problems");
  await page.click("#salvage");
  await page.click("#salvaged .actions button:not(.primary)");
  await inspector.isOf("plain.salvaged.bin");
  await switchTo(inspector, PLAIN);
  await inspector.says("#tree .selected .text", /^5$/);
  assert.equal(await page.locator("#files [role=tab]").count(), 4);
}));

test("a locked file leaves the first one as it was, and keys mean neither until it is unlocked", withPage(async (inspector, page) => {
  await openChanged(inspector);
  await inspector.choose(corpus(LOCKED));
  await page.waitForSelector("#lock:not([hidden])");
  await inspector.submit("#password", "hunter3");
  await inspector.says("#lock-error", /./);
  const downloads = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  await page.focus("#open");
  for (const key of ["Control+z", "Control+s"]) await page.keyboard.press(key);
  await switchTo(inspector, PLAIN);
  await inspector.says("#tree .selected .text", /^5$/);
  await inspector.says("#changes-state", /1 change/);
  await page.click(`#files [role=tab]:has-text("${nameOf(LOCKED)}")`);
  assert.equal(await page.inputValue("#password"), "");
  await inspector.submit("#password", "hunter2");
  await inspector.isOf(nameOf(LOCKED));
  await inspector.shown();
  const document = new Document(bytesOf(LOCKED), { password: "hunter2" });
  await page.waitForFunction((expected) => document.querySelector("#hex .row .bytes")?.textContent === expected, hexOf(document, 0));
  assert.deepEqual(downloads, []);
}));

test("an open field does not write to what a change has moved", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.remove("entities[0]");
  await inspector.go("entities[2].id", 1);
  await inspector.press("Enter");
  await page.waitForSelector("#row-field:not([hidden])");
  await page.click("#undo");
  await inspector.says("#changes-state", /Nothing is changed/);
  await page.waitForSelector("#row-field", { state: "hidden" });
}));

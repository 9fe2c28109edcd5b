// Nothing is lost: unsaved work comes back, what is saved counts as saved, and the old file can be had again.

import assert from "node:assert/strict";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin", LOCKED = "godot4/containers/pass_hunter2_3.gdec";
const versionOf = (bytes, options) => new Document(bytes, options).at({ frame: 1, path: "version" });
const save = (inspector) => inspector.downloaded(() => inspector.page.click("#save"));
/** Waits until this number of files are marked as changed. */
const marks = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#files .mark").length === count, count);

/** Ends the page without a question, as a crash does, and opens it again in the same browser. */
async function crash(inspector) {
  const { page } = inspector, context = page.context(), address = page.url().replace(/#.*/, "");
  await page.evaluate(() => new Promise((resolve) => { indexedDB.open("variant-view").onsuccess = resolve; }));
  await page.close({ runBeforeUnload: false });
  inspector.page = await context.newPage();
  await inspector.page.goto(address);
  await inspector.page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
  return inspector.page;
}

/** All that the browser has kept, as text. */
const kept = (page) => page.evaluate(async () => {
  const resultOf = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
  const base = await resultOf(indexedDB.open("variant-view"));
  const all = await Promise.all([...base.objectStoreNames].map((name) => resultOf(base.transaction(name).objectStore(name).getAll())));
  base.close();
  return JSON.stringify([all, { ...localStorage }, { ...sessionStorage }]);
});

test("changes come back after a crash, and each can be undone", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await inspector.change("name", "Renamed", /2 changes/);
  await inspector.keeps(2);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /1 change/);
  await inspector.keeps(1);
  const page = await crash(inspector);
  await inspector.says("#drafts-list", /plain\.bin: 1 change/);
  await page.click("#drafts-list .primary");
  await inspector.shown();
  await inspector.says("#changes-state", /1 change/);
  await marks(page, 1);
  assert.equal(versionOf((await save(inspector)).bytes), 77);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing/);
  assert.deepEqual((await save(inspector)).bytes, bytesOf(PLAIN));
}));

test("what was saved does not come back, and what was changed after it does", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await save(inspector);
  await inspector.keeps(1, true);
  let page = await crash(inspector);
  await inspector.says("#drafts-list", /plain\.bin as you downloaded it/);
  assert.equal(await page.locator("#drafts-list .primary").count(), 0);
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "5");
  await save(inspector);
  await inspector.change("version", "6", /2 changes/);
  await inspector.keeps(2);
  page = await crash(inspector);
  await page.click("#drafts-list .primary");
  await inspector.shown();
  assert.equal(versionOf((await save(inspector)).bytes), 6);
}));

test("a draft of which a step cannot be made again is kept whole, and the file is shown with the steps before", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await inspector.keeps(1);
  // A step that another version of the page may have made.
  await inspector.page.evaluate(async () => {
    const resultOf = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
    const base = await resultOf(indexedDB.open("variant-view")), store = () => base.transaction("steps", "readwrite").objectStore("steps"), [first] = await resultOf(store().getAll());
    await resultOf(store().put({ draft: first.draft, number: 2, edits: [{ set: { frame: 1, path: "nothing.here" }, to: "1" }] }));
    base.close();
  });
  await inspector.keeps(2);
  let page = await crash(inspector);
  await inspector.says("#drafts-list", /plain\.bin: 2 changes/);
  await page.click("#drafts-list .primary");
  await inspector.shown();
  await inspector.says("#alarm", /nothing/);
  await inspector.says("#changes-state", /1 change/);
  await inspector.keeps(1);
  page = await crash(inspector);
  assert.deepEqual((await page.$$eval("#drafts-list li > span:first-child", (all) => all.map(({ textContent }) => textContent.replace(/,.*/, "")))).sort(), ["plain.bin: 1 change", "plain.bin: 2 changes"]);
}));

test("a draft is discarded after a question", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await inspector.keeps(1);
  const page = await crash(inspector);
  page.on("dialog", (dialog) => dialog.accept());
  await page.click("#drafts-list button:not(.primary)");
  await page.waitForSelector("#drafts", { state: "hidden" });
  assert.ok(!(await kept(page)).includes("plain.bin\",\"blob"));
}));

test("the draft of an encrypted save needs the password, and the browser keeps no password", withPage(async (inspector) => {
  await inspector.choose({ name: "locked.sav", buffer: Buffer.from(bytesOf(LOCKED)) });
  await inspector.submit("#password", "hunter2");
  await inspector.shown();
  await inspector.change("version", "77");
  await inspector.keeps(1);
  assert.ok(!(await kept(inspector.page)).includes("hunter2"));
  const page = await crash(inspector);
  page.on("dialog", (dialog) => dialog.dismiss());
  await page.click("#drafts-list .primary");
  await page.waitForSelector("#lock:not([hidden])");
  // The changes wait for the password, so the tab is not closed without a question.
  await page.click("#files .close");
  assert.equal(await page.locator("#files [role=tab]").count(), 1);
  await inspector.submit("#password", "hunter2");
  await inspector.shown();
  await inspector.says("#changes-state", /1 change/);
  assert.equal(versionOf((await save(inspector)).bytes, { password: "hunter2" }), 77);
}));

test("a file is changed exactly if its bytes differ from the saved ones", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await marks(page, 0);
  await inspector.change("version", "77");
  await marks(page, 1);
  await save(inspector);
  await marks(page, 0);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing/);
  await marks(page, 1);
  await inspector.press("Control+y");
  await inspector.says("#changes-state", /1 change/);
  await marks(page, 0);
  // No question is expected now. An unanswered question fails the test.
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
}));

test("a page with unsaved changes asks before it is left, and a tab before it is closed", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await inspector.asked(false, () => page.evaluate(() => { setTimeout(() => location.reload()); }));
  await inspector.asked(false, () => page.click("#files .close"));
  assert.equal(await page.locator("#files [role=tab]").count(), 1);
  await inspector.asked(true, () => page.click("#files .close"));
  await page.waitForSelector("#start:not([hidden])");
}));

/** Lets the page choose a file that it can save in place. */
async function withHandle(page, name, bytes) {
  await page.evaluate(async ([name, bytes]) => {
    const folder = await navigator.storage.getDirectory(), handle = await folder.getFileHandle(name, { create: true });
    globalThis.write = async (content) => {
      const writable = await handle.createWritable();
      await writable.write(content);
      await writable.close();
    };
    globalThis.modified = async () => (await handle.getFile()).lastModified;
    globalThis.read = async () => [...new Uint8Array(await (await handle.getFile()).arrayBuffer())];
    await globalThis.write(Uint8Array.from(bytes));
    globalThis.showOpenFilePicker = async () => [handle];
  }, [name, [...bytes]]);
}

test("a file is saved in place, and its earlier version is kept", withPage(async (inspector, page) => {
  const original = bytesOf(PLAIN), now = async () => Uint8Array.from(await page.evaluate(() => globalThis.read()));
  await withHandle(page, "plain.sav", original);
  await page.click("#open");
  await inspector.shown();
  assert.equal(await inspector.text("#save"), "Save");
  await inspector.change("version", "77");
  assert.deepEqual(await now(), original);
  await page.click("#save");
  await inspector.says("#toast", /is saved/);
  assert.equal(versionOf(await now()), 77);
  await marks(page, 0);
  // The file was saved by this page, so the second time it is not asked whether another program changed it.
  await inspector.change("version", "78", /2 changes/);
  await page.click("#save");
  await page.waitForFunction(() => !document.querySelector("#files .mark"));
  assert.equal(versionOf(await now()), 78);
  const { bytes } = await inspector.downloaded(async () => {
    await page.click("[popovertarget=save-menu]");
    await page.click("#save-original");
  });
  assert.deepEqual(bytes, original);
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
  await inspector.says("#drafts-list", /plain\.sav as it was/);
  assert.equal(await page.locator("#drafts-list li").count(), 2);
  const oldest = await inspector.downloaded(() => page.click("#drafts-list li >> nth=1 >> button >> nth=0"));
  assert.deepEqual(oldest.bytes, original);
}));

/** Makes the browser refuse to keep versions of files. */
const refuseVersions = (page) => page.evaluate(() => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...of) {
    if (this.name === "versions") throw new DOMException("no space is left", "QuotaExceededError");
    return put.apply(this, of);
  };
});

/** Answers the questions that an action causes. Returns them. */
async function answered(inspector, answers, action) {
  const { page } = inspector, questions = [];
  inspector.isAsked = true;
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return answers[questions.length - 1] ? dialog.accept() : dialog.dismiss();
  });
  await action();
  return questions;
}

test("what was downloaded is also kept, once for each file, in case the download did not arrive", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  for (const [number, version] of ["77", "78"].entries()) {
    await inspector.change("version", version, new RegExp(`${number + 1} change`));
    await save(inspector);
    await inspector.says("#toast", /plain\.bin went to your downloads/);
    await marks(inspector.page, 0);
  }
  await inspector.keeps(2, true);
  const page = await crash(inspector);
  await inspector.says("#drafts-list", /plain\.bin as you downloaded it/);
  assert.equal(await page.locator("#drafts-list li").count(), 1);
  const { name, bytes } = await inspector.downloaded(() => page.click("#drafts-list button >> nth=0"));
  assert.equal(name, "plain.bin");
  assert.equal(versionOf(bytes), 78);
}));

test("a downloaded file without a kept copy still counts as changed", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await refuseVersions(page);
  await inspector.change("version", "77");
  assert.equal(versionOf((await save(inspector)).bytes), 77);
  await inspector.says("#alarm", /still counts as changed/);
  await marks(page, 1);
  await inspector.asked(false, () => page.click("#files .close"));
}));

test("a file whose version before cannot be kept is replaced after a question only, or downloaded", withPage(async (inspector, page) => {
  const original = bytesOf(PLAIN), now = async () => Uint8Array.from(await page.evaluate(() => globalThis.read()));
  await withHandle(page, "full.sav", original);
  await page.click("#open");
  await inspector.shown();
  await refuseVersions(page);
  await inspector.change("version", "77");
  let bytes;
  const questions = await answered(inspector, [false, true, true], async () => { ({ bytes } = await inspector.downloaded(() => page.click("#save"))); });
  assert.match(questions[0], /cannot keep full\.sav as it was/);
  assert.match(questions[1], /Download a copy of full\.sav instead/);
  assert.equal(versionOf(bytes), 77);
  assert.deepEqual(await now(), original);
  await marks(page, 1);
  await page.click("#save");
  await inspector.says("#toast", /The version before is not kept/);
  assert.equal(versionOf(await now()), 77);
  await marks(page, 0);
  assert.equal(questions.length, 3);
}));

test("a file that cannot be written in place is offered as a download", withPage(async (inspector, page) => {
  await withHandle(page, "gone.sav", bytesOf(PLAIN));
  await page.click("#open");
  await inspector.shown();
  await inspector.change("version", "77");
  await page.evaluate(() => { FileSystemFileHandle.prototype.createWritable = async () => { throw new DOMException("the file was moved", "NotFoundError"); }; });
  let bytes;
  const questions = await answered(inspector, [true], async () => { ({ bytes } = await inspector.downloaded(() => page.click("#save"))); });
  assert.match(questions[0], /the file was moved.*Download a copy/);
  assert.equal(versionOf(bytes), 77);
}));

test("a file that another program changed is replaced after a question only", withPage(async (inspector, page) => {
  await withHandle(page, "other.sav", bytesOf(PLAIN));
  await page.click("#open");
  await inspector.shown();
  await inspector.change("version", "77");
  await page.evaluate(async () => {
    const before = await globalThis.modified();
    // The times of files have a resolution.
    do await globalThis.write(Uint8Array.of(1, 2, 3));
    while (await globalThis.modified() === before);
  });
  assert.match(await inspector.asked(false, () => page.click("#save")), /Another program/);
  assert.deepEqual(await page.evaluate(() => globalThis.read()), [1, 2, 3]);
  await marks(page, 1);
}));


test("a value that stays the same is no step, so undo takes back the change before it", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await inspector.go("entities[1].id", 1);
  await inspector.edit("01");
  await inspector.page.waitForSelector("#row-field", { state: "hidden" });
  await inspector.says("#changes-state", /1 change/);
  assert.equal(versionOf((await save(inspector)).bytes), 77);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing/);
  assert.deepEqual((await save(inspector)).bytes, bytesOf(PLAIN));
}));

test("a change after an undone save is unsaved, also after a crash", withPage(async (inspector) => {
  await inspector.open(corpus(PLAIN));
  await inspector.change("version", "77");
  await inspector.change("entities[1].id", "8", /2 changes/);
  await save(inspector);
  await inspector.keeps(2, true);
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /1 change/);
  await inspector.keeps(1);
  let page = await crash(inspector);
  await page.click("#drafts-list .primary");
  await inspector.shown();
  await inspector.change("entities[2].id", "9", /2 changes/);
  await marks(page, 1);
  await inspector.keeps(2);
  page = await crash(inspector);
  await page.click("#drafts-list .primary");
  await inspector.shown();
  assert.equal(new Document((await save(inspector)).bytes).at({ frame: 1, path: "entities[2].id" }), 9);
}));

test("Ctrl+S in a field saves what is typed", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.go("version", 1);
  await inspector.press("Enter");
  await page.fill("#row-field:not([hidden]) input", "77");
  const { bytes } = await inspector.downloaded(() => page.keyboard.press("Control+s"));
  assert.equal(versionOf(bytes), 77);
}));

test("a field changes its value where undo has moved it", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await inspector.remove("entities[0]");
  await inspector.go("entities[2].id", 1);
  await inspector.press("Enter");
  await page.waitForSelector("#row-field:not([hidden]) input");
  // A host may undo while the field has the focus.
  await page.evaluate(() => document.querySelector("#undo").dispatchEvent(new MouseEvent("click")));
  await inspector.says("#changes-state", /Nothing/);
  await page.fill("#row-field:not([hidden]) input", "77");
  await page.press("#row-field input", "Enter");
  await inspector.says("#changes-state", /1 change/);
  assert.equal(new Document((await save(inspector)).bytes).at({ frame: 1, path: "entities[3].id" }), 77);
}));

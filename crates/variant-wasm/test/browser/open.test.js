// Files of every kind are opened, and the page shows the values that the package returns.

import assert from "node:assert/strict";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { engineOf } from "../../page/engines.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const KEY = Array.from({ length: 32 }, (_, i) => (7 * i + 1) % 256);

const PLAIN = [
  "godot3/saves/store_var_seq.bin", "godot3/saves/objects_full.bin", "godot3/saves/replay_200.bin", "godot3/saves/rpg_save.bin", "godot3/saves/project.binary",
  "godot3/containers/gcpf_fastlz_save.bin", "godot3/containers/gcpf_deflate_save.bin", "godot3/containers/gcpf_zstd_save.bin", "godot3/containers/gcpf_gzip_save.bin",
  "godot4/saves/plain.bin", "godot4/saves/sample20.variant", "godot4/saves/nested_18k.variant", "godot4/saves/save_10k.variant", "godot4/saves/project.binary",
  "godot4/containers/save20.fastlz.gcpf", "godot4/containers/save20.deflate.gcpf", "godot4/containers/save20.gzip.gcpf", "godot4/containers/save200.zstd.gcpf",
  "pandemonium3/saves/project.binary", "pandemonium4/saves/project.binary", "pandemonium4/saves/nested_18k.variant", "pandemonium5/saves/project.binary",
];

/** The name of a value of the file: that of a setting, or its number. */
const nameOf = (label, count) => (count === 1 && /^(frame 1)?$/.test(label) ? "save" : label.replace(/^frame /, "part "));

/** Asserts that the page shows what the package returns for a file. */
async function compare(inspector, document) {
  const { info } = document, nodes = document.children([]);
  const details = await inspector.details();
  for (const part of [info.dialect, info.framing, ...info.layers, `${info.size.toLocaleString("en")} byte`]) assert.ok(details.includes(part), `${part} in ${details}`);
  const rows = (await inspector.rows()).filter(({ level }) => level === 1);
  assert.ok(rows.length > 0);
  for (const [number, row] of rows.entries()) {
    const { label, kind, text, rows, count = rows } = nodes[number];
    assert.deepEqual([row.label, row.text, Number.parseInt(row.count.replaceAll(",", "") || "0", 10)], [nameOf(label, nodes.length), text, /^(Dictionary|Object)|Array/.test(kind) ? count : 0]);
    assert.ok(row.kind !== "");
  }
  const [first] = await inspector.page.$$eval("#hex .row .bytes", ([row]) => [row.textContent]);
  assert.equal(first, Buffer.from(document.bytes(0, 16)).toString("hex"));
  document.free();
}

for (const name of PLAIN) {
  test(`opens ${name}`, withPage(async (inspector) => {
    await inspector.open(corpus(name));
    await compare(inspector, new Document(bytesOf(name)));
  }));
}

const ENCRYPTED = [
  ["godot3/containers/gdec_00.bin", "hunter2"], ["godot3/containers/gdec_01.bin", "pässwörd 😀"], ["godot4/containers/pass_hunter2_3.gdec", "hunter2"],
  ["godot4/containers/key_7i1.gdec", Uint8Array.from(KEY)], ["godot4/containers/key_7i1_iv.gdec", Uint8Array.from(KEY)],
];

for (const [name, password] of ENCRYPTED) {
  test(`unlocks ${name}, after a wrong password`, withPage(async (inspector, page) => {
    const options = { password };
    await inspector.choose(corpus(name));
    await page.waitForSelector("#lock:not([hidden])");
    await inspector.submit("#password", "hunter3");
    await inspector.says("#lock-error", /./);
    assert.ok(await page.isVisible("#lock"));
    if (typeof password !== "string") await page.check("#is-key");
    await inspector.submit("#password", typeof password === "string" ? password : Buffer.from(password).toString("hex"));
    await inspector.shown();
    await compare(inspector, new Document(bytesOf(name), options));
  }));
}

test("opens a dropped file", withPage(async (inspector) => {
  const transfer = await inspector.page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], "dropped.bin"));
    return transfer;
  }, [...bytesOf("godot4/saves/plain.bin")]);
  await inspector.page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await inspector.shown();
  assert.equal(await inspector.name(), "dropped.bin");
}));

test("opens the sample", withPage(async (inspector) => {
  await inspector.page.click("#sample");
  await inspector.shown();
  const rows = await inspector.rows();
  assert.ok(rows.some(({ label, text }) => label === "player"));
}));

test("a file of Godot 2, named as such", withPage(async (inspector, page) => {
  const source = new Document(bytesOf("godot3/saves/store_var_seq.bin"));
  const { bytes } = source.convert("godot2", { lossy: true });
  await inspector.open({ name: "old.bin", buffer: Buffer.from(bytes) });
  await page.click("#reading");
  await page.click("#reading-details summary");
  await page.selectOption("#dialect", "godot2");
  await page.click("#read");
  await inspector.says("#reading", /Godot 2/);
  await inspector.settled();
  await compare(inspector, new Document(bytes, { dialect: "godot2", framing: source.info.framing }));
}));

test("a file of another format is told, and can be read all the same", withPage(async (inspector, page) => {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(64)]);
  await inspector.choose({ name: "icon.png", buffer: png });
  await inspector.says("#failure", /icon\.png was not opened/);
  assert.match(await inspector.text("#failure .error"), /PNG/i);
  await page.selectOption("#failure select >> nth=0", "godot4");
  await page.click("text=Read it so anyway");
  await page.waitForFunction(() => !document.querySelector("#work").hidden || document.querySelector("#failure .error")?.textContent);
}));

test("bytes that do not tell their dialect: what the file may be, and why", withPage(async (inspector, page) => {
  const name = "godot4/saves/mixed.bin", document = new Document(bytesOf(name));
  assert.equal(document.info.isCertain, false);
  await inspector.open(corpus(name));
  await page.click("#notice button");
  await page.waitForSelector("#candidates label");
  const shown = await page.$$eval("#candidates label", (all) => all.map((label) => label.textContent));
  const candidates = document.detect();
  assert.equal(shown.length, candidates.length);
  for (const [number, { dialect, framing, reason }] of candidates.entries()) {
    assert.ok(shown[number].startsWith(`${engineOf(dialect)}, ${framing}`) && shown[number].includes(reason), shown[number]);
  }
  await page.click("#reading-details summary");
  // There are four bytes before the first frame.
  await page.selectOption("#dialect", "godot4");
  await page.selectOption("#framing", "frames");
  await page.fill("#reading-skip", "4");
  await page.click("#read");
  await inspector.says("#reading", /^written by Godot 4$/);
  assert.ok(!(await page.isVisible("#notice")));
  await inspector.says("#tree .selected .kind", /Dictionary/);
}));

test("a file that opens badly leaves the open one as it was", withPage(async (inspector) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  await inspector.choose({ name: "text.txt", buffer: Buffer.from("nothing of the kind, only a line of text\n") });
  await inspector.says("#failure", /was not opened/);
  await inspector.page.click("#back");
  await inspector.go("version", 1);
  assert.equal((await inspector.selected()).text, "4");
}));

test("a worker that dies is told, and the file can be opened again", withPage(async (inspector, page) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error("made by the test"); }); });
  await inspector.says("#failure", /The reader stopped/);
  await page.click("text=Open plain.bin again");
  await inspector.shown();
  await inspector.go("version", 1);
  assert.equal((await inspector.selected()).text, "4");
}));

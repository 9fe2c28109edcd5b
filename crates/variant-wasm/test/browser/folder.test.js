// The page as one file, opened from its folder without a server or other files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import test, { before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site, temporary } from "./site.js";

// The variable BUNDLE names an existing bundled page.
const bundle = process.env.BUNDLE ?? join(temporary, "inspector.html");
before(() => {
  if (!process.env.BUNDLE) execFileSync(fileURLToPath(new URL("../../page/bundle", import.meta.url)), [bundle], { stdio: ["ignore", "ignore", "inherit"] });
});
const { withPage } = site(pathToFileURL(bundle).href);

/** Edits the open file, which is `original`, and compares its download. */
async function edit(inspector, original, frame) {
  const { page } = inspector;
  await inspector.go("version", frame);
  await inspector.edit("5");
  await inspector.says("#changes-state", /1 change/);
  const { bytes } = await inspector.downloaded(() => page.click("#save"));
  const before = new Document(original), after = new Document(bytes);
  assert.deepEqual(after.info.layers, before.info.layers);
  assert.notEqual(before.at({ frame, path: "version" }), 5);
  assert.equal(after.at({ frame, path: "version" }), 5);
  assert.deepEqual(before.diff(after).found.map(({ path }) => path), ["version"]);
}

test("the sample is opened, edited and downloaded", withPage(async (inspector) => {
  await inspector.page.click("#sample");
  await inspector.shown();
  await edit(inspector, bytesOf("godot3/containers/gcpf_zstd_save.bin"), 1);
}));

test("a compressed file is opened, edited and downloaded", withPage(async (inspector) => {
  const name = "godot4/containers/save200.zstd.gcpf";
  await inspector.open(corpus(name));
  await edit(inspector, bytesOf(name));
}));

test("a worker that dies is started again", withPage(async (inspector, page) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error("made by the test"); }); });
  await page.click("text=Open plain.bin again");
  await inspector.shown();
}));

test("neither the page nor its worker may send anything", withPage(async (inspector, page) => {
  const { troubles } = inspector;
  const refused = async () => {
    const violation = new Promise((resolve) => { addEventListener("securitypolicyviolation", resolve); });
    await fetch("http://127.0.0.1:1/").catch(() => {});
    return (await violation).effectiveDirective;
  };
  for (const scope of [page, page.workers()[0]]) assert.equal(await scope.evaluate(refused), "connect-src");
  // The browser's message about this refusal is expected.
  for (const trouble of troubles.splice(0)) assert.match(trouble, /Content Security Policy/);
}));

test("the file has at most 1,000,000 bytes, and the licences of its packages", () => {
  assert.ok(statSync(bundle).size <= 1_000_000);
  assert.match(readFileSync(bundle, "utf8"), /contains code of these packages[^]*zstd-sys/);
});

// The page as VS Code's editor shows it, with the extension's document and a fake of the API in the webview.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import test, { before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { Document } from "../../js/document-node.js";
import { SaveDocument } from "../../vscode/document.js";
import { bytesOf, site, temporary } from "./site.js";

const bundle = process.env.BUNDLE ?? join(temporary, "editor.html");
before(() => {
  if (!process.env.BUNDLE) execFileSync(fileURLToPath(new URL("../../page/bundle", import.meta.url)), [bundle], { stdio: ["ignore", "ignore", "inherit"] });
});
const { withPage } = site(pathToFileURL(bundle).href);
const SAVE = bytesOf("godot4/saves/plain.bin"), version = (bytes) => new Document(bytes).at({ frame: 1, path: "version" });

/** Opens the page again as a webview with a document of the extension. */
async function asWebview(page) {
  const files = new Map([["/save.bin", SAVE]]), steps = [];
  const access = { read: async ({ path }) => files.get(path), write: async ({ path }, bytes) => { files.set(path, Uint8Array.from(bytes)); } };
  const document = await SaveDocument.open({ path: "/save.bin" }, access, { edited: (step) => steps.push(step), failed: (error) => { throw error; } });
  // Messages between this process and the browser have arrays instead of bytes.
  document.attach((message) => page.evaluate(({ parts, ...rest }) => postMessage({ ...rest, parts: parts.map((part) => (Array.isArray(part) ? new Uint8Array(part) : part)) }, "*"),
    { ...message, parts: message.parts.map((part) => (part instanceof Uint8Array ? [...part] : part)) }), { theme: "dark" });
  await page.exposeFunction("toCode", (message) => document.heard(message));
  await page.addInitScript(() => {
    const plain = (result) => (result instanceof Uint8Array ? [...result] : result?.bytes ? { ...result, bytes: [...result.bytes] } : result);
    globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => toCode({ ...message, result: plain(message.result) }) });
    globalThis.keys = [];
    addEventListener("keydown", ({ key, ctrlKey }) => { if (ctrlKey && key !== "Control") keys.push(key); });
  });
  await page.reload();
  return { files, steps, document };
}

test("an edit is a step of VS Code; its undo and save work; the page leaves these commands to it", withPage(async (inspector, page) => {
  const { files, steps, document } = await asWebview(page);
  await inspector.shown();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  for (const id of ["open", "undo", "redo", "save", "files"]) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  await inspector.change("version", "5");
  assert.equal(steps.length, 1);
  for (const key of ["Control+z", "Control+s"]) await inspector.press(key);
  assert.deepEqual(await page.evaluate(() => keys), ["z", "s"]);
  await document.save();
  assert.equal(version(files.get("/save.bin")), 5);
  await steps[0].undo();
  await document.save();
  assert.deepEqual(files.get("/save.bin"), SAVE);
  await steps[0].redo();
  await document.saveAs({ path: "/copy.bin" });
  assert.equal(version(files.get("/copy.bin")), 5);
  assert.equal(steps.length, 1);
}));

test("a webview that is loaded again has the changes, and its steps of undo", withPage(async (inspector, page) => {
  const { files, steps, document } = await asWebview(page);
  await inspector.shown();
  await inspector.change("version", "5");
  await inspector.change("version", "6", /2 changes/);
  await document.save();
  await steps[1].undo();
  await inspector.says("#changes-state", /1 change/);
  await page.reload();
  await inspector.shown();
  // The page makes both steps, and undoes the second one again.
  await inspector.says("#changes-state", /1 change/);
  await inspector.says("#status", /not saved/);
  await steps[1].redo();
  await inspector.says("#changes-state", /2 changes/);
  await page.waitForFunction(() => !document.querySelector("#status").textContent.includes("not saved"));
  for (const step of steps.toReversed()) await step.undo();
  await document.save();
  assert.deepEqual(files.get("/save.bin"), SAVE);
}));

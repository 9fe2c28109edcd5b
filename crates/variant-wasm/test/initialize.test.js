// The start and the restart of the module.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { codec } from "../js/codec.js";
import * as document from "../js/document-node.js";
import * as migration from "../js/migration-node.js";
import * as node from "../js/node.js";

const file = new URL("../dist/codec_bg.wasm", import.meta.url);

/** The message that `program` posts. `program` is a function of the browser's entry. It runs in a separate worker without a running module. */
function inWorker(program, data, entry = "browser.js") {
  const browser = JSON.stringify(new URL(`../js/${entry}`, import.meta.url).href);
  const source = `
    import { parentPort, workerData } from "node:worker_threads";
    import * as browser from ${browser};
    parentPort.postMessage(await (${program})(browser, workerData));`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: data });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

test("both entries offer the same", async () => {
  const names = await inWorker((browser) => Object.keys(browser));
  assert.deepEqual(names, Object.keys(node));
  const ofDocuments = await inWorker((browser) => Object.keys(browser), undefined, "document-browser.js");
  assert.deepEqual(ofDocuments, Object.keys(document));
  const ofMigrations = await inWorker((browser) => Object.keys(browser), undefined, "migration-browser.js");
  assert.deepEqual(ofMigrations, Object.keys(migration));
});

test("the module for files starts as that for packets does", async () => {
  const opens = async ({ Document, initialize }, module) => {
    await initialize(module);
    return new Document(new Uint8Array(4), { dialect: "godot4", framing: "bare" }).at("");
  };
  assert.equal(await inWorker(opens, readFileSync(new URL("../dist/files_bg.wasm", import.meta.url)), "document-browser.js"), null);
  assert.equal(await opens(document), null);
});

test("the module for old saves starts as that for packets does", async () => {
  const migrates = async ({ Migration, initialize }, module) => {
    await initialize(module);
    const steps = new Migration('version = "v"\n[[migration]]\nfrom = 1\nto = 2\nsteps = []');
    return steps.apply({ v: 1 }, { dialect: "godot4", dictionaries: "object" });
  };
  assert.deepEqual(await inWorker(migrates, readFileSync(new URL("../dist/migration_bg.wasm", import.meta.url)), "migration-browser.js"), { v: 2 });
  assert.deepEqual(await migrates(migration), { v: 2 });
});

test("without initialize() nothing is decoded, and it is said", async () => {
  const messages = await inWorker((browser) => [() => browser.decode(new Uint8Array(4), "godot4"), () => browser.encode(1, "godot4"), () => new browser.Fields([], "godot4")].map((call) => {
    try {
      return call();
    } catch (error) {
      return error.message;
    }
  }));
  for (const message of messages) assert.match(message, /initialize\(\) first/);
});

const decodes = async (browser, source) => {
  await Promise.all([browser.initialize(source), browser.initialize(source)]);
  await browser.initialize();
  return [browser.decode(browser.encode({ hp: 7 }, "godot4"), { dialect: "godot4", dictionaries: "object" }), browser.dialects.includes("godot4")];
};

test("the module is made of bytes, of a compiled module, of a response and of an address", async () => {
  const bytes = readFileSync(file);
  const server = createServer((request, response) => response.setHeader("content-type", "application/wasm").end(bytes));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/codec_bg.wasm`;
  try {
    for (const source of [new Uint8Array(bytes), new WebAssembly.Module(bytes), address]) {
      assert.deepEqual(await inWorker(decodes, source), [{ hp: 7 }, true]);
    }
    const ofResponse = `async (browser, address) => (${decodes})(browser, fetch(address))`;
    assert.deepEqual(await inWorker(ofResponse, address), [{ hp: 7 }, true]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("the start fails where there is no module, and can be tried again", async () => {
  const outcome = await inWorker(async (browser, bytes) => {
    const failed = await browser.initialize(new Uint8Array(8)).catch((error) => error.name);
    await browser.initialize(bytes);
    return [failed, browser.decode(new Uint8Array(4), "godot4")];
  }, readFileSync(file));
  assert.deepEqual(outcome, ["CompileError", null]);
});

test("in Node the module runs at once", async () => {
  assert.equal(node.decode(new Uint8Array(4), "godot4"), null);
  await node.initialize();
  assert.ok(node.dialects.includes("pandemonium5"));
});

test("a module that has stopped is started anew", async () => {
  const bytes = node.encode({ hp: 7 }, "godot4");
  const fields = new node.Fields(["hp"], "godot4");
  const calls = [() => node.decode(bytes, "godot4"), () => node.encode(1, "godot4"), () => fields.read(bytes), () => new node.Fields(["hp"], "godot4")];
  for (const call of calls) {
    // The module stops at the next call, because its memory is overwritten.
    codec.engine.memory.bytes.fill(0xff);
    assert.throws(call, (error) => /has stopped/.test(error.message) && error.cause instanceof Error);
    for (const again of calls) assert.throws(again, /has stopped; await initialize\(\) starts it again/);
    await node.initialize();
    assert.deepEqual(node.decode(bytes, { dialect: "godot4", dictionaries: "object" }), { hp: 7 });
    assert.deepEqual(fields.read(bytes), [7]);
  }
});

// The package with bundlers, set up as docs/guides/bundlers.md says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build as bundle } from "esbuild";
import { build, createServer } from "vite";

const crate = fileURLToPath(new URL("../../", import.meta.url));
const guide = readFileSync(join(crate, "../../docs/guides/bundlers.md"), "utf8");
const [config, program, ofEsbuild, inline, ofWorker, workerOfEsbuild] = Array.from(guide.matchAll(/```js\n([^]*?)```/g), ([, text]) => text);
/** The first bytes of each WebAssembly module. */
const MAGIC = [0, 0x61, 0x73, 0x6d];
let folder;

const write = (name, text) => writeFileSync(join(folder, name), text);
const run = (program, ...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const isModule = (bytes) => assert.deepEqual(Array.from(bytes.slice(0, 4)), MAGIC);

before(() => {
  folder = mkdtempSync(join(tmpdir(), "variant-view-"));
  const tarball = process.env.TARBALL ?? run(join(crate, "pack"), folder).trim().split("\n").at(-1);
  write("package.json", JSON.stringify({ private: true, type: "module" }));
  run("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball);
  write("vite.config.js", config);
  write("index.html", '<script type="module" src="/main.js"></script>');
  write("main.js", program);
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** The address of the WebAssembly module that a served module, or a module that it imports, loads. */
async function moduleBelow(address, seen = new Set()) {
  if (seen.has(address.href)) return undefined;
  seen.add(address.href);
  const text = await (await fetch(address)).text();
  const named = /new URL\(['"]([^'"]*_bg\.wasm[^'"]*)['"], import\.meta\.url\)/.exec(text);
  if (named) return new URL(named[1], address);
  for (const [, path] of text.matchAll(/(?:from|import) ?"(\/[^"]+)"/g)) {
    const found = await moduleBelow(new URL(path, address), seen);
    if (found) return found;
  }
  return undefined;
}

test("Vite's development server delivers the module", { timeout: 120_000 }, async () => {
  const server = await createServer({ root: folder, logLevel: "warn", server: { host: "127.0.0.1", port: 0, hmr: false, watch: null } });
  try {
    await server.listen();
    const { port } = server.httpServer.address();
    const address = await moduleBelow(new URL(`http://127.0.0.1:${port}/main.js`));
    assert.match(address?.pathname ?? "", /codec_bg\.wasm$/);
    const response = await fetch(address);
    assert.equal(response.headers.get("content-type"), "application/wasm");
    isModule(new Uint8Array(await response.arrayBuffer()));
  } finally {
    await server.close();
  }
});

test("a build of Vite has the module, and names it", { timeout: 120_000 }, async () => {
  await build({ root: folder, logLevel: "warn", build: { target: "es2022" } });
  const assets = join(folder, "dist/assets"), files = readdirSync(assets);
  const module = files.find((name) => /^codec_bg-.*\.wasm$/.test(name)), script = files.find((name) => name.endsWith(".js"));
  isModule(readFileSync(join(assets, module)));
  assert.ok(readFileSync(join(assets, script), "utf8").includes(module));
});

test("the program for esbuild loads the module that esbuild copied", { timeout: 120_000 }, async () => {
  write("bundled.js", ofEsbuild);
  const outdir = join(folder, "bundle");
  await bundle({ absWorkingDir: folder, entryPoints: ["bundled.js"], bundle: true, format: "esm", loader: { ".wasm": "file" }, outdir, logLevel: "warning" });
  assert.deepEqual(readdirSync(outdir).map((name) => name.replace(/-\w+\./, ".")).sort(), ["bundled.js", "codec_bg.wasm"]);
  // In a browser, a server delivers the file. Node's `fetch` does not open files.
  write("serve.js", `import { readFileSync } from "node:fs";
globalThis.fetch = async (address) => new Response(readFileSync(address), { headers: { "content-type": "application/wasm" } });
await import("${pathToFileURL(join(outdir, "bundled.js"))}");`);
  assert.equal(run(process.execPath, "serve.js"), "[ 1, 'two' ]\n");
});

test("the embedded module needs no settings and no file", { timeout: 120_000 }, async () => {
  const plain = join(folder, "plain"), outfile = join(plain, "esbuild.js"), from = join(folder, "inline.js");
  write("inline.js", inline);
  await bundle({ absWorkingDir: folder, entryPoints: [from], bundle: true, format: "esm", outfile, logLevel: "warning" });
  await build({ root: folder, configFile: false, logLevel: "warn", build: { target: "es2022", outDir: join(plain, "vite"), lib: { entry: from, formats: ["es"], fileName: "inline" } } });
  for (const script of [outfile, join(plain, "vite/inline.js")]) assert.equal(run(process.execPath, script), "[ 1, 'two' ]\n93\n");
  assert.deepEqual(readdirSync(join(plain, "vite")), ["inline.js"]);
});

test("Vite's development server delivers the embedded module without settings", { timeout: 120_000 }, async () => {
  const server = await createServer({ root: folder, configFile: false, logLevel: "warn", cacheDir: join(folder, "cache"), server: { host: "127.0.0.1", port: 0, hmr: false, watch: null } });
  try {
    await server.listen();
    const { code } = await server.transformRequest("/inline.js");
    const [, address] = /from "([^"]*inline[^"]*)"/.exec(code);
    const response = await fetch(`http://127.0.0.1:${server.httpServer.address().port}${address}`);
    assert.match(await response.text(), /H4sI/);
  } finally {
    await server.close();
  }
});

test("Vite delivers the worker and its module", { timeout: 120_000 }, async () => {
  write("worker.html", '<script type="module" src="/uses-worker.js"></script>');
  write("uses-worker.js", ofWorker);
  await build({ root: folder, logLevel: "warn", build: { target: "es2022", outDir: "with-worker", rollupOptions: { input: join(folder, "worker.html") } }, worker: { format: "es" } });
  const names = readdirSync(join(folder, "with-worker/assets")).map((name) => name.replace(/-.{8}\./, ".")).sort();
  assert.deepEqual(names, ["files_bg.wasm", "worker-main.js", "worker.js"].sort());
});

test("esbuild makes a worker with the embedded module", { timeout: 120_000 }, async () => {
  write("worker.js", 'import "@variant-view/wasm/inline/worker";\n');
  write("page.js", workerOfEsbuild);
  const outdir = join(folder, "worker-out");
  await bundle({ absWorkingDir: folder, entryPoints: ["page.js", "worker.js"], bundle: true, format: "esm", outdir, logLevel: "warning" });
  // Node has no workers as browsers have: this one is a thread with the functions of a browser's worker.
  write("in-node.js", `import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
globalThis.Worker = class {
  #thread = new Thread(new URL("data:text/javascript," + encodeURIComponent(
    'import { parentPort } from "node:worker_threads"; globalThis.postMessage = (...given) => parentPort.postMessage(...given);'
    + 'globalThis.addEventListener = (type, heard) => parentPort.on("message", (data) => heard({ data })); await import("${pathToFileURL(join(outdir, "worker.js"))}");')));
  addEventListener(type, heard) { this.#thread.on(type, type === "message" ? (data) => heard({ data }) : heard); }
  postMessage(message) { this.#thread.postMessage(message); }
  terminate() { this.#thread.terminate(); }
};
await import("${pathToFileURL(join(outdir, "page.js"))}");`);
  assert.equal(run(process.execPath, "in-node.js"), "93\n");
});

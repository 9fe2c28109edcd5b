// The package as users install it: it is packed, installed into an empty folder and imported, and its types are
// checked.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import * as document from "../js/document-node.js";
import * as migration from "../js/migration-node.js";
import * as node from "../js/node.js";

const crate = fileURLToPath(new URL("../", import.meta.url));
const tsc = join(crate, "tools/node_modules/typescript/bin/tsc");
let folder;

const run = (program, ...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

before(() => {
  folder = mkdtempSync(join(tmpdir(), "variant-view-"));
  // The variable TARBALL names an existing package.
  const tarball = process.env.TARBALL ?? run(join(crate, "pack"), folder).trim().split("\n").at(-1);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball);
  for (const name of readdirSync(join(crate, "test/types"))) copyFileSync(join(crate, "test/types", name), join(folder, name));
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("the README's program works with the package", () => {
  const [, program] = readFileSync(join(crate, "README.md"), "utf8").match(/```js\n([^]*?)```/);
  writeFileSync(join(folder, "readme.js"), `${program}\nconsole.log(name, at.y, hp);`);
  assert.equal(run(process.execPath, "readme.js"), "Ana 93\nAna 2.5 93\n");
});

test("the programs about old saves work with the package", () => {
  const [, program] = readFileSync(join(crate, "README.md"), "utf8").match(/## Old saves[^]*?```js\n([^]*?)```/);
  const [, shown] = program.match(/\(error\.message\); \/\/ (.*)\n/);
  writeFileSync(join(folder, "old.js"), program);
  assert.equal(run(process.execPath, "old.js"), `{"version":2,"player":{"health":7,"mana":50}} [ 1, 2 ]\n${shown}\n`);
  const saves = join(crate, "../../corpus/godot3/migration");
  const [, page] = readFileSync(join(crate, "../../docs/migrate.md"), "utf8").match(/```js\n([^]*?)```/);
  mkdirSync(join(folder, "fixtures"));
  copyFileSync(join(saves, "steps.toml"), join(folder, "steps.toml"));
  copyFileSync(join(saves, "saves/player2_v1.save"), join(folder, "fixtures/v1.save"));
  writeFileSync(join(folder, "page.js"), page);
  assert.match(run(process.execPath, "page.js"), /^80\n80 \d+\n$/);
});

test("the README's program for esbuild finds the module that esbuild copied", () => {
  const [, program] = readFileSync(join(crate, "README.md"), "utf8").match(/--loader:\.wasm=file[^]*?```js\n([^]*?)```/);
  writeFileSync(join(folder, "bundled.js"), `${program}
import { decode, encode } from "@variant-view/wasm";
console.log(decode(encode({ hp: 7 }, "godot4"), { dialect: "godot4", dictionaries: "object" }).hp);`);
  run(process.execPath, join(crate, "tools/node_modules/esbuild-wasm/bin/esbuild"), "bundled.js", "--bundle", "--format=esm", "--loader:.wasm=file", "--outdir=bundle", "--log-level=warning");
  assert.deepEqual(readdirSync(join(folder, "bundle")).map((name) => name.replace(/-\w+\./, ".")).sort(), ["bundled.js", "codec_bg.wasm"]);
  // In a browser, a server delivers the file. Node's `fetch` does not open files.
  writeFileSync(join(folder, "serve.js"), `import { readFileSync } from "node:fs";
globalThis.fetch = async (address) => new Response(readFileSync(address), { headers: { "content-type": "application/wasm" } });
await import("./bundle/bundled.js");`);
  assert.equal(run(process.execPath, "serve.js"), "7\n");
});

/** Checks the programs with TypeScript. Prints the errors. */
function check(...options) {
  const { status, stdout } = spawnSync(process.execPath, [tsc, "--strict", "--target", "es2022", ...options, "program.ts", "saves.ts"], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stdout);
}

test("types hold in Node", () => check("--noEmit", "--module", "nodenext", "--lib", "es2022"));

test("types hold with a bundler, in a browser", () => check("--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom"));

test("the program whose types are checked runs", () => {
  check("--module", "nodenext", "--lib", "es2022");
  const outcome = JSON.parse(run(process.execPath, "--eval", `import("./program.js").then(({ outcome }) => console.log(JSON.stringify(outcome)))`));
  assert.match(outcome[1], /^limit at byte 4, .*: object with class and properties refused$/);
  assert.deepEqual([outcome[0], ...outcome.slice(2)], ["Ana", "Ana", 3.5, 64, true, true, "object", "1.1", 1]);
});

test("the types that schema --typescript writes describe what is decoded", () => {
  check("--module", "nodenext", "--lib", "es2022");
  // The value is after the length prefix of `store_var`.
  const save = readFileSync(new URL("../../../corpus/godot3/saves/rpg_save.bin", import.meta.url)).subarray(4);
  writeFileSync(join(folder, "save"), save);
  const program = `import { readFileSync } from "node:fs"; import { outcome } from "./saves.js"; console.log(JSON.stringify(outcome(readFileSync("save"))))`;
  const [level, difficulty, items, npcs, x] = JSON.parse(run(process.execPath, "--input-type=module", "--eval", program));
  assert.deepEqual([level, items, npcs, typeof difficulty, typeof x], [37, 1600, 700, "string", "number"]);
});

test("the types name what the package exports", () => {
  const declared = (file) => {
    const types = readFileSync(join(crate, "js", file), "utf8");
    return Array.from(types.matchAll(/^export (?:class|function|const|let) (\w+)/gm), ([, name]) => name);
  };
  const values = declared("values.d.ts");
  assert.deepEqual([...values, ...declared("index.d.ts")].sort(), Object.keys(node).sort());
  assert.deepEqual([...values, ...declared("document.d.ts"), "dialects"].sort(), Object.keys(document).sort());
  assert.deepEqual([...values, ...declared("migration.d.ts"), "dialects"].sort(), Object.keys(migration).sort());
});

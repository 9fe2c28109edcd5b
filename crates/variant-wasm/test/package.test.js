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
import * as worker from "../js/worker.js";

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

/** The programs in the README, in order: their languages and texts. */
const programs = () => Array.from(readFileSync(join(crate, "README.md"), "utf8").matchAll(/```(js|ts)\n([^]*?)```/g), ([, language, text]) => ({ language, text }));

test("the README's programs hold in TypeScript as they are printed, and work with the package", () => {
  const names = programs().map(({ text }, index) => {
    writeFileSync(join(folder, `readme${index}.ts`), text);
    return `readme${index}.ts`;
  });
  checkFiles(names, "--outDir", "readme", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom");
  const printed = names.map((name) => run(process.execPath, join("readme", name.replace(".ts", ".js"))));
  assert.equal(printed.length, 4);
  assert.match(printed[0], /name: 'Ana'[^]*y: 2.5[^]*hp: 93[^]*\nAna 93\n$/);
  assert.match(printed[1], /path: 'party\[1\]', value: 'Cy'[^]*after: 'Vector2\(1, 2.5\)'[^]*aes256-cfb/);
  assert.equal(printed[2], "Ana 2.5\n");
  const [, shown] = programs()[3].text.match(/\(error\.message\); \/\/ (.*)\n/);
  assert.equal(printed[3], `{"version":2,"player":{"health":7,"mana":50}} [ 1, 2 ]\n${shown}\n`);
});

test("the program about old saves works with the package", () => {
  const saves = join(crate, "../../corpus/godot3/migration");
  const [, page] = readFileSync(join(crate, "../../docs/migrate.md"), "utf8").match(/```js\n([^]*?)```/);
  mkdirSync(join(folder, "fixtures"));
  copyFileSync(join(saves, "steps.toml"), join(folder, "steps.toml"));
  copyFileSync(join(saves, "saves/player2_v1.save"), join(folder, "fixtures/v1.save"));
  writeFileSync(join(folder, "page.js"), page);
  assert.match(run(process.execPath, "page.js"), /^80\n80 \d+\n$/);
});

/** Checks programs with TypeScript. Prints the errors. */
function checkFiles(files, ...options) {
  const { status, stdout } = spawnSync(process.execPath, [tsc, "--strict", "--target", "es2022", ...options, ...files], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stdout);
}

const check = (...options) => checkFiles(["program.ts", "saves.ts"], ...options);

test("types hold in Node", () => check("--noEmit", "--module", "nodenext", "--lib", "es2022"));

test("types hold with a bundler, in a browser", () => check("--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom"));

test("the types of the worker, the embedded modules and the element hold", () => {
  checkFiles(["worker.ts"], "--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom");
});

test("a document in a worker has the methods of Document", () => {
  const methodsOf = ({ prototype }) => Object.getOwnPropertyNames(prototype).sort();
  assert.deepEqual(methodsOf(worker.RemoteDocument), methodsOf(document.Document));
});

test("the entries with embedded modules export what the others export", async () => {
  assert.deepEqual(Object.keys(await import("../js/inline.js")), Object.keys(node));
  assert.deepEqual(Object.keys(await import("../js/inline-document.js")), Object.keys(document));
});

test("the program whose types are checked runs", () => {
  check("--module", "nodenext", "--lib", "es2022");
  const outcome = JSON.parse(run(process.execPath, "--eval", `import("./program.js").then(({ outcome }) => console.log(JSON.stringify(outcome)))`));
  assert.match(outcome[1], /^limit at byte 4, .*: object with class and properties refused$/);
  assert.deepEqual([outcome[0], ...outcome.slice(2)], ["Ana", "Ana", 3.5, 64, true, true, "object", "1.1", 1, 1, [1, 2]]);
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

test("the type Dialect has the names of the dialects", () => {
  const [, union] = readFileSync(join(crate, "js/index.d.ts"), "utf8").match(/export type Dialect =([^;]*);/);
  assert.deepEqual(Array.from(union.matchAll(/"([^"]*)"/g), ([, name]) => name), node.dialects);
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

// Writes the licences of the packages that are compiled into the module to the file LICENSE-THIRD-PARTY. Copies of the
// module must include them.
//   node crates/variant-wasm/tools/licences.js FILE

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const words = ["metadata", "--locked", "--format-version", "1", "--filter-platform", "wasm32-unknown-unknown"];
const { packages, resolve } = JSON.parse(execFileSync("cargo", words, { cwd, encoding: "utf8", maxBuffer: 1 << 28 }));
const packageOf = new Map(packages.map((found) => [found.id, found]));
const nodeOf = new Map(resolve.nodes.map((node) => [node.id, node]));

/** The packages whose code is compiled into the package `id`, without build dependencies and macros. */
function compiled(id, found = new Set()) {
  const isMacro = packageOf.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
  if (isMacro || found.has(id)) return found;
  found.add(id);
  for (const { pkg, dep_kinds } of nodeOf.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) compiled(pkg, found);
  return found;
}

/** The text of the chosen licence if there are several, and the texts for C code in the package. */
function texts({ name, manifest_path, license }) {
  const folder = dirname(manifest_path);
  const names = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const chosen = names.find((file) => /mit/i.test(file));
  const files = (chosen ? [chosen] : names).map((file) => join(folder, file));
  if (name === "zstd-sys") files.push(join(folder, "zstd/LICENSE"));
  if (files.length === 0) return [`The package has no text of its licence, ${license}.`];
  return files.map((file) => readFileSync(file, "utf8").trim());
}

const byText = new Map();
for (const id of compiled(packages.find(({ name }) => name === "variant-wasm").id)) {
  const found = packageOf.get(id);
  // A package without a source is in this repository.
  if (found.source === null) continue;
  const title = `${found.name} ${found.version} (${found.license})`;
  for (const text of texts(found)) byText.set(text, [...(byText.get(text) ?? []), title]);
}
const parts = Array.from(byText, ([text, titles]) => `${titles.sort().join("\n")}\n\n${text}\n`).sort();
writeFileSync(process.argv[2], `The module contains code of these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`);

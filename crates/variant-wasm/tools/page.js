// The page as one file, and as a folder for a server. `page/bundle` and the extension for VS Code use this.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { embedded } from "./embed.js";

const tools = fileURLToPath(new URL(".", import.meta.url)), crate = join(tools, ".."), page = join(crate, "page");
const read = (name) => readFileSync(join(page, name));
const BUILT = ["files.js", "files_bg.wasm", "LICENSE-THIRD-PARTY"];

/** Loads the bundler. Installs it if it is missing. Refuses if the built modules are missing. */
export async function bundler() {
  const missing = BUILT.find((name) => !existsSync(join(crate, "dist", name)));
  if (missing) throw new Error(`dist/${missing} is missing: run crates/variant-wasm/build, or copy dist/ of a release`);
  const { devDependencies } = JSON.parse(readFileSync(join(tools, "package.json"), "utf8"));
  if (Object.keys(devDependencies).some((name) => !existsSync(join(tools, "node_modules", name)))) {
    execFileSync("npm", ["ci", "--prefix", tools, "--ignore-scripts", "--no-audit", "--no-fund"], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return import("esbuild-wasm");
}
const { build, transform } = await bundler();

/** The packages of npm that scripts contain. */
const contained = new Set();

/** `entry` and its modules as one script, with `parts` instead of parts.js. */
export async function bundled(entry, parts, options) {
  const contents = { name: "parts", setup: ({ onLoad }) => onLoad({ filter: /[\\/]page[\\/]parts\.js$/ }, () => ({ contents: parts, resolveDir: page })) };
  const { metafile: { inputs }, outputFiles: [{ text }] } = await build({
    absWorkingDir: page, entryPoints: [entry], bundle: true, write: false, metafile: true, minify: true, format: "esm", target: "es2022", charset: "utf8",
    loader: { ".bin": "binary" }, plugins: [contents], logLevel: "warning", ...options,
  });
  for (const name of Object.keys(inputs)) for (const [, found] of name.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)) contained.add(found);
  return text;
}

/** The licences of the packages that are compiled into the module, and of those in scripts. */
function licences() {
  const ofPackage = (name) => {
    const folder = join(tools, "node_modules", name), { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    return `${"-".repeat(80)}\n\n${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  };
  return [readFileSync(join(crate, "dist/LICENSE-THIRD-PARTY"), "utf8"), ...[...contained].sort().map(ofPackage)].join("\n");
}

/** Replaces each pattern in `text`. A pattern that is not there is an error. */
function replaced(text, changes) {
  return changes.reduce((text, [pattern, by]) => {
    if (text.search(pattern) < 0) throw new Error(`index.html: ${pattern} is not there`);
    return text.replace(pattern, () => by);
  }, text);
}

/** `text` in the element or comment that `start` opens and `end` closes. `text` must not close it. */
function within(start, text, end) {
  if (/<!--|--!?>|<\/(script|style)/i.test(text)) throw new Error(`${start} would end before its end`);
  return start + text + end;
}

const style = async () => (await transform(read("style.css").toString(), { loader: "css", minify: true, charset: "utf8" })).code;
const POLICY = /(?<=Content-Security-Policy" content=")[^"]*/g, STYLE = /<link rel="stylesheet" [^>]*>/g;
const CLIENT = / *<script [^>]* src="client\.js"><\/script>\n/g, MAIN = /<script [^>]* src="main\.js"><\/script>/g;
const sha256 = (content, form) => createHash("sha256").update(content).digest(form);

/** The page as one file, which browsers open without a server. */
export async function inspector() {
  // In this format, `import.meta.url` is empty. `initialize` uses it only without a source, and the worker passes one.
  const worker = await bundled("worker.js", `
    import { inflated } from "../js/inflate.js";
    export const compiled = inflated(MODULE);
  `, { format: "iife", logOverride: { "empty-import-meta": "silent" } });
  // For a page that is a file, browsers start a worker only from a Blob.
  const script = await bundled("main.js", `
    import sample from "./sample.bin";
    import { inflated } from "../js/inflate.js";
    const address = URL.createObjectURL(new Blob(['const MODULE = "', MODULE, '";', await inflated(WORKER).text()], { type: "text/javascript" }));
    export const startWorker = () => new Worker(address);
    export const loadSample = async () => new Blob([sample]);
  `, { define: { WORKER: JSON.stringify(embedded(worker)), MODULE: JSON.stringify(embedded(readFileSync(join(crate, "dist/files_bg.wasm")))) } });
  const css = await style(), hash = (text) => `'sha256-${sha256(text, "base64")}'`;
  return replaced(read("index.html").toString(), [
    [POLICY, `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(css)}; worker-src blob:; img-src data:; form-action 'none'; base-uri 'none'`],
    [/"icon\.svg"/g, `"data:image/svg+xml;base64,${read("icon.svg").toString("base64")}"`],
    [STYLE, within("<style>", css, "</style>")],
    [CLIENT, ""],
    [MAIN, within('<script type="module">', script, "</script>")],
    [/$/g, within("<!--\n", licences(), "-->\n")],
  ]);
}

const ICONS = ["icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png"];

/** The page as files for a folder of a server, by their names. The names of scripts have a hash of their contents. */
export async function site() {
  const files = new Map();
  const put = (name, content) => (files.set(name, Buffer.from(content)), name);
  const hashed = (stem, end, content) => put(`${stem}-${sha256(content, "hex").slice(0, 10)}${end}`, content);
  const compiled = hashed("files", ".wasm", readFileSync(join(crate, "dist/files_bg.wasm")));
  const worker = hashed("worker", ".js", await bundled("worker.js", `export const compiled = new URL("${compiled}", import.meta.url);`, {}));
  const main = hashed("inspector", ".js", await bundled("main.js", `
    export const startWorker = () => new Worker(new URL("${worker}", import.meta.url), { type: "module" });
    export const loadSample = async () => (await fetch("sample.bin")).blob();
    // A page in a sandbox has no service worker.
    if (isSecureContext && self.origin !== "null") navigator.serviceWorker.register("service-worker.js").catch(() => {});
  `, {}));
  const css = hashed("style", ".css", await style());
  for (const name of ["sample.bin", "manifest.webmanifest", ...ICONS]) put(name, read(name));
  const html = read("index.html").toString(), [policy] = html.match(POLICY);
  put("index.html", replaced(html, [
    [POLICY, `${policy}; manifest-src 'self'`],
    [STYLE, `<link rel="stylesheet" href="${css}">\n  <link rel="manifest" href="manifest.webmanifest">`],
    [CLIENT, ""],
    [MAIN, `<script type="module" src="${main}"></script>`],
  ]));
  const names = [...files.keys()], version = sha256(names.map((name) => `${name} ${sha256(files.get(name), "hex")}`).join("\n"), "hex").slice(0, 16);
  const addresses = names.map((name) => (name === "index.html" ? "./" : name));
  put("service-worker.js", await bundled("service-worker.js", "", { define: { VERSION: JSON.stringify(version), FILES: JSON.stringify(addresses) } }));
  // For other pages: the element, and an example.
  put("inspector.html", await inspector());
  put("variant-inspector.js", readFileSync(join(crate, "element/variant-inspector.js")));
  put("element.html", readFileSync(join(crate, "element/example.html")));
  put("example.js", readFileSync(join(crate, "element/example.js")));
  put("LICENSE-THIRD-PARTY.txt", licences());
  return files;
}

/** The names with a hash. An earlier version left other files with such names. */
export const HASHED = /-[0-9a-f]{10}\.(css|js|wasm)$/;
/** The files that the page loads before it can be used. */
export const firstLoad = (files) => [...files].filter(([name]) => HASHED.test(name) || ["index.html", "icon.svg"].includes(name));

export const gzipped = (content) => gzipSync(content, { level: 9 }).length;

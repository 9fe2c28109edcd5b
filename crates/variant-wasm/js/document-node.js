// The functions for files in Node, which read the module from its file.

import { readFileSync } from "node:fs";

import { files } from "./files.js";

export { Document, Literal } from "./document.js";
export { dialects } from "./instance.js";
export * from "./values.js";

files.beginWith(readFileSync(new URL("../dist/files_bg.wasm", import.meta.url)));

/** Restarts the module if it has stopped. The promise resolves without waiting. */
export async function initialize() {
  files.beginAnew();
}

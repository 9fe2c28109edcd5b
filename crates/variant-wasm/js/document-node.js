// Files in Node: the module is read from its file.

import { readFileSync } from "node:fs";

import { files } from "./files.js";

export { Document } from "./document.js";
export { dialects } from "./instance.js";
export * from "./values.js";

files.beginWith(readFileSync(new URL("../dist/files_bg.wasm", import.meta.url)));

/** Starts the module anew if it has stopped; there is nothing to wait for. */
export async function initialize() {
  files.beginAnew();
}

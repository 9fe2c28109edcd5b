// The functions for files, in browsers, their workers, and all other environments except Node.

import { files } from "./files.js";

export { Document, Literal } from "./document.js";
export { dialects } from "./instance.js";
export * from "./values.js";

/**
 * Starts the module, or restarts it if it has stopped. `source` is an argument of `fetch`, a response of `fetch`, the bytes of
 * the module, or a `WebAssembly.Module`. By default it is the file of the package.
 */
export function initialize(source = new URL("../dist/files_bg.wasm", import.meta.url)) {
  return files.start(source);
}

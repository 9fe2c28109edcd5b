// Files in browsers, their workers, and everything else that is not Node.

import { files } from "./files.js";

export { Document } from "./document.js";
export { dialects } from "./instance.js";
export * from "./values.js";

/**
 * Starts the module, or starts it anew if it has stopped. `source` is what `fetch` takes, its response, the bytes of the module,
 * or a `WebAssembly.Module`; the file of the package where nothing is said.
 */
export function initialize(source = new URL("../dist/files_bg.wasm", import.meta.url)) {
  return files.start(source);
}

// The functions for packets, in browsers, their workers, and all other environments except Node.

import { codec } from "./codec.js";

export * from "./index.js";

/**
 * Starts the module, or restarts it if it has stopped. `source` is an argument of `fetch`, a response of `fetch`, the bytes of
 * the module, or a `WebAssembly.Module`. By default it is the file of the package.
 */
export function initialize(source = new URL("../dist/codec_bg.wasm", import.meta.url)) {
  return codec.start(source);
}

// Packets in browsers, their workers, and everything else that is not Node.

import { codec } from "./codec.js";

export * from "./index.js";

/**
 * Starts the module, or starts it anew if it has stopped. `source` is what `fetch` takes, its response, the bytes of the module,
 * or a `WebAssembly.Module`; the file of the package where nothing is said.
 */
export function initialize(source = new URL("../dist/codec_bg.wasm", import.meta.url)) {
  return codec.start(source);
}

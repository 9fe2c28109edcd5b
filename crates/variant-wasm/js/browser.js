// For browsers, their workers, and everything else that is not Node.

import start from "../dist/module.js";
import { begin, beginAnew } from "./current.js";

export * from "./index.js";

let starting;

/**
 * Starts the module, or starts it anew if it has stopped. `source` is what `fetch` takes, its response, the bytes of the module,
 * or a `WebAssembly.Module`; the file of the package where nothing is said.
 */
export function initialize(source) {
  if (beginAnew()) return Promise.resolve();
  starting ??= load(source).finally(() => (starting = undefined));
  return starting;
}

async function load(source = new URL("../dist/module_bg.wasm", import.meta.url)) {
  begin(await start({ module_or_path: source }));
}

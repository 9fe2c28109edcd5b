// For Node: the module is read from its file at once.

import { readFileSync } from "node:fs";

import * as module from "../dist/module.js";
import { begin, beginAnew } from "./current.js";

export * from "./index.js";

begin(module.initSync({ module: readFileSync(new URL("../dist/module_bg.wasm", import.meta.url)) }));

/** Starts the module anew if it has stopped; there is nothing to wait for. */
export async function initialize() {
  beginAnew();
}

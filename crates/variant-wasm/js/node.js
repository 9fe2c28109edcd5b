// Packets in Node: the module is read from its file.

import { readFileSync } from "node:fs";

import { codec } from "./codec.js";

export * from "./index.js";

codec.beginWith(readFileSync(new URL("../dist/codec_bg.wasm", import.meta.url)));

/** Restarts the module if it has stopped. Resolves at once. */
export async function initialize() {
  codec.beginAnew();
}

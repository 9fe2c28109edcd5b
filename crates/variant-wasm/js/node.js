// The functions for packets in Node, which read the module from its file.

import { readFileSync } from "node:fs";

import { codec } from "./codec.js";

export * from "./index.js";

codec.beginWith(readFileSync(new URL("../dist/codec_bg.wasm", import.meta.url)));

/** Restarts the module if it has stopped. The promise resolves without waiting. */
export async function initialize() {
  codec.beginAnew();
}

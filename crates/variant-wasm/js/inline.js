// The functions for packets, with the module in the JavaScript. Bundlers need no settings for it.

import compiled from "../dist/codec_inline.js";
import { codec } from "./codec.js";
import { inflated } from "./inflate.js";

export * from "./index.js";

/** Starts the module, or restarts it if it has stopped. */
export async function initialize() {
  if (!codec.beginAnew()) await codec.start(inflated(compiled));
}

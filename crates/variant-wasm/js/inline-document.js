// The functions for files, with the module in the JavaScript. Bundlers need no settings for it.

import compiled from "../dist/files_inline.js";
import { files } from "./files.js";
import { inflated } from "./inflate.js";

export { Document, Literal } from "./document.js";
export { dialects } from "./instance.js";
export * from "./values.js";

/** Starts the module, or restarts it if it has stopped. */
export async function initialize() {
  if (!files.beginAnew()) await files.start(inflated(compiled));
}

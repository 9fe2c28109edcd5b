// `Migration` in Node, which reads the module from its file.

import { readFileSync } from "node:fs";

import { migrations } from "./migration.js";

export { dialects } from "./instance.js";
export { Migration } from "./migration.js";
export * from "./values.js";

migrations.beginWith(readFileSync(new URL("../dist/migration_bg.wasm", import.meta.url)));

/** Restarts the module if it has stopped. The promise resolves without waiting. */
export async function initialize() {
  migrations.beginAnew();
}

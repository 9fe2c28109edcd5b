// Embeds modules in JavaScript: writes dist/codec_inline.js and dist/files_inline.js, for js/inline.js and js/inline-document.js.
//   node crates/variant-wasm/tools/embed.js [FOLDER]     default: dist

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The text that `inflated` of js/inflate.js reads. */
export const embedded = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? fileURLToPath(new URL("../dist", import.meta.url));
  for (const name of ["codec", "files"]) {
    writeFileSync(join(folder, `${name}_inline.js`), `export default "${embedded(readFileSync(join(folder, `${name}_bg.wasm`)))}";\n`);
  }
}

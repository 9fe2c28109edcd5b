// Archives of files. Equal files give equal bytes, since all have the first date that an archive can have.
//   node crates/variant-wasm/tools/zip.js ARCHIVE FOLDER      the files of a folder

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

// Older versions of Node 20 lack zlib's function.
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => Array.from({ length: 8 }).reduce((sum) => (sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1), byte));
const crc32 = (bytes) => ~bytes.reduce((sum, byte) => (sum >>> 8) ^ TABLE[(sum ^ byte) & 255], -1) >>> 0;

/** 1980-01-01, 00:00. */
const DATE = 0x21, UTF8 = 0x800, DEFLATE = 8, VERSION = 20;

/** Little-endian numbers, as pairs of a width in bytes and a number. */
const packed = (...numbers) => Buffer.concat(numbers.map(([width, number]) => {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntLE(number, 0, width);
  return bytes;
}));

/** The archive of files, a Map of names and contents. */
export function zip(files) {
  const parts = [], entries = [];
  let offset = 0;
  for (const [name, content] of files) {
    const bytes = Buffer.from(content), compressed = deflateRawSync(bytes, { level: 9 }), title = Buffer.from(name);
    const shared = packed([2, VERSION], [2, UTF8], [2, DEFLATE], [2, 0], [2, DATE], [4, crc32(bytes)], [4, compressed.length], [4, bytes.length], [2, title.length], [2, 0]);
    entries.push(packed([4, 0x02014b50], [2, VERSION]), shared, packed([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), title);
    const part = Buffer.concat([packed([4, 0x04034b50]), shared, title, compressed]);
    parts.push(part);
    offset += part.length;
  }
  const list = Buffer.concat(entries);
  return Buffer.concat([...parts, list, packed([4, 0x06054b50], [2, 0], [2, 0], [2, files.size], [2, files.size], [4, list.length], [4, offset], [2, 0])]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , archive, folder] = process.argv;
  writeFileSync(archive, zip(new Map(readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name))]))));
}

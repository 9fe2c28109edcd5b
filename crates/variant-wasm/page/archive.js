// The files in a zip archive.

import { unzipSync } from "../tools/node_modules/fflate/esm/browser.js";

/** The greatest number of files that are unpacked, and of their bytes. */
const MOST_FILES = 10_000, MOST_BYTES = 512 << 20;

/** The files in the bytes of an archive, as `{ path, bytes }`. */
export function filesIn(archive) {
  let files = 0, bytes = 0;
  const filter = ({ name, originalSize }) => {
    if (name.endsWith("/")) return false;
    bytes += originalSize;
    if (++files > MOST_FILES || bytes > MOST_BYTES) throw new Error(`the archive has more than ${MOST_FILES} files or ${MOST_BYTES >> 20} MiB`);
    return true;
  };
  return Object.entries(unzipSync(archive, { filter })).map(([path, content]) => ({ path, bytes: content }));
}

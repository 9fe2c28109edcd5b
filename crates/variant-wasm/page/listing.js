// The files in a drop or a folder. Each is `{ path, file }`, with a `handle` if it can be saved in place.

/** The greatest number of files that are listed. */
const MOST_FILES = 10_000;
/** The files of systems, and copies that the command keeps. */
const IGNORED = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$|~$/;

/** The files of a drop, with those in dropped folders. */
export async function listed({ items, files }) {
  // The items of a drop are gone after the first pause.
  const dropped = [...items ?? []].filter(({ kind }) => kind === "file").map((item) => ({ handle: item.getAsFileSystemHandle?.(), entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }));
  if (dropped.length === 0) return [...files].map((file) => ({ file, path: file.name }));
  const all = await Promise.all(dropped.map(async ({ handle, entry, file }) => {
    if (entry?.isDirectory) return inFolder(entry);
    return [{ file, path: file.name, handle: await handle?.catch(() => undefined) }];
  }));
  return all.flat();
}

async function inFolder(folder) {
  const found = [], folders = [folder];
  while (folders.length > 0 && found.length < MOST_FILES) {
    const reader = folders.shift().createReader();
    for (;;) {
      const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) break;
      for (const entry of entries) {
        if (entry.isDirectory) folders.push(entry);
        else found.push({ path: entry.fullPath.replace(/^\//, ""), file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
      }
    }
  }
  return found;
}

export const isIgnored = (path) => IGNORED.test(path);

/** Whether a file is a zip archive, by its first bytes. */
export async function isArchive(file) {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return start[0] === 0x50 && start[1] === 0x4b && start[2] <= 5 && start[3] <= 6;
}

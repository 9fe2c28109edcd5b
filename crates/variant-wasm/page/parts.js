// The files that the page loads besides its JavaScript modules. `bundle` replaces this file by a file with embedded
// sources.

export const compiled = new URL("../dist/files_bg.wasm", import.meta.url);
export const startWorker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
export const loadSample = async () => (await fetch("sample.bin")).blob();

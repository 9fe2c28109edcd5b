// Documents in a worker, so that large files do not stop the page. js/answers.js describes the messages.

import { packed, unpacked } from "./carried.js";

export { Literal } from "./literal.js";
export * from "./values.js";

/** The methods of `Document`, and its properties, which are methods here. */
const METHODS = [
  "info", "changes", "detect", "reread", "unlock", "at", "select", "kind", "offset", "extent", "node", "children", "pathTo", "fields", "bytes", "search", "nodes", "validate",
  "text", "json", "edit", "kindOf", "set", "insert", "delete", "renameKey", "merge", "undo", "redo", "save", "unwrap", "wrap", "convert", "salvage", "diff",
];

/** The worker, while one runs, and its calls without an answer. */
let running;
let count = 0;

const begin = () => new Worker(new URL("./worker-main.js", import.meta.url), { type: "module" });

/** Uses another worker for the files that are opened from now on. Its program is `worker-main.js` or `inline-worker.js` of this package. */
export function use(worker) {
  running = { worker, waiting: new Map() };
  const { waiting } = running, self = running;
  worker.addEventListener("message", ({ data: { id, result, error, isDead } }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(Object.assign(new Error(error.message), error));
    else call?.resolve(unpacked(result));
    if (isDead) end(self, error.message);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(self, event.message || "the worker could not be started");
  });
  return running;
}

function end(ended, message) {
  ended.worker.terminate();
  ended.message = message;
  if (running === ended) running = undefined;
  for (const { reject } of ended.waiting.values()) reject(new Error(message));
  ended.waiting.clear();
}

/** Ends the worker, with all of its files. The next `open` starts another. */
export function terminate() {
  if (running) end(running, "the worker was terminated");
}

/** A document in the worker. Its methods are those of `Document`, and return promises. */
export class RemoteDocument {
  #server;
  #number = ++count;
  static #called;

  static {
    RemoteDocument.#called = (document, method, parts) => {
      const server = document.#server;
      if (server.message !== undefined) return Promise.reject(new Error(`${server.message}; open the file again`));
      const id = ++count, sent = parts.map((part) => packed(part, (value) => (#number in value ? value.#number : undefined)));
      return new Promise((resolve, reject) => {
        server.waiting.set(id, { resolve, reject });
        server.worker.postMessage({ id, file: document.#number, method, parts: sent });
      });
    };
    for (const method of METHODS) {
      Object.defineProperty(RemoteDocument.prototype, method, { value(...parts) { return RemoteDocument.#called(this, method, parts); }, writable: true, configurable: true });
    }
  }

  static async open(content, options) {
    const document = new RemoteDocument();
    document.#server = running ?? use(begin());
    await RemoteDocument.#called(document, "open", [content, options]);
    return document;
  }

  /** Frees the memory of the file. */
  free() {
    return this.#server.message === undefined ? RemoteDocument.#called(this, "free", []) : Promise.resolve();
  }
}

/** Opens bytes or a Blob in the worker. `options` are those of `Document`. */
export const open = RemoteDocument.open;

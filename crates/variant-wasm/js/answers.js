// The program of the worker with open files. worker-main.js and inline-worker.js start it with the module. A message is one call,
// `{ id, file, method, parts }`: `open` opens a file with the number `file`, and any other call is a method or property of that `Document`. The
// answer is `{ id, result }` or `{ id, error, isDead }`. `isDead`: the module has stopped, and all files are lost.

import { packed, unpacked } from "./carried.js";

/** Answers the messages to this worker. `initialize` starts the module. */
export function answerWith({ Document, initialize }) {
  const ready = initialize(), files = new Map();
  const documentAt = (number) => {
    if (!files.has(number)) throw new TypeError("the document was freed");
    return files.get(number);
  };
  const calls = {
    async open(number, content, options) {
      files.set(number, new Document(content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content, options));
    },
    free(number) {
      files.get(number)?.free();
      files.delete(number);
    },
  };
  const called = (file, method, parts) => {
    if (Object.hasOwn(calls, method)) return calls[method](file, ...parts);
    const document = documentAt(file), member = document[method];
    return typeof member === "function" ? member.apply(document, parts) : member;
  };

  async function answer({ id, file, method, parts }) {
    try {
      await ready;
      const result = await called(file, method, parts.map((part) => unpacked(part, documentAt)));
      const bytes = [result, result?.bytes].find((part) => part instanceof Uint8Array);
      postMessage({ id, result: packed(result) }, bytes ? [bytes.buffer] : []);
    } catch (error) {
      // After a trap the state of the module's memory is unknown.
      const isDead = [error, error.cause].some((cause) => cause instanceof WebAssembly.RuntimeError);
      const { cause, ...fields } = error;
      postMessage({ id, isDead, error: { ...fields, name: error.name, message: error.message } });
    }
  }

  let last = Promise.resolve();
  addEventListener("message", ({ data }) => { last = last.then(() => answer(data)); });
}

// Calls to the worker.

import { startWorker } from "./parts.js";

/** The error of a failed call: a copy of the worker's error, with its fields. */
export class CallError extends Error {
  constructor(fields) {
    super(fields.message);
    Object.assign(this, fields);
  }
}

class Client {
  #waiting = new Map();
  #count = 0;
  #worker;
  #isReady = false;
  #broken;
  #died;

  constructor() {
    this.#start();
  }

  /** Sets the function that is called with the reason when a worker has ended. By then, a new worker runs, without a file. */
  set died(died) {
    this.#died = died;
    if (this.#broken) died(this.#broken);
  }

  get isReady() {
    return this.#isReady;
  }

  /** Calls the worker about an open file, by its number. */
  call(file, method, ...parts) {
    if (this.#broken) return Promise.reject(new CallError({ ...this.#broken, isDead: true }));
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, file, method, parts });
    });
  }

  #start() {
    this.#worker = startWorker();
    this.#worker.addEventListener("message", ({ data }) => this.#answered(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end({ name: "Error", message: event.message || "the worker could not be started" });
    });
  }

  #answered({ id, result, error, isDead, isReady }) {
    if (isReady) this.#isReady = true;
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) call?.reject(new CallError(error));
    else call?.resolve(result);
    if (isDead) this.#end(error);
  }

  #end(error) {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new CallError({ ...error, isDead: true }));
    // If a worker was never ready, a new worker would fail also.
    if (this.#isReady) this.#start();
    else this.#broken = error;
    this.#died?.(error);
  }
}

/** The client of the page. Its worker starts while the rest of the page is loaded. */
export const client = new Client();

// The class `Fields`: reads a few values of each packet.

import { codec } from "./codec.js";

/** Paths that are resolved once. Then their values are read from any number of packets. */
export class Fields {
  #paths;
  #options;
  #engine;
  #decoding;
  #fields;

  constructor(paths, options) {
    this.#paths = Array.from(paths, (path) => {
      if (typeof path !== "string") throw new TypeError("paths: texts are wanted");
      return path;
    });
    this.#options = typeof options === "string" ? options : { ...options };
    this.#resolve(codec.engine);
  }

  /** The values in the order of their paths. */
  read(bytes) {
    const engine = codec.engine;
    if (engine !== this.#engine) this.#resolve(engine);
    return engine.read(bytes, this.#decoding, this.#fields);
  }

  /** Resolves the paths, once for each instance of the module. */
  #resolve(engine) {
    const decoding = engine.options.decoding(this.#options);
    const { dialect, flags, depth, values } = decoding;
    this.#fields = engine.run(({ Fields }) => new Fields(this.#paths, dialect, flags, depth, values));
    this.#decoding = decoding;
    this.#engine = engine;
  }
}

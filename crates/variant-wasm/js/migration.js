// The class `Migration`: steps that bring old saves to the newest version of a game. Its WebAssembly module is compiled for size.

import * as module from "../dist/migration.js";
import { replace } from "./document.js";
import { Instance } from "./instance.js";
import { known } from "./options.js";

const OPTIONS = ["dialect", "exact", "dictionaries"];

export const migrations = new Instance(module);

/** A file of steps that is read once. Then it migrates any number of values and documents. */
export class Migration {
  #text;
  #name;
  #engine;
  #steps;

  constructor(text, name = "steps") {
    if (typeof text !== "string" || typeof name !== "string") throw new TypeError("text, name: strings are wanted");
    this.#text = text;
    this.#name = name;
    this.#with(() => {});
  }

  /** Calls a function with the steps. They are read once for each instance of the module. */
  #with(work) {
    const { engine } = migrations;
    return engine.run(({ Migration }) => {
      if (engine !== this.#engine) {
        this.#steps = new Migration(this.#text, this.#name);
        this.#engine = engine;
      }
      return work(this.#steps);
    });
  }

  get newest() {
    return this.#with((steps) => steps.newest());
  }

  get versions() {
    return this.#with((steps) => steps.versions());
  }

  apply(value, options) {
    const { dialect, exact, dictionaries } = typeof options === "string" ? { dialect: options } : known(options, OPTIONS);
    const { engine } = migrations;
    const packet = engine.encode(value, { dialect });
    const newest = this.#with((steps) => steps.apply(packet, engine.options.dialect(dialect)));
    return engine.decode(newest, { dialect, exact, dictionaries });
  }

  migrate(document) {
    return replace(document, (bytes, { dialect, framing, skipped }) => this.#with((steps) => steps.migrate(bytes, dialect, framing, skipped)));
  }
}

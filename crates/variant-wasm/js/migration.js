// The class `Migration`: steps that bring old saves to the newest version of a game.

import { files } from "./files.js";

/** The steps of a migration, in an instance of the module. */
export let stepsOf;

/** A file of steps that is read once. Then it migrates any number of values and documents. */
export class Migration {
  #text;
  #name;
  #engine;
  #steps;

  static {
    stepsOf = (migration, engine) => {
      if (!(#steps in Object(migration))) throw new TypeError("migration: a Migration is wanted");
      return migration.#in(engine);
    };
  }

  constructor(text, name = "steps") {
    if (typeof text !== "string" || typeof name !== "string") throw new TypeError("text, name: strings are wanted");
    this.#text = text;
    this.#name = name;
    this.#in(files.engine);
  }

  /** The steps in an instance of the module, read once for each instance. */
  #in(engine) {
    if (engine !== this.#engine) {
      this.#steps = engine.run(({ Migration }) => new Migration(this.#text, this.#name));
      this.#engine = engine;
    }
    return this.#steps;
  }

  /** Calls a function with the steps. */
  #with(work) {
    const { engine } = files;
    const steps = this.#in(engine);
    return engine.run(() => work(steps));
  }

  get newest() {
    return this.#with((steps) => steps.newest());
  }

  get versions() {
    return this.#with((steps) => steps.versions());
  }

  apply(value, options) {
    const { dialect, exact, dictionaries } = typeof options === "string" ? { dialect: options } : options ?? {};
    const { engine } = files;
    const packet = engine.encode(value, { dialect });
    const newest = this.#with((steps) => steps.apply(packet, engine.options.dialect(dialect)));
    return engine.decode(newest, { dialect, exact, dictionaries });
  }
}

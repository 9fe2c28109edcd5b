// A module that runs.

import { Engine } from "./engine.js";

/** The names of the dialects, once a module runs. */
export let dialects = [];

/** A module, and the engine of its instance. */
export class Instance {
  #module;
  #engine;
  #starting;

  /** `module` is the glue of a module. */
  constructor(module) {
    this.#module = module;
  }

  get engine() {
    const engine = this.#engine;
    if (engine === undefined) throw new Error("the module does not run yet: await initialize() first");
    if (engine.hasStopped) throw new Error("the module has stopped; await initialize() starts it anew");
    return engine;
  }

  /** Begins with the exports of an instance. */
  begin({ memory }) {
    this.#engine = new Engine(this.#module, memory);
    ({ dialects } = this.#engine.options);
  }

  /** Begins with a new instance if the earlier one has stopped; returns whether one runs. */
  beginAnew() {
    if (this.#engine?.hasStopped) {
      this.#module.__wbg_reset_state();
      this.begin(this.#module.initSync());
    }
    return this.#engine !== undefined;
  }

  /** Begins with the compiled module or its bytes. */
  beginWith(module) {
    this.begin(this.#module.initSync({ module }));
  }

  /** Begins with the module loaded from `source`, unless an instance runs. */
  start(source) {
    if (this.beginAnew()) return Promise.resolve();
    this.#starting ??= this.#load(source).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #load(source) {
    this.begin(await this.#module.default({ module_or_path: source }));
  }
}

// A running instance of a WebAssembly module.

import { Engine } from "./engine.js";

/** The names of the dialects. Empty before a module runs. */
export let dialects = [];

/** A WebAssembly module, and the engine for its running instance. */
export class Instance {
  #module;
  #engine;
  #starting;

  /** `module` is the JavaScript that wasm-bindgen generated for the WebAssembly module. */
  constructor(module) {
    this.#module = module;
  }

  get engine() {
    const engine = this.#engine;
    if (engine === undefined) throw new Error("the module does not run yet: await initialize() first");
    if (engine.hasStopped) throw new Error("the module has stopped; await initialize() starts it again");
    return engine;
  }

  /** Uses the instance with these exports. */
  begin({ memory }) {
    this.#engine = new Engine(this.#module, memory);
    ({ dialects } = this.#engine.options);
  }

  /** Creates a new instance if the earlier one has stopped. Returns whether an instance runs. */
  beginAnew() {
    if (this.#engine?.hasStopped) {
      this.#module.__wbg_reset_state();
      this.begin(this.#module.initSync());
    }
    return this.#engine !== undefined;
  }

  /** Creates an instance of a compiled module, or of the bytes of a module. */
  beginWith(module) {
    this.begin(this.#module.initSync({ module }));
  }

  /** Loads the module from `source` and creates an instance, unless an instance runs. */
  start(source) {
    if (this.beginAnew()) return Promise.resolve();
    this.#starting ??= this.#load(source).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #load(source) {
    this.begin(await this.#module.default({ module_or_path: source }));
  }
}

// The module that runs.

import * as module from "../dist/module.js";
import { Engine } from "./engine.js";

let engine;

/** The names of the dialects, once the module runs. */
export let dialects = [];

/** The engine that values are read and written with. */
export function current() {
  if (engine === undefined) throw new Error("the module does not run yet: await initialize() first");
  if (engine.hasStopped) throw new Error("the module has stopped; await initialize() starts it anew");
  return engine;
}

/** Begins with what an instance of the module exports. */
export function begin({ memory }) {
  engine = new Engine(module, memory);
  ({ dialects } = engine.options);
}

/** Begins with a new instance if the one that was there has stopped; tells whether one runs. */
export function beginAnew() {
  if (engine?.hasStopped) {
    module.__wbg_reset_state();
    begin(module.initSync());
  }
  return engine !== undefined;
}

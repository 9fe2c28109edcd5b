// For Node: the module is read from its file.

import { readFileSync } from "node:fs";

import { Engine } from "./api.js";
import { use } from "./current.js";
import * as module from "../dist/module.js";

const { memory } = module.initSync({ module: readFileSync(new URL("../dist/module_bg.wasm", import.meta.url)) });
const engine = new Engine(module, memory);
use(engine);

export * from "./values.js";
export { Document } from "./document.js";
export const dialects = engine.dialects;
export const decode = (bytes, options) => engine.decode(bytes, options);
export const decodeFront = (bytes, options) => engine.decodeFront(bytes, options);
export const encode = (value, options) => engine.encode(value, options);

// The WebAssembly module for packets, compiled for speed.

import * as module from "../dist/codec.js";
import { Instance } from "./instance.js";

export const codec = new Instance(module);

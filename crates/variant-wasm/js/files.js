// The WebAssembly module for files, compiled for size.

import * as module from "../dist/files.js";
import { Instance } from "./instance.js";

export const files = new Instance(module);

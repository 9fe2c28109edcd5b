// The exports of the package, in Node and elsewhere.

import { codec } from "./codec.js";

export * from "./values.js";
export { Fields } from "./fields.js";
export { dialects } from "./instance.js";

export const decode = (bytes, options) => codec.engine.decode(bytes, options);
export const decodeFront = (bytes, options) => codec.engine.decodeFront(bytes, options);
export const encode = (value, options) => codec.engine.encode(value, options);

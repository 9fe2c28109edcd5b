// What the package offers, in Node and elsewhere.

import { current } from "./current.js";

export * from "./values.js";
export { dialects } from "./current.js";
export { Document } from "./document.js";
export { Fields } from "./fields.js";

export const decode = (bytes, options) => current().decode(bytes, options);
export const decodeFront = (bytes, options) => current().decodeFront(bytes, options);
export const encode = (value, options) => current().encode(value, options);

// The types of the functions for packets, with the module in the JavaScript.

export * from "./index.js";

/** Starts the module, or restarts it if it has stopped. It needs no file. */
export function initialize(): Promise<void>;

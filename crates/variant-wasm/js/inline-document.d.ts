// The types of the functions for files, with the module in the JavaScript.

export * from "./document.js";

/** Starts the module, or restarts it if it has stopped. It needs no file. */
export function initialize(): Promise<void>;

// The module that is in use.

let engine;

/** The engine, once a module is there. */
export function current() {
  if (engine === undefined) throw new Error("the module is not there yet: await initialize()");
  return engine;
}

export function use(made) {
  engine = made;
}

// The path of a value that cannot be encoded.

import { GodotObject } from "./values.js";

// The module has no keys: `{1}` is the value of pair 1, `{1:key}` its key, `[2]` element 2.
const STEP = /\[(\d+)\]|\{(\d+)(:key)?\}/g;

/** Puts keys into the path of an error, instead of the numbers of pairs. `value` is the value that was to be encoded. */
export function nameKeys(error, value) {
  const { path, message } = error;
  if (!path?.includes("{")) return error;
  try {
    error.path = keyed(path, value);
    if (message.startsWith(path)) error.message = error.path + message.slice(path.length);
  } catch {
    // A getter of the value has thrown. The path has numbers.
  }
  return error;
}

function keyed(path, value) {
  let steps = "";
  for (const [step, index, pair, isKey] of path.matchAll(STEP)) {
    const [key, item] = index === undefined ? pairOf(value, Number(pair)) : [undefined, value[index]];
    steps += (isKey ? undefined : stepTo(key)) ?? step;
    value = isKey ? key : item;
  }
  return steps.replace(/^\./, "");
}

function pairOf(value, number) {
  const pairs = value instanceof GodotObject ? value.properties : value;
  return (pairs instanceof Map ? pairs.pairs ?? [...pairs] : Object.entries(pairs))[number];
}

/** The step to the value of a key. `undefined` for a key that a path cannot name. */
function stepTo(key) {
  if (Number.isSafeInteger(key) || typeof key === "bigint") return `[${key}]`;
  if (typeof key !== "string") return undefined;
  if (/^[\p{Alphabetic}\p{N}_]+$/u.test(key)) return `.${key}`;
  const quote = key.includes('"') ? "'" : '"';
  return `[${quote}${key}${quote}]`;
}

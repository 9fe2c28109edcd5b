// The path of a value that cannot be encoded.

import { GodotObject } from "./values.js";

// The module has no keys: `{1}` is the value of pair 1, `{1:key}` its key, `[2]` element 2.
const STEP = /\[(\d+)\]|\{(\d+)(:key)?\}/g;

/** Puts keys into the path of an error of the module, instead of the numbers of pairs. `value` is the value that was to be encoded. */
export function nameKeys(error, value) {
  const { path, message } = error;
  if (!path?.includes("{")) return error;
  const stepOf = ([, index, pair, isKey]) => ({ number: Number(index ?? pair), isKey: isKey !== undefined });
  const keyed = pathOf(value, path.matchAll(STEP), stepOf);
  if (keyed === undefined || !message.startsWith(path)) return error;
  return Object.assign(error, { path: keyed, message: keyed + message.slice(path.length) });
}

/** Adds the path of the value that is not a Variant. Each container around this value has begun this number of its items. */
export function addPath(error, value, counts) {
  const stepOf = (count, value) => {
    const item = count - 1;
    return Array.isArray(value) || value instanceof GodotObject ? { number: item, isKey: false } : { number: item >>> 1, isKey: item % 2 === 0 };
  };
  const path = pathOf(value, counts, stepOf);
  return path ? Object.assign(error, { path, message: `${path}: ${error.message}` }) : error;
}

/** The path along steps. `undefined` if a getter of the value throws, or gives another value than before. */
function pathOf(value, steps, stepOf) {
  let path = "";
  try {
    for (const step of steps) {
      const { number, isKey } = stepOf(step, value);
      if (Array.isArray(value)) {
        path += `[${number}]`;
        value = value[number];
      } else {
        const [key, item] = pairOf(value, number);
        path += isKey ? `{${number}:key}` : stepTo(key) ?? `{${number}}`;
        value = isKey ? key : item;
      }
    }
  } catch {
    return undefined;
  }
  return path.replace(/^\./, "");
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

// The kinds, and the functions that make values of numbers.

import * as values from "./values.js";

/** Typed arrays by number type. Reals have the width of their value. */
export const ARRAYS = { byte: Uint8Array, int32: Int32Array, int64: BigInt64Array, float32: Float32Array, float64: Float64Array };
/** Packed arrays that are typed arrays. */
export const PLAIN_ARRAYS = {
  PackedByteArray: "byte", PackedInt32Array: "int32", PackedInt64Array: "int64",
  PackedFloat32Array: "float32", PackedFloat64Array: "float64",
};

/** The kinds, by their numbers in the module. */
export class Kinds {
  constructor(names) {
    this.names = names.split(" ");
    this.numbers = new Map(this.names.map((name, number) => [name, number]));
    /** For each kind made of numbers, the function that makes a value from bytes. */
    this.readers = this.names.map((name) => reader(name));
  }

  numberOf(name) {
    const number = this.numbers.get(name);
    if (number === undefined) throw new TypeError(`${name} is no type of the engine`);
    return number;
  }
}

/** Returns a function `(view, index)` that makes a value of the class from the numbers of `view`, starting at `index`. */
function maker(Class) {
  const { shape } = Class;
  if (typeof shape[0] !== "string") {
    const parts = shape.map(([, part]) => (part ? { make: maker(part), count: part.count } : { make: (view, index) => view[index], count: 1 }));
    return (view, index) => {
      const made = [];
      for (const { make, count } of parts) {
        made.push(make(view, index));
        index += count;
      }
      return new Class(...made);
    };
  }
  if (shape.length === 2) return (view, index) => new Class(view[index], view[index + 1]);
  if (shape.length === 3) return (view, index) => new Class(view[index], view[index + 1], view[index + 2]);
  return (view, index) => new Class(view[index], view[index + 1], view[index + 2], view[index + 3]);
}

function copyOf(Type, memory, place, length) {
  return new Type(memory.bytes.slice(place, place + length).buffer);
}

function reader(name) {
  const plain = PLAIN_ARRAYS[name];
  if (plain) return (memory, place, length) => copyOf(ARRAYS[plain], memory, place, length);
  const Class = values[name];
  if (Class?.item) {
    const { number } = Class.item;
    return (memory, place, length, isWide) =>
      new Class(copyOf(number === "real" ? (isWide ? Float64Array : Float32Array) : ARRAYS[number], memory, place, length));
  }
  if (!Class?.shape) return undefined;
  const make = maker(Class);
  // Numbers of 32 bits are aligned to words.
  if (Class.number === "int32") return (memory, place) => make(memory.ints, place >>> 2);
  return (memory, place, length, isWide) => {
    if (!isWide || Class.number === "float32") return make(memory.floats, place >>> 2);
    return values.widen(make(copyOf(Float64Array, memory, place, length), 0));
  };
}

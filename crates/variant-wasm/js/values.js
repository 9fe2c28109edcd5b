// Classes for the kinds of values that JavaScript lacks. The properties of each class are in the order of the bytes.

/** A text that the engine interns. */
export class StringName {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes of a text that is not UTF-8. */
export class RawText {
  constructor(bytes, isName = false) {
    this.bytes = bytes;
    this.isName = isName;
  }
  toString() {
    return lossy.decode(this.bytes);
  }
}

/** An integer with a given width. A plain Number or BigInt would be written with another width. */
export class Int {
  constructor(value, width = 32) {
    this.value = BigInt(value);
    this.width = width;
  }
  valueOf() {
    return Number(this.value);
  }
}

/** A float with a given width. If the value is NaN, `bits` is a BigInt with its bits. */
export class Float {
  constructor(value, width, bits) {
    this.value = value;
    this.width = width ?? (Math.fround(value) === value || Number.isNaN(value) ? 32 : 64);
    if (bits !== undefined) this.bits = bits;
  }
  valueOf() {
    return this.value;
  }
}

/** A path to a node or a property. A path with `text` instead of names has the oldest form. Only Godot 2 reads this form. */
export class NodePath {
  constructor(names, subnames = [], isAbsolute = false, hasProperty = false, text = undefined) {
    this.names = names;
    this.subnames = subnames;
    this.isAbsolute = isAbsolute;
    this.hasProperty = hasProperty;
    if (text !== undefined) this.text = text;
  }
  static parse(text) {
    const [names, ...subnames] = text.split(":");
    const isAbsolute = names.startsWith("/");
    const list = (isAbsolute ? names.slice(1) : names).split("/");
    return new NodePath(names === "" || names === "/" ? [] : list, subnames, isAbsolute);
  }
  toString() {
    if (this.text !== undefined) return String(this.text);
    return (this.isAbsolute ? "/" : "") + this.names.join("/") + this.subnames.map((name) => ":" + name).join("");
  }
}

export class RID {
  constructor(id = 0n) {
    this.id = id;
  }
}
/** A Callable. Its bytes have no content. */
export class Callable {}
export class Signal {
  constructor(name, objectId = 0n) {
    this.name = name;
    this.objectId = objectId;
  }
}
/** An object that was written by its id. */
export class ObjectId {
  constructor(id) {
    this.id = id;
  }
}
/** A null object. `null` is the value `Nil`. */
export class NullObject {}
/** An object with its class and properties: a Map from name to value. */
export class GodotObject {
  constructor(className, properties = new Map()) {
    this.className = className;
    this.properties = properties;
  }
}
/** An image with its pixels. Only in Godot 2. */
export class Image {
  constructor(format, mipmaps, width, height, data) {
    Object.assign(this, { format, mipmaps, width, height, data });
  }
}
/** An input event. Only in Godot 2. */
export class InputEvent {
  constructor(event, device, payload) {
    Object.assign(this, { event, device, payload });
  }
}

// The element type that a container declares: `{ builtin: "int" }`, `{ class: "Node" }`, `{ script: "res://a.gd" }`,
// `{ id: 77 }`.

/** An array that declares the type of its elements, or is marked as shared. */
export class ArrayOf extends Array {
  static get [Symbol.species]() {
    return Array;
  }
  static typed(elementType, items = []) {
    const array = new ArrayOf();
    for (const item of items) array.push(item);
    array.elementType = elementType;
    return array;
  }
}

/** A dictionary that declares types, is marked as shared, or has keys that a Map cannot distinguish (`pairs`). */
export class DictionaryOf extends Map {
  keyType = undefined;
  valueType = undefined;
  isShared = false;
  /** All pairs as they were read, if some have equal keys. They are written instead of the Map's pairs, until the Map is changed. */
  pairs = undefined;

  /** Adds a pair that was read from bytes. */
  keep(key, value) {
    if (this.pairs === undefined && this.has(key)) this.pairs = [...this];
    this.pairs?.push([key, value]);
    super.set(key, value);
  }
  set(key, value) {
    this.pairs = undefined;
    return super.set(key, value);
  }
  delete(key) {
    this.pairs = undefined;
    return super.delete(key);
  }
  clear() {
    this.pairs = undefined;
    super.clear();
  }
}

// Mathematical values. `width` is the width of their reals in bits.

/** Makes a class whose values consist of numbers. `shape` lists the names of the numbers, or pairs of a name and a class. */
function numbers(name, number, shape) {
  const flat = shape.every((part) => typeof part === "string");
  const Class = {
    [name]: class {
      constructor(...parts) {
        for (let index = 0; index < shape.length; index++) {
          if (flat) this[shape[index]] = parts[index] ?? 0;
          else this[shape[index][0]] = parts[index] ?? (shape[index][1] ? new shape[index][1]() : 0);
        }
      }
    },
  }[name];
  Class.kind = name;
  Class.number = number;
  Class.shape = shape;
  Class.count = flat ? shape.length : shape.reduce((sum, [, part]) => sum + (part ? part.count : 1), 0);
  Class.prototype.width = 32;
  return Class;
}

// The frequent vectors have hand-written constructors, for speed.
export class Vector2 {
  constructor(x = 0, y = 0) {
    this.x = x;
    this.y = y;
  }
}
export class Vector3 {
  constructor(x = 0, y = 0, z = 0) {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}
export class Color {
  constructor(r = 0, g = 0, b = 0, a = 1) {
    this.r = r;
    this.g = g;
    this.b = b;
    this.a = a;
  }
}
for (const [Class, kind, number, shape] of [
  [Vector2, "Vector2", "real", ["x", "y"]],
  [Vector3, "Vector3", "real", ["x", "y", "z"]],
  [Color, "Color", "float32", ["r", "g", "b", "a"]],
]) {
  Object.assign(Class, { kind, number, shape, count: shape.length });
  Class.prototype.width = 32;
}

export const Vector2i = numbers("Vector2i", "int32", ["x", "y"]);
export const Vector3i = numbers("Vector3i", "int32", ["x", "y", "z"]);
export const Vector4 = numbers("Vector4", "real", ["x", "y", "z", "w"]);
export const Vector4i = numbers("Vector4i", "int32", ["x", "y", "z", "w"]);
export const Rect2 = numbers("Rect2", "real", [["position", Vector2], ["size", Vector2]]);
export const Rect2i = numbers("Rect2i", "int32", [["position", Vector2i], ["size", Vector2i]]);
/** Three columns. */
export const Transform2D = numbers("Transform2D", "real", [["x", Vector2], ["y", Vector2], ["origin", Vector2]]);
export const Plane = numbers("Plane", "real", [["normal", Vector3], ["d"]]);
export const Quaternion = numbers("Quaternion", "real", ["x", "y", "z", "w"]);
export const AABB = numbers("AABB", "real", [["position", Vector3], ["size", Vector3]]);
/** Three rows. */
export const Basis = numbers("Basis", "real", [["row0", Vector3], ["row1", Vector3], ["row2", Vector3]]);
/** Three rows and an origin. */
export const Transform3D = numbers("Transform3D", "real", [["row0", Vector3], ["row1", Vector3], ["row2", Vector3], ["origin", Vector3]]);
/** Four columns. */
export const Projection = numbers("Projection", "real", [["x", Vector4], ["y", Vector4], ["z", Vector4], ["w", Vector4]]);

/** Marks a mathematical value, and the values in it, as values with 64-bit reals. */
export function widen(value) {
  value.width = 64;
  for (const part of Object.values(value)) if (typeof part === "object") part.width = 64;
  return value;
}

/** Vectors or colors in sequence. `values` is a typed array of their numbers. */
export class PackedArray {
  constructor(values) {
    this.values = values;
  }
  get length() {
    return this.values.length / this.constructor.item.count;
  }
  /** A copy of one element. `undefined` after the end. */
  at(index) {
    const { item } = this.constructor;
    if (!(index >= 0 && index < this.length)) return undefined;
    const element = new item(...this.values.subarray(index * item.count, (index + 1) * item.count));
    return this.values instanceof Float64Array ? widen(element) : element;
  }
  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

function packed(name, item) {
  const Class = { [name]: class extends PackedArray {} }[name];
  Class.kind = name;
  Class.item = item;
  return Class;
}
export const PackedVector2Array = packed("PackedVector2Array", Vector2);
export const PackedVector2iArray = packed("PackedVector2iArray", Vector2i);
export const PackedVector3Array = packed("PackedVector3Array", Vector3);
export const PackedVector3iArray = packed("PackedVector3iArray", Vector3i);
export const PackedVector4Array = packed("PackedVector4Array", Vector4);
export const PackedVector4iArray = packed("PackedVector4iArray", Vector4i);
export const PackedColorArray = packed("PackedColorArray", Color);
export class PackedStringArray extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}

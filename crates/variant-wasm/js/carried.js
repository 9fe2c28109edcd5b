// Values in messages between a page and a worker. Browsers copy Maps, arrays and typed arrays, but not classes: an instance is sent as
// a Set of the name of its class, its properties, and its items. A Set is never a value.

import { Literal } from "./literal.js";
import * as values from "./values.js";

const CLASSES = { ...Object.fromEntries(Object.entries(values).filter(([name]) => /^[A-Z]/.test(name))), Literal };
const NAMES = new Map(Object.entries(CLASSES).map(([name, Class]) => [Class, name]));

const mapped = (object, work) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, work(value)]));

function itemsOf(value, pack) {
  if (Array.isArray(value)) return Array.from(value, pack);
  return value instanceof Map ? Array.from(value, ([key, item]) => [pack(key), pack(item)]) : undefined;
}

/** The value as it is sent. `documentOf` returns the number of a document that belongs to the worker, or `undefined`. */
export function packed(value, documentOf = () => undefined) {
  const pack = (value) => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof Blob) return value;
    const document = documentOf(value), name = NAMES.get(value.constructor), items = itemsOf(value, pack);
    if (document !== undefined) return new Set(["Document", document]);
    if (name === undefined) return Array.isArray(value) ? items : value instanceof Map ? new Map(items) : mapped(value, pack);
    const own = Array.isArray(value) ? Object.entries(value).slice(value.length) : Object.entries(value);
    return new Set([name, mapped(Object.fromEntries(own), pack), items]);
  };
  return pack(value);
}

/** The value that was sent. `documentAt` returns the document of a number. */
export function unpacked(value, documentAt = () => undefined) {
  const unpack = (value) => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof Blob) return value;
    if (Array.isArray(value)) return value.map(unpack);
    if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [unpack(key), unpack(item)]));
    if (!(value instanceof Set)) return mapped(value, unpack);
    const [name, properties, items] = value;
    if (name === "Document") return documentAt(properties);
    const Class = CLASSES[name], { prototype } = Class;
    const made = items === undefined ? Object.create(prototype) : new Class();
    for (const item of items ?? []) if (made instanceof Map) Map.prototype.set.call(made, unpack(item[0]), unpack(item[1])); else made.push(unpack(item));
    return Object.assign(made, mapped(properties, unpack));
  };
  return unpack(value);
}

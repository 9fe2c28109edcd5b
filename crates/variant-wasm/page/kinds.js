// The kinds of values, and literals: the texts of values as scripts write them.

/** The names of the numbers of a kind, in the order of its literal. The names of matrices are those of Godot's inspector. */
const NUMBERS = {
  Vector2: "x y", Vector2i: "x y", Rect2: "x y w h", Rect2i: "x y w h", Vector3: "x y z", Vector3i: "x y z", Vector4: "x y z w", Vector4i: "x y z w",
  Plane: "x y z d", Quaternion: "x y z w", AABB: "x y z w h d", Color: "r g b a", Transform2D: "xx yx xy yy xo yo",
  Basis: "xx xy xz yx yy yz zx zy zz", Transform3D: "xx xy xz yx yy yz zx zy zz xo yo zo",
  Projection: "xx xy xz xw yx yy yz yw zx zy zz zw wx wy wz ww",
};
/** The literals of new values. Those of other kinds have only zeros, or nothing in them. */
const NEW = {
  Nil: "null", bool: "false", int: "0", float: "0.0", String: '""', StringName: '&""', NodePath: '^""', Dictionary: "{}", Array: "[]",
  Color: "Color(1, 1, 1, 1)", Quaternion: "Quaternion(0, 0, 0, 1)", Transform2D: "Transform2D(1, 0, 0, 1, 0, 0)", Basis: "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
  Transform3D: "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)", Projection: "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
};
const KINDS = "Nil bool int float String NodePath Dictionary Array Color Vector2 Vector3 Rect2 Plane Quaternion AABB Basis Transform2D Transform3D "
  + "PackedByteArray PackedInt32Array PackedFloat32Array PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray";
const KINDS_OF_4 = "StringName Vector2i Vector3i Vector4 Vector4i Rect2i Projection PackedInt64Array PackedFloat64Array";
/** Dialects with the kinds of Godot 4. */
const IS_4 = /^(godot4|pandemonium[45])/;
/** The names of kinds in Godot 2 and 3. */
const OLD_NAMES = {
  Quaternion: "Quat", Transform3D: "Transform", PackedByteArray: "PoolByteArray", PackedInt32Array: "PoolIntArray", PackedFloat32Array: "PoolRealArray",
  PackedStringArray: "PoolStringArray", PackedVector2Array: "PoolVector2Array", PackedVector3Array: "PoolVector3Array", PackedColorArray: "PoolColorArray",
};

/** The kinds that a value may have in a dialect. */
export const kindsOf = (dialect) => [...KINDS.split(" "), ...(IS_4.test(dialect) ? KINDS_OF_4.split(" ") : [])];
/** The name of a kind in the engine of a dialect. */
export const nameOf = (kind, dialect) => (IS_4.test(dialect) ? kind : OLD_NAMES[kind] ?? kind);

/** The group of a kind. Each group has a color. */
export function groupOf(kind) {
  if (kind === undefined) return "damage";
  if (/^(Dictionary|Array|Object)/.test(kind)) return "container";
  if (/^(String|StringName|NodePath)$/.test(kind)) return "text";
  if (/^(bool|int|float|Nil)$/.test(kind)) return "scalar";
  return isPacked(kind) ? "packed" : "math";
}

export const isPacked = (kind) => /^(Packed|Pool)/.test(kind);
export const isKeyed = (kind) => /^(Dictionary|Object)/.test(kind);
export const isList = (kind) => /^(Array|Packed|Pool)/.test(kind);
export const isText = (kind) => groupOf(kind) === "text";
/** Whether the value is a single number, which the arrow keys step. */
export const isNumber = (kind) => kind === "int" || kind === "float";

/** The names of the numbers of a value, or `undefined` if it is not made of numbers. */
export const numbersOf = (kind) => NUMBERS[kind]?.split(" ");
export const newOf = (kind) => NEW[kind] ?? (NUMBERS[kind] ? literalOf(kind, numbersOf(kind).map(() => "0")) : `${kind}()`);
/** The literal of a value made of numbers. */
export const literalOf = (kind, numbers) => `${kind}(${numbers.join(", ")})`;

/** The kind of the elements of a packed array. */
export function elementOf(kind) {
  const name = /^Packed(Byte|Int|Float|String|Vector\di?|Color)/.exec(kind)?.[1];
  return { Byte: "int", Int: "int", Float: "float" }[name] ?? name;
}

/** The numbers in a literal of a kind made of numbers, as texts. */
export const numbersIn = (literal) => literal.slice(literal.indexOf("(") + 1, literal.lastIndexOf(")")).split(",").map((part) => part.trim());

const ESCAPES = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };
const SIGNS = { StringName: "&", NodePath: "^" };

/** The text of a literal of a text, without quotes and escapes. */
export const unquoted = (literal) => unescaped(literal.slice(literal.indexOf('"') + 1, literal.lastIndexOf('"')));

function unescaped(text) {
  return text.replace(/\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|U([\da-fA-F]{6})|(.))/gs, (_, braced, short, long, sign) => {
    const code = braced ?? short ?? long;
    return code ? String.fromCodePoint(parseInt(code, 16)) : ESCAPES[sign] ?? sign;
  });
}

/** The literal of a text. */
export function quoted(text, kind = "String") {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/[\x00-\x1f\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${SIGNS[kind] ?? ""}"${escaped}"`;
}

/** Whether a field for text keeps every character of a text. Browsers change the ends of lines, and do not show control characters. */
export const isTypeable = (text) => !/[\x00-\x08\x0b-\x1f\x7f]/.test(text);

/** The literal for a number as a user types it, also with a comma for the point. */
export function numberOf(text, kind) {
  const plain = text.trim().replace(/^([+-]?\d+),(\d+)$/, "$1.$2").replace(/^\+/, "");
  if (/^-?\d+$/.test(plain)) return kind === "int" ? plain : `${plain}.0`;
  return kind === "float" && /^-?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|nan)$/i.test(plain) ? plain.toLowerCase() : undefined;
}

/** The number `by` more, exactly. */
export function stepped(text, by) {
  const plain = text.trim();
  if (/^[+-]?\d+$/.test(plain)) return String(BigInt(plain) + BigInt(by));
  const number = Number(plain.replace(",", "."));
  if (plain === "" || !Number.isFinite(number)) return text;
  const digits = Math.min(12, plain.replace(",", ".").split(".")[1]?.match(/^\d+/)?.[0].length ?? 0);
  return (number + by).toFixed(digits);
}

/** The kind of a literal, by its first characters. `undefined` for a text that is not a literal. */
export function kindOf(literal) {
  const text = literal.trim();
  if (/^[+-]?\d+$/.test(text)) return "int";
  if (/^[+-]?(?:\d|\.\d|inf$|nan$)/i.test(text)) return numberOf(text, "float") && "float";
  if (/^(true|false)$/.test(text)) return "bool";
  if (text === "null") return "Nil";
  const first = text[0], last = text.at(-1);
  if (last === '"' && text.length > 1) return { '"': "String", "&": "StringName", "@": "NodePath", "^": "NodePath" }[first];
  if (first === "{" && last === "}") return "Dictionary";
  if (first === "[" && last === "]") return "Array";
  const name = last === ")" && /^([A-Z]\w*)(?:\[[^\]]*\])?\(/.exec(text)?.[1];
  return name ? Object.keys(OLD_NAMES).find((kind) => OLD_NAMES[kind] === name) ?? name : undefined;
}

/** The key of a row, without the quotes of a text. */
export const keyOf = ({ label }) => (/^&?".*"$/s.test(label) ? unquoted(label) : label);
/** Whether the key of a row is a text. */
export const isTextKey = ({ label }) => /^&?"/.test(label);

/** The last step of a path: a key of a dictionary that has the keys of `like`. */
export function stepOf(key, like) {
  if (like && !isTextKey(like) && /^-?\d+$/.test(key)) return `[${key}]`;
  const quote = key.includes('"') ? "'" : '"';
  return `[${quote}${key}${quote}]`;
}

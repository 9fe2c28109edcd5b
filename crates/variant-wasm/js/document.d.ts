// The types of the functions for files.

/// <reference lib="esnext.disposable" />

import type { Dialect, Encodable, ModuleSource, Value, VariantError } from "./index.js";

export { dialects } from "./index.js";
export type { Dialect, ModuleSource, VariantError } from "./index.js";
export * from "./values.js";

/** Starts the module for files, as `initialize` does for packets. The default source is `dist/files_bg.wasm` of this package. In Node, `source` is ignored. */
export function initialize(source?: ModuleSource): Promise<void>;

/**
 * The separation of the values in a file. `"bare"`: one value. `"frames"`, `"frames-be"`: each value follows its length (`store_var`), little-endian or
 * big-endian. `"settings"`: the settings of a `project.binary`. `"sequence"`: consecutive values without lengths.
 */
export type Framing = "bare" | "frames" | "frames-be" | "settings" | "sequence";

export interface DocumentOptions {
  /** By default, guessed from the bytes. */
  dialect?: Dialect;
  /** By default, guessed from the bytes. */
  framing?: Framing;
  /** For encrypted files: a password, or the 32 bytes of a key. */
  password?: string | Uint8Array;
  /** The number of bytes before the values. */
  skip?: number;
  /** Opens the readable parts of damaged layers (compression, encryption), so that they can be salvaged. */
  lenient?: boolean;
}

/** Positions from the file down to a value: `[0]` is the first value of the file, `[0, 2]` the third child of that value. */
export type Way = readonly number[];
/** The place of a value: a way, a path in the first value of the file, or a path in a frame or setting. Numbers of frames count from 1. */
export type Place = Way | string | { frame: number; path: string };

/**
 * The values that a path selects in all frames: `{ query: "items[*].hp" }`, `{ query: "..gold" }`. The path may begin with the number of one frame, and
 * in a file of settings it begins with the name of a setting, as in {@link Document.select}. A change is made in each frame that has such a value, and
 * refused if none has.
 */
export interface Selection { query: string }

/**
 * A change, for {@link Document.edit}. A path in a place may select several values of its frame, and a {@link Selection} several values of the file. The last
 * step of the place of an insertion is the new key, the index, or `[+]`. A place may also be an element of a packed array, such as `points[3]`. `..` does not
 * lead to such elements, and they keep their kind.
 */
export type Edit =
  | { set: Place | Selection; value: unknown }
  | { insert: Exclude<Place, Way> | Selection; value: unknown }
  | { delete: Place | Selection }
  | { rename: Place | Selection; key: string };

export interface Info {
  /** Whether a password is missing. A locked file accepts only `unlock`, and `unwrap` with a password. */
  isLocked: boolean;
  /** Dialect and framing. Both are empty while the file is locked, unless options named them. */
  dialect: Dialect | "";
  framing: Framing | "";
  /** Whether the bytes or the options determine dialect and framing. If not, `detect` returns the other candidates. */
  isCertain: boolean;
  /**
   * Descriptions of the layers around the values, the outermost first: "compressed with zstd from byte 20, ...". For a locked file, a message that the
   * password is missing.
   */
  layers: string[];
  /** The number of plain bytes, which are decompressed and decrypted. All offsets count in the plain bytes. */
  size: number;
  /** The number of bytes before the values. */
  skipped: number;
  /** Notes, one on each line: missing parts of damaged layers (`lenient`), bytes after the end of a layer, bytes after the last frame. */
  notes: string[];
  /** A number for the plain bytes: 0 as opened, another number after each change, and the earlier number after undo. */
  step: number;
  isChanged: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

/** A dialect and framing that a file may have. */
export interface Candidate {
  framing: Framing;
  dialect: Dialect;
  /** Whether the whole file can be read with this dialect and framing. */
  isWhole: boolean;
  /** Why this candidate is likely or unlikely. */
  reason: string;
}

/** A row of the tree. The elements of packed arrays are rows, as those of arrays. A byte array with a value inside has the row of this value instead. */
export interface Node {
  way: number[];
  /** The key, name or index of the value in its container, escaped. Empty for the value of a bare file. */
  label: string;
  /**
   * The kind of the value. `undefined` for the file (`[]`), and for a row for damage. Such a row is the unreadable rest of its container, and has
   * only `way`, `label`, `text` and `rows`. The row of a damaged frame also has the other fields.
   */
  kind?: string;
  /**
   * The value in one short line, without its type: `{hp, name, ...}`, `[0, 1, ...]`, `(1, 2)`, a text without quotes. For damage, a message.
   */
  text: string;
  /** The number of keys, properties, items or elements. `undefined` for other values. */
  count?: number;
  /** The maximum number of rows below this row. 0 for a value that cannot be opened. There are fewer rows if the rest is damaged. */
  rows: number;
  /** The offset of the value's key or property name if it has one, otherwise of the value. */
  start: number;
  /** The offset of the value. */
  offset: number;
  /** The number of the frame or setting with the value, from 1. 0 in a bare file. */
  frame: number;
  /** The path of the value in its frame. `undefined` if the value has no path, or if the path of its container has more than 4,096 bytes. */
  path?: string;
}

/** The range of a value in the plain bytes. */
export interface Extent {
  /** The offset of the value's key or property name if it has one, otherwise of the value. */
  start: number;
  /** The offset of the value. */
  offset: number;
  /** The end offset of the value. For a damaged value, the offset where reading stopped. */
  end: number;
}

/** Bytes that are one part of a value. */
export interface Field {
  start: number;
  end: number;
  /** The name of the part, in one word: "header", "length", "text". */
  part: string;
  /** The meaning of the bytes. */
  meaning: string;
  /** The offset of the value to which the bytes belong. */
  value: number;
}

/** An error in a value. */
export interface Problem {
  /** The offset of the error in the file. If the file ends too early, the offset of the incomplete value or length. */
  offset: number;
  frame: number;
  path: string;
  message: string;
  found: string;
  expected: string;
  /** A possible remedy. */
  hint: string;
  /** The section of the specification: "docs/spec/format.md#text". */
  section: string;
  /** The way of the innermost value that contains the byte. Empty if no value contains it. */
  way: number[];
}

export interface Validation {
  isValid: boolean;
  /** The number of frames or settings, and of all values in them. */
  frames: number;
  values: number;
  /** The first 1,000 problems. A frame has at most one. */
  problems: Problem[];
  /** The number of all problems. */
  count: number;
  /** The number of bytes after the last setting, which engines do not read. Absent if there are none. */
  behind?: number;
}

/** The part of the file that one call searches. */
export interface SearchPart {
  /** The first byte of the search. By default the start of the file. */
  from?: number;
  /** The maximum number of hits. By default 100. */
  most?: number;
  /** The maximum number of bytes that the call examines. By default the rest of the file. `next` is where to continue. */
  bytes?: number;
}

export interface SearchOptions extends SearchPart {
  /** Letters of all scripts match both cases. By default `true`. */
  anyCase?: boolean;
  /** Searches keys, and names of properties and settings. By default `true`. */
  keys?: boolean;
  /** Searches texts of values. By default `true`. */
  values?: boolean;
  /**
   * Searches numbers, also in vectors and packed arrays, if the text is a number: integers that begin with it, and floats that begin with it or are it
   * when they are rounded to as many decimals. Its digits may be grouped: `9,999`, `9.999`, `9 999`. By default `true`.
   */
  numbers?: boolean;
}

export interface ValueOptions {
  /** As in `decode`: keeps every byte. */
  exact?: boolean;
  /** As in `decode`: whether dictionaries become Maps or plain objects. */
  dictionaries?: "map" | "object";
}

export interface SelectOptions extends ValueOptions {
  /** The maximum number of values. By default 1,000. */
  most?: number;
}

/** A selected value, and its place. */
export interface Selected<T = Value> {
  /** The number of the frame or setting, from 1. 0 in a bare file. */
  frame: number;
  path: string;
  value: T;
}

export interface Hits {
  found: (Node & { isKey: boolean })[];
  /** The offset at which the search continues. Absent if the search has reached the end of the file. There may be no hits before it (`bytes`). */
  next?: number;
}

/** A change that was made in the document. */
export interface Change {
  /** The frame or setting, if the file has several values. */
  called?: string;
  path: string;
  /** The old and the new value as short literals. `before` is absent for an inserted value, `after` for a deleted value. */
  before?: string;
  after?: string;
}

export interface MergeOptions {
  /** The file before both changes. */
  base?: Document;
  /** The side whose value is taken where both files changed a value in different ways. */
  prefer?: "ours" | "theirs";
  /** Accepts that values of the other file lose what the dialect of this file cannot hold. */
  lossy?: boolean;
}

/** A value that both files changed, in different ways. The values are short literals, and absent where there is no value. */
export interface Conflict {
  /** The number of the frame or setting, from 1. */
  frame: number;
  path: string;
  base?: string;
  ours?: string;
  theirs?: string;
}

/** Thrown if both files changed values in different ways. */
export interface MergeError extends VariantError {
  class: "edit";
  /** The first 1,000 values. */
  conflicts: Conflict[];
}

export interface Loss {
  path: string;
  frame: number;
  message: string;
}

export interface Converted {
  /** The file in the other dialect, with its compression and encryption. Absent if there are losses and `lossy` is not set. */
  bytes?: Uint8Array;
  /** The values that change in the other dialect: the first 1,000. */
  losses: Loss[];
  /** The number of all losses. */
  count: number;
}

export interface Hole {
  start: number;
  end: number;
  path: string;
  reason: string;
}

export interface Salvaged {
  /** The recovered file, with the compression and encryption of the damaged file. */
  bytes: Uint8Array;
  /** The number of recovered values, and of their bytes. */
  values: number;
  size: number;
  /** The ranges of lost bytes: the first 1,000. */
  holes: Hole[];
  /** The number of all holes, and of lost bytes. */
  count: number;
  lost: number;
}

export interface WrapOptions {
  /** The compression. `"none"` for no compression. By default, the compression of the file. */
  compression?: "none" | "fastlz" | "deflate" | "zstd" | "gzip";
  /** The encryption. `"none"` for no encryption. By default, the encryption of the file. */
  encryption?: "none" | "ecb" | "cfb";
  /** For encryption: a password, or the 32 bytes of a key. */
  password?: string | Uint8Array;
}

export interface Difference {
  change: "changed" | "added" | "removed" | "order";
  /** The frame or setting, if the files have several values. */
  called?: string;
  frame: number;
  path: string;
  /** The path in the other file, if it differs from `path`. */
  pathAfter?: string;
  before?: string;
  after?: string;
  offsetBefore?: number;
  offsetAfter?: number;
}

export interface Differences {
  /** The first differences, at most `most`. */
  found: Difference[];
  changed: number;
  added: number;
  removed: number;
  /** The number of containers that differ only in the order of their items. */
  reordered: number;
}

/** The text of a value as scripts write it: `7`, `Vector2(1, 2)`, `{"a": [1]}`. */
export class Literal { constructor(text: string); readonly text: string; }

/**
 * A file of values, with its compression, encryption and frames. The bytes of the file are in the memory of the module until {@link Document.free}. Values
 * are read when a method needs them. All offsets count in the plain bytes.
 *
 * A call that fails throws a {@link VariantError}, and leaves the document unchanged. An argument of a wrong type, or an option that does not
 * exist, throws a TypeError. A number that is negative or has a fraction throws a RangeError.
 */
export class Document {
  /**
   * Opens a file. O(bytes).
   * @throws {VariantError} of class "format" for a file of another format (unless dialect and framing are named), "layer" for a damaged
   * layer or a wrong password. If the password is missing, nothing is thrown: the document is open and locked.
   */
  constructor(bytes: Uint8Array, options?: DocumentOptions);
  /** Frees the memory of the file. */
  free(): void;
  [Symbol.dispose](): void;

  readonly info: Info;
  /** The dialects and framings that the file may have, the likeliest first. O(bytes). */
  detect(): Candidate[];
  /** Reads the plain bytes with another dialect, framing or number of skipped bytes. Changes stay. */
  reread(how: { dialect?: Dialect; framing?: Framing; skip?: number }): void;
  /** Opens a locked file. */
  unlock(password: string | Uint8Array): void;

  /** The value at a place. O(bytes before the value and bytes of the value). */
  at<T extends Value | object = Value>(place: Place, options?: ValueOptions): T;
  /**
   * The values that a path selects, in the order of the bytes: `"..hp"`, `"party[*].name"`, `"items[?price > 5]"`. In a file of settings, the path begins
   * with the name of a setting. O(bytes of the file and of the values): `..*` also selects the values within the selected values.
   * @throws {VariantError} of class "path" for a text that is not a path, or for damage before the last of these values
   */
  select<T extends Value | object = Value>(query: string, options?: SelectOptions): Selected<T>[];
  kind(place: Place): string | undefined;
  /** The offset of the value at a place. */
  offset(place: Place): number;
  extent(place: Place): Extent;
  node(place: Place): Node;
  /** Rows below a value, or the values of the file (`[]`). At most `count`, and at most 10,000 in a call. The first call is O(rows before `start`). */
  children(place: Place, start?: number, count?: number): Node[];
  /** The place of the value that contains a byte. */
  pathTo(offset: number): { frame: number; path: string; way: number[] };
  /** The meaning of the bytes in a range. At most 4,096 fields. */
  fields(start: number, end: number): Field[];
  /** A copy of a range of the plain bytes. */
  bytes(start?: number, end?: number): Uint8Array;
  /**
   * The rows of the values that a path selects, as in `select`, and of elements of packed arrays: `points[3]`, `points[*]`. A call reads each frame of its part of the file from its start, at most once.
   * @throws {VariantError} of class "path" for a text that is not a path, or for damage before the last of these values
   */
  nodes(query: string, options?: SearchPart): { found: Node[]; next?: number };
  search(text: string, options?: SearchOptions): Hits;
  /** Validates all values. O(bytes). */
  validate(): Validation;

  /** A value as scripts write it. For the whole file (`[]`), one value on each line, settings with their names. */
  text(place?: Place): string;
  /** A value as JSON: `"plain"`, `"native"` (Godot's `JSON.from_native`), or the lossless `"exact"`. For the whole file, one value on each line. */
  json(form?: "plain" | "native" | "exact", place?: Place): string;

  /**
   * Makes several changes as one step of undo: all of them or, if one is refused, none. Each is made in the file that the changes before it have made.
   * Values are given as in `set`. Returns the first 100 changes of values. O(bytes of the file) for each change, but only once for consecutive `set`s of
   * different values by ways, or by paths of keys and indices. A way has the positions in the file that the changes before it
   * have made. After an insertion or deletion, name values by paths, since containers as keys and byte arrays have levels without a position.
   */
  edit(changes: Iterable<Edit>): Change[];
  /**
   * Replaces a value by a value of JavaScript, as `encode` takes it, or by the value of a {@link Literal}. O(bytes of the file). This and the other
   * changes are refused if several engines may have written the file and would write the change in different bytes. In this case, name the
   * dialect by an option or by `reread`. A path that selects several values replaces each, and a {@link Selection} does so in all frames.
   */
  set<T>(place: Place | Selection, value: (T & Encodable<T>) | Literal): Change[];
  /** Adds a value. The last step of the path is the new key, the index, or `[+]`. */
  insert<T>(place: Exclude<Place, Way> | Selection, value: (T & Encodable<T>) | Literal): Change[];
  delete(place: Place | Selection): Change[];
  renameKey(place: Place | Selection, key: string): Change[];
  /** The kind that a value would have at a place after `set`: the kind of the old value, if the new value loses nothing by that. */
  kindOf<T>(place: Place, value: (T & Encodable<T>) | Literal): string;
  /**
   * Adds the values of another file, and replaces the values at the same paths. With `base`, only the changes that lead from `base` to the other file
   * are made. One change, which `undo` undoes. Returns the first 100 changes. O(bytes of the files) expected.
   *
   * Dictionaries are merged key by key, and with `base` also arrays of one length element by element. Any other value is merged as a whole. Values
   * that do not change keep their bytes. The other files may have other dialects: their values are converted.
   * @throws {MergeError} if both files changed a value of `base` in different ways, and `prefer` is not set
   * @throws {VariantError} of class "edit" for damage, and for a frame or setting that only one of the files has; of class "encode" if a value of
   * the other file would lose something, and `lossy` is not set
   */
  merge(other: Document, options?: MergeOptions): Change[];
  /** Undoes the last change, and returns it. */
  undo(): Change[];
  /** Redoes the last undone change, and returns it. */
  redo(): Change[];
  /** The changes that were not undone, in order. */
  readonly changes: Change[];

  /** The file with its changes, compressed and encrypted as before. */
  save(): Uint8Array;
  /** The plain bytes with their changes. A locked file needs a password, which unlocks it. */
  unwrap(password?: string | Uint8Array): Uint8Array;
  /** The file with its changes, with another compression and encryption. It is compressed once, then encrypted once. A password without encryption is refused. */
  wrap(how: WrapOptions): Uint8Array;
  /** The file in another dialect. With `lossy`, values that the other dialect lacks are replaced, and listed in `losses`. */
  convert(to: Dialect, options?: { lossy?: boolean }): Converted;
  /** The undamaged values of a damaged file. */
  salvage(): Salvaged;
  /** The differences between this file and another file. O(bytes of both files) expected. */
  diff(other: Document, options?: { most?: number }): Differences;
}

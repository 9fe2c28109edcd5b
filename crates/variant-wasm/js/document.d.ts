// The types of files.

/// <reference lib="esnext.disposable" />

import type { Dialect, ModuleSource, Value, VariantError } from "./index.js";

export { dialects } from "./index.js";
export type { Dialect, ModuleSource, VariantError } from "./index.js";
export * from "./values.js";

/** As for packets: starts the module of files, by default `dist/files_bg.wasm` of this package. Node takes no source. */
export function initialize(source?: ModuleSource): Promise<void>;

/** How values follow one another in a file: one value; each after its length (`store_var`); the settings of a `project.binary`; without lengths. */
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
  /** Damaged layers are opened as far as they can be read, to salvage what is left. */
  lenient?: boolean;
}

/** Positions from the file down to a value: `[0]` is its first value, `[0, 2]` the third child of that value. */
export type Way = readonly number[];
/** A value: by its way; by its path in the first value; or by its path in a numbered frame or setting, from 1. */
export type Place = Way | string | { frame: number; path: string };

export interface Info {
  /** Whether a password is missing: then only `unlock`, and `unwrap` with a password, work. */
  isLocked: boolean;
  /** Both empty while the file is locked, unless options named them. */
  dialect: Dialect | "";
  framing: Framing | "";
  /** Whether the bytes or the options determine dialect and framing; if not, `detect` has the other candidates. */
  isCertain: boolean;
  /** The layers around the values, the outermost first: "compressed with zstd from byte 20, ..."; for a locked file, what is missing. */
  layers: string[];
  /** The number of plain bytes, in which all offsets count. */
  size: number;
  /** The number of bytes before the values. */
  skipped: number;
  /** The missing parts of damaged layers (`lenient`), the bytes after the end of layers, and those after the frames; a line each. */
  notes: string[];
  isChanged: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

/** What a file may be. */
export interface Candidate {
  framing: Framing;
  dialect: Dialect;
  /** Whether all of it can be read so. */
  isWhole: boolean;
  /** Why this is likely or not. */
  reason: string;
}

/** A row of the tree. */
export interface Node {
  way: number[];
  /** What its container calls it, escaped; empty for the value of a bare file. */
  label: string;
  /**
   * The kind; `undefined` for the file itself (`[]`), and for damage. A row for damage is the unreadable rest of its container, and has only
   * `way`, `label`, `text` and `rows`; a damaged frame has the other fields too.
   */
  kind?: string;
  /** The value in one short line; for damage what is wrong. */
  text: string;
  /** The maximum number of rows below it; 0 for a value that cannot be opened. There are fewer if damage hides the rest. */
  rows: number;
  /** The first byte, that of its key, or of the name of a property, if it has one. */
  start: number;
  /** The first byte of the value itself. */
  offset: number;
  /** The frame or setting that it is in, from 1; 0 in a bare file. */
  frame: number;
  /** Its path within that; `undefined` for a value that no path leads to, and where the path of its container has more than 4,096 bytes. */
  path?: string;
}

/** A value's place in the bytes. */
export interface Extent {
  /** The first byte, that of its key, or of the name of a property, if it has one. */
  start: number;
  /** The first byte of the value itself. */
  offset: number;
  /** The byte after it; for a damaged value, where reading stopped. */
  end: number;
}

/** Bytes that are one part of a value. */
export interface Field {
  start: number;
  end: number;
  /** What they are, in one word: "header", "length", "text". */
  part: string;
  /** What they say. */
  meaning: string;
  /** The offset of the value that they belong to. */
  value: number;
}

/** What is wrong with a value. */
export interface Problem {
  /** The byte of the file; where the file ends too early, that of the value or length that is cut. */
  offset: number;
  frame: number;
  path: string;
  message: string;
  found: string;
  expected: string;
  /** What to try. */
  hint: string;
  /** The section of the specification: "docs/spec/format.md#text". */
  section: string;
  /** The innermost value that holds the byte; empty where none does. */
  way: number[];
}

export interface Validation {
  isValid: boolean;
  /** The number of frames or settings, and of all values in them. */
  frames: number;
  values: number;
  /** The first ones, at most 1,000: one a frame. */
  problems: Problem[];
  /** The number of all. */
  count: number;
  /** The number of bytes after the last setting, which engines do not read; absent where there are none. */
  behind?: number;
}

export interface SearchOptions {
  /** The byte to start at; by default the start of the file. */
  from?: number;
  /** The maximum number of hits; by default 100. */
  most?: number;
  /** ASCII letters match both cases. By default `true`. */
  anyCase?: boolean;
  /** Keys, names of properties and settings. By default `true`. */
  keys?: boolean;
  /** Texts of values. By default `true`. */
  values?: boolean;
}

export interface Hits {
  found: (Node & { isKey: boolean })[];
  /** Where to go on; absent at the end of the file. */
  next?: number;
}

/** A change that was made. */
export interface Change {
  /** The frame or setting, where there are several. */
  called?: string;
  path: string;
  /** Short literals; absent for what was inserted, or deleted. */
  before?: string;
  after?: string;
}

export interface Loss {
  path: string;
  frame: number;
  message: string;
}

export interface Converted {
  /** The file in the other dialect, wrapped as it was; absent where `losses` were not allowed and there are some. */
  bytes?: Uint8Array;
  /** The values that are not the same there: the first ones, at most 1,000. */
  losses: Loss[];
  /** The number of all. */
  count: number;
}

export interface Hole {
  start: number;
  end: number;
  path: string;
  reason: string;
}

export interface Salvaged {
  /** What is left, wrapped as the file was. */
  bytes: Uint8Array;
  /** The number of values, and of their bytes. */
  values: number;
  size: number;
  /** What is lost: the first ones, at most 1,000. */
  holes: Hole[];
  /** The number of all, and of lost bytes. */
  count: number;
  lost: number;
}

export interface WrapOptions {
  /** `"none"` for no compression. By default, that of the file. */
  compression?: "none" | "fastlz" | "deflate" | "zstd" | "gzip";
  /** `"none"` for no encryption. By default, that of the file. */
  encryption?: "none" | "ecb" | "cfb";
  /** For encryption: a password, or the 32 bytes of a key. */
  password?: string | Uint8Array;
}

export interface Difference {
  change: "changed" | "added" | "removed" | "order";
  /** The frame or setting, where there are several. */
  called?: string;
  frame: number;
  path: string;
  /** The path in the other file, if it is another one. */
  pathAfter?: string;
  before?: string;
  after?: string;
  offsetBefore?: number;
  offsetAfter?: number;
}

export interface Differences {
  /** The first ones, at most `most`. */
  found: Difference[];
  changed: number;
  added: number;
  removed: number;
  /** The number of containers whose order alone differs. */
  reordered: number;
}

/**
 * A file of values, with its compression, encryption and frames. Its bytes are in the module until {@link Document.free}; values are read when
 * they are asked for. All offsets count in the plain bytes.
 *
 * A call that cannot be done throws a {@link VariantError}, and leaves the document as it was. An argument of another type is a
 * TypeError; a number that is negative or has a fraction is a RangeError.
 */
export class Document {
  /**
   * Opens a file. O(bytes).
   * @throws {VariantError} of class "format" for a file of another format (unless dialect and framing are named), "layer" for a damaged
   * layer or a wrong password. A file whose password is missing is open and locked.
   */
  constructor(bytes: Uint8Array, options?: DocumentOptions);
  /** Gives the memory back. */
  free(): void;
  [Symbol.dispose](): void;

  readonly info: Info;
  /** What the file may be, the likeliest first. O(bytes). */
  detect(): Candidate[];
  /** Reads the plain bytes in another way. Changes stay. */
  reread(how: { dialect?: Dialect; framing?: Framing; skip?: number }): void;
  /** Opens a locked file. */
  unlock(password: string | Uint8Array): void;

  /** The value. O(bytes before it, and its own). */
  at(place: Place, options?: { exact?: boolean; dictionaries?: "map" | "object" }): Value;
  kind(place: Place): string | undefined;
  /** The first byte of the value. */
  offset(place: Place): number;
  extent(place: Place): Extent;
  node(place: Place): Node;
  /** Rows below a value, or the values of the file (`[]`): at most `count`, 10,000 at once. O(rows before them), once. */
  children(place: Place, start?: number, count?: number): Node[];
  /** The value that holds a byte. */
  pathTo(offset: number): { frame: number; path: string; way: number[] };
  /** What the bytes of a range are; at most 4,096 fields. */
  fields(start: number, end: number): Field[];
  /** Plain bytes, copied. */
  bytes(start?: number, end?: number): Uint8Array;
  search(text: string, options?: SearchOptions): Hits;
  /** Reads everything. O(bytes). */
  validate(): Validation;

  /** A value as scripts write it; of the whole file (`[]`) one value a line, settings with their names. */
  text(place?: Place): string;
  /** JSON: `"plain"`, `"native"` (Godot's `JSON.from_native`), or `"exact"`, which keeps everything. A line a value. */
  json(form?: "plain" | "native" | "exact", place?: Place): string;

  /**
   * Replaces a value by what a literal says: `7`, `Vector2(1, 2)`, `{"a": [1]}`. O(bytes of the file). This and the other changes are refused
   * where several engines may have written the file and would write the change in different bytes, until an option or `reread` names the dialect.
   */
  set(place: Place, literal: string): Change[];
  /** Adds a value: the last step of the path is the new key, the index, or `[+]`. */
  insert(place: Exclude<Place, Way>, literal: string): Change[];
  delete(place: Place): Change[];
  renameKey(place: Place, key: string): Change[];
  /** Undoes the last change; returns it. */
  undo(): Change[];
  /** Makes the change again that was undone last. */
  redo(): Change[];
  /** The changes that are made, in order. */
  readonly changes: Change[];

  /** The file with its changes, wrapped as it was. */
  save(): Uint8Array;
  /** The plain bytes with their changes. A locked file needs a password, which unlocks it. */
  unwrap(password?: string | Uint8Array): Uint8Array;
  /** The file with its changes, wrapped in another way: compressed once, then encrypted once. A password without encryption is refused. */
  wrap(how: WrapOptions): Uint8Array;
  /** The file in another dialect. With `lossy`, values that the other dialect lacks are replaced, and listed in `losses`. */
  convert(to: Dialect, options?: { lossy?: boolean }): Converted;
  /** The sound values of a damaged file. */
  salvage(): Salvaged;
  /** The differences of another file. O(bytes of both), expected. */
  diff(other: Document, options?: { most?: number }): Differences;
}

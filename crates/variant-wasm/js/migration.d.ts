// The types of the functions for old saves.

import type { Change, Document } from "./document.js";
import type { DecodeOptions, Dialect, Encodable, ModuleSource, Value, VariantError } from "./index.js";

export { dialects } from "./index.js";
export type { Dialect, ModuleSource, VariantError } from "./index.js";
export * from "./values.js";

/** Starts the module for old saves, as `initialize` does for packets. The default source is `dist/migration_bg.wasm` of this package. In Node, `source` is ignored. */
export function initialize(source?: ModuleSource): Promise<void>;

/** The version of a save. A number beyond 32 bits is a BigInt. */
export type Version = number | bigint | string;

/** The steps that bring old saves to the newest version of a game. docs/migrate.md describes the file of steps. */
export class Migration {
  /**
   * Reads a file of steps. `name` is its name in messages, by default `"steps"`.
   * @throws {VariantError} of class "migration" for the first fault: `steps.toml:14:3: ...`
   */
  constructor(text: string, name?: string);
  /** The version that all migrations lead to. */
  readonly newest: Version;
  /** The versions that can be migrated, and the newest. */
  readonly versions: Version[];
  /**
   * Returns the value in the newest version. `value` does not change. O(steps × size of the value). The value is encoded and decoded in the
   * dialect. With `exact` nothing is lost.
   * @throws {VariantError} of class "migration" for a value without a version or with an unknown version, or for a value that a step cannot
   * change; of class "encode" for a value that the dialect cannot hold
   */
  apply<T>(value: T & Encodable<T>, options: Pick<DecodeOptions, "dialect" | "exact" | "dictionaries"> | Dialect): Value;
  /**
   * Brings the values of a document to the newest version, as one change that `undo` undoes. Returns the first 100 changes. O(steps × bytes of
   * the file). Parts that no step changes keep their bytes. A document whose values are of the newest version does not change.
   * @throws {VariantError} of class "migration" as in `apply`, or for damage; of class "edit" if several engines may have written the file and
   * would write the new values in different bytes. The document is then unchanged.
   */
  migrate(document: Document): Change[];
}

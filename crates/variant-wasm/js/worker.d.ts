// The types of documents in a worker.

import type { Document, DocumentOptions, Literal, Place, SelectOptions, Selected, Value, ValueOptions, Change, Way, Encodable, MergeOptions, Differences } from "./document.js";

export { Literal } from "./document.js";
export * from "./values.js";

type Remote<T> = { [K in keyof T]: T[K] extends (...parts: infer P) => infer R ? (...parts: P) => Promise<R> : () => Promise<T[K]> };

/** A document in the worker. Its methods are those of {@link Document}, and return promises. `info` and `changes` are methods. */
export interface RemoteDocument extends Remote<Omit<Document, typeof Symbol.dispose | "at" | "select" | "set" | "insert" | "merge" | "diff">> {
  at<T extends Value | object = Value>(place: Place, options?: ValueOptions): Promise<T>;
  select<T extends Value | object = Value>(query: string, options?: SelectOptions): Promise<Selected<T>[]>;
  set<T>(place: Place, value: (T & Encodable<T>) | Literal): Promise<Change[]>;
  insert<T>(place: Exclude<Place, Way>, value: (T & Encodable<T>) | Literal): Promise<Change[]>;
  merge(other: RemoteDocument, options?: Omit<MergeOptions, "base"> & { base?: RemoteDocument }): Promise<Change[]>;
  diff(other: RemoteDocument, options?: { most?: number }): Promise<Differences>;
}
export const RemoteDocument: { readonly prototype: RemoteDocument; open: typeof open };

/** Opens a file in the worker, which starts with the first file. Calls are answered in their order. */
export function open(content: Uint8Array | Blob, options?: DocumentOptions): Promise<RemoteDocument>;
/**
 * Uses another worker for the files that are opened from now on: one whose program is `@variant-view/wasm/worker/main` or
 * `@variant-view/wasm/inline/worker`, for bundlers that do not deliver the worker.
 */
export function use(worker: Worker): void;
/** Ends the worker, with all of its files. The next `open` starts another. */
export function terminate(): void;

// The types of the element <variant-inspector>. element/README.md describes its attributes and events.

import type { DocumentOptions, Place } from "../js/document.js";

export class VariantInspector extends HTMLElement {
  /** The file that was opened, as it was. A new value is opened. */
  file: File | undefined;
  /** Opens a Blob or bytes. Then the value of the attribute `path` is selected. */
  open(content: Blob | Uint8Array, name?: string, options?: DocumentOptions): Promise<void>;
  /** The bytes of the file, with its changes. */
  bytes(): Promise<Uint8Array>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  go(place: Place): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap { "variant-inspector": VariantInspector }
}

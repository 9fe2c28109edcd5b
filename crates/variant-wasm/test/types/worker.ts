// The types of the worker, of the embedded modules, and of the element.

import { VariantInspector } from "@variant-view/wasm/element";
import { decode, initialize } from "@variant-view/wasm/inline";
import { Document } from "@variant-view/wasm/inline/document";
import { Literal, Vector2, open, terminate } from "@variant-view/wasm/worker";

export async function outcome(bytes: Uint8Array, inspector: VariantInspector) {
  const file = await open(bytes, { password: "secret" });
  await file.set("at", new Vector2(1, 2));
  await file.insert("gold", new Literal("7"));
  const { info, changes } = file, { dialect } = await info(), hp: number = await file.at<number>("hp");
  const other = await open(new Blob(["text"]));
  await other.merge(file, { base: other, prefer: "ours" });
  terminate();
  await initialize();
  await inspector.open(bytes, "save.bin", { dialect: "godot4" });
  return [dialect, hp, (await changes()).length, decode(bytes, "godot4"), new Document(await inspector.bytes()).info.size];
}

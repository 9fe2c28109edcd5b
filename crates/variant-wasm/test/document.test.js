// Files: each of the corpus is opened, listed, found again, changed and written.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Document, Vector3 } from "../js/document-node.js";
import { decode, encode } from "../js/node.js";

const corpus = new URL("../../../corpus/", import.meta.url);
const read = (name) => new Uint8Array(readFileSync(new URL(name, corpus)));

/** Files of engines: what they are, and the password of encrypted ones. */
const FILES = [
  ["godot2/saves/save.bin", "godot2"],
  ["godot3/saves/project.binary", "godot3", "settings"],
  ["godot3/saves/objects_full.bin", "godot3", "frames"],
  ["godot4/saves/project.binary", "godot4", "settings"],
  ["godot4/saves/sample3.variant", "godot4", "bare"],
];

test("lists", () => {});

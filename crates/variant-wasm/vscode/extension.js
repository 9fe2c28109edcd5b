// The entry of the extension. `pack` makes one script of it, with inspector.html in the same folder.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import * as vscode from "vscode";

import { SaveEditor } from "./editor.js";

export function activate({ extensionPath, subscriptions }) {
  subscriptions.push(SaveEditor.register(vscode, () => readFile(join(extensionPath, "inspector.html"), "utf8")));
}

// The extension for VS Code, with a small fake of VS Code's API and a page that is a `Document`.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Document, Literal } from "../js/document-node.js";
import { SaveEditor } from "../vscode/editor.js";

const SAVE = new Uint8Array(readFileSync(new URL("../../../corpus/godot4/saves/plain.bin", import.meta.url)));
const place = { frame: 1, path: "version" };
const version = (bytes) => new Document(bytes).at(place);
const uriOf = (path) => ({ path, scheme: "file", toString: () => `file://${path}` });
const turn = () => new Promise((resolve) => { setImmediate(resolve); });

/** VS Code with these files. */
function fake(files) {
  const messages = [], providers = new Map();
  const vscode = {
    messages, providers,
    EventEmitter: class {
      #emitter = new EventEmitter();
      event = (heard) => this.#emitter.on("event", heard);
      fire = (event) => this.#emitter.emit("event", event);
    },
    Uri: { parse: (text) => uriOf(text.replace("file://", "")) },
    ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3 },
    env: { language: "de" },
    window: {
      activeColorTheme: { kind: 2 }, showErrorMessage: (message) => messages.push(message),
      registerCustomEditorProvider: (...given) => providers.set(...given),
    },
    workspace: {
      fs: {
        async readFile({ path }) {
          if (!files.has(path)) throw new Error(`${path} is missing`);
          return files.get(path);
        },
        writeFile: async ({ path }, bytes) => { files.set(path, bytes); },
        delete: async ({ path }) => { if (!files.delete(path)) throw new Error(`${path} is missing`); },
        isWritableFileSystem: () => true,
      },
    },
  };
  return vscode;
}

/** A webview whose page is a `Document`. */
class Webview {
  options;
  /** The options that the editor has set. */
  set = {};
  calls = [];
  onDidReceiveMessage = (heard) => { this.report = heard; };
  set html(text) {
    assert.equal(text, "the page");
    queueMicrotask(() => this.report({ event: "ready" }));
  }
  /** A change that the user makes. */
  edit(value) {
    this.document.set(place, new Literal(String(value)));
    this.report({ event: "changed", detail: { isAsked: false } });
  }
  async postMessage({ id, method, parts }) {
    this.calls.push(method);
    try {
      this.report({ id, result: this[`${method}Of`](...parts) });
    } catch (error) {
      this.report({ id, error: { message: error.message, class: error.class } });
    }
  }
  setOf(options) { this.set = options; }
  openOf(bytes, name) { Object.assign(this, { document: new Document(bytes), name }); }
  bytesOf() { return this.document.save(); }
  savedOf() {}
  undoOf() { this.document.undo(); this.report({ event: "changed", detail: { isAsked: true } }); }
  redoOf() { this.document.redo(); this.report({ event: "changed", detail: { isAsked: true } }); }
}

/** An open editor of a file, and the steps that VS Code has got for its stack. */
async function opened(files, path = "/saves/my%20save.sav", backupId = undefined) {
  const vscode = fake(files), editor = new SaveEditor(vscode, async () => "the page"), steps = [], webview = new Webview();
  editor.onDidChangeCustomDocument((step) => steps.push(step));
  const document = await editor.openCustomDocument(uriOf(path), { backupId });
  await editor.resolveCustomEditor(document, { webview });
  while (webview.calls.at(-1) !== "open") await turn();
  return { vscode, editor, document, webview, steps };
}
const files = () => new Map([["/saves/my%20save.sav", SAVE]]);

test("the editor is registered, and keeps its page while it is hidden", () => {
  const vscode = fake(new Map());
  const [provider, options] = [SaveEditor.register(vscode, () => ""), vscode.providers.get("variantView.save")];
  assert.ok(provider && options instanceof SaveEditor);
  const { contributes: { customEditors: [{ viewType, priority }] } } = JSON.parse(readFileSync(new URL("../vscode/package.json", import.meta.url), "utf8"));
  assert.deepEqual([viewType, priority], ["variantView.save", "option"]);
});

test("the page gets the file, the theme and the language, and may load nothing", async () => {
  const { webview } = await opened(files());
  assert.deepEqual(webview.document.save(), SAVE);
  assert.equal(webview.name, "my save.sav");
  assert.deepEqual(webview.set, { commands: "host", theme: "dark", language: "de", readOnly: false });
  assert.deepEqual(webview.options, { enableScripts: true, localResourceRoots: [] });
});

test("a change is a step of VS Code's stack, which undoes and redoes it", async () => {
  const { webview, steps, document } = await opened(files());
  webview.edit(5);
  assert.equal(steps.length, 1);
  assert.equal(steps[0].document, document);
  await steps[0].undo();
  assert.deepEqual(webview.document.save(), SAVE);
  await steps[0].redo();
  assert.equal(version(webview.document.save()), 5);
  assert.equal(steps.length, 1);
});

test("save writes the changes, save as leaves the file, revert reads it again", async () => {
  const written = files(), { editor, document, webview } = await opened(written);
  webview.edit(5);
  await editor.saveCustomDocumentAs(document, uriOf("/saves/copy.sav"));
  assert.deepEqual(written.get("/saves/my%20save.sav"), SAVE);
  assert.equal(version(written.get("/saves/copy.sav")), 5);
  await editor.saveCustomDocument(document);
  assert.equal(version(written.get("/saves/my%20save.sav")), 5);
  assert.equal(webview.calls.at(-1), "saved");
  webview.edit(6);
  await editor.revertCustomDocument(document);
  assert.equal(version(webview.document.save()), 5);
});

test("a backup is opened after a crash, and removed when it is not needed", async () => {
  const written = files(), { editor, document, webview } = await opened(written);
  webview.edit(5);
  const backup = await editor.backupCustomDocument(document, { destination: uriOf("/backups/1") });
  const again = await opened(written, "/saves/my%20save.sav", backup.id);
  assert.equal(version(again.webview.document.save()), 5);
  assert.deepEqual(written.get("/saves/my%20save.sav"), SAVE);
  await again.editor.revertCustomDocument(again.document);
  assert.deepEqual(again.webview.document.save(), SAVE);
  await backup.delete();
  assert.ok(!written.has("/backups/1"));
  await backup.delete();
});

test("a file that is not a save is reported; a closed editor fails its calls", async () => {
  const { vscode, editor, document } = await opened(new Map([["/text.bin", new TextEncoder().encode("no save")]]), "/text.bin");
  await turn();
  assert.match(vscode.messages[0], /^text\.bin: /);
  document.dispose();
  await assert.rejects(editor.saveCustomDocument(document), /text\.bin: its editor is closed/);
});

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
  /** Loads the page again, which loses its state. */
  reload() {
    this.document = undefined;
    this.report({ event: "ready" });
  }
  /** A change that the user makes. */
  edit(value) {
    const edits = [{ set: place, to: String(value) }];
    this.report({ event: "changed", detail: { isAsked: false, step: this.make(edits) } });
  }
  make(edits) {
    this.document.edit(edits.map(({ set, to }) => ({ set, value: new Literal(to) })));
    return { number: this.document.info.step, edits };
  }
  get isUnsaved() {
    return this.document.info.step !== this.saved;
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
  openOf(bytes, name, options, { steps, saved }) {
    Object.assign(this, { document: new Document(bytes, options), name, saved: saved && -1 });
    const made = steps.map(({ number, edits }) => {
      const step = this.make(edits);
      if (number === saved) this.saved = step.number;
      return step;
    });
    const { isLocked, dialect, framing, skipped } = this.document.info;
    this.report({ event: "opened", detail: { isLocked, dialect, framing, skipped, draft: { steps: made, saved: this.saved } } });
  }
  bytesOf() { return this.document.save(); }
  saveOf() { return { bytes: this.document.save(), step: this.document.info.step }; }
  savedOf(step) { this.saved = step; }
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

test("a change that is made while the file is written stays unsaved", async () => {
  const written = files(), { editor, document, webview, vscode } = await opened(written);
  webview.edit(5);
  const { writeFile } = vscode.workspace.fs;
  vscode.workspace.fs.writeFile = async (...parts) => {
    webview.edit(6);
    await writeFile(...parts);
  };
  await editor.saveCustomDocument(document);
  assert.equal(version(written.get("/saves/my%20save.sav")), 5);
  assert.ok(webview.isUnsaved);
  vscode.workspace.fs.writeFile = writeFile;
  await editor.saveCustomDocument(document);
  assert.ok(!webview.isUnsaved);
});

test("a webview that is loaded again has the steps, also those that were undone, and the saved one", async () => {
  const { webview, steps, editor, document } = await opened(files());
  for (const value of [5, 6, 7]) webview.edit(value);
  await editor.saveCustomDocument(document);
  await steps[2].undo();
  await steps[1].undo();
  webview.reload();
  while (webview.document === undefined || version(webview.document.save()) !== 5) await turn();
  assert.ok(webview.isUnsaved);
  await steps[1].redo();
  assert.equal(version(webview.document.save()), 6);
  await steps[2].redo();
  assert.equal(version(webview.document.save()), 7);
  assert.ok(!webview.isUnsaved);
  for (const step of steps.toReversed()) await step.undo();
  assert.deepEqual(webview.document.save(), SAVE);
  assert.equal(steps.length, 3);
});

test("a call that was open when the webview was loaded again fails", async () => {
  const { webview, editor, document } = await opened(files());
  webview.postMessage = () => {};
  const saving = editor.saveCustomDocument(document);
  delete webview.postMessage;
  webview.reload();
  await assert.rejects(saving, /its editor was loaded again/);
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

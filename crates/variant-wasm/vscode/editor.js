// The custom editor for saves. It connects VS Code's documents with the page.

import { SaveDocument } from "./document.js";

/** `vscode` is the module of that name. `page()` returns the text of inspector.html. */
export class SaveEditor {
  #vscode;
  #page;
  #changes;
  onDidChangeCustomDocument;

  constructor(vscode, page) {
    this.#vscode = vscode;
    this.#page = page;
    this.#changes = new vscode.EventEmitter();
    this.onDidChangeCustomDocument = this.#changes.event;
  }

  static register(vscode, page) {
    return vscode.window.registerCustomEditorProvider("variantView.save", new SaveEditor(vscode, page), {
      // A hidden editor keeps its changes in the page.
      webviewOptions: { retainContextWhenHidden: true }, supportsMultipleEditorsPerDocument: false,
    });
  }

  async openCustomDocument(uri, { backupId }) {
    const { Uri, window, workspace } = this.#vscode;
    const files = { read: (uri) => workspace.fs.readFile(uri), write: (uri, bytes) => workspace.fs.writeFile(uri, bytes), remove: (uri) => workspace.fs.delete(uri) };
    const document = await SaveDocument.open(uri, files, {
      edited: (step) => this.#changes.fire({ document, label: "Edit", ...step }),
      failed: (error) => window.showErrorMessage(`${document.name}: ${error.message}`),
    }, backupId && Uri.parse(backupId));
    return document;
  }

  async resolveCustomEditor(document, { webview }) {
    const { window, workspace, ColorThemeKind, env } = this.#vscode;
    const theme = () => ([ColorThemeKind.Dark, ColorThemeKind.HighContrast].includes(window.activeColorTheme.kind) ? "dark" : "light");
    const options = { theme: theme(), language: env.language, readOnly: workspace.fs.isWritableFileSystem(document.uri.scheme) === false };
    document.attach((message) => webview.postMessage(message), options);
    webview.onDidReceiveMessage((message) => document.heard(message));
    webview.options = { enableScripts: true, localResourceRoots: [] };
    webview.html = await this.#page();
  }

  saveCustomDocument(document) {
    return document.save();
  }
  saveCustomDocumentAs(document, uri) {
    return document.saveAs(uri);
  }
  revertCustomDocument(document) {
    return document.revert();
  }
  backupCustomDocument(document, { destination }) {
    return document.backup(destination);
  }
}

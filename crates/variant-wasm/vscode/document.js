// A save that is open in VS Code. The page in the webview has its values. This document has its file, and the steps of undo, which a webview that is
// loaded again makes again. `files` reads and writes: `read(uri)`, `write(uri, bytes)`, `remove(uri)`.

export class SaveDocument {
  #files;
  #page;
  #calls = new Map();
  #count = 0;
  /** The bytes that the page opens: those of the file, or of a backup. */
  #bytes;
  /** How the bytes are read, and whether they need a password. */
  #reading = {};
  #isEncrypted = false;
  /** The steps as `{ number, edits }`, those that redo makes again, and the number of the step that was saved. */
  #steps = [];
  #undone = [];
  #saved = 0;

  /** `edited({ undo, redo })` is called after each change that the user makes in the page. `failed(error)` is called if the page cannot open the file. */
  constructor(uri, files, { edited, failed }) {
    Object.assign(this, { uri, edited, failed });
    this.#files = files;
  }

  /** Reads the file, or its backup. */
  static async open(uri, files, events, backup) {
    const document = new SaveDocument(uri, files, events);
    document.#bytes = await files.read(backup ?? uri);
    return document;
  }

  get name() {
    return decodeURIComponent(this.uri.path.split("/").at(-1));
  }

  /** Connects the page. `send(message)` sends a message to it; `heard(message)` takes its messages. */
  attach(send, options) {
    this.#page = { send, options };
  }

  async heard({ id, result, error, event, detail }) {
    if (event === "ready") await this.#begin();
    else if (event === "opened") this.#opened(detail);
    else if (event === "changed") {
      if (!detail.isAsked) this.#changed(detail);
    } else if (id !== undefined) {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (error) call?.reject(Object.assign(new Error(error.message), error));
      else call?.resolve(result);
    }
  }

  /** The steps have new numbers when they were made again. */
  #opened({ isLocked, dialect, framing, skipped, draft }) {
    if (isLocked) this.#isEncrypted = true;
    else this.#reading = { dialect, framing, skip: skipped };
    [this.#steps, this.#undone, this.#saved] = [[...draft.steps], [], draft.saved];
  }

  #changed({ step }) {
    this.#steps.push(step);
    this.#undone = [];
    this.edited({ undo: () => this.#undo(), redo: () => this.#redo() });
  }

  async #undo() {
    await this.#call("undo");
    if (this.#steps.length > 0) this.#undone.push(this.#steps.pop());
  }

  async #redo() {
    await this.#call("redo");
    if (this.#undone.length > 0) this.#steps.push(this.#undone.pop());
  }

  /** A page begins, the first one or after the webview was loaded again. It answers no calls of the page before it. */
  async #begin() {
    this.#fail("its editor was loaded again");
    await this.#call("set", { commands: "host", ...this.#page.options });
    // A page that waits for a password cannot undo, so what was undone of an encrypted file is gone.
    await this.#show(this.#isEncrypted ? [] : this.#undone);
  }

  /** Opens the bytes with the steps, and undoes those that were undone. */
  async #show(undone = []) {
    const steps = [...this.#steps, ...undone.toReversed()];
    try {
      await this.#call("open", this.#bytes, this.name, steps.length > 0 ? this.#reading : {}, { steps, saved: this.#saved });
      for (const _ of undone) await this.#undo();
    } catch (error) {
      // The page shows the message also.
      this.failed(error);
    }
  }

  #call(method, ...parts) {
    if (!this.#page) return Promise.reject(new Error(`${this.name}: its editor is closed`));
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#page.send({ id, method, parts });
    });
  }

  async save() {
    const { bytes, step } = await this.#call("save");
    await this.#files.write(this.uri, bytes);
    this.#saved = step;
    await this.#call("saved", step);
  }

  async saveAs(uri) {
    await this.#files.write(uri, await this.#call("bytes"));
  }

  /** Reads the file again. */
  async revert() {
    this.#bytes = await this.#files.read(this.uri);
    [this.#steps, this.#undone, this.#saved] = [[], [], 0];
    await this.#show();
  }

  /** Writes the bytes with their changes to another place, from which they are opened after a crash. */
  async backup(uri) {
    await this.#files.write(uri, await this.#call("bytes"));
    return { id: uri.toString(), delete: () => this.#files.remove(uri).then(undefined, () => {}) };
  }

  /** Called when the editor is closed. Calls that are still open fail. */
  dispose() {
    this.#page = undefined;
    this.#fail("its editor is closed");
  }

  /** Ends the open calls. */
  #fail(reason) {
    for (const { reject } of this.#calls.values()) reject(new Error(`${this.name}: ${reason}`));
    this.#calls.clear();
  }
}

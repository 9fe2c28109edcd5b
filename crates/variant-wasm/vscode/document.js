// A save that is open in VS Code. The page in the webview has its values and its steps of undo; this document has its file. `files` reads
// and writes: `read(uri)`, `write(uri, bytes)`, `remove(uri)`.

export class SaveDocument {
  #files;
  #page;
  #calls = new Map();
  #count = 0;
  /** The bytes that the page opens: those of the file, or of a backup. */
  #bytes;

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
    else if (event === "changed") {
      if (!detail.isAsked) this.edited({ undo: () => this.#call("undo"), redo: () => this.#call("redo") });
    } else if (id !== undefined) {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (error) call?.reject(Object.assign(new Error(error.message), error));
      else call?.resolve(result);
    }
  }

  async #begin() {
    await this.#call("set", { commands: "host", ...this.#page.options });
    await this.#show();
  }

  async #show() {
    try {
      await this.#call("open", this.#bytes, this.name);
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
    this.#bytes = await this.#call("bytes");
    await this.#files.write(this.uri, this.#bytes);
    await this.#call("saved");
  }

  async saveAs(uri) {
    await this.#files.write(uri, await this.#call("bytes"));
  }

  /** Reads the file again. */
  async revert() {
    this.#bytes = await this.#files.read(this.uri);
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
    for (const { reject } of this.#calls.values()) reject(new Error(`${this.name}: its editor is closed`));
    this.#calls.clear();
  }
}

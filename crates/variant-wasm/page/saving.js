// Saves the current file: in place if the browser can, otherwise as a download. A browser does not report whether it wrote a download, so a copy of
// the bytes is kept in the browser.

import { byId, download, told } from "./dom.js";
import { t } from "./texts.js";

export class Saving {
  /** The saves that have not begun, by file and way: a second request for one adds none. */
  #waiting = new Set();
  /** The end of the last save. */
  #last = Promise.resolve();

  constructor(session, say) {
    Object.assign(this, { session, say });
    byId("save").addEventListener("click", () => this.save());
    byId("save-copy").addEventListener("click", () => this.#attempt("copy", (file) => this.#download(file)));
    byId("save-original").addEventListener("click", () => this.#original());
    for (const type of ["opened", "files"]) session.addEventListener(type, () => this.#show());
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  save() {
    return this.#attempt("save", (file) => (file.source.handle ? this.#inPlace(file).catch((error) => this.#instead(file, error)) : this.#download(file)));
  }

  /** Saves the current file after the saves that were requested before. */
  #attempt(way, work) {
    const { session } = this, { file } = session;
    if (!session.isOpen) return this.#last;
    // The value in an open field is also saved.
    session.leave();
    const request = `${way} ${file.id}`;
    if (!this.#waiting.has(request)) {
      this.#waiting.add(request);
      this.#last = this.#last.then(() => this.#waiting.delete(request)).then(() => this.#run(file, work));
    }
    return this.#last;
  }

  async #run(file, work) {
    try {
      await this.session.settled(file);
      if (this.session.files.includes(file)) await work(file);
    } catch (error) {
      // The user closed the browser's question.
      if (error.name !== "AbortError") this.say(told(error), true);
    }
  }

  async #download(file) {
    const { session } = this, { name } = file, { step, blob } = await session.callOf(file, "save");
    download(blob, name);
    if (step === file.savedStep) return;
    try {
      file.copy = await session.keeper.keepVersion({ id: file.copy, name, blob, isDownload: true });
    } catch {
      // The download may have failed, so the file still counts as changed.
      return this.say(t("save.noCopy", { name }), true);
    }
    session.saved(file, step);
    this.say(t("save.downloaded", { name }));
  }

  /** Offers a download, since the file was not saved in place. */
  async #instead(file, error) {
    if (error.name === "AbortError" || error.isDead) throw error;
    if (confirm(`${told(error)} ${t("save.instead", { name: file.name })}`)) await this.#download(file);
  }

  /** Writes the file that was opened. The file as it was before is kept. */
  async #inPlace(file) {
    const { source, name } = file, { handle } = source;
    // The browser asks only shortly after a click or a key.
    if (await handle.requestPermission?.({ mode: "readwrite" }) === "denied") throw new Error(t("save.denied", { name }));
    const now = await handle.getFile();
    if (now.lastModified !== source.modified && !confirm(t("save.isNewer", { name }))) return;
    const { step, blob } = await this.session.callOf(file, "save");
    const before = { name, blob: new Blob([await now.arrayBuffer()]) }, isKept = await this.session.keeper.keepVersion(before).then(() => true, () => false);
    if (!isKept && !confirm(t("save.noVersion", { name }))) throw new Error(t("save.notReplaced", { name }));
    const writable = await handle.createWritable();
    try {
      await writable.write(blob);
      await writable.close();
    } catch (error) {
      await writable.abort().catch(() => {});
      throw error;
    }
    source.modified = (await handle.getFile()).lastModified;
    this.session.saved(file, step);
    this.say(t(isKept ? "save.done" : "save.doneAlone", { name }));
  }

  #original() {
    const { file } = this.session;
    if (file) download(file.source.blob, file.name);
  }

  #show() {
    const { file, isOpen } = this.session;
    for (const id of ["save", "save-copy", "save-original"]) byId(id).disabled = !isOpen;
    byId("save").textContent = t(file?.source.handle ? "save.save" : "save.download");
  }

  #pressed(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    if (!byId("work").hidden && !event.repeat) this.save();
  }
}

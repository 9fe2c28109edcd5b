// The path bar. Its field shows the path of the selected value. A path that is typed into the field selects the value
// at that path. A button copies the path.

import { byId, onSubmit, told } from "./dom.js";

export class PathBar {
  constructor(session) {
    this.session = session;
    [this.form, this.frame, this.path, this.error] = ["path-bar", "frame", "path", "path-error"].map(byId);
    onSubmit(this.form, () => this.#follow());
    this.path.addEventListener("input", () => { this.error.textContent = ""; });
    byId("copy").addEventListener("click", () => this.#copy());
    session.addEventListener("opened", () => this.#opened());
    session.addEventListener("selected", () => this.#show());
  }

  #opened() {
    const { framing } = this.session.info;
    this.frame.parentElement.hidden = framing === "bare";
    byId("frame-name").textContent = framing === "settings" ? "Setting" : "Frame";
    this.error.textContent = this.path.value = "";
  }

  #show() {
    const { node } = this.session;
    this.path.value = node.path ?? "";
    this.path.placeholder = node.path === undefined ? "no path leads here" : "the whole value";
    this.frame.value = node.frame || "";
    this.error.textContent = "";
  }

  async #follow() {
    const path = this.path.value.trim(), { hasFrames } = this.session;
    try {
      await this.session.select(hasFrames ? { frame: Number(this.frame.value) || 1, path } : path, "path");
    } catch (error) {
      this.error.textContent = told(error);
    }
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.path.value);
    } catch {
      this.path.select();
      document.execCommand("copy");
    }
    const button = byId("copy");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy path"; }, 1500);
  }
}

// The field above the tree. What is typed is a path, or a text that is searched for.

import { byId, told } from "./dom.js";

export class Search {
  #hits = [];
  #at = -1;
  #asked;

  constructor(session) {
    this.session = session;
    [this.field, this.state, this.clear] = ["find", "find-state", "find-clear"].map(byId);
    this.field.addEventListener("keydown", (event) => { if (event.key === "Enter") this.#start(); });
    this.clear.addEventListener("click", () => this.#clear());
    byId("find-next").addEventListener("click", () => this.step(1));
    byId("find-previous").addEventListener("click", () => this.step(-1));
    for (const type of ["opened", "changed"]) session.addEventListener(type, () => this.#clear());
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #clear() {
    [this.#hits, this.#at, this.#asked] = [[], -1, undefined];
    this.state.textContent = "";
    this.#steps();
  }

  #steps() {
    byId("find-next").disabled = byId("find-previous").disabled = this.#hits.length === 0;
  }

  async #start() {
    const text = this.field.value.trim();
    if (text === this.#asked && this.#hits.length > 0) return this.step(1);
    this.#clear();
    if (text === "") return;
    this.#asked = text;
    performance.mark("search");
    try {
      const [node] = await this.session.call("nodes", [this.session.hasFrames ? { frame: 1, path: text } : text]);
      this.#hits = node ? [node] : (await this.session.call("search", text, {})).found;
      performance.mark("hits-shown");
      performance.measure("search", "search", "hits-shown");
      this.state.textContent = String(this.#hits.length);
    } catch (error) {
      this.state.textContent = told(error);
    }
    this.#steps();
    await this.step(1);
  }

  async step(by) {
    const count = this.#hits.length;
    if (count === 0) return;
    this.#at = (this.#at + by + count) % count;
    await this.session.select(this.#hits[this.#at].way, "search");
  }

  #pressed(event) {
    if (!this.session.isOpen) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") {
      this.field.focus();
      this.field.select();
    } else if (event.key === "F3") this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }
}

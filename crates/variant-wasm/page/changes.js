// The list of changes, undo and redo, and the download of the changed file.

import { attribute, byId, counted, download, entry, told } from "./dom.js";

export class Changes {
  constructor(session, say) {
    Object.assign(this, { session, say });
    [this.undo, this.redo, this.state, this.list] = ["undo", "redo", "changes-state", "changes-list"].map(byId);
    this.undo.addEventListener("click", () => this.make("undo"));
    this.redo.addEventListener("click", () => this.make("redo"));
    byId("save").addEventListener("click", () => this.save());
    for (const type of ["opened", "changed"]) session.addEventListener(type, () => this.#show());
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  async make(method) {
    const { info, node, isOpen } = this.session;
    if (!isOpen || !(method === "undo" ? info.canUndo : info.canRedo)) return;
    try {
      const [made] = await this.session.edit(method);
      const [found] = await this.session.call("nodes", [this.#place(made, node)]);
      const way = found ?? (await this.session.call("nodes", [node.way]))[0];
      await this.session.select(way ?? [0], "edit");
    } catch (error) {
      this.say(told(error));
    }
  }

  #place({ called, path }, node) {
    return this.session.hasFrames ? { frame: frameOf(called) ?? node.frame, path } : path;
  }

  async save() {
    if (!this.session.isOpen) return;
    try {
      await this.session.save(download);
    } catch (error) {
      this.say(told(error));
    }
  }

  #show() {
    const { changes, info } = this.session;
    this.undo.disabled = !info.canUndo;
    this.redo.disabled = !info.canRedo;
    attribute(byId("tab-changes"), "data-count", changes.length || undefined);
    this.state.textContent = changes.length > 0 ? `${counted(changes.length, "change")}. The other bytes are as they were.` : "Nothing is changed yet. Select a value and press Enter.";
    const shown = changes.slice(-1000), last = shown.findLastIndex(({ before, after }) => before === undefined || after === undefined);
    this.list.replaceChildren(...shown.map((change, number) => this.#entry(change, number < last)));
  }

  /** The entry of a change. `mayHaveMoved`: a later insertion or deletion may have moved the value. */
  #entry(change, mayHaveMoved) {
    const { called, path, before, after } = change;
    const [mark, kind] = before === undefined ? ["+", "added"] : after === undefined ? ["−", "removed"] : ["~", "changed"];
    const title = [called, path || "(root)"].filter(Boolean).join(": ");
    const lines = [before !== undefined && `before: ${before}`, after !== undefined && `after: ${after}`];
    const act = () => {
      if (mayHaveMoved) this.say("A later change may have moved this value: this is what is at its path now.");
      this.session.select(this.#place(change, this.session.node), "list").catch((error) => this.say(told(error)));
    };
    return entry({ mark, kind, title, lines, act });
  }

  #pressed(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isText = event.target.matches("input, textarea"), key = event.key.toLowerCase();
    if (key === "s") this.save();
    else if (isText) return;
    else if (key === "z") this.make(event.shiftKey ? "redo" : "undo");
    else if (key === "y") this.make("redo");
    else return;
    event.preventDefault();
  }
}

/** The number of a frame from its name, such as "frame 2". */
const frameOf = (called) => Number(called?.match(/\d+$/)?.[0]) || undefined;

// The comparison of the open file with another file.

import { byId, counted, entry, onSubmit, told } from "./dom.js";

const MARKS = { changed: "~", added: "+", removed: "−", order: "⇅" };
const LAST_STEP = /(?:\.[^.[{"'*]+|\[(?:&?"[^"]*"|'[^']*'|[^\]]*)\]|\{[^}]*\}|^[^.[{]+)$/;

export class Compare {
  constructor(session) {
    this.session = session;
    [this.state, this.list, this.other, this.password] = ["compare-state", "differences", "other", "other-password"].map(byId);
    onSubmit(byId("compare-form"), () => this.#compare());
    session.addEventListener("opened", () => this.#clear(""));
    session.addEventListener("changed", () => this.#clear("The file was changed. Compare again."));
  }

  #clear(text) {
    if (text && this.state.textContent === "") return;
    this.list.replaceChildren();
    this.state.textContent = text;
  }

  async #compare() {
    const [file] = this.other.files;
    if (!file) {
      this.state.textContent = "Choose the other file first.";
      return;
    }
    this.state.textContent = "Comparing…";
    this.list.replaceChildren();
    const { version } = this.session;
    try {
      const options = this.password.value ? { password: this.password.value } : {};
      const result = await this.session.call("diff", file, options);
      if (version !== this.session.version) return;
      this.state.textContent = result.isLocked ? `${file.name} is encrypted: its password is needed.` : this.#sum(result);
      if (!result.isLocked) this.list.append(...result.found.map((difference) => this.#entry(difference)));
    } catch (error) {
      if (version !== this.session.version) return;
      this.state.textContent = told(error);
    }
  }

  #sum({ found, changed, added, removed, reordered }) {
    const all = changed + added + removed + reordered;
    if (all === 0) return "The values are the same.";
    const parts = [`${changed} changed`, `${added} added`, `${removed} removed`, ...(reordered ? [`${reordered} in another order`] : [])];
    return `${parts.join(", ")}${found.length < all ? `; the first ${counted(found.length, "difference")}` : ""}.`;
  }

  #entry(difference) {
    const { change, called, path, pathAfter, before, after } = difference;
    const title = [called, path || "(root)"].filter(Boolean).join(": ");
    const lines = [pathAfter !== undefined && `there: ${pathAfter || "(root)"}`, before !== undefined && `here: ${before}`, after !== undefined && `there: ${after}`, change === "order" && "another order"];
    return entry({ mark: MARKS[change], kind: change, title, lines, act: () => this.#go(difference) });
  }

  /** Selects the value of a difference. If only the other file has the value, selects its container. */
  async #go({ path, frame }) {
    const place = (path) => (this.session.hasFrames ? { frame: Math.max(1, frame), path } : path);
    const nodes = await this.session.call("nodes", [place(path), place(path.replace(LAST_STEP, ""))]);
    const node = nodes.find(Boolean);
    if (node) await this.session.select(node, "list");
  }
}

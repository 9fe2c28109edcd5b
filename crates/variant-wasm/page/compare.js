// The comparison of the current file with itself as it was, with another open file, or with a file of the disk.

import { byId, entry, make, onSubmit, told } from "./dom.js";
import { t } from "./texts.js";

const MARKS = { changed: "~", added: "+", removed: "−", order: "⇅" };
const LAST_STEP = /(?:\.[^.[{"'*]+|\[(?:&?"[^"]*"|'[^']*'|[^\]]*)\]|\{[^}]*\}|^[^.[{]+)$/;
/** The choices that are not open files. */
const AS_IT_WAS = "", ANOTHER = "another";

/** The size of the largest file that is compared again after each change, in bytes. */
const SOON = 1 << 20;

export class Compare {
  constructor(session, panes) {
    Object.assign(this, { session, panes });
    [this.state, this.list, this.with, this.other, this.password] = ["compare-state", "differences", "compare-with", "other", "other-password"].map(byId);
    onSubmit(byId("compare-form"), () => this.#compare());
    this.with.addEventListener("change", () => this.#chosen());
    session.addEventListener("opened", () => {
      this.#clear("");
      byId("offer").hidden = true;
    });
    session.addEventListener("changed", () => this.#again());
    for (const type of ["opened", "files"]) session.addEventListener(type, () => this.#fill());
  }

  /** Offers to compare two open files. */
  offer(one, other) {
    const offer = byId("offer"), close = () => { offer.hidden = true; };
    const compare = async () => {
      close();
      this.session.switchTo(other.id);
      this.#choose(String(one.id));
      this.panes.show("compare");
      await this.#compare();
    };
    offer.replaceChildren(make("span", {}, t("compare.offer", { one: one.name, other: other.name })),
      make("button", { type: "button", className: "primary", onclick: compare }, t("compare.compare")), make("button", { type: "button", onclick: close }, t("compare.no")));
    offer.hidden = false;
  }

  #choose(value) {
    this.with.value = value;
    this.#chosen();
  }

  #chosen() {
    byId("compare-other").hidden = this.with.value !== ANOTHER;
    this.#clear("");
  }

  /** Lists what the current file can be compared with. */
  #fill() {
    const { files = [], file } = this.session, before = this.with.value;
    const options = [[AS_IT_WAS, t("compare.asItWas")], ...files.filter((each) => each !== file && !each.isLocked).map(({ id, name }) => [id, name]), [ANOTHER, t("compare.another")]];
    this.with.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
    this.with.value = options.some(([value]) => String(value) === before) ? before : AS_IT_WAS;
    byId("compare-other").hidden = this.with.value !== ANOTHER;
  }

  #clear(text) {
    if (text && this.state.textContent === "") return;
    this.list.replaceChildren();
    this.state.textContent = text;
  }

  /** Compares again after a change. A large file is compared again when the user asks. */
  #again() {
    if (this.list.childElementCount === 0) return this.#clear(t("compare.again"));
    if (this.session.info.size > SOON) return this.#clear(t("compare.again"));
    this.#compare();
  }

  /** Asks the worker for the differences. Undefined if no file was chosen. */
  #differences() {
    const { session } = this, { blob, options = {} } = session.file?.source ?? session;
    if (this.with.value === AS_IT_WAS) return session.call("diff", blob, options);
    if (this.with.value !== ANOTHER) return session.call("diffWith", Number(this.with.value));
    const [file] = this.other.files;
    return file && session.call("diff", file, this.password.value ? { password: this.password.value } : {});
  }

  async #compare() {
    const { version } = this.session, asked = this.#differences();
    if (!asked) {
      this.state.textContent = t("compare.choose");
      return;
    }
    this.state.textContent = t("compare.comparing");
    try {
      const result = await asked;
      if (version !== this.session.version) return;
      this.state.textContent = result.isLocked ? t("compare.locked", { name: this.other.files[0]?.name ?? "" }) : this.#sum(result);
      this.list.replaceChildren(...(result.found ?? []).map((difference) => this.#entry(difference)));
    } catch (error) {
      if (version !== this.session.version) return;
      this.list.replaceChildren();
      this.state.textContent = told(error);
    }
  }

  #sum({ found, changed, added, removed, reordered }) {
    const all = changed + added + removed + reordered;
    if (all === 0) return t("compare.same");
    const parts = [t("compare.sum", { changed, added, removed }), reordered && t("compare.order", { count: reordered }), found.length < all && t("compare.first", { count: found.length })];
    return parts.filter(Boolean).join(" ");
  }

  #entry(difference) {
    const { change, called, path, pathAfter, before, after } = difference;
    const title = [called, (pathAfter ?? path) || t("value.whole")].filter(Boolean).join(": ");
    const lines = [pathAfter !== undefined && t("compare.there", { value: path || t("value.whole") }), before !== undefined && t("compare.there", { value: before }),
      after !== undefined && t("compare.here", { value: after }), change === "order" && t("compare.anotherOrder")];
    return entry({ mark: MARKS[change], kind: change, title, lines, act: () => this.#go(difference) });
  }

  /** Selects the value of a difference. If only the other file has the value, selects its container. */
  async #go({ path: before, pathAfter: path = before, frame }) {
    const place = (path) => (this.session.hasFrames ? { frame: Math.max(1, frame), path } : path);
    const nodes = await this.session.call("nodes", [place(path), place(path.replace(LAST_STEP, ""))]);
    const node = nodes.find(Boolean);
    if (node) await this.session.select(node, "list");
  }
}

// The list of problems of the file, and the download of the salvaged file.

import { attribute, byId, download, entry, make, told } from "./dom.js";
import { t } from "./texts.js";

export class Problems {
  constructor(session, open) {
    Object.assign(this, { session, open });
    [this.state, this.list, this.salvaged] = ["problems-state", "problems-list", "salvaged"].map(byId);
    byId("validate").addEventListener("click", () => this.#check());
    byId("salvage").addEventListener("click", () => this.#salvage());
    session.addEventListener("opened", () => this.#opened());
    session.addEventListener("changed", () => this.#clear());
    session.addEventListener("checked", () => this.#show());
  }

  #opened() {
    this.#clear();
    // The file was checked before another file became the current one.
    if (this.session.validation) this.#show();
  }

  #clear() {
    this.list.replaceChildren(...this.session.info.notes.map((note) => make("li", { className: "note" }, note)));
    this.salvaged.replaceChildren();
    this.state.textContent = t("problems.unchecked");
    attribute(byId("tab-problems"), "data-count");
  }

  async #check() {
    this.state.textContent = t("problems.checking");
    try {
      await this.session.check(true);
    } catch (error) {
      this.state.textContent = told(error);
    }
  }

  #show() {
    const { isValid, values, problems, count } = this.session.validation;
    const key = isValid ? "problems.none" : problems.length < count ? "problems.first" : "problems.some";
    this.state.textContent = t(key, { count: values, problems: count, shown: problems.length });
    attribute(byId("tab-problems"), "data-count", count || undefined);
    this.list.append(...problems.map((problem) => this.#entry(problem)));
  }

  #entry({ message, path, offset, frame, hint, section, way }) {
    const place = [this.session.hasFrames && t("crumbs.frame", { number: frame }), path || t("value.whole"), offset !== undefined && t("problems.byte", { number: offset })].filter(Boolean).join(", ");
    const act = () => (way.length > 0 ? this.session.select(way, "list") : this.session.selectByte(offset ?? 0)).catch((error) => { this.state.textContent = told(error); });
    return entry({ mark: "!", kind: "removed", title: message, lines: [place, hint, section], act });
  }

  async #salvage() {
    this.salvaged.replaceChildren(t("salvage.reading"));
    const { version } = this.session, name = named(this.session.name, "salvaged");
    try {
      const { blob, values, size, holes, count, lost } = await this.session.call("salvage");
      if (version !== this.session.version) return;
      const button = (text, onclick, className = "") => make("button", { type: "button", className, onclick }, text);
      this.salvaged.replaceChildren(
        make("h3", {}, t("salvage.title")),
        make("p", { role: "status" }, t(count === 0 ? "salvage.whole" : "salvage.lost", { values, size, lost, count })),
        make("p", { className: "actions" }, button(t("salvage.download"), () => download(blob, name), "primary"), button(t("salvage.open"), () => this.open(blob, name))),
        make("ol", { className: "list" }, ...holes.map((hole) => this.#hole(hole))));
    } catch (error) {
      if (version !== this.session.version) return;
      this.salvaged.replaceChildren(make("p", { className: "error" }, told(error)));
    }
  }

  #hole({ start, end, path, reason }) {
    const line = t("salvage.hole", { start, end });
    return entry({ mark: "−", kind: "removed", title: path || t("value.whole"), lines: [reason, line], act: () => this.session.selectByte(start).catch(() => {}) });
  }
}

/** Adds a word to a file name: "save.bin" becomes "save.salvaged.bin". */
export const named = (name, word) => (/.\.[^.]+$/.test(name) ? name.replace(/(\.[^.]+)$/, `.${word}$1`) : `${name}.${word}`);

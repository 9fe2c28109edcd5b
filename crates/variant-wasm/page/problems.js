// The list of problems of the file, and the download of the salvaged file.

import { attribute, byId, counted, download, entry, make, told } from "./dom.js";

export class Problems {
  constructor(session, open) {
    Object.assign(this, { session, open });
    [this.state, this.list, this.salvaged] = ["problems-state", "problems-list", "salvaged"].map(byId);
    byId("validate").addEventListener("click", () => this.#check());
    byId("salvage").addEventListener("click", () => this.#salvage());
    for (const type of ["opened", "changed"]) session.addEventListener(type, () => this.#clear());
    session.addEventListener("checked", () => this.#show());
  }

  #clear() {
    this.list.replaceChildren(...this.session.info.notes.map((note) => make("li", { className: "note" }, note)));
    this.salvaged.replaceChildren();
    this.state.textContent = "The file is not checked yet.";
    attribute(byId("tab-problems"), "data-count");
  }

  async #check() {
    this.state.textContent = "Checking…";
    try {
      await this.session.check(true);
    } catch (error) {
      this.state.textContent = told(error);
    }
  }

  #show() {
    const { isValid, frames, values, problems, count } = this.session.validation;
    const { info } = this.session, what = info.framing === "settings" ? "setting" : info.framing === "bare" ? "" : "frame";
    const extent = [what && counted(frames, what), counted(values, "value")].filter(Boolean).join(", ");
    const shown = problems.length < count ? `, the first ${problems.length.toLocaleString("en")} shown` : "";
    this.state.textContent = isValid ? `No problems: ${extent}.` : `${counted(count, "problem")}${shown}; ${extent} read.`;
    attribute(byId("tab-problems"), "data-count", count || undefined);
    this.list.append(...problems.map((problem) => this.#entry(problem)));
  }

  #entry({ message, path, offset, frame, hint, section, way }) {
    const place = [this.session.hasFrames && `frame ${frame}`, path || "(root)", offset !== undefined && `byte ${offset.toLocaleString("en")}`].filter(Boolean).join(", ");
    const act = () => (way.length > 0 ? this.session.select(way, "list") : this.session.selectByte(offset ?? 0)).catch((error) => { this.state.textContent = told(error); });
    return entry({ mark: "!", kind: "removed", title: message, lines: [place, hint, section], act });
  }

  async #salvage() {
    this.salvaged.replaceChildren("Reading what is sound…");
    const { version } = this.session, name = named(this.session.name, "salvaged");
    try {
      const { blob, values, size, holes, count, lost } = await this.session.call("salvage");
      if (version !== this.session.version) return;
      const button = (text, onclick, className = "") => make("button", { type: "button", className, onclick }, text);
      this.salvaged.replaceChildren(
        make("h3", {}, "What is left"),
        make("p", { role: "status" }, `${counted(values, "value")} of ${counted(size, "byte")}; ${count === 0 ? "nothing is lost" : `${counted(lost, "byte")} lost in ${counted(count, "place")}`}.`),
        make("p", { className: "actions" }, button("Download what is left", () => download(blob, name), "primary"), button("Open it", () => this.open(blob, name))),
        make("ol", { className: "list" }, ...holes.map((hole) => this.#hole(hole))));
    } catch (error) {
      if (version !== this.session.version) return;
      this.salvaged.replaceChildren(make("p", { className: "error" }, told(error)));
    }
  }

  #hole({ start, end, path, reason }) {
    const line = `bytes ${start.toLocaleString("en")} to ${end.toLocaleString("en")}`;
    return entry({ mark: "−", kind: "removed", title: path || "(root)", lines: [reason, line], act: () => this.session.selectByte(start).catch(() => {}) });
  }
}

/** Adds a word to a file name: "save.bin" becomes "save.salvaged.bin". */
export const named = (name, word) => (/.\.[^.]+$/.test(name) ? name.replace(/(\.[^.]+)$/, `.${word}$1`) : `${name}.${word}`);

// Downloads the file in another dialect, with another compression and encryption, or as text.

import { byId, download, entry, onSubmit, told } from "./dom.js";
import { engineOf } from "./engines.js";
import { named } from "./problems.js";
import { t } from "./texts.js";

export class Export {
  constructor(session) {
    this.session = session;
    [this.state, this.to, this.converted, this.losses, this.anyway] = ["export-state", "convert-to", "convert-state", "losses", "convert-anyway"].map(byId);
    const forms = { "convert-form": () => this.#convert(false), "text-form": () => this.#text(), "wrap-form": () => this.#wrap() };
    for (const [id, action] of Object.entries(forms)) onSubmit(byId(id), action);
    this.anyway.addEventListener("click", () => this.#convert(true));
    this.to.addEventListener("change", () => this.#clear());
    byId("unwrap").addEventListener("click", () => this.#deliver(() => session.call("unwrap"), "plain"));
    session.addEventListener("opened", () => this.#opened());
    session.addEventListener("changed", () => this.#clear());
  }

  #opened() {
    const { layers, dialect } = this.session.info;
    byId("wrap-now").textContent = layers.length > 0 ? t("export.now", { layers: layers.join("; ") }) : t("export.plain");
    // A password belongs to one file, so it is cleared for another file.
    byId("wrap-form").reset();
    this.to.value = [...this.to.options].find(({ value }) => value !== dialect)?.value ?? "";
    this.#clear();
  }

  #clear() {
    this.converted.textContent = this.state.textContent = "";
    this.losses.replaceChildren();
    this.anyway.hidden = true;
  }

  async #convert(lossy) {
    const to = this.to.value, { name, version } = this.session;
    this.#clear();
    try {
      const { blob, losses, count } = await this.session.call("convert", to, { lossy });
      if (blob) download(blob, named(name, to));
      if (version !== this.session.version) return;
      this.converted.textContent = t(count === 0 ? "export.same" : blob ? "export.replaced" : "export.cannot", { count, to: engineOf(to) });
      this.anyway.hidden = blob !== undefined;
      this.losses.append(...losses.map((loss) => this.#loss(loss)));
    } catch (error) {
      if (version !== this.session.version) return;
      this.converted.textContent = told(error);
    }
  }

  #loss({ path, frame, message }) {
    const place = this.session.hasFrames ? { frame: Math.max(1, frame), path } : path;
    const title = [this.session.hasFrames && t("crumbs.frame", { number: frame }), path || t("value.whole")].filter(Boolean).join(": ");
    return entry({ mark: "!", kind: "changed", title, lines: [message], act: () => this.session.select(place, "list").catch((error) => { this.converted.textContent = told(error); }) });
  }

  #text() {
    const form = byId("text-form-of").value, place = byId("text-selected").checked && this.session.node ? this.session.node.way : [];
    const name = `${this.session.name}.${form === "text" ? "txt" : "json"}`;
    this.#deliver(() => (form === "text" ? this.session.call("text", place) : this.session.call("json", form, place)), undefined, name);
  }

  #wrap() {
    const how = {};
    for (const [field, id] of Object.entries({ compression: "compression", encryption: "encryption", password: "wrap-password" })) {
      if (byId(id).value) how[field] = byId(id).value;
    }
    this.#deliver(() => this.session.call("wrap", how), "wrapped");
  }

  async #deliver(call, word, name = named(this.session.name, word)) {
    this.state.textContent = t("export.working");
    const { version } = this.session;
    try {
      const blob = await call();
      download(blob, name);
      if (version === this.session.version) this.state.textContent = t("export.done", { name, count: blob.size });
    } catch (error) {
      if (version !== this.session.version) return;
      this.state.textContent = told(error);
    }
  }
}

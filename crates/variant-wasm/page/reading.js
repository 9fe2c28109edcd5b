// The form for the reading of the bytes: dialect, framing, bytes to skip. A button names the engine that wrote the file, and opens the form.

import { byId, make, onSubmit, told } from "./dom.js";
import { engineOf, writtenBy } from "./engines.js";
import { t } from "./texts.js";

export class Reading {
  constructor(session) {
    this.session = session;
    [this.dialog, this.button, this.list, this.error] = ["reading-dialog", "reading", "candidates", "reading-error"].map(byId);
    [this.dialect, this.framing, this.skip] = ["dialect", "framing", "reading-skip"].map(byId);
    this.button.addEventListener("click", () => this.show());
    byId("reading-cancel").addEventListener("click", () => this.dialog.close());
    onSubmit(this.dialog.querySelector("form"), () => this.#read());
    session.addEventListener("opened", ({ detail }) => this.#opened(detail));
    // Other candidates are looked for when the tree is shown.
    session.addEventListener("checked", () => this.#count());
  }

  #opened({ isReturn }) {
    const { info } = this.session, notice = byId("notice");
    this.dialog.close();
    this.button.textContent = writtenBy(info);
    notice.hidden = info.isCertain;
    if (info.isCertain) return;
    if (isReturn && this.session.validation) this.#count();
    notice.replaceChildren(make("span", {}, t("reading.notice")), make("button", { type: "button", onclick: () => this.show() }, t("reading.see")));
  }

  /** Counts the other engines that fit. */
  async #count() {
    const { session } = this, { info } = session;
    if (info.isCertain) return;
    const candidates = await session.call("detect").catch(() => []);
    if (info === session.info) this.button.textContent = writtenBy(info, candidates);
  }

  async show() {
    const { info } = this.session;
    [this.dialect.value, this.framing.value, this.skip.value, this.error.textContent] = [info.dialect, info.framing, info.skipped, ""];
    byId("reading-reason").textContent = t(info.isCertain ? "reading.certain" : "reading.guess");
    this.list.replaceChildren(t("reading.looking"));
    this.dialog.showModal();
    try {
      const candidates = await this.session.call("detect");
      if (info !== this.session.info) return;
      this.list.replaceChildren(...(candidates.length > 0 ? candidates.map((candidate) => this.#option(candidate)) : [t("reading.nothing")]));
    } catch (error) {
      this.list.replaceChildren(told(error));
    }
  }

  #option({ framing, dialect, isWhole, reason }) {
    const { info } = this.session, input = make("input", { type: "radio", name: "candidate", checked: framing === info.framing && dialect === info.dialect });
    input.addEventListener("change", () => { [this.dialect.value, this.framing.value] = [dialect, framing]; });
    return make("label", { className: "candidate" }, input, make("strong", {}, `${engineOf(dialect)}, ${framing}`),
      make("span", { className: isWhole ? "whole" : "part" }, t(isWhole ? "reading.all" : "reading.part")), make("span", { className: "line", lang: "en", dir: "auto" }, reason));
  }

  async #read() {
    try {
      await this.session.reread({ dialect: this.dialect.value, framing: this.framing.value, skip: Number(this.skip.value) });
    } catch (error) {
      this.error.textContent = told(error);
    }
  }
}

// The form for the reading of the bytes: dialect, framing, bytes to skip.

import { byId, make, onSubmit, told } from "./dom.js";

export class Reading {
  constructor(session) {
    this.session = session;
    [this.dialog, this.button, this.list, this.error] = ["reading-dialog", "reading", "candidates", "reading-error"].map(byId);
    [this.dialect, this.framing, this.skip] = ["dialect", "framing", "skip"].map(byId);
    this.button.addEventListener("click", () => this.show());
    byId("reading-cancel").addEventListener("click", () => this.dialog.close());
    onSubmit(this.dialog.querySelector("form"), () => this.#read());
    session.addEventListener("opened", () => this.#opened());
  }

  #opened() {
    const { info } = this.session, notice = byId("notice");
    this.dialog.close();
    this.button.textContent = `${info.dialect} · ${info.framing}`;
    this.button.title = "How the bytes are read";
    notice.hidden = info.isCertain;
    if (info.isCertain) return;
    const choose = make("button", { type: "button", onclick: () => this.show() }, "See what else it may be");
    notice.replaceChildren(`The bytes do not tell for certain how they are to be read. They are read as ${info.dialect}, ${info.framing}. `, choose);
  }

  async show() {
    const { info } = this.session;
    [this.dialect.value, this.framing.value, this.skip.value, this.error.textContent] = [info.dialect, info.framing, info.skipped, ""];
    byId("reading-reason").textContent = info.isCertain ? "Dialect and framing are certain, or chosen by you." : "Dialect and framing are a guess.";
    this.list.replaceChildren("Looking…");
    this.dialog.showModal();
    try {
      const candidates = await this.session.call("detect");
      this.list.replaceChildren(...(candidates.length > 0 ? candidates.map((candidate) => this.#option(candidate)) : ["Nothing fits."]));
    } catch (error) {
      this.list.replaceChildren(told(error));
    }
  }

  #option({ framing, dialect, isWhole, reason }) {
    const { info } = this.session, input = make("input", { type: "radio", name: "candidate", checked: framing === info.framing && dialect === info.dialect });
    input.addEventListener("change", () => { [this.dialect.value, this.framing.value] = [dialect, framing]; });
    return make("label", { className: "candidate" }, input, make("strong", {}, `${dialect}, ${framing}`), make("span", { className: isWhole ? "whole" : "part" }, isWhole ? "all" : "in part"), make("span", { className: "line" }, reason));
  }

  async #read() {
    try {
      await this.session.reread({ dialect: this.dialect.value, framing: this.framing.value, skip: Number(this.skip.value) });
    } catch (error) {
      this.error.textContent = told(error);
    }
  }
}

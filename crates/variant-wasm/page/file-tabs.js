// The tabs of the open files.

import { byId, make } from "./dom.js";
import { t } from "./texts.js";

export class FileTabs {
  constructor(session) {
    Object.assign(this, { session, list: byId("files") });
    for (const type of ["opened", "files", "changed"]) session.addEventListener(type, () => this.#show());
    byId("close-file").addEventListener("click", () => {
      byId("more-menu").hidePopover();
      this.close(session.file);
    });
    this.list.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #show() {
    const { files, file } = this.session, hasFocus = this.list.contains(document.activeElement);
    this.list.hidden = files.length === 0;
    this.list.replaceChildren(...files.map((each) => this.#tab(each, each === file)));
    if (hasFocus) this.list.querySelector("[aria-selected=true]")?.focus();
  }

  #tab(file, isCurrent) {
    const name = make("span", { className: "name" }, file.name);
    const mark = file.isUnsaved ? make("span", { className: "mark", role: "img", "aria-label": t("files.changed"), title: t("files.changed") }, "●") : "";
    const tab = make("button", { type: "button", role: "tab", className: "file", tabIndex: isCurrent ? 0 : -1, "aria-selected": String(isCurrent), onclick: () => this.session.switchTo(file.id) }, name, mark);
    tab.dataset.file = file.id;
    // A list of tabs holds tabs only. Screen readers close a file by the key Delete, or by the menu.
    const close = make("button", { type: "button", className: "close quiet", tabIndex: -1, "aria-hidden": "true", title: t("files.close", { name: file.name }), onclick: () => this.close(file) }, "×");
    return make("span", { className: "tab", role: "presentation" }, tab, close);
  }

  close(file) {
    if (!file.isUnsaved || confirm(t("files.closeUnsaved", { name: file.name }))) this.session.close(file.id);
  }

  #pressed(event) {
    const { files, file } = this.session, place = files.indexOf(file);
    const to = (index) => this.session.switchTo(files[(index + files.length) % files.length].id);
    const keys = { ArrowLeft: () => to(place - 1), ArrowRight: () => to(place + 1), Home: () => to(0), End: () => to(-1), Delete: () => this.close(file) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

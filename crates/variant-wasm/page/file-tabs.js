// The tabs of the open files.

import { attribute, byId, make } from "./dom.js";
import { t } from "./texts.js";

export class FileTabs {
  /** The elements of each tab, by the number of the file. They stay, since a click may begin before a change and end after it. */
  #tabs = new Map();

  constructor(session) {
    Object.assign(this, { session, list: byId("files"), owner: byId("file-tabs") });
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
    for (const [id, { element }] of this.#tabs) {
      if (files.some((each) => each.id === id)) continue;
      element.remove();
      this.#tabs.delete(id);
    }
    for (const each of files) this.#fill(each, each === file);
    // The buttons that close files are not tabs, so the list of tabs does not contain them.
    attribute(this.owner, "aria-owns", files.map(({ id }) => `file-${id}`).join(" "));
    if (hasFocus) this.list.querySelector("[aria-selected=true]")?.focus();
  }

  #fill(file, isCurrent) {
    const there = this.#tabs.get(file.id), { tab, close, mark } = there ?? this.#create(file);
    attribute(tab, "aria-selected", isCurrent);
    tab.tabIndex = isCurrent ? 0 : -1;
    attribute(close, "aria-label", t("files.close", { name: file.name }));
    for (const name of ["aria-label", "title"]) attribute(mark, name, t("files.changed"));
    if (!file.isUnsaved) mark.remove();
    else if (!mark.isConnected) tab.append(mark);
  }

  #create(file) {
    const mark = make("span", { className: "mark", role: "img" }, "●");
    const tab = make("button", { type: "button", role: "tab", id: `file-${file.id}`, className: "file", onclick: () => this.session.switchTo(file.id) }, make("span", { className: "name" }, file.name));
    const close = make("button", { type: "button", className: "close quiet", tabIndex: -1, onclick: () => this.close(file) }, "×");
    const parts = { tab, close, mark, element: make("span", { className: "tab" }, tab, close) };
    this.#tabs.set(file.id, parts);
    this.list.append(parts.element);
    return parts;
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
    // The values of the file have the focus now, but keys of tabs continue from tab to tab.
    this.list.querySelector("[aria-selected=true]")?.focus();
  }
}

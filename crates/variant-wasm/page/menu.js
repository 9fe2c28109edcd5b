// A menu of actions: of a row, or of kinds.

import { byId, make } from "./dom.js";

const TYPED = 800;

export class Menu {
  #typed = { text: "", time: 0 };

  constructor() {
    this.element = make("div", { id: "row-menu", role: "menu", hidden: true, tabIndex: -1 });
    byId("work").append(this.element);
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    this.element.addEventListener("focusout", ({ relatedTarget }) => { if (!this.element.contains(relatedTarget)) this.close(false); });
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
    addEventListener("resize", () => this.close(false));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Shows items `{ text, keys, shortcut, act, isCurrent }`, or `undefined` for a line between groups, at a point of the window. */
  open({ label, items, at: [x, y], back }) {
    this.back = back;
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(...items.map((item) => (item ? this.#item(item) : make("div", { role: "separator" }))));
    this.element.hidden = false;
    const { width, height } = this.element.getBoundingClientRect(), { clientWidth, clientHeight } = document.documentElement;
    const isRight = document.documentElement.dir === "rtl";
    Object.assign(this.element.style, {
      left: `${Math.max(4, Math.min(isRight ? x - width : x, clientWidth - width - 4))}px`,
      top: `${Math.max(4, Math.min(y, clientHeight - height - 4))}px`,
    });
    (this.element.querySelector("[aria-checked=true]") ?? this.element.querySelector("button")).focus();
  }

  #item({ text, keys, shortcut, act, isCurrent }) {
    const button = make("button", { type: "button", role: isCurrent === undefined ? "menuitem" : "menuitemradio", tabIndex: -1 }, make("span", {}, text));
    if (isCurrent !== undefined) button.setAttribute("aria-checked", isCurrent);
    if (keys) {
      button.append(make("kbd", { "aria-hidden": "true" }, keys));
      button.setAttribute("aria-keyshortcuts", shortcut);
    }
    button.addEventListener("click", () => {
      this.close();
      act();
    });
    return button;
  }

  close(isBack = true) {
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (isBack || hadFocus) this.back?.focus();
  }

  #pressed(event) {
    const items = [...this.element.querySelectorAll("button")], at = items.indexOf(document.activeElement);
    const to = (place) => items.at(place % items.length).focus();
    const keys = {
      ArrowDown: () => to(at + 1), ArrowUp: () => to(at - 1), Home: () => to(0), End: () => to(-1), Escape: () => this.close(), Tab: () => this.close(),
    };
    const action = keys[event.key] ?? (event.key.length === 1 && event.key !== " " && !event.ctrlKey ? () => this.#type(event, items, at) : undefined);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** Goes to the next item that starts with the typed text. */
  #type({ key, timeStamp }, items, at) {
    const isNew = timeStamp - this.#typed.time > TYPED;
    this.#typed = { text: (isNew ? "" : this.#typed.text) + key.toLowerCase(), time: timeStamp };
    const from = at + (isNew ? 1 : 0), turned = [...items.slice(from), ...items.slice(0, from)];
    turned.find(({ textContent }) => textContent.toLowerCase().startsWith(this.#typed.text))?.focus();
  }
}

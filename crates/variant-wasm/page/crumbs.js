// The place of the selected value: the containers around it, each a button, and a button that copies the path.

import { byId, copyText, make } from "./dom.js";
import { t } from "./texts.js";

export class Crumbs {
  constructor(session) {
    this.session = session;
    [this.list, this.copy] = [byId("crumbs").querySelector("ol"), byId("copy")];
    this.copy.addEventListener("click", () => this.#copy());
    session.addEventListener("opened", () => this.list.replaceChildren());
    session.addEventListener("selected", () => this.#show());
  }

  async #show() {
    const { node } = this.session, around = node.way.length > 1 ? await this.session.call("around", node.way) : [];
    if (node !== this.session.node) return;
    this.copy.disabled = !node.path;
    const nodes = [...around, node];
    this.list.replaceChildren(...nodes.map((each) => make("li", {}, this.#crumb(each, each === node))));
    // Reading a width lays out the page, which the other panes still change.
    requestAnimationFrame(() => { this.list.scrollLeft = this.list.scrollWidth * (getComputedStyle(this.list).direction === "rtl" ? -1 : 1); });
  }

  #crumb(node, isLast) {
    const button = make("button", { type: "button", className: "quiet", onclick: () => this.session.select(node.way, "crumbs") }, this.#nameOf(node));
    if (isLast) button.setAttribute("aria-current", "true");
    return button;
  }

  #nameOf({ way, label, frame }) {
    if (way.length > 1) return label.replace(/^[&@]?"(.*)"$/, "$1");
    if (this.session.info.framing === "settings") return label;
    return this.session.hasFrames && this.session.rows > 1 ? t("crumbs.frame", { number: frame }) : t("crumbs.whole");
  }

  async #copy() {
    await copyText(this.session.node.path);
    this.copy.textContent = t("crumbs.copied");
    setTimeout(() => { this.copy.textContent = t("crumbs.copy"); }, 1500);
  }
}

// The panes of the open save: values, bytes, tools. On a wide window, bytes and tools are beside the values, and can be closed. On a phone
// one pane is shown, and the bar at the foot leads to the others.

import { byId } from "./dom.js";
import { keep, kept } from "./kept.js";
import { tabs } from "./tabs.js";

const phone = matchMedia("(max-width: 720px)");
/** The panes that can be closed, whether they are open on the first visit, and their elements. */
const CLOSABLE = { bytes: { isOpen: false, pane: "hex-pane" }, side: { isOpen: true, pane: "side" } };
/** The parts to which F6 goes, each with the element that gets the focus. */
const STOPS = [["bar", "#files [aria-selected=true], #open"], ["find-bar", "#find"], ["tree", "#tree"], ["hex-pane", "#hex"], ["side", "#tools [aria-selected=true]"], ["foot", "#foot [aria-current]"]];

export class Panes {
  /** The pane that a phone shows: "values", "find" (the values, with the search), "bytes" or "side". */
  #pane = "values";
  #open = new Map();

  constructor() {
    this.work = byId("work");
    this.tab = tabs(byId("tools"));
    for (const [name, { isOpen }] of Object.entries(CLOSABLE)) {
      this.#open.set(name, (kept(`pane.${name}`) ?? String(isOpen)) === "true");
      byId(`show-${name}`).addEventListener("click", () => this.#set(name, !this.#open.get(name)));
      byId(`close-${name}`).addEventListener("click", () => {
        this.#set(name, false);
        byId(`show-${name}`).focus();
      });
    }
    for (const button of byId("foot").querySelectorAll("[data-pane]")) button.addEventListener("click", () => this.show(button.dataset.pane));
    byId("find").addEventListener("focus", () => { if (this.#pane !== "find") this.show("find"); });
    byId("skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.show("values");
      byId("tree").focus();
    });
    phone.addEventListener("change", () => this.#render());
    document.addEventListener("keydown", (event) => this.#pressed(event));
    this.#render();
  }

  /** Shows a pane, or a tab of the tools: "changes", "problems", "compare", "export". */
  show(name) {
    const isTab = byId(`tab-${name}`) !== null, pane = isTab ? "side" : name;
    if (isTab) this.tab(name);
    this.#pane = pane;
    if (this.#open.has(pane) && !phone.matches) this.#set(pane, true);
    else this.#render();
    if (pane === "find" && document.activeElement !== byId("find")) byId("find").focus();
  }

  /** On a phone, shows the values again, since a value was chosen in another pane. */
  leave() {
    if (phone.matches && this.#pane !== "values" && this.#pane !== "find") this.show("values");
  }

  #set(name, isOpen) {
    this.#open.set(name, isOpen);
    keep(`pane.${name}`, isOpen);
    this.#render();
  }

  #render() {
    const isPhone = phone.matches, pane = this.#pane;
    this.work.dataset.pane = pane;
    byId("tree-pane").hidden = isPhone && pane !== "values" && pane !== "find";
    for (const [name, { pane: id }] of Object.entries(CLOSABLE)) {
      const isOpen = this.#open.get(name);
      byId(id).hidden = isPhone ? pane !== name : !isOpen;
      byId(`show-${name}`).setAttribute("aria-pressed", isOpen);
      byId("panes").classList.toggle(`has-${name}`, isOpen);
    }
    for (const button of byId("foot").querySelectorAll("[data-pane]")) {
      if (button.dataset.pane === pane) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** F6 and Shift+F6 go to the next and the previous part of the page. */
  #pressed(event) {
    if (event.key !== "F6" || this.work.hidden) return;
    event.preventDefault();
    const stops = STOPS.map(([part, to]) => ({ part: byId(part), to: document.querySelector(to) })).filter(({ part, to }) => part?.checkVisibility() && to?.checkVisibility());
    const at = stops.findLastIndex(({ part }) => part.contains(document.activeElement)), by = event.shiftKey ? -1 : 1;
    stops[(Math.max(at, by > 0 ? -1 : 0) + by + stops.length) % stops.length]?.to.focus();
  }
}

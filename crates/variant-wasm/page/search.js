// The search for keys and texts.

import { byId, counted, entry, onSubmit, told } from "./dom.js";

const PAGE = 100;
/** The position before the first hit. */
const NONE = -0.5;

export class Search {
  #hits = [];
  #next;
  /** The index of the chosen hit. The position between hits 1 and 2 is 1.5. */
  #at = NONE;
  #turn = 0;
  #asked;

  constructor(session, showTab) {
    Object.assign(this, { session, showTab });
    [this.text, this.state, this.list, this.more] = ["search-text", "search-state", "hits", "more"].map(byId);
    onSubmit(byId("search").querySelector("form"), () => {
      if (this.#hits.length > 0 && this.#key() === this.#asked) this.step(1);
      else this.#start();
    });
    this.more.addEventListener("click", () => this.#fetch(PAGE));
    byId("next").addEventListener("click", () => this.step(1));
    byId("previous").addEventListener("click", () => this.step(-1));
    session.addEventListener("opened", () => this.#clear());
    session.addEventListener("changed", () => this.#again());
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #options() {
    return { anyCase: byId("any-case").checked, keys: byId("in-keys").checked, values: byId("in-values").checked };
  }

  #key() {
    return JSON.stringify([this.text.value, this.#options()]);
  }

  #clear() {
    this.#turn++;
    [this.#hits, this.#next, this.#at, this.#asked] = [[], undefined, NONE, undefined];
    this.list.replaceChildren();
    this.state.textContent = "All keys and all texts are searched.";
    this.#steps();
  }

  async #start() {
    this.#clear();
    if (this.text.value === "") return;
    this.#asked = this.#key();
    performance.mark("search");
    await this.#fetch(PAGE);
    performance.mark("hits-shown");
    performance.measure("search", "search", "hits-shown");
    if (this.#hits.length > 0) await this.#go(0);
  }

  /** Searches again after a change, which may move the hits. The hit that was next before the change is still next afterwards. */
  async #again() {
    const asked = this.#asked, at = this.#at, before = this.#hits[at], count = this.#hits.length;
    if (asked === undefined) return;
    this.#clear();
    this.#asked = asked;
    const turn = this.#turn;
    await this.#fetch(Math.max(PAGE, count));
    if (turn !== this.#turn) return;
    const now = this.#hits[at], isThere = before && now && ["frame", "path", "text"].every((name) => before[name] === now[name]);
    if (isThere) this.#mark(at);
    else this.#at = Math.min(Math.ceil(at), this.#hits.length) + NONE;
  }

  async #fetch(most) {
    const turn = this.#turn, [text, options] = JSON.parse(this.#asked);
    try {
      const { found, next } = await this.session.call("search", text, { ...options, from: this.#next, most });
      if (turn !== this.#turn) return;
      this.#next = next;
      const from = this.#hits.length;
      this.#hits.push(...found);
      this.list.append(...found.map((hit, number) => this.#entry(hit, from + number)));
      const count = this.#hits.length;
      this.state.textContent = count === 0 ? "Nothing has this text." : `${counted(count, "hit")}${next === undefined ? "" : ", and more"}.`;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.state.textContent = told(error);
    }
    this.#steps();
  }

  #steps() {
    this.more.hidden = this.#next === undefined;
    byId("next").disabled = byId("previous").disabled = this.#hits.length === 0;
  }

  #entry(hit, number) {
    const frame = this.session.hasFrames ? `frame ${hit.frame}: ` : "";
    return entry({ mark: hit.isKey ? "key" : "text", title: `${frame}${hit.path || hit.label || "(root)"}`, lines: [hit.text], act: () => this.#go(number) });
  }

  async #go(number) {
    this.#mark(number);
    try {
      await this.session.select(this.#hits[number].way, "search");
    } catch (error) {
      this.state.textContent = told(error);
    }
  }

  #mark(number) {
    this.list.children[this.#at]?.firstElementChild.removeAttribute("aria-current");
    this.#at = number;
    const button = this.list.children[number].firstElementChild;
    button.setAttribute("aria-current", "true");
    button.scrollIntoView({ block: "nearest" });
  }

  /** Goes to the next or the previous hit. After the last hit, goes to the first hit. */
  async step(by) {
    if (this.#hits.length === 0) return;
    if (this.#at + by >= this.#hits.length && this.#next !== undefined) await this.#fetch(PAGE);
    // After a change there may be no hits.
    if (this.#hits.length === 0) return;
    const to = by > 0 ? Math.floor(this.#at + by) : Math.ceil(this.#at + by);
    await this.#go((to + this.#hits.length) % this.#hits.length);
  }

  #pressed(event) {
    if (!this.session.isOpen) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") {
      this.showTab("search");
      this.text.focus();
      this.text.select();
    } else if (event.key === "F3") this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }
}

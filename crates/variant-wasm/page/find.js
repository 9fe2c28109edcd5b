// The field above the tree. What is typed filters the tree: keys, texts, numbers, or the values that a path selects.

import { attribute, byId, told } from "./dom.js";
import { follow } from "./places.js";
import { t } from "./texts.js";

/** The number of hits of the first call, of each later call, and of all that the filter shows. The first hits fill a screen. */
const FIRST = 40, PAGE = 200, MOST = 2000;
/** The number of bytes that one call reads. A newer text is looked for after at most one call. */
const BYTES = 4 << 20;
/** A text with one of these characters may be a path. */
const OF_PATHS = /[.[\]{}*]/;

export class Find {
  #turn = 0;
  /** The text that is looked for, the found nodes, and the number of the chosen one. */
  #text = "";
  #hits = [];
  #at = -1;
  /** The way of the chosen node, where it is after the last change. */
  #chosen;
  /** A promise that resolves when the hits are where they are after the last change. */
  #following;
  /** The step that Enter asked for before the first hit was found. */
  #waiting = 0;

  constructor(session, tree) {
    Object.assign(this, { session, tree });
    [this.field, this.state, this.next, this.previous, this.clear] = ["find", "find-state", "find-next", "find-previous", "find-clear"].map(byId);
    this.field.addEventListener("input", () => this.#look(this.field.value.trim()));
    this.field.addEventListener("keydown", (event) => this.#typed(event));
    this.next.addEventListener("click", () => this.step(1));
    this.previous.addEventListener("click", () => this.step(-1));
    this.clear.addEventListener("click", () => this.#end());
    session.addEventListener("opened", () => this.#opened());
    session.addEventListener("changed", ({ detail }) => { this.#following = this.#follow(detail.moves); });
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Shows what was looked for in this file before. */
  #opened() {
    this.field.value = this.session.view.find ?? "";
    this.#look(this.field.value);
  }

  async #look(text) {
    const turn = ++this.#turn, { session } = this;
    [this.#text, this.#hits, this.#at, this.#waiting] = [text, [], -1, 0];
    this.#chosen = this.#following = undefined;
    if (!session.isOpen) return;
    session.view.find = text;
    attribute(this.field, "aria-invalid");
    if (text === "") {
      this.tree.filter(undefined);
      return this.#show("");
    }
    performance.mark("search");
    const calls = OF_PATHS.test(text) ? ["selected", "search"] : ["search"];
    let reason;
    for (const call of calls) {
      try {
        await this.#stream(turn, call, text);
      } catch (error) {
        if (error.isDead) throw error;
        reason ??= error;
      }
      if (turn !== this.#turn || this.#hits.length > 0) return;
    }
    // A text such as "items[" is a path that is not finished, so the reason is shown, and the tree is empty.
    this.tree.filter([]);
    this.#show(reason && calls.length > 1 ? `${t("find.none")} ${told(reason)}` : t("find.none"));
  }

  /** Shows the hits as they are found. */
  async #stream(turn, call, text) {
    let from = 0;
    while (from !== undefined && this.#hits.length < MOST) {
      const { found, next } = await this.session.call(call, text, { from, most: this.#hits.length === 0 ? FIRST : PAGE, bytes: BYTES });
      if (turn !== this.#turn) return;
      const isFirst = this.#hits.length === 0 && found.length > 0;
      this.#hits.push(...found);
      if (found.length > 0) this.tree.filter(this.#hits, text);
      if (isFirst) {
        performance.mark("hits-shown");
        performance.measure("search", "search", "hits-shown");
        if (this.#waiting) this.step(this.#waiting);
      }
      from = next;
      const count = this.#hits.length;
      if (count > 0) this.#show(t(from === undefined ? "find.hits" : count < MOST ? "find.hitsSoFar" : "find.firstHits", { count }));
    }
  }

  #show(text) {
    this.state.textContent = text;
    this.next.disabled = this.previous.disabled = this.#hits.length === 0;
    this.clear.hidden = this.#text === "";
  }

  /** Keeps the hits after a change: those that the tree still shows. */
  async #follow(moves) {
    if (this.#hits.length === 0) return;
    const turn = this.#turn;
    this.#chosen &&= follow(this.#chosen, moves);
    await this.tree.shown();
    if (turn !== this.#turn || !this.tree.filtered) return;
    this.#hits = this.tree.filtered;
    this.#at = this.#chosen ? this.#hits.findIndex(({ way }) => way.join() === this.#chosen.join()) : Math.max(-1, Math.min(this.#at, this.#hits.length) - 1);
    this.#chosen = this.#hits[this.#at]?.way;
    this.#show(t("find.hits", { count: this.#hits.length }));
  }

  /** Goes to the next or the previous hit. After the last hit, goes to the first hit. */
  async step(by) {
    const turn = this.#turn, { file } = this.session;
    if (file) await this.session.settled(file);
    await this.#following;
    if (turn !== this.#turn) return;
    const count = this.#hits.length;
    if (count === 0) return void (this.#waiting = by);
    this.#at = this.#at < 0 && by < 0 ? count - 1 : (this.#at + by + count) % count;
    this.#chosen = this.#hits[this.#at].way;
    await this.session.select(this.#chosen, "find");
  }

  /** Shows the whole tree again. The selection stays. */
  #end() {
    this.field.value = "";
    this.#look("");
    byId("tree").focus();
  }

  #typed(event) {
    if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") this.#end();
    else if (event.key === "ArrowDown") byId("tree").focus();
    else return;
    event.preventDefault();
  }

  #pressed(event) {
    if (!this.session.isOpen || byId("work").hidden) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") {
      this.field.focus();
      this.field.select();
    } else if (event.key === "F3") this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }
}

// The list of changes, undo and redo.

import { attribute, byId, entry, told } from "./dom.js";
import { follow } from "./places.js";
import { t } from "./texts.js";

/** The number of steps that are shown at once. */
const SHOWN = 50;

export class Changes {
  constructor(session, say) {
    Object.assign(this, { session, say });
    [this.undo, this.redo, this.state, this.list, this.earlier] = ["undo", "redo", "changes-state", "changes-list", "changes-earlier"].map(byId);
    this.undo.addEventListener("click", () => this.make("undo"));
    this.redo.addEventListener("click", () => this.make("redo"));
    this.earlier.addEventListener("click", () => this.#showEarlier());
    for (const type of ["opened", "changed"]) session.addEventListener(type, () => this.#show());
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  async make(method) {
    const { info, isOpen } = this.session;
    if (!isOpen || !(method === "undo" ? info.canUndo : info.canRedo)) return;
    try {
      await this.session[method]();
    } catch (error) {
      this.say(told(error), true);
    }
  }

  #show() {
    const { changes: { count, recent }, info, isOpen } = this.session;
    this.undo.disabled = !isOpen || !info.canUndo;
    this.redo.disabled = !isOpen || !info.canRedo;
    attribute(byId("tab-changes"), "data-count", count || undefined);
    this.state.textContent = count > 0 ? t("changes.some", { count }) : t("changes.none");
    this.from = count - recent.length;
    this.steps = recent;
    this.list.replaceChildren(...this.#entries(recent));
    this.earlier.hidden = this.from === 0;
  }

  async #showEarlier() {
    const { version } = this.session, from = Math.max(0, this.from - SHOWN);
    const steps = await this.session.call("steps", from, this.from);
    if (version !== this.session.version) return;
    [this.from, this.steps] = [from, [...steps, ...this.steps]];
    this.list.append(...this.#entries(steps));
    this.earlier.hidden = from === 0;
  }

  /** The entries of steps, the last step first. */
  #entries(steps) {
    return steps.toReversed().flatMap((step) => step.made.map((change) => this.#entry(step, change)));
  }

  #entry(step, change) {
    const { called, path, before, after } = change;
    const [mark, kind] = before === undefined ? ["+", "added"] : after === undefined ? ["−", "removed"] : ["~", "changed"];
    const title = [called, path || t("value.whole")].filter(Boolean).join(": ");
    const lines = [before !== undefined && t("changes.before", { value: before }), after !== undefined && t("changes.after", { value: after })];
    return entry({ mark, kind, title, lines, act: () => this.#go(step, change) });
  }

  /** Selects a changed value where it is now, after the later steps. */
  async #go(step, change) {
    const { session } = this, later = this.steps.slice(this.steps.indexOf(step) + 1);
    const isOne = step.made.length === 1 && step.way, place = isOne ? follow(step.way, later.flatMap(({ moves }) => moves)) : this.#place(change);
    const [found] = place === undefined ? [] : await session.call("nodes", [place]);
    if (found) await session.select(found, "list");
    else this.say(t("changes.gone"));
  }

  #place({ called, path }) {
    return this.session.hasFrames ? { frame: frameOf(called) ?? 1, path } : path;
  }

  #pressed(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || byId("work").hidden || event.target.matches("input, textarea")) return;
    const key = event.key.toLowerCase();
    if (key === "z") this.make(event.shiftKey ? "redo" : "undo");
    else if (key === "y") this.make("redo");
    else return;
    event.preventDefault();
  }
}

/** The number of a frame from its name, such as "frame 2". */
const frameOf = (called) => Number(called?.match(/\d+$/)?.[0]) || undefined;

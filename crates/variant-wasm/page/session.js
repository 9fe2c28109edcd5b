// The open file as the page knows it. Panes listen to its events: "opened", "changed" (values differ), "selected" (a
// value, and its source), "checked" (problems are known), "saved".

import { client } from "./client.js";

/** Larger files are checked only on request. */
const CHECKED = 16 << 20;
/** The measurements for each file. */
const MARKS = ["open", "opened", "rows-shown", "search", "hits-shown"];

export class Session extends EventTarget {
  info;
  /** Whether the worker lost the file. */
  isGone = false;
  /** Counts files and changes: an answer to a call at another number is outdated. */
  version = 0;
  /** An encrypted file that waits for its password; the open file stays open meanwhile. */
  locked;
  name = "";
  /** The maximum number of rows of the file itself. */
  rows = 0;
  changes = [];
  /** The node of the selected value, and its extent; damage is without an extent. */
  node;
  extent;
  validation;
  /** The problems of values, by their ways; and the ways around them. */
  problems = new Map();
  around = new Set();
  /** The problems, by byte. */
  wrong = new Map();
  #turn = 0;
  #checks = 0;
  /** Whether the last change was downloaded. */
  #isSaved = false;
  /** Changes that the worker has not made yet, and files that it has not opened yet. */
  #edits = 0;
  #openings = 0;

  constructor(died) {
    super();
    this.died = (error) => {
      this.isGone = true;
      this.locked = undefined;
      died(error);
    };
  }

  call(method, ...parts) {
    return client.call(method, ...parts);
  }

  /** False while the worker opens another file, since it would answer about that one. */
  get isOpen() {
    return this.info !== undefined && !this.isGone && this.#openings === 0;
  }

  /** Whether the file has changes that were not downloaded. */
  get isUnsaved() {
    return this.info !== undefined && !this.isGone && (this.#edits > 0 || (this.info.isChanged && !this.#isSaved));
  }

  get hasFrames() {
    return this.info.framing !== "bare";
  }

  /** Opens a `Blob`. The file that was open stays if this fails, and until an encrypted one is unlocked. */
  async open(blob, name, options = {}) {
    for (const mark of MARKS) performance.clearMarks(mark);
    performance.mark("open");
    this.locked = undefined;
    const state = await this.#replace("open", blob, options), file = { blob, name, options };
    performance.mark("opened");
    if (state.info.isLocked) this.locked = { ...file, layers: state.info.layers };
    else this.#begin({ ...state, ...file }, false);
  }

  async unlock(password) {
    const { blob, name, options } = this.locked, state = await this.#replace("unlock", password);
    this.locked = undefined;
    this.#begin({ ...state, blob, name, options }, false);
  }

  /** A call that leads to another file. */
  #replace(method, ...parts) {
    this.#openings++;
    return this.call(method, ...parts).finally(() => { this.#openings--; });
  }

  /** The bytes of the changed file, under its name. */
  async save(deliver) {
    const { name, version } = this;
    deliver(await this.call("save"), name);
    if (version !== this.version) return;
    this.#isSaved = true;
    this.#tell("saved");
  }

  async reread(how) {
    this.#begin(await this.call("reread", how), this.#isSaved);
  }

  #begin(state, isSaved) {
    Object.assign(this, state, { isGone: false, node: undefined, extent: undefined });
    this.#isSaved = isSaved;
    this.#forget();
    this.#tell("opened");
  }

  /** Checks the file, unless it is large and the check was not requested. */
  async check(isAsked = false) {
    if (!isAsked && this.info.size > CHECKED) return;
    const number = ++this.#checks, validation = await this.call("validate");
    if (number !== this.#checks) return;
    this.validation = validation;
    for (const problem of validation.problems) {
      this.problems.set(problem.way.join(), problem);
      this.wrong.set(problem.offset, problem);
      for (let depth = 1; depth < problem.way.length; depth++) this.around.add(problem.way.slice(0, depth).join());
    }
    this.#tell("checked");
  }

  /** Drops problems and pending selections: they are of the earlier file, or of the file before a change. */
  #forget() {
    this.version++;
    this.#turn++;
    this.#checks++;
    this.validation = undefined;
    this.problems = new Map();
    this.around = new Set();
    this.wrong = new Map();
  }

  /** Selects a value by a way or place. The last call wins. */
  async select(place, from) {
    const turn = ++this.#turn;
    const node = place.way ? place : await this.call("node", place);
    const extent = node.kind === undefined ? undefined : await this.call("extent", node.way);
    if (turn !== this.#turn) return;
    Object.assign(this, { node, extent });
    this.#tell("selected", { from });
  }

  /** Selects the value that holds a byte. */
  async selectByte(offset) {
    const turn = ++this.#turn, { way } = await this.call("pathTo", offset);
    if (turn === this.#turn && way.length > 0) await this.select(way, "hex");
  }

  /** `set`, `insert`, `delete`, `renameKey`, `undo` or `redo`. */
  async edit(method, ...parts) {
    if (!this.isOpen) throw new Error("Another file is being opened.");
    // A way refers to the file before the pending change.
    if (this.#edits > 0 && method !== "undo" && method !== "redo") throw new Error("Another change is being made.");
    this.#edits++;
    const { made, ...state } = await this.call("edit", method, ...parts).finally(() => { this.#edits--; });
    Object.assign(this, state);
    this.#isSaved = false;
    this.#forget();
    this.#tell("changed", { made });
    return made;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

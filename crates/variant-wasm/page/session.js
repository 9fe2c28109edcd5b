// The page's state of the open file. Panes listen to the events of a session: "opened", "changed" (values have
// changed), "selected" (the event names the pane that selected a value), "checked" (problems are known), "saved".

import { client } from "./client.js";

/** The size of the largest file that is checked without a request, in bytes. */
const CHECKED = 16 << 20;
/** The names of the browser's performance marks, which are cleared for each file. */
const MARKS = ["open", "opened", "rows-shown", "search", "hits-shown"];

export class Session extends EventTarget {
  info;
  /** Whether the worker lost the file. */
  isGone = false;
  /** The number of opened files and changes. If it has changed when a call is answered, the answer is outdated. */
  version = 0;
  /** An encrypted file that waits for its password. The earlier file stays open. */
  locked;
  name = "";
  /** The maximum number of rows of the file. */
  rows = 0;
  changes = [];
  /** The node of the selected value. `extent` is its range of bytes. Damage has no extent. */
  node;
  extent;
  validation;
  /** The problems, by the ways of their values. `around` has the ways of all containers around these values. */
  problems = new Map();
  around = new Set();
  /** The problems, by their offsets. */
  wrong = new Map();
  #turn = 0;
  #checks = 0;
  /** Whether the last change was downloaded. */
  #isSaved = false;
  /** The number of changes that the worker has not made yet. `#openings` is the number of files that the worker has not opened yet. */
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

  /** Whether a file is open. False while the worker opens another file, since its answers would be about that file. */
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

  /** Opens a `Blob`. The earlier file stays open if this fails, and until an encrypted file is unlocked. */
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

  /** Makes a call that replaces the open file. */
  #replace(method, ...parts) {
    this.#openings++;
    return this.call(method, ...parts).finally(() => { this.#openings--; });
  }

  /** Passes the bytes of the changed file, and its name, to `deliver`. */
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

  /** Drops problems and pending selections of the earlier file, or of the file before a change. */
  #forget() {
    this.version++;
    this.#turn++;
    this.#checks++;
    this.validation = undefined;
    this.problems = new Map();
    this.around = new Set();
    this.wrong = new Map();
  }

  /** Selects the value at a way or place. If several calls overlap, the last call decides. */
  async select(place, from) {
    const turn = ++this.#turn;
    const node = place.way ? place : await this.call("node", place);
    const extent = node.kind === undefined ? undefined : await this.call("extent", node.way);
    if (turn !== this.#turn) return;
    Object.assign(this, { node, extent });
    this.#tell("selected", { from });
  }

  /** Selects the value that contains a byte. */
  async selectByte(offset) {
    const turn = ++this.#turn, { way } = await this.call("pathTo", offset);
    if (turn === this.#turn && way.length > 0) await this.select(way, "hex");
  }

  /** Makes a change. `method` is `set`, `insert`, `delete`, `renameKey`, `undo` or `redo`. */
  async edit(method, ...parts) {
    if (!this.isOpen) throw new Error("Another file is being opened.");
    // The ways in the page refer to the file before the pending change.
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

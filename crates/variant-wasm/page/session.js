// The open files, and the state of the current one. Panes listen to the events of the session: "leaving" (another file will be
// current), "opened" (another file is current; `isReturn`: it was open before), "changed" (values have changed; `moves`: see
// places.js), "selected" (`from` names the pane that selected a value), "extended" (the end of the selected value is known),
// "checked" (problems are known), "saved", "files" (the list of files has changed).

import { client } from "./client.js";
import { follow } from "./places.js";
import { t } from "./texts.js";

/** The size of the largest file that is checked without a request, in bytes. */
const CHECKED = 16 << 20;
/** The pause after which the end of a value in a larger file is searched, in milliseconds. */
const PAUSE = 300;
/** The number of no step. */
const NO_STEP = -1;
/** The names of the browser's performance marks, which are cleared for each file. */
const MARKS = ["open", "opened", "rows-shown", "search", "hits-shown"];

/** The page's state of an open file. */
class OpenFile {
  info;
  /** The maximum number of rows of the file. */
  rows = 0;
  /** The number of changes, and the last of them. */
  changes = { count: 0, recent: [] };
  /** The number of the step that was saved. */
  savedStep = 0;
  /** The steps as `{ number, edits }`, to make them again. `undone` are those that redo makes again. */
  journal = [];
  undone = [];
  /** The number of openings and changes. If it has changed when a call is answered, the answer is outdated. */
  version = 0;
  /** The node of the selected value. `extent` is its range of bytes. Damage has no extent. In a large file, the end of the range is found later. */
  node;
  extent;
  validation;
  /** The problems, by the ways of their values. `around` has the ways of all containers around these values. */
  problems = new Map();
  around = new Set();
  /** The problems, by their offsets. */
  wrong = new Map();
  /** Whether the worker has lost the file. */
  isGone = false;
  /** What panes keep while another file is current. */
  view = {};
  /** The number of changes that the worker has not made yet. */
  pending = 0;
  /** The changes that ended while another file was current. Panes are notified when the file becomes the current one again. */
  missed;

  /** `source` has the bytes as they were opened (`blob`), `name`, `options`, and a `handle` if the file can be saved in place. */
  constructor(id, source) {
    this.id = id;
    this.source = source;
  }

  get name() {
    return this.source.name;
  }

  get isLocked() {
    return this.info?.isLocked === true;
  }

  /** The number of the last step of undo. No other bytes of the open document have had this number. */
  get step() {
    return this.info?.step ?? 0;
  }

  /** Whether the file has changes that were not saved. The changes of an encrypted draft wait for its password. */
  get isUnsaved() {
    return this.pending > 0 || this.step !== this.savedStep || (this.isLocked && this.journal.length > 0);
  }

  take({ info, rows, changes }) {
    Object.assign(this, { info, rows, changes });
    this.forget();
  }

  /** Moves the selection with its value. The selection stays at the place of a value that is gone. */
  follow(moves) {
    const way = this.node && follow(this.node.way, moves);
    if (way) this.node = { ...this.node, way };
  }

  /** Drops what was known of the bytes before a change. */
  forget() {
    this.version++;
    Object.assign(this, { validation: undefined, problems: new Map(), around: new Set(), wrong: new Map() });
  }

  learn(validation) {
    this.validation = validation;
    for (const problem of validation.problems) {
      this.problems.set(problem.way.join(), problem);
      this.wrong.set(problem.offset, problem);
      for (let depth = 1; depth < problem.way.length; depth++) this.around.add(problem.way.slice(0, depth).join());
    }
  }
}

/** The state that panes show while no file is open. */
const NO_FILE = new OpenFile(0, { name: "" });

export class Session extends EventTarget {
  files = [];
  /** The current file. */
  file;
  /** Whether all changes are refused. */
  isReadOnly = false;
  #count = 0;
  #turn = 0;

  /** `keeper` gets the edits of each file (see drafts.js). `died` is called with the reason if the worker has ended. */
  constructor(keeper, died) {
    super();
    this.keeper = keeper;
    this.died = (error) => {
      for (const file of this.files) file.isGone = true;
      died(error);
    };
  }

  get info() { return this.file?.info; }
  get name() { return this.file?.name ?? ""; }
  get rows() { return (this.file ?? NO_FILE).rows; }
  get changes() { return (this.file ?? NO_FILE).changes; }
  get version() { return this.file?.version ?? 0; }
  get node() { return this.file?.node; }
  get extent() { return this.file?.extent; }
  get validation() { return (this.file ?? NO_FILE).validation; }
  get problems() { return (this.file ?? NO_FILE).problems; }
  get around() { return (this.file ?? NO_FILE).around; }
  get wrong() { return (this.file ?? NO_FILE).wrong; }
  get view() { return (this.file ?? NO_FILE).view; }

  /** Whether values of a file can be shown. */
  get isOpen() {
    return this.file !== undefined && !this.file.isGone && this.info !== undefined && !this.info.isLocked;
  }

  get isUnsaved() {
    return this.file?.isUnsaved ?? false;
  }

  /** Whether any file has changes that were not saved. */
  get isAnyUnsaved() {
    return this.files.some((file) => file.isUnsaved);
  }

  /** The number of the last selection. */
  get turn() {
    return this.#turn;
  }

  get hasFrames() {
    return this.info.framing !== "bare";
  }

  /** Calls the worker about the current file. */
  call(method, ...parts) {
    return this.callOf(this.file, method, ...parts);
  }

  /** Calls the worker about an open file. */
  callOf(file, method, ...parts) {
    return client.call(file.id, method, ...parts);
  }

  /** Opens a file beside the others. `source` is that of an `OpenFile`. The steps of `draft` are made again. */
  async open(source, draft) {
    for (const mark of MARKS) performance.clearMarks(mark);
    performance.mark("open");
    const file = new OpenFile(++this.#count, source);
    file.take(await this.callOf(file, "open", source.blob, source.options ?? {}));
    performance.mark("opened");
    if (draft) Object.assign(file, { journal: draft.steps, savedStep: draft.saved, draft: draft.id });
    this.files.push(file);
    this.#tell("files");
    await this.#begin(file);
    return file;
  }

  /** Opens the current file again, after the worker has lost it. */
  async reopen() {
    const { file } = this;
    file.take(await this.callOf(file, "open", file.source.blob, file.source.options ?? {}));
    file.isGone = false;
    await this.#begin(file);
  }

  async unlock(password) {
    const { file } = this;
    file.take(await this.call("unlock", password));
    file.source.options = { ...file.source.options, password };
    this.#tell("files");
    await this.#begin(file);
  }

  async #begin(file) {
    const replay = file.isLocked || file.journal.length === 0 ? Promise.resolve() : this.#replay(file);
    // If not all steps can be made again, the file is shown with the others.
    await replay.finally(() => this.#show(file, false));
  }

  /** Makes the steps of the journal again. They get new numbers. If one fails, the old draft keeps all steps, and the file gets a new draft. */
  async #replay(file) {
    const { journal, savedStep } = file;
    Object.assign(file, { journal: [], undone: [], savedStep: savedStep && NO_STEP });
    file.pending++;
    try {
      for (const { number, edits } of journal) {
        const before = file.step;
        file.change = this.callOf(file, "edit", edits);
        file.take(await file.change);
        if (file.step !== before) file.journal.push({ number: file.step, edits });
        if (number === savedStep) file.savedStep = file.step;
      }
      this.keeper.replace(file);
    } catch (error) {
      if (error.isDead) Object.assign(file, { journal, savedStep });
      else this.keeper.renew(file);
      throw error;
    } finally {
      file.pending--;
    }
  }

  #did(file, step) {
    file.journal.push(step);
    this.keeper.did(file, step);
  }

  /** Makes another open file the current one. */
  switchTo(id) {
    const file = this.files.find((file) => file.id === id);
    if (file && file !== this.file) this.#show(file, true);
  }

  /** Applies what is typed in a field. */
  leave() {
    this.#tell("leaving");
  }

  /** Waits until the worker has made the changes of a file. */
  async settled(file) {
    while (file.pending > 0) await file.change.catch(() => {});
  }

  #show(file, isReturn) {
    if (!this.files.includes(file)) return;
    if (this.file && this.file !== file) this.leave();
    this.file = file;
    this.#turn++;
    const { missed } = file;
    file.missed = undefined;
    if (missed) file.follow(missed.moves);
    if (!isReturn) Object.assign(file, { node: undefined, extent: undefined });
    this.#tell("opened", { isReturn });
    if (isReturn && missed) this.#moved(file, missed);
  }

  /** Closes a file. Its draft is deleted. */
  close(id) {
    const place = this.files.findIndex((file) => file.id === id), [file] = this.files.splice(place, 1);
    this.callOf(file, "close").catch(() => {});
    this.keeper.forget(file);
    if (file === this.file) this.file = undefined;
    const next = this.files[Math.min(place, this.files.length - 1)];
    if (!this.file && next) this.#show(next, true);
    this.#tell("files");
  }

  /** Reads the bytes in another way. The places of changes would mean other values, so there must be no changes. */
  async reread(how) {
    const { file } = this;
    if (file.journal.length + file.undone.length > 0) throw new Error(t("reading.isChanged"));
    file.take(await this.call("reread", how));
    file.source.options = { ...file.source.options, ...how };
    this.#show(file, false);
  }

  /** The bytes of the changed file were saved as they are at a step. */
  saved(file, step) {
    if (!this.files.includes(file)) return;
    file.savedStep = step;
    this.keeper.saved(file);
    this.#tell("saved");
    this.#tell("files");
  }

  /** Checks the file, unless it is large and the check was not requested. */
  async check(isAsked = false) {
    const { file } = this, { version } = file;
    if (!isAsked && file.info.size > CHECKED) return;
    const validation = await this.call("validate");
    if (version !== file.version || file.validation) return;
    file.learn(validation);
    if (file === this.file) this.#tell("checked");
  }

  /** Selects the value at a way or place. If several calls overlap, the last call decides. */
  async select(place, from) {
    const turn = ++this.#turn, { file } = this;
    const node = place.way ? place : await this.call("node", place);
    const isLarge = file.info.size > CHECKED, isThere = node.kind !== undefined;
    const extent = isThere && !isLarge ? await this.callOf(file, "extent", node.way) : undefined;
    if (turn !== this.#turn) return;
    const { start, offset } = node;
    Object.assign(file, { node, extent: isThere ? extent ?? { start, offset } : undefined });
    this.#tell("selected", { from });
    // Without the end, the bytes of the value are only not marked.
    if (isThere && isLarge) this.#findEnd(turn, file).catch(() => {});
  }

  /** Finds the end of the selected value in a large file. The pass over its bytes begins when the user has paused, since it holds up the calls after it. */
  async #findEnd(turn, file) {
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    if (turn !== this.#turn) return;
    const extent = await this.callOf(file, "extent", file.node.way);
    if (turn !== this.#turn) return;
    file.extent = extent;
    this.#tell("extended");
  }

  /** Selects the value that contains a byte. */
  async selectByte(offset) {
    const turn = ++this.#turn, { way } = await this.call("pathTo", offset);
    if (turn === this.#turn && way.length > 0) await this.select(way, "hex");
  }

  /**
   * Makes edits as one step: `{ set: place, to }`, `{ insert: place, value, at: way }`, `{ delete: place }`, `{ rename: place, key }`,
   * `{ duplicate: way }`, `{ move: way, by }`. `to` and `value` are texts of literals. `at` is the way that the new value gets. Each edit is made after
   * the one before it. But the values that "duplicate" and "move" need are read before the step, so later positions come first.
   */
  edit(edits) {
    const { file } = this;
    return this.#change("edit", [edits], (isMade) => {
      if (!isMade) return;
      file.undone = [];
      this.#did(file, { number: file.step, edits });
    });
  }

  undo() {
    const { file } = this;
    return this.#change("undo", [], () => {
      const step = file.journal.pop();
      file.undone.push(step);
      this.keeper.undid(file, step);
    });
  }

  redo() {
    const { file } = this;
    return this.#change("redo", [], () => this.#did(file, file.undone.pop()));
  }

  async #change(method, parts, note) {
    const { file } = this;
    if (!this.isOpen) throw new Error("no file is open");
    if (this.isReadOnly) throw Object.assign(new Error(t("host.readOnly")), { name: "VariantError", class: "edit" });
    // The ways in the page refer to the file before the pending change.
    if (file.pending > 0 && method === "edit") throw new Error("another change is being made");
    file.pending++;
    const before = file.step;
    file.change = this.callOf(file, method, ...parts).finally(() => { file.pending--; });
    const { made, moves, way, ...state } = await file.change;
    if (!this.files.includes(file)) return { made: [] };
    file.take(state);
    if (made === undefined) return { made: [] };
    note(file.step !== before);
    if (file === this.file) await this.#moved(file, { made, moves, way });
    else file.missed = { made: [...file.missed?.made ?? [], ...made], moves: [...file.missed?.moves ?? [], ...moves], way };
    this.#tell("files");
    return { made, way };
  }

  /** Notifies the panes of a change, and selects what was changed. */
  async #moved(file, { made, moves, way }) {
    file.follow(moves);
    const selected = way ?? file.node?.way ?? [0], turn = this.#turn;
    this.#tell("changed", { made, moves });
    const [node] = await this.callOf(file, "nodes", [selected]);
    // If the user has selected another value in the meantime, that value stays selected.
    if (node && turn === this.#turn) await this.select(node, "edit");
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

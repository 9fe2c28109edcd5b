// The tree of values. Only rows on the screen have elements. The focus stays on the tree, which reports the active row
// to screen readers.

import { Actions } from "./actions.js";
import { Branch } from "./branch.js";
import { attribute, counted } from "./dom.js";
import { createRow, fillRow } from "./row.js";
import { follow } from "./places.js";
import { Scroller } from "./scroller.js";

/** The heights of rows: for a mouse, and for fingers. */
const ROW = 26, TALL = 44;
/** If a file has at most this number of values, its first value is opened. */
const FEW = 20;
/** The maximum number of containers that are opened again after a change, and of rows that are chosen by one range. */
const REOPENED = 500, CHOSEN = 10_000;

export class Tree {
  #branch;
  /** The selected row: a branch, and a position in the branch. */
  #at;
  #turn = 0;
  /** The picked row, until the session has selected its value. */
  #reporting;
  /** A promise that resolves when the session has selected the value of the picked row. */
  #reported;
  /** The ways of the chosen rows, if there are several. */
  #chosen = new Map();
  /** The row from which Shift chooses. */
  #anchor;
  /** The nodes that the filter is to show, the text that is marked in them, and the number of `#moves` before the nodes were found. */
  #filter;
  /** The ways of the containers that were open before the filter. */
  #before = [];
  #marked = new Map();
  #typed = { text: "", time: 0 };
  /** The last change of what is shown, until it is shown. */
  #changing;
  /** The moves since what is shown now. */
  #moves = [];
  /** Whether rows have arrived that are not shown yet. */
  #isArriving = false;
  /** The number of times that a row of the tree was picked. */
  picks = 0;
  /** Whether a tap on a row chooses the row. */
  isChoosing = false;

  constructor(session, element, say) {
    Object.assign(this, { session, element });
    const byFinger = matchMedia("(pointer: coarse)"), height = () => (byFinger.matches ? TALL : ROW);
    this.scroller = new Scroller(element, { rowHeight: height(), create: () => createRow(this), fill: (row, index) => this.#fill(row, index) });
    byFinger.addEventListener("change", () => this.scroller.setRowHeight(height()));
    this.actions = new Actions(session, this, say);
    attribute(element, "aria-multiselectable", true);
    element.addEventListener("keydown", (event) => this.#pressed(event));
    session.addEventListener("opened", ({ detail }) => (detail?.isReturn && session.view?.tree ? this.#returned() : this.#opened()));
    // The last file was closed.
    session.addEventListener("files", () => { if (!session.file) this.#opened(); });
    session.addEventListener("changed", ({ detail }) => this.#changed(detail.moves ?? []));
    session.addEventListener("checked", () => this.scroller.refresh());
    session.addEventListener("selected", ({ detail }) => { if (detail.from !== "tree") this.#reveal(); });
  }

  /** A branch of the whole file, without open containers. It reads that file also while another one is current. */
  #root(positions) {
    const { session } = this, { file } = session;
    const source = { page: (...of) => session.callOf(file, "children", ...of), count: (way) => session.callOf(file, "rows", way) };
    return new Branch({ way: [], rows: session.rows, source, positions });
  }

  async #opened() {
    const turn = ++this.#turn, { turn: selected, file } = this.session;
    // Rows of the earlier file must no longer be picked.
    [this.#at, this.#reporting, this.#filter, this.isChoosing] = [undefined, undefined, undefined, false];
    this.#moves = [];
    this.#chosen.clear();
    this.scroller.setCount(0);
    this.#branch = undefined;
    if (!this.session.isOpen) return;
    const root = this.#branch = this.#root();
    this.#keep();
    const first = await root.child(0);
    if (turn !== this.#turn) return;
    if (first?.rows > 0 && root.rows <= FEW) await root.expand(0, first).child(0);
    if (turn !== this.#turn) return;
    this.#resize();
    performance.mark("rows-shown");
    performance.measure("first tree", "open", "rows-shown");
    // A file may be opened for one of its values, such as a hit of a search.
    if (first && selected === this.session.turn) await this.select(root, 0);
    await this.#recount(root, file);
    if (turn === this.#turn) this.session.check();
  }

  /** Shows a file as it was when another file became the current one. */
  async #returned() {
    const { view, version, node } = this.session;
    // The kept rows are older if the file was changed while it had a filter.
    if (view.tree.version !== version) {
      const opening = this.#opened(), turn = this.#turn;
      await opening;
      // A change that ended meanwhile selects its value.
      if (node && turn === this.#turn && version === this.session.version) await this.session.select(node.way, "return");
      return;
    }
    this.#turn++;
    [this.#reporting, this.#filter, this.isChoosing] = [undefined, undefined, false];
    this.#moves = [];
    this.#chosen.clear();
    ({ branch: this.#branch, at: this.#at } = this.session.view.tree);
    this.#resize();
    if (this.#at) this.#mark(this.#at.branch, this.#at.position);
    if (node) this.session.select(node, "tree");
    if (!this.session.validation) this.session.check();
  }

  /** Keeps what is open and selected, for the time when the file becomes the current one again. */
  #keep() {
    const { view, version } = this.session;
    if (view && !this.#branch.positions) view.tree = { branch: this.#branch, at: this.#at, version };
  }

  /** Determines the number of rows of the file. The number of frames is known only when all frames have been read. */
  async #recount(root = this.#branch, file = this.session.file) {
    if (file.info.framing !== "bare") await root.recount();
    if (!root.positions) file.rows = root.rows;
    // Also the rows of a filter show whether the file has several parts.
    if (file === this.session.file) this.#resize();
  }

  /** Called after a change. The same containers stay open, and the same rows stay selected and chosen, where they are now. */
  async #changed(moves) {
    const turn = ++this.#turn;
    this.#chosen = new Map([...this.#chosen.values()].map((way) => follow(way, moves)).filter(Boolean).map((way) => [way.join(), way]));
    this.#moves = [...this.#moves, ...moves];
    this.actions.moved(moves);
    this.#changing = this.#filter ? this.#showAgain() : this.#show();
    await this.#changing;
    if (turn !== this.#turn) return;
    this.actions.field.place();
    await this.#recount();
    if (turn === this.#turn) this.session.check();
  }

  /** Shows the nodes of the filter where they are now. A node whose value was changed stays, so that its row does not vanish from under the user. */
  async #showAgain() {
    const turn = this.#turn, { nodes, text, since } = this.#filter, moves = this.#moves.slice(since), ways = nodes.map(({ way }) => follow(way, moves));
    const now = await this.session.call("nodes", ways.map((way) => way ?? []));
    const left = now.map((node, place) => node && ways[place] && { ...node, isKey: nodes[place].isKey }).filter(Boolean);
    if (turn === this.#turn) await this.#show(left, text);
  }

  /** The ways of the open containers that show all their rows, the outermost first. */
  #openWays() {
    const ways = [], pending = [...this.#branch.open];
    while (pending.length > 0 && ways.length < REOPENED) {
      const branch = pending.shift();
      if (!branch.positions) ways.push(branch.way);
      pending.push(...branch.open);
    }
    return ways;
  }

  /** Shows the whole tree, or only `nodes` and the containers around them. Containers that were opened stay open. */
  async #show(nodes, text = "") {
    const turn = this.#turn, moves = this.#moves, root = this.#root(nodes && []), now = (ways) => ways.map((way) => follow(way, moves)).filter(Boolean);
    const open = this.#openWays(), wasFiltered = this.#branch.positions !== undefined;
    const before = now(wasFiltered ? this.#before : open), ways = nodes || !wasFiltered ? now(open) : [...before, ...now(open)];
    const marked = new Map(nodes?.map((node) => [node.way.join(), { text, isKey: node.isKey }]));
    for (const node of nodes ?? []) {
      let branch = root;
      for (const [depth, position] of node.way.entries()) {
        const isLast = depth === node.way.length - 1, way = node.way.slice(0, depth + 1);
        branch.show(position, isLast ? node : undefined);
        if (!isLast) branch = branch.expand(position, { way, rows: Infinity }, []);
      }
    }
    const opened = await this.session.call("nodes", ways);
    for (const node of opened) {
      const around = node?.rows > 0 && branchOf(root, node.way.slice(0, -1));
      if (around && (!around.positions || around.positions.includes(node.way.at(-1)))) around.expand(node.way.at(-1), node);
    }
    await this.#fetch(root);
    if (turn !== this.#turn) return;
    const way = this.#at && follow([...this.#at.branch.way, this.#at.position], moves), around = way && branchOf(root, way.slice(0, -1));
    if (nodes) this.#filter = { nodes, text, since: 0 };
    this.#before = before;
    this.#marked = marked;
    this.#moves = [];
    this.#branch = root;
    this.#at = around ? { branch: around, position: way.at(-1) } : undefined;
    this.#keep();
    this.#resize();
  }

  /** Shows only these nodes, each with the rows around it, or the whole tree again. `text` is marked in the rows of the nodes. */
  async filter(nodes, text = "") {
    if (!this.#branch || (!nodes && !this.#filter)) return;
    this.#turn++;
    this.#filter = nodes && { nodes, text, since: this.#moves.length };
    const { node } = this.session;
    await (this.#changing = this.#show(nodes, text));
    if (!nodes && node) await this.#reveal();
  }

  /** Waits until the rows are those after the last change. */
  async shown() {
    for (let changing; changing !== this.#changing;) await (changing = this.#changing);
  }

  /** The nodes that the filter shows, if there is a filter. */
  get filtered() {
    return this.#filter?.nodes;
  }

  /** Fetches the rows that are on the screen. */
  async #fetch(root) {
    const [first, end] = this.scroller.range, rows = Array.from({ length: Math.max(0, Math.min(end, root.size) - first) }, (_, number) => root.locate(first + number));
    await Promise.all(rows.map(({ branch, position }) => branch.child(position)));
  }

  #resize() {
    this.scroller.setCount(this.#branch.size);
    attribute(this.element, "aria-description", counted(this.#branch.rows, "row"));
  }

  /** Shows rows that have arrived. Each row on the screen waits for its page, so the calls for one page are one. */
  async #arrived() {
    if (this.#isArriving) return;
    this.#isArriving = true;
    await Promise.resolve();
    this.#isArriving = false;
    if (!this.#branch) return;
    if (this.#branch.size !== this.scroller.count) this.#resize();
    else this.scroller.refresh();
  }

  /** Opens the containers around the selected value. */
  async #reveal() {
    const { picks, session } = this, { way } = session.node;
    await this.shown();
    const root = this.#branch, nodes = await session.call("around", way);
    // If the user has picked a row in the meantime, that row stays selected.
    if (root !== this.#branch || session.node?.way !== way || picks !== this.picks) return;
    let branch = root;
    for (const [depth, node] of nodes.entries()) branch = branch.expand(way[depth], node);
    branch.show(way.at(-1));
    this.#resize();
    this.#choose([]);
    this.#mark(branch, way.at(-1));
    performance.mark("revealed", { detail: session.node.path });
  }

  async select(branch, position) {
    this.picks++;
    this.#choose([]);
    this.#anchor = undefined;
    this.#mark(branch, position);
    await this.#report();
  }

  #report() {
    return this.#reported = this.#selectPicked();
  }

  async #selectPicked() {
    const { branch, position } = this.#at, reporting = this.#reporting = { way: [...branch.way, position], version: this.session.version };
    try {
      const node = await branch.child(position);
      if (node && this.#at?.branch === branch && this.#at.position === position) await this.session.select(node, "tree");
    } finally {
      if (this.#reporting === reporting) this.#reporting = undefined;
    }
  }

  #mark(branch, position) {
    this.#at = { branch, position };
    this.#keep();
    this.scroller.reveal(branch.rowOf(position));
    this.scroller.refresh();
  }

  /** Does an action that needs the value of the picked row, when the session has selected it. Does nothing if another value is selected or rows have changed by then. */
  async withNode(action) {
    const { file, version, node } = this.session, picked = this.#reporting ?? { way: node?.way, version };
    if (this.#reporting) await this.#reported;
    const isSame = file === this.session.file && picked.version === this.session.version && picked.way?.join() === this.node?.way.join();
    if (isSame && this.node) await action(this.node);
  }

  /** The selected value. There is none until the session has selected the row that was picked last. */
  get node() {
    return this.#reporting ? undefined : this.session.node;
  }

  /** The ways of the chosen rows in the order of the file, or the picked row. A row that was picked before a change is not chosen. */
  get chosen() {
    if (this.#chosen.size > 0) return [...this.#chosen.values()].sort(compareWays);
    if (this.#reporting) return this.#reporting.version === this.session.version ? [this.#reporting.way] : [];
    return this.session.node ? [this.session.node.way] : [];
  }

  #choose(ways) {
    this.#chosen = new Map(ways.map((way) => [way.join(), way]));
    if (ways.length === 0) this.isChoosing = false;
  }

  /** Chooses a row, or no longer chooses it. */
  chooseAlso(branch, position) {
    const way = [...branch.way, position], { node } = this.session;
    if (this.#chosen.size === 0 && node && !this.isChoosing) this.#chosen.set(node.way.join(), node.way);
    if (!this.#chosen.delete(way.join())) this.#chosen.set(way.join(), way);
    if (this.#chosen.size === 0) this.isChoosing = false;
    this.picks++;
    this.#mark(branch, position);
    return this.#report();
  }

  /** Chooses all rows from the selected row, or the row where the range began, to a row. */
  chooseTo(branch, position) {
    this.#anchor ??= this.#at;
    const ends = [this.#anchor.branch.rowOf(this.#anchor.position), branch.rowOf(position)].sort((a, b) => a - b);
    const ways = [];
    for (let row = ends[0]; row <= ends[1] && ways.length < CHOSEN; row++) {
      const place = this.#branch.locate(row);
      ways.push([...place.branch.way, place.position]);
    }
    this.#choose(ways);
    this.picks++;
    this.#mark(branch, position);
    return this.#report();
  }

  toggle(branch, position, node) {
    if (branch.branchAt(position)) branch.collapse(position);
    else if (node?.rows > 0) branch.expand(position, node);
    const way = [...branch.way, position].join();
    const inside = this.#at?.branch.way.join();
    if (inside === way || inside?.startsWith(`${way},`)) this.select(branch, position);
    this.#resize();
  }

  isSelected(branch, position) {
    return this.#at?.branch === branch && this.#at.position === position;
  }

  /** The row on the screen of a way, if it is there. Scrolls to it if `isShown`. */
  rowOf(way, isShown = false) {
    const branch = branchOf(this.#branch, way.slice(0, -1));
    if (!branch) return undefined;
    const index = branch.rowOf(way.at(-1));
    if (isShown) this.scroller.reveal(index);
    return this.scroller.rowOf(index);
  }

  /** Selects the row `by` rows below the selected row. Returns whether there is one. */
  async go(by) {
    if (!this.#at) return false;
    const index = this.#at.branch.rowOf(this.#at.position) + by;
    if (index < 0 || index >= this.#branch.size) return false;
    const { branch, position } = this.#branch.locate(index);
    await this.select(branch, position);
    return true;
  }

  /** Whether the container of a way is open. */
  isOpen(way) {
    return branchOf(this.#branch, way) !== undefined;
  }

  /** Fills a row. Returns the id of its element if it is the active row. */
  #fill(row, index) {
    const { branch, position } = this.#branch.locate(index);
    const node = branch.peek(position, () => this.#arrived()), way = [...branch.way, position].join();
    Object.assign(row, { branch, position, node });
    const isSelected = this.isSelected(branch, position), isOpen = branch.branchAt(position) !== undefined;
    const isChosen = this.#chosen.has(way), { problems, around } = this.session;
    fillRow(row, { isSelected, isChosen, isOpen, problem: problems.get(way), dialect: this.session.info.dialect, isAround: around.has(way), isOnly: this.session.rows === 1, mark: this.#marked.get(way) });
    const { element } = row;
    attribute(element, "aria-level", branch.level);
    attribute(element, "aria-posinset", position + 1);
    attribute(element, "aria-setsize", Number.isFinite(branch.rows) ? branch.rows : -1);
    attribute(element, "aria-expanded", node?.rows > 0 ? isOpen : undefined);
    attribute(element, "aria-selected", isSelected || isChosen);
    return isSelected ? element.id : undefined;
  }

  #pressed(event) {
    if (!this.#at || this.actions.pressed(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { branch, position } = this.#at, inner = branch.branchAt(position);
    const row = branch.rowOf(position);
    const to = (index) => {
      const place = this.#branch.locate(Math.min(this.#branch.size - 1, Math.max(0, index)));
      if (event.shiftKey && event.key.length > 1) this.chooseTo(place.branch, place.position);
      else this.select(place.branch, place.position);
    };
    const keys = {
      ArrowDown: () => to(row + 1),
      ArrowUp: () => to(row - 1),
      PageDown: () => to(row + this.scroller.page),
      PageUp: () => to(row - this.scroller.page),
      Home: () => to(0),
      End: () => to(Infinity),
      [this.#inwards]: () => (inner ? to(row + 1) : this.withNode((node) => (branch.branchAt(position) ? to(row + 1) : this.toggle(branch, position, node)))),
      [this.#outwards]: () => (inner ? this.toggle(branch, position) : branch.parent && this.select(branch.parent, branch.position)),
      " ": () => this.withNode((node) => (node.kind === "bool" ? this.actions.turn() : this.toggle(branch, position, node))),
    };
    const action = keys[event.key] ?? (event.key.length === 1 ? () => this.#type(event.key, event.timeStamp, row, to) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  }

  get #inwards() {
    return document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  }

  get #outwards() {
    return document.documentElement.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  }

  /** Goes to the next row on the screen whose name starts with the typed text. */
  #type(letter, time, row, to) {
    const isNew = time - this.#typed.time > 800;
    this.#typed = { text: (isNew ? "" : this.#typed.text) + letter.toLowerCase(), time };
    const [first, end] = this.scroller.range;
    for (let step = isNew ? 1 : 0; step < end - first; step++) {
      const index = first + ((row - first + step) % (end - first));
      const { label } = this.scroller.rowOf(index) ?? {};
      if (label?.textContent.replace(/^[[]+/, "").toLowerCase().startsWith(this.#typed.text)) return to(index);
    }
  }
}

const branchOf = (root, way) => way.reduce((branch, position) => branch?.branchAt(position), root);

/** The order of two ways in the file. */
function compareWays(one, other) {
  const depth = one.findIndex((position, level) => position !== other[level]);
  return depth < 0 ? one.length - other.length : depth >= other.length ? 1 : one[depth] - other[depth];
}

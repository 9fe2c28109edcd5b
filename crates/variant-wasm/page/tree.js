// The tree of values. Only rows on the screen have elements. The focus stays on the tree, which reports the active row
// to screen readers.

import { Branch } from "./branch.js";
import { activate, attribute, counted, make, put } from "./dom.js";
import { Scroller } from "./scroller.js";

const ROW = 26;
/** The number of levels that are indented in full. */
const DEEP = 12;
/** If a file has at most this number of values, its first value is opened. */
const FEW = 20;
/** The maximum number of containers that are opened again after a change. */
const REOPENED = 500;

/** The group of a kind. Each group has a color. */
function groupOf(kind) {
  if (kind === undefined) return "damage";
  if (/^(Dictionary|Array|Object)/.test(kind)) return "container";
  if (/^(String|StringName|NodePath)$/.test(kind)) return "text";
  if (/^(Bool|Int|Float|Nil)$/i.test(kind)) return "scalar";
  return /^(Packed|Pool)/.test(kind) ? "packed" : "math";
}

export class Tree {
  #branch;
  /** The selected row: a branch, and a position in the branch. */
  #at;
  #number = 0;
  #turn = 0;
  /** The number of times that a row of the tree was picked. */
  #picks = 0;
  #typed = { text: "", time: 0 };

  constructor(session, element, actions) {
    Object.assign(this, { session, element, actions });
    this.scroller = new Scroller(element, { rowHeight: ROW, create: () => this.#create(), fill: (row, index) => this.#fill(row, index) });
    element.addEventListener("keydown", (event) => this.#pressed(event));
    session.addEventListener("opened", () => this.#opened());
    session.addEventListener("changed", () => this.#changed());
    session.addEventListener("checked", () => this.scroller.refresh());
    session.addEventListener("selected", ({ detail }) => { if (detail.from !== "tree") this.#reveal(); });
  }

  /** The branch of the file, without open containers. */
  #root() {
    const { session } = this;
    const source = { page: (...of) => session.call("children", ...of), count: (way) => session.call("rows", way) };
    return new Branch({ way: [], rows: session.rows, source });
  }

  async #opened() {
    const turn = ++this.#turn, root = this.#root();
    // Rows of the earlier file must no longer be picked.
    [this.#branch, this.#at] = [root, undefined];
    this.scroller.setCount(0);
    const first = await root.child(0);
    if (turn !== this.#turn) return;
    if (first?.rows > 0 && root.rows <= FEW) await root.expand(0, first).child(0);
    if (turn !== this.#turn) return;
    this.#resize();
    performance.mark("rows-shown");
    performance.measure("first tree", "open", "rows-shown");
    if (first) await this.select(root, 0);
    await this.#recount();
    this.session.check();
  }

  /** Determines the number of rows of the file. The number of frames is known only when all frames have been read. */
  async #recount() {
    const root = this.#branch;
    if (this.session.hasFrames) await root.recount();
    if (root === this.#branch) this.#resize();
  }

  /** Called after a change. Opens the same containers again. Finds them by their paths, since their positions may differ. */
  async #changed() {
    const turn = ++this.#turn, root = this.#root(), places = [], pending = [this.#branch];
    while (pending.length > 0 && places.length < REOPENED) {
      const branch = pending.shift();
      if (branch.node) places.push(placeOf(branch.node));
      pending.push(...branch.open);
    }
    for (const node of await this.session.call("nodes", places)) {
      if (node?.rows > 0) branchOf(root, node.way.slice(0, -1))?.expand(node.way.at(-1), node);
    }
    await this.#fetch(root);
    if (turn !== this.#turn) return;
    const { branch, position } = this.#at ?? {}, around = branch && branchOf(root, branch.way);
    [this.#branch, this.#at] = [root, around && { branch: around, position }];
    this.#resize();
    await this.#recount();
    this.session.check();
  }

  /** Fetches the rows that are on the screen. */
  async #fetch(root) {
    const [first, end] = this.scroller.range, rows = Array.from({ length: Math.min(end, root.size) - first }, (_, number) => root.locate(first + number));
    await Promise.all(rows.map(({ branch, position }) => branch.child(position)));
  }

  filter() {}

  #resize() {
    this.scroller.setCount(this.#branch.size);
    attribute(this.element, "aria-description", counted(this.#branch.rows, "row"));
  }

  #arrived() {
    if (this.#branch.size !== this.scroller.count) this.#resize();
    else this.scroller.refresh();
  }

  /** Opens the containers around the selected value. */
  async #reveal() {
    const { way } = this.session.node, root = this.#branch, picks = this.#picks;
    const nodes = await this.session.call("around", way);
    // If the user has picked a row in the meantime, that row stays selected.
    if (root !== this.#branch || this.session.node.way !== way || picks !== this.#picks) return;
    let branch = root;
    for (const [depth, node] of nodes.entries()) branch = branch.expand(way[depth], node);
    this.#resize();
    this.#mark(branch, way.at(-1));
    performance.mark("revealed");
  }

  async select(branch, position) {
    this.#picks++;
    this.#mark(branch, position);
    const node = await branch.child(position);
    if (node && this.#at?.branch === branch && this.#at.position === position) await this.session.select(node, "tree");
  }

  #mark(branch, position) {
    this.#at = { branch, position };
    this.scroller.reveal(branch.rowOf(position));
    this.scroller.refresh();
  }

  toggle(branch, position, node) {
    if (branch.branchAt(position)) branch.collapse(position);
    else if (node?.rows > 0) branch.expand(position, node);
    const way = [...branch.way, position].join();
    const inside = this.#at?.branch.way.join();
    if (inside === way || inside?.startsWith(`${way},`)) this.select(branch, position);
    this.#resize();
  }

  #create() {
    const part = (className) => make("span", { className });
    const [twisty, label, kind, text] = ["twisty", "label", "kind", "value"].map(part);
    const name = make("span", { className: "name" }, twisty, label);
    const element = make("div", { className: "row", role: "treeitem", id: `value-${this.#number++}` }, name, kind, text);
    const row = { element, name, twisty, label, kind, text };
    twisty.setAttribute("aria-hidden", "true");
    element.addEventListener("click", (event) => {
      const { branch, position, node } = row;
      if (event.target === twisty) this.toggle(branch, position, node);
      else this.select(branch, position);
    });
    element.addEventListener("dblclick", ({ target }) => {
      if (target === twisty) return;
      if (row.node?.rows > 0) this.toggle(row.branch, row.position, row.node);
      else this.actions.edit();
    });
    return row;
  }

  #fill(row, index) {
    const { branch, position } = this.#branch.locate(index);
    const node = branch.peek(position, () => this.#arrived());
    Object.assign(row, { branch, position, node });
    const { element } = row, way = [...branch.way, position].join();
    const isSelected = this.#at?.branch === branch && this.#at.position === position;
    const problem = this.session.problems.get(way), isAround = this.session.around.has(way);
    put(row.label, "textContent", node ? node.label || (branch.level === 1 ? "(root)" : '""') : "…");
    put(row.kind, "textContent", node ? node.kind ?? "damage" : "");
    put(row.kind, "className", `kind ${node ? groupOf(node.kind) : ""}`);
    put(row.text, "textContent", problem ? problem.message : node?.text ?? "");
    put(row.text, "title", row.text.textContent);
    put(row.label, "title", row.label.textContent);
    const isOpen = branch.branchAt(position) !== undefined, canOpen = node?.rows > 0;
    put(row.twisty, "textContent", canOpen ? (isOpen ? "▾" : "▸") : "");
    put(element, "className", `row${isSelected ? " selected" : ""}${problem || node?.kind === undefined && node ? " problem" : ""}${isAround ? " around" : ""}`);
    row.name.style.paddingInlineStart = `${Math.min(branch.level, DEEP) * 14 + Math.max(0, branch.level - DEEP) * 3 - 8}px`;
    attribute(element, "aria-level", branch.level);
    attribute(element, "aria-posinset", position + 1);
    attribute(element, "aria-setsize", branch.rows);
    attribute(element, "aria-expanded", canOpen ? isOpen : undefined);
    attribute(element, "aria-selected", isSelected);
    activate(this.element, element.id, isSelected);
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#at) return;
    const { branch, position } = this.#at, node = this.session.node, inner = branch.branchAt(position);
    const row = branch.rowOf(position), last = this.#branch.size - 1;
    const to = (index) => {
      const place = this.#branch.locate(Math.min(last, Math.max(0, index)));
      this.select(place.branch, place.position);
    };
    const keys = {
      ArrowDown: () => to(row + 1),
      ArrowUp: () => to(row - 1),
      PageDown: () => to(row + this.scroller.page),
      PageUp: () => to(row - this.scroller.page),
      Home: () => to(0),
      End: () => to(last),
      ArrowRight: () => (inner ? to(row + 1) : this.toggle(branch, position, node)),
      ArrowLeft: () => (inner ? this.toggle(branch, position, node) : branch.parent && this.select(branch.parent, branch.position)),
      " ": () => this.toggle(branch, position, node),
      Enter: () => this.actions.edit(),
      Insert: () => this.actions.insert(),
      F2: () => this.actions.rename(),
      Delete: () => this.actions.delete(),
    };
    const action = keys[event.key] ?? (event.key.length === 1 ? () => this.#type(event.key, event.timeStamp, row, to) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Goes to the next row on the screen whose name starts with the typed text. */
  #type(letter, time, row, to) {
    const isNew = time - this.#typed.time > 800;
    this.#typed = { text: (isNew ? "" : this.#typed.text) + letter.toLowerCase(), time };
    const [first, end] = this.scroller.range;
    for (let step = isNew ? 1 : 0; step < end - first; step++) {
      const index = first + ((row - first + step) % (end - first));
      const { label } = this.scroller.rowOf(index) ?? {};
      if (label?.textContent.replace(/^[&"[]+/, "").toLowerCase().startsWith(this.#typed.text)) return to(index);
    }
  }
}

const branchOf = (root, way) => way.reduce((branch, position) => branch?.branchAt(position), root);

/** The place by which a value is found again after a change. */
export const placeOf = (node) => (node.path === undefined ? node.way : { frame: Math.max(1, node.frame), path: node.path });

// What rows can do: the actions, their keys, and the menu of a row.

import { byId, copyText, told } from "./dom.js";
import { Field } from "./field.js";
import { elementOf, groupOf, isKeyed, isList, isPacked, keyOf, kindOf, kindsOf, nameOf, newOf, quoted, stepOf } from "./kinds.js";
import { Menu } from "./menu.js";
import { follow } from "./places.js";
import { t } from "./texts.js";

/** The keys of actions, as `event.key` after the held keys. */
const KEYS = {
  edit: "Enter", rename: "F2", add: "Insert", addLike: "Shift+Insert", duplicate: "Ctrl+D", copy: "Ctrl+C", cut: "Ctrl+X", paste: "Ctrl+V",
  moveUp: "Alt+ArrowUp", moveDown: "Alt+ArrowDown", remove: "Delete",
};
/** The buttons below the tree. */
const BUTTONS = { edit: "edit", insert: "add", rename: "rename", delete: "remove" };
/** The actions by key that need the value of the picked row. The others need its place. */
const OF_VALUE = ["edit", "rename", "add", "addLike"];
/** Copy, cut and paste come as events of the clipboard. */
const OF_CLIPBOARD = ["copy", "cut", "paste"];

export class Actions {
  /** The places that the open field changes. They follow other changes. */
  #ways = [];
  /** What was copied from rows: its text, and each key with its literal. */
  #copied;

  /** `say(text, isError)` shows a message. */
  constructor(session, tree, say) {
    Object.assign(this, { session, tree, say });
    this.pane = tree.element.parentElement;
    this.rows = new Menu(tree.element.closest("main"));
    this.field = new Field(this.pane, (how) => this.#placeOf(how), say);
    const placed = () => this.field.place();
    tree.element.addEventListener("scroll", placed, { passive: true });
    new ResizeObserver(() => this.#resized()).observe(tree.element);
    // What was typed is for the file that is still the current one.
    session.addEventListener("leaving", () => this.field.finish());
    session.addEventListener("opened", () => this.field.drop());
    // The last file was closed.
    session.addEventListener("files", () => { if (!session.file) this.field.drop(); });
    for (const [id, name] of Object.entries(BUTTONS)) byId(id)?.addEventListener("click", () => this.#act(name));
    for (const type of OF_CLIPBOARD) tree.element.addEventListener(type, (event) => this.#clipped(event, type));
  }

  #act(name) {
    return OF_VALUE.includes(name) ? this.tree.withNode(() => this[name]()) : this[name]();
  }

  // Edits.

  /** Makes edits as one step of undo. If the user picks a row meanwhile, that row stays selected. */
  async make(edits) {
    const { tree, session } = this, { picks } = tree, made = await session.edit(edits);
    if (picks !== tree.picks && session.node) await tree.go(0);
    return made;
  }

  /** Makes edits, and reports an error as a message. */
  async #try(make) {
    try {
      return await make();
    } catch (error) {
      if (error.isDead) throw error;
      this.say(told(error), true);
    }
  }

  // The field of a row.

  /** Starts the input of the selected value. */
  edit() {
    const { node } = this.tree, { version, info } = this.session;
    if (node?.kind === undefined || isReadOnly()) return;
    if (node.kind === "bool" && this.tree.chosen.length < 2) return this.turn();
    if (node.kind === "Nil") return this.kinds(this.#rectOf("kind"));
    if (node.rows > 0 && !this.tree.isOpen(node.way)) return this.#open(node);
    return this.#try(async () => {
      const [literal, around] = await Promise.all([this.session.call("literal", node.way), this.#around(node)]);
      if (version !== this.session.version || node !== this.tree.node) return;
      if (literal === undefined) throw new Error(t("row.tooLong"));
      this.#ways = this.tree.chosen;
      this.field.value({
        way: node.way, name: t("field.of", { name: nameOfRow(node) }), kind: node.kind, dialect: info.dialect, literal, isFixed: around !== undefined && isPacked(around.kind),
        apply: async (text, changed) => { await this.make(this.#ways.flatMap((way) => setting(way, text, changed))); },
        leave: (by) => this.#left(by),
      });
    });
  }

  #open(node) {
    const row = this.tree.rowOf(node.way);
    if (row) this.tree.toggle(row.branch, row.position, row.node);
  }

  /** Goes back to the rows, and starts the next input if Tab was pressed. */
  async #left(by) {
    this.tree.element.focus({ preventScroll: true });
    if (!by) return;
    // Waits until the change is shown.
    await this.session.call("nodes", []);
    if (await this.tree.go(by)) this.#editScalar(by);
  }

  #editScalar() {
    const { node } = this.tree;
    if (node && !(node.rows > 0) && node.kind !== "bool" && node.kind !== "Nil") this.edit();
  }

  /** Changes a bool to the other value. */
  turn() {
    const { node } = this.tree;
    if (node?.kind === "bool" && !isReadOnly()) return this.#try(() => this.make([{ set: node.way, to: String(node.text !== "true") }]));
  }

  rename() {
    const { node } = this.tree;
    if (!hasKey(node) && !this.#isSetting(node)) return this.edit();
    const key = hasKey(node) ? keyOf(node) : settingOf(node);
    this.#ways = [node.way];
    this.field.key({
      way: node.way, name: t("field.keyOf", { name: key }), key,
      apply: async (text) => {
        await this.make([{ rename: this.#ways[0], key: text }]);
        if (this.#isSetting(node)) await this.#sayOthers(key);
      },
      leave: () => this.#left(),
    });
  }

  #isSetting(node) {
    return this.session.info.framing === "settings" && node?.way.length === 1;
  }

  /** A file may have a setting several times. Only one of them is renamed. */
  async #sayOthers(name) {
    const { length: count } = (await this.session.call("children", [])).filter((node) => settingOf(node) === name);
    if (count > 0) this.say(t("row.otherSettings", { name, count }));
  }

  async #around(node) {
    return node?.way.length > 1 ? this.session.call("node", node.way.slice(0, -1)) : undefined;
  }

  // New rows.

  /** Adds a value in the selected container, or below the selected value. */
  add() {
    const { node } = this.tree;
    return this.#isContainer(node) || node?.way.length === 1 ? this.#addIn(node) : this.#addAfter(node, false);
  }

  /** Adds a value like the selected one, below it. */
  addLike() {
    const { node } = this.tree;
    return node?.way.length > 1 ? this.#addAfter(node, true) : this.add();
  }

  #isContainer(node) {
    return node?.kind !== undefined && (isKeyed(node.kind) || isList(node.kind));
  }

  /** Adds a value at the end of a container, like the last one there. */
  async #addIn(container) {
    if (!this.#isContainer(container)) return;
    const count = await this.session.call("rows", container.way);
    const [last] = count > 0 ? await this.session.call("children", container.way, count - 1, 1) : [];
    return this.#insert(container, last, count, isList(container.kind));
  }

  async #addAfter(node, isLike) {
    const around = await this.#around(node);
    if (around) return this.#insert(around, node, node.way.at(-1) + 1, isLike || isList(around.kind));
  }

  /** Inserts a value like another value into a container. In a dictionary, the user types the key first. */
  #insert(container, like, position, isCopy) {
    return this.#try(async () => {
      if (container.path === undefined) throw new Error(t("row.noPath"));
      const value = await this.#newLike(container, like, isCopy);
      if (!isKeyed(container.kind)) {
        await this.make([this.#insertion(container, position, `[${position}]`, value)]);
        return this.#editScalar();
      }
      const { node } = this.session, [free] = await this.session.call("freeKeys", container.way, [like?.label ?? quoted(t("row.newKey"))]);
      this.#ways = [container.way];
      this.field.key({
        way: node.way, part: "below", name: t("field.newKey"), key: free,
        apply: async (key) => {
          const around = await this.session.call("node", this.#ways[0]);
          await this.make([this.#insertion(around, around.rows, stepOf(key, like), value)]);
          return () => this.#editScalar();
        },
        leave: () => this.#left(),
      });
    });
  }

  /** The literal of a new value: a copy of a container with something in it, otherwise the empty value of the same kind. */
  async #newLike(container, like, isCopy) {
    if (like?.kind === undefined) return newOf(elementOf(container.kind) ?? "int");
    const isFilled = groupOf(like.kind) === "container" && isCopy;
    return isFilled ? await this.session.call("literal", like.way) ?? newOf(like.kind) : newOf(like.kind);
  }

  /** The edit that inserts a value into a container. The position of a new pair of a dictionary is after the others. */
  #insertion({ way, frame, path }, position, step, value) {
    return { insert: { frame: Math.max(1, frame), path: path + step }, value, at: [...way, position] };
  }

  duplicate() {
    const edits = this.tree.chosen.toReversed().filter((way) => way.length > 1).map((way) => ({ duplicate: way }));
    if (edits.length > 0) return this.#try(() => this.make(edits));
  }

  // Rows that leave, or go elsewhere.

  remove() {
    return this.#remove(outermost(this.tree.chosen));
  }

  #remove(ways) {
    if (ways.length > 0) return this.#try(() => this.make(ways.toReversed().map((way) => ({ delete: way }))));
  }

  moveUp() {
    return this.#move(-1);
  }

  moveDown() {
    return this.#move(1);
  }

  /** Moves the chosen rows of one list. */
  #move(by) {
    const ways = outermost(this.tree.chosen), around = ways[0]?.slice(0, -1);
    if (ways.length === 0 || ways[0].length < 2 || ways.some((way) => way.slice(0, -1).join() !== around.join())) return;
    return this.#try(async () => {
      const { rows } = await this.session.call("node", around);
      // A row at the edge of the list does not move, so the other chosen rows would pass it.
      if (by < 0 ? ways[0].at(-1) > 0 : ways.at(-1).at(-1) < rows - 1) await this.make((by < 0 ? ways : ways.toReversed()).map((way) => ({ move: way, by })));
    });
  }

  // The clipboard.

  copy() {
    return this.#copy(outermost(this.tree.chosen));
  }

  /** Copies rows: one literal, or an array or a dictionary of them. Returns whether they are copied. */
  async #copy(ways) {
    const entries = await this.session.call("copies", ways);
    if (entries.length === 0) return false;
    if (entries.some(({ literal }) => literal === undefined)) {
      this.say(t("row.tooLong"), true);
      return false;
    }
    const pairs = entries.every(hasKey), parts = entries.map(({ label, literal }) => (pairs ? `${label}: ${literal}` : literal));
    const text = entries.length === 1 ? entries[0].literal : pairs ? `{${parts.join(", ")}}` : `[${parts.join(", ")}]`;
    this.#copied = { text, entries };
    await copyText(text);
    this.say(t("row.copied", { count: entries.length }));
    return true;
  }

  /** Copies and deletes the rows that are chosen now, also if others are chosen meanwhile. */
  async cut() {
    const ways = outermost(this.tree.chosen), { version } = this.session;
    if (await this.#copy(ways) && version === this.session.version) await this.#remove(ways);
  }

  async paste() {
    const text = await navigator.clipboard?.readText().catch(() => undefined);
    return this.#paste(text ?? this.#copied?.text);
  }

  #clipped(event, type) {
    if (!this.session.isOpen || (isReadOnly() && type !== "copy")) return;
    event.preventDefault();
    if (type === "paste") this.#paste(event.clipboardData.getData("text/plain"));
    else this[type]();
  }

  #paste(text) {
    return text && this.tree.withNode((node) => this.#pasteAt(node, text));
  }

  /** Adds values below a row. At a container that is the whole value or empty, they are added inside. */
  #pasteAt(node, text) {
    return this.#try(async () => {
      const isInside = this.#isContainer(node) && (node.way.length === 1 || node.rows === 0);
      const container = isInside ? node : await this.#around(node);
      if (!container) return;
      if (container.path === undefined) throw new Error(t("row.noPath"));
      const isOwn = this.#copied?.text === text.trim();
      if (!isOwn && kindOf(text) === undefined) return this.#askText(node, container, text);
      await this.#pasteIn(container, node, isInside, isOwn ? this.#copied.entries : [{ literal: text.trim() }]);
    });
  }

  async #pasteIn(container, node, isInside, entries) {
    const { session } = this, isInto = isKeyed(container.kind), first = isInto || isInside ? await session.call("rows", container.way) : node.way.at(-1) + 1;
    const like = (entry) => (hasKey(entry) ? entry : { label: quoted(t("row.newKey")) });
    const keys = isInto ? await session.call("freeKeys", container.way, entries.map((entry) => like(entry).label)) : [];
    await this.make(entries.map((entry, number) => {
      const step = isInto ? stepOf(keys[number], like(entry)) : `[${first + number}]`;
      return this.#insertion(container, first + number, step, entry.literal);
    }));
  }

  /** Asks whether a text that is not a literal is to be pasted as a text. */
  #askText(node, container, text) {
    const rect = this.#rectOf("value"), isInside = container === node;
    this.rows.open({
      label: t("row.pasteText"), at: cornerOf(rect), back: this.tree.element,
      items: [{ text: t("row.pasteText"), act: () => this.#try(() => this.#pasteIn(container, node, isInside, [{ literal: quoted(text) }])) }, { text: t("row.pasteNot"), act: () => {} }],
    });
  }

  async copyPath() {
    const { node } = this.session;
    if (node?.path === undefined) return this.say(t("row.noPath"), true);
    await copyText(node.path);
    this.say(t("row.pathCopied"));
  }

  // Kinds.

  /** Shows the kinds that the selected value may have. */
  async kinds(rect) {
    const { node, info } = this.session;
    if (node?.kind === undefined || isReadOnly()) return;
    const around = await this.#around(node), typed = around && /^Array/.test(around.kind) ? await this.session.call("literal", around.way) : "";
    if (around && (isPacked(around.kind) || /^Array\[/.test(typed ?? ""))) return this.say(t("row.oneKind", { kind: nameOf(node.kind, info.dialect) }));
    const items = kindsOf(info.dialect).map((kind) => ({ text: nameOf(kind, info.dialect), isCurrent: kind === node.kind, act: () => kind !== node.kind && this.#become(node, kind) }));
    this.rows.open({ label: t("row.kinds"), items, at: cornerOf(rect), back: this.tree.element });
  }

  /** Changes the kind of a value. Numbers and texts keep what they can. */
  #become(node, kind) {
    return this.#try(async () => {
      const literal = await this.session.call("literal", node.way) ?? "";
      const to = converted(literal, node.kind, kind);
      await this.make(this.tree.chosen.flatMap((way) => setting(way, to, kind)));
      if (to === newOf(kind)) this.#editScalar();
    });
  }

  // All of a selection.

  /** Shows a field for all values like the selected one: those of the filter, or those of a path. */
  setAll() {
    const { node, info } = this.session;
    return this.#try(async () => {
      const literal = await this.session.call("literal", node.way), { filtered } = this.tree;
      if (literal === undefined) throw new Error(t("row.tooLong"));
      if (this.tree.chosen.length > 1) return this.edit();
      if (filtered) return this.#setFiltered(node, literal, filtered.filter(({ kind }) => kind === node.kind).map(({ way }) => way), info);
      this.#ways = [node.way];
      this.field.all({
        way: node.way, name: t("row.setAll"), path: (node.path ?? "").replace(/\[\d+\]/g, "[*]"), literal,
        apply: async (value, _, query) => {
          await this.make([{ set: { query }, to: value }]);
          this.say(t("row.all.done"));
        },
        leave: () => this.#left(),
      });
    });
  }

  #setFiltered(node, literal, ways, { dialect }) {
    this.#ways = ways;
    this.field.value({
      way: node.way, name: t("row.all.filter", { count: ways.length }), kind: node.kind, dialect, literal,
      apply: async (text, changed) => { await this.make(this.#ways.flatMap((way) => setting(way, text, changed))); },
      leave: () => this.#left(),
    });
  }

  // The menu, and keys.

  async menu(rect) {
    const { node } = this.session;
    if (node?.kind === undefined) return;
    const around = await this.#around(node), isInner = around !== undefined, isListed = isInner && isList(around.kind), isContainer = this.#isContainer(node);
    const isAllowed = (name) => !isReadOnly() || OF_READERS.includes(name);
    const item = (name, isThere = true, text = `row.${name}`) => isThere && isAllowed(name) && { text: t(text), keys: KEYS[name] && shownKeys(KEYS[name]), shortcut: KEYS[name]?.replace("Ctrl", "Control"), act: () => this[name]() };
    const groups = [
      [item("edit", !isContainer || node.rows === 0 || this.tree.isOpen(node.way), isContainer ? "row.editText" : "row.edit"), item("rename", (isInner && isKeyed(around.kind)) || this.#isSetting(node)), item("setAll")],
      [item("add", isContainer || isInner, isContainer ? "row.addIn" : "row.add"), item("addLike", isInner), item("duplicate", isInner)],
      [item("copy"), item("cut", isInner), item("paste", isInner || isContainer), item("copyPath", node.path !== undefined)],
      [item("moveUp", isListed), item("moveDown", isListed), item("choose"), item("remove")],
    ];
    const items = groups.map((group) => group.filter(Boolean)).filter((group) => group.length > 0).flatMap((group, number) => (number === 0 ? group : [undefined, ...group]));
    this.rows.open({ label: t("row.menu", { name: nameOfRow(node) }), items, at: cornerOf(rect), back: this.tree.element });
  }

  /** Begins to choose several rows by taps. */
  choose() {
    const row = this.tree.rowOf(this.session.node.way, true);
    this.tree.isChoosing = true;
    this.tree.chooseAlso(row.branch, row.position);
  }

  /** Does what a key of the tree means here. Returns whether it means anything. */
  pressed(event) {
    const held = [(event.ctrlKey || event.metaKey) && "Ctrl", event.altKey && "Alt", event.shiftKey && "Shift"].filter(Boolean);
    const keys = [...held, event.key.length === 1 ? event.key.toUpperCase() : event.key].join("+");
    const name = Object.keys(KEYS).find((name) => KEYS[name] === keys && !OF_CLIPBOARD.includes(name));
    if (keys === "ContextMenu" || keys === "Shift+F10") this.tree.withNode(() => this.menu(this.#rectOf("value")));
    else if (name && isReadOnly()) return false;
    else if (name) this.#act(name);
    else return false;
    event.preventDefault();
    return true;
  }

  /** The field stays at its value after a change. */
  moved(moves) {
    if (!this.field.isOpen) return;
    const way = follow(this.field.way, moves);
    this.#ways = this.#ways.map((each) => follow(each, moves)).filter(Boolean);
    if (!way || this.#ways.length === 0) return this.field.drop();
    this.field.way = way;
    this.field.place();
  }

  #resized() {
    if (!this.field.isOpen) return;
    this.tree.rowOf(this.field.way, true);
    this.field.place();
  }

  #rectOf(part) {
    const row = this.tree.rowOf(this.session.node.way, true);
    return (row?.[part] ?? this.tree.element).getBoundingClientRect();
  }

  #placeOf({ way, part }) {
    const list = this.tree.element.getBoundingClientRect(), row = this.tree.rowOf(way);
    const rect = row?.element.getBoundingClientRect() ?? list;
    return { pane: this.pane.getBoundingClientRect(), list, row: rect, part: { value: row?.value, label: row?.label, below: row?.label }[part]?.getBoundingClientRect() ?? rect };
  }
}

/** Whether a row has a key that can be renamed. The items of lists have numbers, such as `[0]`. */
const hasKey = (node) => node?.way?.length > 1 && !/^\[\d+\]$/.test(node.label);
/** The name of a setting, from the label of its row: "setting 3, application/config/name". */
const settingOf = ({ label }) => label.replace(/^setting \d+, /, "");
/** Whether the page's host lets nothing be changed. */
const isReadOnly = () => document.documentElement.dataset.readOnly === "true";
/** What can be done with a file that can only be read. */
const OF_READERS = ["copy", "copyPath", "choose"];
const nameOfRow = (node) => node.path || keyOf(node) || t("row.whole");

/** The lower corner of a rectangle at which lines of text start. */
const cornerOf = ({ left, right, bottom }) => [document.documentElement.dir === "rtl" ? right : left, bottom];

/** The edits that set a value. The library keeps the kind of a number, so a value of another kind is set after `null`. */
const setting = (way, to, changed) => (changed ? [{ set: way, to: "null" }, { set: way, to }] : [{ set: way, to }]);

/** The ways that are not below others of the ways. */
function outermost(ways) {
  const known = new Set(ways.map((way) => way.join()));
  return ways.filter((way) => way.length > 0 && !way.some((_, depth) => depth > 0 && known.has(way.slice(0, depth).join())));
}

/** The literal of a value in another kind. */
function converted(literal, from, to) {
  const number = Number(literal), isNumber = from === "int" || from === "float";
  if (to === "int" && isNumber && Number.isFinite(number)) return from === "int" ? literal : String(BigInt(Math.trunc(number)));
  if (to === "float" && isNumber) return /^-?\d+$/.test(literal) ? `${literal}.0` : literal;
  if (to === "bool" && isNumber) return String(number !== 0);
  if (from === "bool" && (to === "int" || to === "float")) return literal === "true" ? (to === "int" ? "1" : "1.0") : newOf(to);
  if (groupOf(to) === "text") {
    if (groupOf(from) === "text") return `${{ StringName: "&", NodePath: "^" }[to] ?? ""}${literal.slice(literal.indexOf('"'), literal.lastIndexOf('"') + 1)}`;
    if (isNumber || from === "bool") return quoted(literal, to);
  }
  const text = groupOf(from) === "text" ? literal.slice(literal.indexOf('"') + 1, literal.lastIndexOf('"')).trim() : "";
  if (text !== "" && kindOf(text) === to) return text;
  if (text !== "" && to === "float" && kindOf(text) === "int") return `${text}.0`;
  return newOf(to);
}

/** Keys as keyboards show them. */
const shownKeys = (keys) => keys.replace("Ctrl", t("key.ctrl")).replace("Shift", t("key.shift")).replace("ArrowUp", "↑").replace("ArrowDown", "↓").replace("Delete", t("key.delete")).replace("Insert", t("key.insert"));

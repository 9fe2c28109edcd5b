// The pane of bytes, and of the meaning of each byte.

import { attribute, hex, make, put } from "./dom.js";
import { countBefore } from "./order.js";
import { Scroller } from "./scroller.js";
import { t } from "./texts.js";

const ROW = 22, BLOCK = 4096, KEPT = 64;
/** The width in pixels below which rows have half as many bytes. */
const NARROW = 556;

/** The color of each part of a value. Parts that are not listed have the color of numbers. */
const COLORS = { header: "header", name: "header", types: "header", frame: "length", length: "length", count: "length", text: "text", padding: "padding" };
const colorOf = ({ part }) => COLORS[part] ?? COLORS[part.split(" ").at(-1)] ?? "number";

export class Hex {
  #blocks = new Map();
  /** The blocks before a change. They are shown until the worker has answered, so that only what differs is drawn again. */
  #before = new Map();
  #width = 16;
  #cursor = 0;
  /** Whether the bytes of the open file are shown. */
  #isShown = false;
  #number = 0;
  #timer;

  constructor(session, element, line) {
    Object.assign(this, { session, element, line });
    this.scroller = new Scroller(element, { rowHeight: ROW, create: () => this.#create(), fill: (row, index) => this.#fill(row, index) });
    element.addEventListener("keydown", (event) => this.#pressed(event));
    element.addEventListener("click", (event) => { if (event.target.dataset.byte) this.#go(this.#byteOf(event)); });
    element.addEventListener("pointerover", (event) => this.#explain(event));
    new ResizeObserver(([{ contentRect }]) => this.#resized(contentRect.width)).observe(element);
    // The bytes of a new file are shown later, so that the rows of the tree are shown first.
    session.addEventListener("opened", () => this.#clear());
    // The last file was closed.
    session.addEventListener("files", () => { if (!session.file) this.#clear(); });
    session.addEventListener("changed", () => this.#changed());
    for (const found of ["checked", "extended"]) session.addEventListener(found, () => this.scroller.refresh());
    session.addEventListener("selected", ({ detail }) => this.#selected(detail));
  }

  /** Whether the pane is closed. Its bytes are read when it is opened. */
  get #isClosed() {
    return this.element.offsetParent === null;
  }

  #resized(width) {
    if (width === 0) return;
    this.#fit(width);
    if (!this.#isShown && this.session.node) this.#selected({});
  }

  #changed() {
    if (this.#isClosed) this.#clear();
    else this.#renew(this.#cursor);
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#blocks = this.#before = new Map();
    this.#isShown = false;
    this.#cursor = 0;
    this.scroller.setCount(0);
    this.line.replaceChildren();
  }

  #renew(cursor) {
    [this.#before, this.#blocks] = [this.#blocks, new Map()];
    this.#isShown = true;
    this.#cursor = Math.min(cursor, Math.max(0, this.session.info.size - 1));
    attribute(this.element, "aria-rowcount", this.#count());
    this.scroller.setCount(this.#count());
    this.#tell();
  }

  #count() {
    return this.#isShown ? Math.ceil(this.session.info.size / this.#width) : 0;
  }

  #fit(width) {
    const wanted = width < NARROW ? 8 : 16;
    if (wanted === this.#width) return;
    this.#width = wanted;
    this.element.classList.toggle("halved", wanted === 8);
    this.scroller.setCount(this.#count());
    this.scroller.reveal(Math.floor(this.#cursor / wanted));
  }

  #selected({ from }) {
    if (this.#isClosed) {
      this.#isShown = false;
      return;
    }
    if (!this.#isShown) this.#renew(0);
    if (from !== "hex" && this.session.extent) {
      this.#cursor = this.session.extent.offset;
      this.scroller.reveal(Math.floor(this.session.extent.start / this.#width));
      this.scroller.reveal(Math.floor(this.#cursor / this.#width));
    }
    this.#point();
  }

  #point() {
    this.scroller.refresh();
    this.#tell();
  }

  /** Moves the cursor to a byte, and selects the value that contains the byte. */
  #go(byte) {
    this.#cursor = Math.min(Math.max(0, byte), this.session.info.size - 1);
    this.scroller.reveal(Math.floor(this.#cursor / this.#width));
    this.#point();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.session.selectByte(this.#cursor).catch(() => {}), 60);
  }

  /** The byte under the pointer: of a cell, or of a letter in a run. */
  #byteOf({ target, offsetX }) {
    const { dataset: { byte }, parentElement } = target;
    const count = parentElement.className === "letters" ? target.textContent.length : 1;
    const within = Math.min(count - 1, Math.max(0, Math.floor((offsetX * count) / target.offsetWidth)));
    return Number(parentElement.dataset.start) + Number(byte) + within;
  }

  #block(offset) {
    const number = Math.floor(offset / BLOCK);
    let block = this.#blocks.get(number);
    if (block) return block;
    if (this.#blocks.size >= KEPT) this.#blocks.delete(this.#blocks.keys().next().value);
    block = { fields: [], ...this.#before.get(number) };
    this.#blocks.set(number, block);
    const start = number * BLOCK, end = Math.min(start + BLOCK, this.session.info.size);
    this.session.call("block", start, end).then(({ bytes, fields }) => {
      // If the block was replaced, the bytes are of another file, or of the file before a change.
      if (this.#blocks.get(number) !== block) return;
      Object.assign(block, { bytes, fields });
      this.scroller.refresh();
      this.#tell();
    }, () => {});
    return block;
  }

  #fieldAt(byte) {
    const { fields } = this.#block(byte);
    const field = fields[countBefore(fields.length, (place) => fields[place].start <= byte) - 1];
    return field && byte < field.end ? field : undefined;
  }

  #describe(byte) {
    const field = this.#fieldAt(byte);
    if (!field) return undefined;
    const { start, end, part, meaning } = field;
    return t("bytes.part", { part: meaning ? `${part}: ${meaning}` : part, count: end - start, start });
  }

  #explain(event) {
    if (event.target.dataset.byte) put(event.target, "title", this.#describe(this.#byteOf(event)) ?? "");
  }

  /** Shows the line that explains the byte at the cursor. */
  #tell() {
    const { info } = this.session;
    if (!info?.size) return this.line.replaceChildren(t("bytes.none"));
    const value = this.#block(this.#cursor).bytes?.[this.#cursor % BLOCK];
    const problem = this.session.wrong.get(this.#cursor);
    this.line.replaceChildren(
      make("code", {}, `0x${hex(this.#cursor, 4)}`), " ", t("bytes.at", { number: this.#cursor }), " ",
      value === undefined ? "" : `${t("bytes.is", { value })} `, make("strong", {}, this.#describe(this.#cursor) ?? t("bytes.nothing")),
      problem ? make("span", { className: "error" }, ` ${problem.message}`) : "");
  }

  #create() {
    const offset = make("span", { className: "offset", role: "rowheader" });
    const cells = Array.from({ length: 16 }, (_, byte) => make("span", { "data-byte": byte, role: "gridcell", id: `byte-${this.#number++}` }));
    const letters = Array.from({ length: 16 }, () => make("span", { hidden: true }));
    const [bytes, text] = [make("span", { className: "bytes", role: "presentation" }, ...cells), make("span", { className: "letters", "aria-hidden": "true" }, ...letters)];
    return { element: make("div", { className: "row", role: "row" }, offset, bytes, text), offset, bytes, text, cells, letters };
  }

  /** Fills a row with its bytes. Returns the id of the cell at the cursor, if the row has it. */
  #fill(row, index) {
    const start = index * this.#width, { size } = this.session.info, { extent } = this.session;
    put(row.offset, "textContent", hex(start, 8));
    row.bytes.dataset.start = row.text.dataset.start = start;
    attribute(row.element, "aria-rowindex", index + 1);
    const { bytes } = this.#block(start), runs = [];
    for (const [number, cell] of row.cells.entries()) {
      const byte = start + number, isThere = number < this.#width && byte < size;
      put(cell, "hidden", number >= this.#width);
      const value = isThere ? bytes?.[byte % BLOCK] : undefined;
      put(cell, "textContent", value === undefined ? (isThere ? "··" : "") : hex(value, 2));
      const name = isThere ? this.#classOf(byte, extent) : "";
      put(cell, "className", name);
      if (value === undefined) continue;
      const letter = value > 32 && value < 127 ? String.fromCharCode(value) : "·";
      if (runs.at(-1)?.rest === name) runs.at(-1).text += letter;
      else runs.push({ number, name, text: letter, rest: name.replace(" first", "") });
    }
    this.#spell(row, runs);
    const at = this.#cursor - start;
    return this.#cursor < size && at < this.#width ? row.cells[at]?.id : undefined;
  }

  /** Shows the letters of a row. Letters of one field are one element, since an element for each byte doubles the work of a layout. */
  #spell(row, runs) {
    for (const [index, letters] of row.letters.entries()) {
      const run = runs[index];
      put(letters, "hidden", !run);
      if (!run) continue;
      attribute(letters, "data-byte", run.number);
      put(letters, "textContent", run.text);
      put(letters, "className", run.name);
    }
  }

  #classOf(byte, extent) {
    const field = this.#fieldAt(byte);
    let name = field ? colorOf(field) : "";
    if (field?.start === byte) name += " first";
    // Only the bytes of the value itself are "chosen". Its key, and the items in a container, are "within".
    if (extent && byte >= extent.start && byte < extent.end) name += field?.value === extent.offset && byte >= extent.offset ? " chosen" : " within";
    if (this.session.wrong.has(byte)) name += " wrong";
    return byte === this.#cursor ? `${name} cursor` : name;
  }

  #pressed(event) {
    const row = this.#width, page = row * this.scroller.page, at = this.#cursor;
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - row, ArrowDown: at + row, PageUp: at - page, PageDown: at + page };
    const start = at - (at % row);
    if (event.ctrlKey) Object.assign(moves, { Home: 0, End: this.session.info.size - 1 });
    else Object.assign(moves, { Home: start, End: start + row - 1 });
    const to = moves[event.key];
    if (to === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (to >= 0) this.#go(to);
  }
}

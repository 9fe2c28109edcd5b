// The input of one value, over its row. The input is not in the row's element, since row elements are reused while the list scrolls.

import { make, told } from "./dom.js";
import { isNumber, isPacked, isText, isTypeable, kindOf, literalOf, nameOf, numberOf, numbersIn, numbersOf, quoted, stepped, unquoted } from "./kinds.js";
import { t } from "./texts.js";

/** The length of the longest text without a text area of several lines. */
const SHORT = 60;
/** The least widths of an input with its buttons, for fingers and for a mouse. */
const WIDE = 340, NARROW = 230;
const isByFinger = () => matchMedia("(pointer: coarse)").matches;

/** An input for text, without the help of browsers, which would change what is typed. */
function input(tag, properties) {
  return make(tag, { autocomplete: "off", autocapitalize: "off", spellcheck: false, ...properties });
}

export class Field {
  #how;
  /** Whether what is typed is being applied. */
  #isBusy = false;

  /** The texts of the inputs when the field was opened. */
  #before = [];

  /**
   * `place` returns where the field belongs: the rectangles of the pane and of the row, and of the part of the row. `say(text, isError)` shows a
   * message about a text that was not applied.
   */
  constructor(pane, place, say) {
    Object.assign(this, { placeOf: place, say });
    this.form = make("form", { id: "row-field", hidden: true, noValidate: true });
    [this.inputs, this.question, this.error] = [make("div", { className: "inputs" }), make("div", { className: "question", hidden: true }), make("p", { className: "error", role: "alert" })];
    this.form.append(this.inputs, this.question, this.error);
    pane.append(this.form);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.form.addEventListener("keydown", (event) => this.#pressed(event));
    this.form.addEventListener("input", () => this.#typed());
    this.form.addEventListener("focusout", ({ relatedTarget }) => this.#left(relatedTarget));
    visualViewport?.addEventListener("resize", () => this.place());
  }

  get isOpen() {
    return this.#how !== undefined;
  }

  /** Whether a text is typed that is not applied. */
  get isTyped() {
    return this.isOpen && this.#typedText !== "";
  }

  /** The way of the row with the field. */
  get way() {
    return this.#how?.way;
  }

  set way(way) {
    this.#how.way = way;
  }

  get part() {
    return this.#how?.part;
  }

  /**
   * Opens the field for a value. `apply` gets the new literal. `leave(by)` is called afterwards, with 1 or -1 for the next or previous value.
   * `isFixed`: the kind cannot change, so a value of another kind is applied, and the error says what is expected.
   */
  value({ way, name, kind, dialect, literal, isFixed, apply, leave }) {
    const numbers = numbersOf(kind) && numbersIn(literal);
    const how = { way, part: "value", name, kind, dialect, literal, isFixed, apply, leave };
    if (isNumber(kind)) this.#open({ ...how, ...this.#number(kind, literal) });
    else if (numbers) this.#open({ ...how, ...this.#numbers(kind, numbers) });
    else if (isText(kind) && isTypeable(unquoted(literal))) this.#open({ ...how, ...this.#text(kind, unquoted(literal)) });
    else if (isPacked(kind)) this.#open({ ...how, ...this.#elements(kind, literal) });
    else this.#open({ ...how, ...this.#literal(literal) });
  }

  /** Opens the field for a key, of an existing row or of a row that is added below it (`part: "below"`). */
  key({ way, part = "label", name, key, apply, leave }) {
    const field = input("input", { type: "text", value: key });
    this.#open({ way, part, name, initial: key, inputs: [field], read: () => ({ literal: field.value }), isChanged: () => part === "below" || field.value !== key, apply, leave });
  }

  /** Opens a field for a path that selects values, and for their value. */
  all({ way, name, path, literal, apply, leave }) {
    const [query, value] = [input("input", { type: "text", value: path }), input("input", { type: "text", value: literal })];
    const labels = [make("label", {}, make("span", {}, t("row.all.path")), query), make("label", {}, make("span", {}, t("row.all.value")), value)];
    this.#open({ way, part: "row", name, inputs: labels, read: () => ({ literal: value.value, query: query.value }), isChanged: () => true, apply, leave, isFull: true });
  }

  #number(kind, literal) {
    const field = input("input", { type: "text", value: literal, inputMode: kind === "int" ? "numeric" : "decimal", role: "spinbutton", className: "number" });
    const step = (by) => {
      field.value = by === 0 ? (field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`) : stepped(field.value, by);
      this.#typed();
    };
    const buttons = [["−", -1, "field.less"], ["+", 1, "field.more"], ["±", 0, "field.sign"]].map(([text, by, name]) =>
      make("button", { type: "button", tabIndex: -1, className: "step", "aria-label": t(name), onclick: () => step(by), onpointerdown: (event) => event.preventDefault() }, text));
    const read = () => {
      const same = numberOf(field.value, kind);
      if (same !== undefined) return { literal: same, kind };
      const other = kindOf(field.value);
      return other ? { literal: field.value, kind: other } : { literal: quoted(field.value), kind: "String" };
    };
    return { inputs: [field, ...buttons], read, initial: literal, isChanged: () => field.value !== literal };
  }

  #numbers(kind, numbers) {
    const names = numbersOf(kind), single = kind.endsWith("i") ? "int" : "float";
    const fields = names.map((name, place) => input("input", { type: "text", value: numbers[place] ?? "0", inputMode: single === "int" ? "numeric" : "decimal", role: "spinbutton", className: "number" }));
    const labels = fields.map((field, place) => make("label", {}, make("span", {}, names[place]), field));
    const read = () => {
      const literals = fields.map((field, place) => (field.value === numbers[place] ? field.value : numberOf(field.value, single)));
      const wrong = literals.indexOf(undefined);
      if (wrong >= 0) throw new Error(t("field.noNumber", { name: names[wrong] }));
      return { literal: literalOf(kind, literals), kind };
    };
    const isChanged = () => fields.some((field, place) => field.value !== numbers[place]);
    const columns = kind === "Basis" || kind === "Transform3D" ? 3 : kind === "Transform2D" || kind === "Rect2" || kind === "Rect2i" ? 2 : names.length === 16 ? 4 : names.length;
    return { inputs: kind === "Color" ? [this.#picker(fields), ...labels] : labels, read, isChanged, columns: kind === "Color" ? 5 : columns, isFull: names.length > 4 };
  }

  /** The browser's picker of colors, with the first three numbers. */
  #picker(fields) {
    const part = (text) => Math.round(Math.min(1, Math.max(0, Number(text) || 0)) * 255).toString(16).padStart(2, "0");
    const value = () => `#${fields.slice(0, 3).map((field) => part(field.value)).join("")}`;
    const picker = make("input", { type: "color", value: value(), "aria-label": t("field.color") });
    picker.addEventListener("input", () => {
      for (const place of [0, 1, 2]) fields[place].value = String(Number((parseInt(picker.value.slice(1 + 2 * place, 3 + 2 * place), 16) / 255).toFixed(5)));
    });
    for (const field of fields) field.addEventListener("input", () => { picker.value = value(); });
    return make("label", { className: "picker" }, picker);
  }

  #text(kind, text) {
    const area = input("textarea", { value: text, rows: 1 });
    return { inputs: [area], read: () => ({ literal: quoted(area.value, kind), kind }), initial: text, isChanged: () => area.value !== text, isFull: text.length > SHORT || text.includes("\n") };
  }

  /** The elements of a packed array, or its whole literal if one is typed. */
  #elements(kind, literal) {
    const start = literal.indexOf("(") + 1, elements = literal.slice(start, literal.lastIndexOf(")")).trim(), area = input("textarea", { value: elements, rows: 1 });
    const isWhole = () => /^(?:[A-Z]\w*\(|\[)/.test(area.value.trim()) && !/^(Vector|Color)/.test(area.value.trim());
    const read = () => ({ literal: isWhole() ? area.value : `${literal.slice(0, start)}${area.value})`, kind });
    return { inputs: [area], read, isChanged: () => area.value !== elements, help: t("field.list"), isFull: true };
  }

  #literal(literal) {
    const area = input("textarea", { value: literal, rows: 1 });
    const read = () => ({ literal: area.value, kind: kindOf(area.value) ?? this.#how.kind });
    return { inputs: [area], read, isChanged: () => area.value !== literal, help: t("field.literal", { example: literal.length < 40 ? literal : `${literal.slice(0, 39)}…` }), isFull: true };
  }

  #open(how) {
    this.drop();
    this.#how = how;
    this.inputs.replaceChildren(...how.inputs);
    this.inputs.className = `inputs${how.columns ? " numbers" : ""}`;
    this.inputs.style.setProperty("--columns", how.columns ?? 1);
    if (how.help) this.inputs.append(make("p", { className: "hint" }, how.help));
    const finish = (text, name, act) => make("button", { type: "button", tabIndex: -1, className: "step", "aria-label": t(name), title: t(name), onclick: act, onpointerdown: (event) => event.preventDefault() }, text);
    this.inputs.append(make("span", { className: "finish" }, finish("✓", "field.apply", () => this.submit()), finish("✕", "field.leave", () => this.#leave())));
    this.form.setAttribute("aria-label", how.name);
    for (const field of this.#fields) if (!field.labels?.length) field.setAttribute("aria-label", how.name);
    this.form.classList.toggle("full", how.isFull === true);
    this.#ask();
    this.error.textContent = "";
    this.form.hidden = false;
    this.#before = this.#texts;
    this.#grow();
    this.place();
    const [first] = this.#fields.filter(({ type }) => type !== "color");
    first.focus({ preventScroll: true });
    first.select();
  }

  get #fields() {
    return [...this.inputs.querySelectorAll("input, textarea")];
  }

  get #texts() {
    return this.#fields.map(({ value }) => value);
  }

  /** Puts the field over its part of the row. If it is too high, it ends at the lower edge of the pane, or of the part that a virtual keyboard leaves. */
  place() {
    if (!this.isOpen) return;
    const { pane, row, part, list } = this.placeOf(this.#how), { style } = this.form;
    const startOf = (rect) => Math.max(0, document.documentElement.dir === "rtl" ? pane.right - rect.right : rect.left - pane.left);
    const isWide = this.#how.isFull || (this.#how.part === "value" && pane.width - startOf(part) < (isByFinger() ? WIDE : NARROW));
    style.insetInlineStart = `${startOf(isWide ? row : part)}px`;
    const keyboard = visualViewport ? visualViewport.offsetTop + visualViewport.height : Infinity;
    const lowest = Math.min(list.bottom, Math.max(keyboard, list.top + 60)) - this.form.offsetHeight;
    // A wide field is below its row, so that its key can be seen.
    const wanted = isWide || this.#how.part === "below" ? row.bottom : row.top;
    style.top = `${Math.max(list.top, Math.min(wanted, lowest)) - pane.top}px`;
  }

  #grow() {
    for (const area of this.form.querySelectorAll("textarea")) {
      area.style.height = "auto";
      area.style.height = `${Math.min(area.scrollHeight + 2, 240)}px`;
    }
  }

  #typed() {
    this.error.textContent = "";
    this.#ask();
    this.#grow();
    this.place();
  }

  /** Asks whether the kind is to be changed, or hides the question. */
  #ask(literal, kind) {
    this.question.hidden = kind === undefined;
    if (kind === undefined) return this.question.replaceChildren();
    const { dialect } = this.#how, name = (kind) => nameOf(kind, dialect);
    const change = make("button", { type: "button", className: "primary", onclick: () => this.#apply(literal, kind) }, t("field.change"));
    const keep = make("button", { type: "button", onclick: () => { this.#ask(); this.#fields[0].focus(); } }, t("field.keep"));
    this.question.replaceChildren(make("span", { role: "alert" }, t("field.kindChanges", { from: name(this.#how.kind), to: name(kind) })), change, keep);
    this.place();
    change.focus({ preventScroll: true });
  }

  /** Applies what is typed. Returns whether the field is closed. */
  async submit(by) {
    const how = this.#how;
    if (!how || this.#isBusy) return false;
    if (!how.isChanged()) return this.#leave(by);
    try {
      const { literal, kind, query } = how.read();
      if (kind !== how.kind && !how.isFixed) {
        this.#ask(literal, kind);
        return false;
      }
      return await this.#apply(literal, undefined, by, query);
    } catch (error) {
      return this.#failed(how, error);
    }
  }

  /** `changed` is the new kind if the user agreed to change the kind. */
  async #apply(literal, changed, by, query) {
    const how = this.#how, text = this.#typedText;
    this.#isBusy = true;
    try {
      const next = await how.apply(literal, changed, query);
      this.#isBusy = false;
      if (this.#how === how) this.#leave(by);
      await next?.();
      return true;
    } catch (error) {
      return this.#failed(how, error, text);
    } finally {
      this.#isBusy = false;
    }
  }

  #failed(how, error, text = this.#typedText) {
    if (error.isDead) throw error;
    if (this.#how !== how) {
      this.#say(how, text, told(error));
      return false;
    }
    this.#ask();
    this.error.textContent = told(error);
    this.place();
    return false;
  }

  /** Closes the field, and goes back to the rows. */
  #leave(by) {
    const { leave } = this.#how, hadFocus = this.form.contains(document.activeElement);
    this.close();
    leave?.(by, hadFocus);
    return true;
  }

  /** The texts that differ from those that the field was opened with. */
  get #typedText() {
    return this.#texts.filter((text, number) => text !== this.#before[number]).join(", ");
  }

  #say({ name }, text, reason) {
    this.say([t("field.dropped", { name, text: text.slice(0, SHORT) }), reason].filter(Boolean).join(" "), true);
  }

  /** Closes the field. A text that was not applied is in the message. */
  drop() {
    if (this.isTyped && !this.#isBusy) this.#say(this.#how, this.#typedText, this.error.textContent);
    this.close();
  }

  close() {
    this.#how = undefined;
    this.form.hidden = true;
    this.inputs.replaceChildren();
    this.#ask();
  }

  /** A click elsewhere ends the input. What was typed is applied, so that nothing is lost. */
  #left(to) {
    if (this.form.contains(to) || !document.hasFocus()) return;
    this.finish();
  }

  /** Applies what is typed, unless it is the answer to a question, and closes the field. */
  finish() {
    if (this.#isBusy || !this.isOpen || !this.question.hidden) return;
    if (this.#how.part === "row" || this.#how.part === "below") return;
    if (this.#how.isChanged()) this.submit();
    else this.close();
  }

  #pressed(event) {
    const { key, target, shiftKey } = event, isArea = target.matches("textarea"), isInput = target.matches("input, textarea");
    // Commands such as Ctrl+S are those of the page.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (key === "Escape") this.#leave();
    else if (key === "Enter" && isInput && !(isArea && (shiftKey || (isByFinger() && target.value.includes("\n"))))) this.submit();
    else if (key === "Tab" && isInput && this.#isAtEdge(target, shiftKey)) this.submit(shiftKey ? -1 : 1);
    else if (/^Arrow(Up|Down)$/.test(key) && target.matches(".number")) {
      target.value = stepped(target.value, (key === "ArrowUp" ? 1 : -1) * (shiftKey ? 10 : 1));
      target.dispatchEvent(new Event("input", { bubbles: true }));
    } else return;
    event.preventDefault();
  }

  #isAtEdge(target, isFirst) {
    return this.#how.part !== "row" && target === this.#fields.at(isFirst ? 0 : -1);
  }
}

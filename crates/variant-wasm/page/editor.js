// The form for changes of values, below the tree.

import { byId, onSubmit, told } from "./dom.js";
import { placeOf } from "./tree.js";

const CONTAINER = /^(Dictionary|Array|Packed|Pool|Object)/;

export class Editor {
  #apply;

  constructor(session) {
    this.session = session;
    [this.form, this.title, this.error] = ["editor", "editor-title", "editor-error"].map(byId);
    [this.place, this.value] = [byId("editor-place"), byId("editor-value")];
    [this.placeField, this.valueField] = [this.place.querySelector("input"), this.value.querySelector("textarea")];
    onSubmit(this.form, () => this.#submit());
    this.form.addEventListener("keydown", (event) => this.#pressed(event));
    this.form.addEventListener("input", () => { this.error.textContent = ""; });
    for (const action of ["edit", "insert", "rename", "delete"]) byId(action).addEventListener("click", () => this[action]());
    byId("cancel").addEventListener("click", () => this.close());
    // The form is closed, since the edited value may be at another place after a change.
    for (const type of ["opened", "changed"]) session.addEventListener(type, () => this.close(false));
  }

  async edit() {
    const { node, version } = this.session;
    if (node?.kind === undefined) return;
    const literal = await this.session.call("literal", node.way);
    if (version !== this.session.version) return;
    const title = literal === undefined ? `${nameOf(node)} is too large to be written here` : `Value of ${nameOf(node)}, ${node.kind}`;
    this.#open({ title, value: literal?.trimEnd() ?? "", apply: (_, text) => this.session.edit([{ set: node.way, to: text }]) });
  }

  /** Adds a value to the selected container, or to the container around the selected value. */
  async insert() {
    const { session } = this, { node, version } = session;
    if (!node) return;
    const isInside = !CONTAINER.test(node.kind) && node.way.length > 1;
    const target = isInside ? await session.call("node", node.way.slice(0, -1)) : node;
    if (target.path === undefined || version !== session.version) return;
    const step = /^Dictionary/.test(target.kind) ? '["new"]' : "[+]";
    this.#open({
      title: `New value in ${nameOf(target)}`, label: "Path", place: target.path + step, chosen: step === "[+]" ? undefined : [target.path.length + 2, target.path.length + 5], value: "null",
      apply: (path, literal) => session.edit([{ insert: session.hasFrames ? { frame: target.frame, path } : path, value: literal }]),
    });
  }

  rename() {
    const { node } = this.session;
    if (node?.kind === undefined) return;
    this.#open({ title: `Key of ${nameOf(node)}`, label: "Key", place: keyOf(node), apply: (key) => this.session.edit([{ rename: node.way, key }]) });
  }

  async delete() {
    const { node } = this.session;
    if (node?.kind === undefined) return;
    try {
      await this.session.edit([{ delete: node.way }]);
      this.close(false);
    } catch (error) {
      this.#open({ title: `${nameOf(node)} was not deleted`, message: told(error) });
    }
  }

  /** Selects the value at a way. If the value is missing, selects the value before it, or its container. */
  async #settle(way) {
    const last = way.at(-1), places = [way, ...(last > 0 ? [[...way.slice(0, -1), last - 1]] : []), way.slice(0, -1), [0]];
    const found = (await this.session.call("nodes", places)).find((node) => node?.way.length > 0);
    if (found) await this.session.select(found, "edit");
  }

  #open({ title, label, place, chosen, value, message = "", apply }) {
    this.#apply = apply;
    this.title.textContent = title;
    this.error.textContent = message;
    this.place.hidden = place === undefined;
    this.value.hidden = value === undefined;
    byId("editor-place").firstElementChild.textContent = label ?? "";
    this.placeField.value = place ?? "";
    this.valueField.value = value ?? "";
    this.valueField.rows = Math.min(8, Math.max(1, (value ?? "").split("\n", 8).length));
    this.form.querySelector("[type=submit]").hidden = apply === undefined;
    this.form.hidden = false;
    const field = place !== undefined ? this.placeField : value !== undefined ? this.valueField : byId("cancel");
    field.focus();
    if (chosen) field.setSelectionRange(...chosen);
    else field.select?.();
  }

  close(isBack = true) {
    this.form.hidden = true;
    this.#apply = undefined;
    if (isBack) byId("tree").focus();
  }

  async #submit() {
    if (!this.#apply) return;
    try {
      const { node } = this.session, place = this.placeField.value;
      const isInsert = !this.place.hidden && !this.value.hidden, isRename = !this.place.hidden && this.value.hidden;
      await this.#apply(place, this.valueField.value);
      this.close();
    } catch (error) {
      this.error.textContent = told(error);
    }
  }

  /** Selects the inserted or renamed value, if it has a path. */
  async #follow(made, node) {
    const path = made.at(-1)?.path;
    const place = this.session.hasFrames ? { frame: node.frame, path } : path;
    const [found] = path === undefined ? [] : await this.session.call("nodes", [place]);
    await this.session.select(found ?? node.way, "edit");
  }

  #pressed(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && !event.shiftKey && event.target === this.valueField) this.#submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The key of a node, without the quotes of a text. */
const keyOf = ({ label }) => /^&?"(.*)"$/s.exec(label)?.[1] ?? label;
const nameOf = (node) => node.path || node.label || "the root";

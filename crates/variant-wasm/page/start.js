// Opens files: dropped files, chosen files, and the sample. Reports files that cannot be opened.

import { client } from "./client.js";
import { byId, counted, make, onSubmit, told } from "./dom.js";
import { loadSample } from "./parts.js";

const FRAMINGS = ["bare", "frames", "frames-be", "settings", "sequence"];

export class Start {
  constructor(session, dialects) {
    Object.assign(this, { session, dialects });
    [this.failure, this.lock, this.busy, this.picker] = ["failure", "lock", "busy", "picker"].map(byId);
    for (const id of ["open", "choose"]) byId(id).addEventListener("click", () => this.picker.click());
    byId("sample").addEventListener("click", () => this.#sample());
    byId("choose-folder").addEventListener("click", () => byId("folder-picker").click());
    byId("back").addEventListener("click", () => { if (session.isOpen) this.#show("work"); });
    this.picker.addEventListener("change", () => this.#take(this.picker.files));
    onSubmit(this.lock, () => this.#unlock());
    this.#listen();
    session.addEventListener("opened", () => this.#opened());
  }

  #listen() {
    const drop = byId("drop");
    let depth = 0;
    const within = (by) => { drop.hidden = (depth = Math.max(0, depth + by)) === 0; };
    addEventListener("dragenter", (event) => { event.preventDefault(); within(1); });
    addEventListener("dragleave", () => within(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      within(-depth);
      this.#take(event.dataTransfer.files);
    });
  }

  #take([file]) {
    if (file) this.open(file, file.name);
    this.picker.value = "";
  }

  async #sample() {
    await this.open(await loadSample(), "sample.bin");
  }

  async open(blob, name, options) {
    const { session } = this;
    if (session.isUnsaved && !confirm(`${session.name} has changes that were not downloaded. Open ${name} without them?`)) return;
    try {
      const opening = session.open(blob, name, options);
      this.#show("start");
      byId("welcome").hidden = this.failure.hidden = this.lock.hidden = true;
      this.busy.textContent = `Opening ${name}…`;
      await opening;
      if (session.locked) this.#ask();
    } catch (error) {
      if (!error.isDead) this.#fail(error, blob, name, options);
    }
    this.busy.textContent = "";
    byId("back").hidden = !session.isOpen;
  }

  #show(id) {
    for (const main of ["start", "work"]) byId(main).hidden = main !== id;
    document.body.classList.toggle("has-file", id === "work");
    byId("back").hidden = !this.session.isOpen;
  }

  #opened() {
    this.#show("work");
    document.title = `${this.session.name} · variant-view`;
    byId("tree").focus({ preventScroll: true });
  }

  #ask() {
    this.#show("start");
    const { name, layers } = this.session.locked;
    byId("lock-file").textContent = [name, ...layers].join(": ");
    byId("password").value = byId("lock-error").textContent = "";
    this.lock.hidden = false;
    byId("password").focus();
  }

  async #unlock() {
    const text = byId("password").value;
    try {
      await this.session.unlock(byId("is-key").checked ? keyOf(text) : text);
      this.lock.hidden = true;
    } catch (error) {
      byId("lock-error").textContent = told(error);
      byId("password").select();
    }
  }

  /** Reports the reason why a file was not opened, and offers alternatives. */
  #fail(error, blob, name, options = {}) {
    const actions = make("p", { className: "actions" });
    const button = (text, more) => make("button", { type: "button", onclick: () => this.open(blob, name, { ...options, ...more }) }, text);
    if (error.class === "layer" && !options.lenient) actions.append(button("Open what can be read", { lenient: true }));
    this.failure.replaceChildren(make("h2", {}, `${name} was not opened`), make("p", { className: "error" }, told(error)),
      ...(error.expected ? [make("p", {}, error.expected)] : []), make("p", { className: "hint" }, counted(blob.size, "byte")), actions);
    if (error.class === "format") this.failure.append(this.#anyway(blob, name));
    this.failure.hidden = byId("welcome").hidden = false;
  }

  #anyway(blob, name) {
    const choice = (values) => make("select", {}, ...values.map((value) => make("option", { value }, value)));
    const dialect = choice(this.dialects), framing = choice(FRAMINGS);
    dialect.value = "godot4";
    const open = () => this.open(blob, name, { dialect: dialect.value, framing: framing.value });
    return make("div", { className: "grid" }, make("label", {}, "Dialect ", dialect), make("label", {}, "Framing ", framing), make("button", { type: "button", onclick: open }, "Read it so anyway"));
  }

  /** Reports that the worker has ended. The file is no longer open. */
  died(error) {
    const { blob, name, options } = this.session;
    this.#show("start");
    this.lock.hidden = true;
    byId("back").hidden = true;
    const again = blob && make("button", { type: "button", className: "primary", onclick: () => this.open(blob, name, options) }, `Open ${name} again`);
    const [title, next] = client.isReady
      ? ["The reader stopped", "It was started again. Changes that were not downloaded are lost."]
      : ["The reader could not be started", "The module of the package may be missing: it is built into dist/."];
    this.failure.replaceChildren(make("h2", {}, title), make("p", { className: "error" }, told(error)), make("p", {}, next),
      ...(again ? [make("p", { className: "actions" }, again)] : []));
    this.failure.hidden = byId("welcome").hidden = false;
  }
}

/** The 32 bytes of 64 hexadecimal digits. */
function keyOf(digits) {
  if (!/^[0-9a-f]{64}$/i.test(digits.trim())) throw new Error("A key has 64 hex digits.");
  return Uint8Array.from(digits.trim().match(/../g), (pair) => parseInt(pair, 16));
}

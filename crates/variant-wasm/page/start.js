// Opens files: dropped files, chosen files, folders, archives and the sample. Reports files that cannot be opened.

import { client } from "./client.js";
import { byId, make, onSubmit, told } from "./dom.js";
import { engineOf } from "./engines.js";
import { listed } from "./listing.js";
import { loadSample } from "./parts.js";
import { t } from "./texts.js";

const FRAMINGS = ["bare", "frames", "frames-be", "settings", "sequence"];

export class Start {
  /** The passwords of this visit, by the names of files. They are never kept. */
  #passwords = new Map();

  constructor(session, { dialects, folder, compare, say }) {
    Object.assign(this, { session, dialects, folder, compare, say });
    [this.failure, this.lock, this.busy, this.picker] = ["failure", "lock", "busy", "picker"].map(byId);
    for (const id of ["open", "choose"]) byId(id).addEventListener("click", () => this.#choose());
    byId("choose-folder").addEventListener("click", () => byId("folder-picker").click());
    byId("sample").addEventListener("click", () => this.#sample());
    byId("back").addEventListener("click", () => { if (session.isOpen) this.show("work"); });
    for (const picker of [this.picker, byId("folder-picker")]) picker.addEventListener("change", () => this.#take([...picker.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })), picker));
    onSubmit(this.lock, () => this.#unlock());
    this.#listen();
    session.addEventListener("opened", () => this.#opened());
    // The last open file was closed.
    session.addEventListener("files", () => { if (!session.file) this.#welcome(); });
  }

  #welcome() {
    this.lock.hidden = this.failure.hidden = true;
    byId("welcome").hidden = false;
    document.title = "variant-view";
    this.show("start");
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
      listed(event.dataTransfer).then((entries) => this.#take(entries), (error) => this.say(told(error), true));
    });
  }

  /** Asks for files. A browser that can save in place gives handles. */
  async #choose() {
    if (!globalThis.showOpenFilePicker) return this.picker.click();
    try {
      const handles = await showOpenFilePicker({ multiple: true });
      await this.#take(await Promise.all(handles.map(async (handle) => ({ handle, file: await handle.getFile(), path: handle.name }))));
    } catch (error) {
      if (error.name !== "AbortError") this.say(told(error), true);
    }
  }

  /** Opens one file, or two to be compared. Lists more files, a folder, or an archive. */
  async #take(entries, picker) {
    if (picker) picker.value = "";
    if (entries.length === 0) return;
    const isFolder = entries.some(({ path }) => path.includes("/"));
    if (isFolder || entries.length > 2 || await this.folder.isArchive(entries)) {
      this.show("start");
      await this.folder.list(entries);
    } else {
      for (const { file, handle } of entries) await this.open(file, file.name, undefined, handle);
      if (entries.length === 2 && this.session.files.length >= 2) this.compare.offer(...this.session.files.slice(-2));
    }
  }

  async #sample() {
    await this.open(await loadSample(), "sample.bin");
  }

  /** Opens a file beside the open ones. */
  async open(blob, name, options = {}, handle = undefined, draft = undefined) {
    const { session } = this;
    this.show("start");
    byId("welcome").hidden = this.failure.hidden = this.lock.hidden = true;
    this.busy.textContent = t("start.opening", { name });
    try {
      const password = options.password ?? this.#passwords.get(name);
      // Another program may change the file meanwhile, so its bytes are copied.
      const source = { blob: new Blob([await blob.arrayBuffer()]), name, handle, modified: blob.lastModified, options: password === undefined ? options : { ...options, password } };
      await session.open(source, draft);
    } catch (error) {
      // A file may be open although not all its changes came back.
      if (session.file?.source.name === name && session.isOpen) this.say(told(error), true);
      else if (!error.isDead) this.#fail(error, blob, name, options, handle, draft);
    }
    this.busy.textContent = "";
    byId("back").hidden = !session.isOpen;
  }

  show(id) {
    for (const main of ["start", "work"]) byId(main).hidden = main !== id;
    document.body.classList.toggle("has-file", id === "work");
    byId("back").hidden = !this.session.isOpen;
  }

  /** Shows the current file, or asks for its password. */
  #opened() {
    const { file } = this.session;
    if (file.isGone) return this.died(undefined);
    if (file.isLocked) return this.#ask(file);
    this.lock.hidden = true;
    this.show("work");
    document.title = `${file.name} · variant-view`;
    // A user who goes through the tabs of files by keys stays there.
    if (!byId("files").contains(document.activeElement)) byId("tree").focus({ preventScroll: true });
  }

  #ask({ name, info }) {
    this.show("start");
    byId("welcome").hidden = this.failure.hidden = true;
    byId("lock-file").textContent = [name, ...info.layers].join(": ");
    byId("password").value = byId("lock-error").textContent = "";
    this.lock.hidden = false;
    byId("password").focus();
  }

  async #unlock() {
    const typed = byId("password").value;
    try {
      const password = byId("is-key").checked ? keyOf(typed) : typed;
      const { name } = this.session;
      await this.session.unlock(password);
      this.#passwords.set(name, password);
    } catch (error) {
      if (this.session.isOpen) return this.say(told(error), true);
      byId("lock-error").textContent = told(error);
      byId("password").select();
    }
  }

  /** Reports the reason why a file was not opened, and offers alternatives. */
  #fail(error, blob, name, options, handle, draft) {
    const actions = make("p", { className: "actions" });
    const again = (more) => this.open(blob, name, { ...options, ...more }, handle, draft);
    const button = (text, onclick) => make("button", { type: "button", onclick }, text);
    if (error.class === "layer" && !options.lenient) actions.append(button(t("start.lenient"), () => again({ lenient: true })));
    if (options.password === undefined && this.#passwords.delete(name)) actions.append(button(t("start.otherPassword"), () => again()));
    this.failure.replaceChildren(make("h2", {}, t("start.notOpened", { name })), make("p", { className: "error" }, told(error)),
      ...(error.expected ? [make("p", {}, error.expected)] : []), make("p", { className: "hint" }, t("bytes.count", { count: blob.size })), actions);
    if (error.class === "format") this.failure.append(this.#anyway(again));
    this.failure.hidden = byId("welcome").hidden = false;
  }

  #anyway(again) {
    const choice = (values) => make("select", {}, ...values.map((value) => make("option", { value }, engineOf(value))));
    const dialect = choice(this.dialects), framing = choice(FRAMINGS);
    dialect.value = "godot4";
    const open = () => again({ dialect: dialect.value, framing: framing.value });
    return make("div", { className: "grid" }, make("label", {}, t("reading.dialect"), " ", dialect), make("label", {}, t("reading.framing"), " ", framing),
      make("button", { type: "button", onclick: open }, t("start.anyway")));
  }

  /** Reports that the worker has ended. A file is opened again, with its changes, when the user asks. */
  died(error) {
    const { file } = this.session;
    this.show("start");
    this.lock.hidden = byId("welcome").hidden = true;
    byId("back").hidden = true;
    const again = file && make("button", { type: "button", className: "primary", onclick: () => this.#reopen() }, t("start.openAgain", { name: file.name }));
    const [title, next] = client.isReady ? [t("start.stopped"), t("start.startedAgain")] : [t("start.notStarted"), t("start.missingModule")];
    this.failure.replaceChildren(make("h2", {}, title), ...(error ? [make("p", { className: "error" }, told(error))] : []), make("p", {}, next),
      ...(again ? [make("p", { className: "actions" }, again)] : []));
    this.failure.hidden = false;
  }

  async #reopen() {
    this.failure.hidden = true;
    try {
      await this.session.reopen();
    } catch (error) {
      if (!error.isDead) this.say(told(error), true);
    }
  }
}

/** The 32 bytes of 64 hexadecimal digits. */
function keyOf(digits) {
  if (!/^[0-9a-f]{64}$/i.test(digits.trim())) throw new Error(t("start.key"));
  return Uint8Array.from(digits.trim().match(/../g), (pair) => parseInt(pair, 16));
}

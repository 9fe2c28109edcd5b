// The page inside a host: an element of another page (element/), or an editor of VS Code (vscode/). The host makes calls by messages,
// `{ id, method, parts }`, and gets `{ id, result }` or `{ id, error }`. The page reports `{ event, detail }`: "ready", "opened",
// "changed", "selected" and "saved". element/README.md describes the calls and the events.

import { byId, told } from "./dom.js";
import { choose, localize } from "./texts.js";

const isInCode = "acquireVsCodeApi" in globalThis;
/** Whether a host shows the page. Its address has `?host`. VS Code decides about the address of its pages. */
export const isHosted = isInCode || (parent !== globalThis && new URLSearchParams(location.search).has("host"));

/**
 * The port to the host. Only a page of the same origin may be the host, since it can read the open file. A page in a sandbox has no origin, and
 * keeps nothing in the browser, so any page may be its host.
 */
function connect() {
  if (isInCode) {
    const port = acquireVsCodeApi();
    addEventListener("message", (event) => { if (event.origin === self.origin) port.onmessage(event); });
    return Promise.resolve({ postMessage: (message) => port.postMessage(message), set onmessage(heard) { port.onmessage = heard; } });
  }
  return new Promise((resolve) => {
    addEventListener("message", ({ source, origin, data, ports: [port] }) => {
      if (source === parent && (self.origin === "null" || origin === self.origin) && data === "variant-view" && port) resolve(port);
    });
    parent.postMessage("variant-view", self.origin === "null" ? "*" : self.origin);
  });
}

/** Keeps no drafts, since the host has the file. */
const KEEPER = Object.fromEntries(["did", "undid", "saved", "forget", "replace", "renew", "keepVersion"].map((name) => [name, async () => {}]));

/** The keys of commands that the host has. They go to the window only, where VS Code listens. */
const COMMANDS = ["s", "y", "z"];

class Host {
  #port;
  /** Whether the host asked for a change that is being made. */
  #isAsking = false;
  #options = {};
  /** Resolved when the tree has selected the first value of the file. */
  #shown;

  constructor(session, port) {
    Object.assign(this, { session });
    session.keeper = KEEPER;
    this.#port = port;
    session.addEventListener("opened", () => this.#opened());
    session.addEventListener("changed", () => this.#report("changed", { ...this.#state(), step: session.file.journal.at(-1) }));
    session.addEventListener("saved", () => this.#report("saved", this.#state()));
    session.addEventListener("selected", () => this.#report("selected", { path: session.node.path, frame: session.node.frame }));
    // The host chooses the files.
    for (const type of ["dragenter", "dragover", "drop"]) addEventListener(type, (event) => (event.preventDefault(), event.stopImmediatePropagation()), true);
    document.addEventListener("keydown", (event) => this.#pressed(event), true);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#show());
    port.onmessage = ({ data }) => this.#answer(data);
    this.#show();
    this.#report("ready");
  }

  #opened() {
    const { info, name, rows, file: { journal, savedStep } } = this.session, isShown = !info.isLocked && rows > 0;
    this.#shown = isShown && new Promise((resolve) => { this.session.addEventListener("selected", resolve, { once: true }); });
    this.#report("opened", { name, ...info, draft: { steps: journal, saved: savedStep } });
  }

  async go(place) {
    await this.#shown;
    await this.session.select(place, "host");
  }

  #report(event, detail) {
    this.#port.postMessage({ event, detail });
  }

  #state() {
    const { info, isUnsaved } = this.session;
    return { canUndo: info.canUndo, canRedo: info.canRedo, isUnsaved, isAsked: this.#isAsking };
  }

  async #answer({ id, method, parts = [] }) {
    try {
      if (!Object.hasOwn(CALLS, method)) throw new TypeError(`${method}: a call with this name does not exist`);
      this.#port.postMessage({ id, result: await CALLS[method](this, ...parts) });
    } catch (error) {
      this.#port.postMessage({ id, error: { ...error, name: error.name, message: error.message } });
    }
  }

  /** `draft` has the steps of an earlier page with this file, which are made again. */
  async open(bytes, name, options = {}, draft = undefined) {
    const { session } = this, blob = new Blob([bytes]);
    byId("busy").textContent = "";
    try {
      // The earlier file is closed only when the new file is open.
      const file = await session.open({ blob, name, options }, draft);
      for (const { id } of session.files.filter((each) => each !== file)) session.close(id);
      if (session.info.isLocked && this.#options.passwordPrompt === "none") throw refusal("locked", session.info.layers.join(" "));
    } catch (error) {
      byId("busy").textContent = told(error);
      throw error;
    }
  }

  /** The bytes of the changed file, and the number of its last step. */
  async save() {
    const { blob, step } = await this.session.call("save");
    return { bytes: new Uint8Array(await blob.arrayBuffer()), step };
  }

  /** Makes a step of undo or redo that the host asked for. */
  async step(method) {
    this.#isAsking = true;
    try {
      await this.session[method]();
    } finally {
      this.#isAsking = false;
    }
  }

  set(options) {
    Object.assign(this.#options, options);
    if (options.language) {
      choose(options.language);
      localize(document);
    }
    this.#show();
  }

  #show() {
    const { theme, readOnly, commands = "page", passwordPrompt = "page" } = this.#options, { dataset } = document.documentElement;
    this.session.isReadOnly = Boolean(readOnly);
    Object.assign(dataset, { host: commands, readOnly: Boolean(readOnly), passwordPrompt });
    if (theme) dataset.theme = theme;
  }

  #pressed(event) {
    if (this.#options.commands !== "host" || !(event.ctrlKey || event.metaKey) || !COMMANDS.includes(event.key.toLowerCase())) return;
    event.stopImmediatePropagation();
    dispatchEvent(new KeyboardEvent("keydown", event));
  }
}

const refusal = (kind, message) => Object.assign(new Error(message), { name: "VariantError", class: kind });

/** The calls of the host. */
const CALLS = {
  open: (host, ...parts) => host.open(...parts),
  bytes: async (host) => (await host.save()).bytes,
  save: (host) => host.save(),
  saved: ({ session }, step) => session.saved(session.file, step),
  undo: (host) => host.step("undo"),
  redo: (host) => host.step("redo"),
  go: (host, place) => host.go(place),
  set: (host, options) => host.set(options),
};

export const host = async (session) => new Host(session, await connect());

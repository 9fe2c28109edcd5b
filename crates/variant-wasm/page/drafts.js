// What outlives the page: the steps of files that were not saved, and the files that were saved in place as they were before. Both are in the
// browser's database, and never leave it. Passwords are not kept.

/** How long drafts and earlier versions are kept, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000;
/** The number and the bytes of all earlier versions that are kept. */
const VERSIONS = 20, MOST_BYTES = 200 << 20;

const STORES = { drafts: { keyPath: "id" }, steps: { keyPath: ["draft", "number"] }, versions: { keyPath: "id", autoIncrement: true } };

/** The result of a request of the database. */
const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function database() {
  const request = indexedDB.open("variant-view", 1);
  request.onupgradeneeded = () => { for (const [name, how] of Object.entries(STORES)) request.result.createObjectStore(name, how); };
  return resultOf(request);
}

const lockOf = (id) => `variant-view ${id}`;
/** The steps of a draft. */
const stepsOf = (id) => IDBKeyRange.bound([id], [id, []]);

export class Drafts {
  #database;
  /** The last write. Each write waits for the one before it. */
  #last = Promise.resolve();

  /** `failed` is called with the reason if the browser keeps nothing. */
  constructor(failed) {
    this.failed = failed;
  }

  async #store(name, mode = "readwrite") {
    this.#database ??= database();
    return (await this.#database).transaction(name, mode).objectStore(name);
  }

  #write(work) {
    this.#last = this.#last.then(work).catch((error) => {
      this.failed?.(error);
      this.failed = undefined;
    });
  }

  /** Keeps a step of a file. */
  did(file, { number, edits }) {
    this.#write(async () => {
      if (file.draft === undefined || !file.isKept) await this.#begin(file);
      await resultOf((await this.#store("steps")).put({ draft: file.draft, number, edits }));
    });
  }

  undid(file, { number }) {
    this.#write(async () => resultOf((await this.#store("steps")).delete([file.draft, number])));
  }

  /** Keeps that a file was saved with its last step. */
  saved(file) {
    if (file.isKept) this.#write(() => this.#put(file));
  }

  forget({ draft }) {
    if (draft !== undefined) this.#write(() => this.discard(draft));
  }

  async discard(id) {
    await resultOf((await this.#store("steps")).delete(stepsOf(id)));
    await resultOf((await this.#store("drafts")).delete(id));
  }

  async #begin(file) {
    file.draft ??= `${Date.now()} ${Math.random()}`;
    file.isKept = true;
    // The lock shows other tabs that this draft is open. It ends with the tab.
    navigator.locks?.request(lockOf(file.draft), () => new Promise(() => {}));
    await this.#put(file);
  }

  async #put({ draft, source: { name, blob, options: { password, ...options } = {} }, savedStep }) {
    await resultOf((await this.#store("drafts")).put({ id: draft, name, blob, options, isLocked: password !== undefined, saved: savedStep, time: Date.now() }));
  }

  /** The drafts with unsaved steps that no open tab has, the newest first. Deletes drafts without such steps, and old ones. */
  async left() {
    const { held = [] } = await navigator.locks?.query() ?? {}, open = new Set(held.map(({ name }) => name));
    const drafts = await resultOf((await this.#store("drafts", "readonly")).getAll()), left = [];
    for (const draft of drafts.filter(({ id }) => !open.has(lockOf(id)))) {
      const steps = await resultOf((await this.#store("steps", "readonly")).getAll(stepsOf(draft.id)));
      const isUnsaved = (steps.at(-1)?.number ?? 0) !== draft.saved;
      if (isUnsaved && Date.now() - draft.time < KEPT) left.push({ ...draft, steps });
      else await this.discard(draft.id);
    }
    return left.sort((one, other) => other.time - one.time);
  }

  /** Keeps the bytes of a file before it is saved in place. Deletes the oldest versions if there are too many. */
  async keepVersion(name, blob) {
    await resultOf((await this.#store("versions")).add({ name, blob, time: Date.now() }));
    let bytes = 0;
    for (const [number, { id, blob }] of (await this.versions()).entries()) {
      bytes += blob.size;
      if (number > 0 && (number >= VERSIONS || bytes > MOST_BYTES)) await resultOf((await this.#store("versions")).delete(id));
    }
  }

  /** The earlier versions of files that were saved in place, the newest first. */
  async versions() {
    const all = await resultOf((await this.#store("versions", "readonly")).getAll());
    return all.toReversed();
  }

  async removeVersion(id) {
    await resultOf((await this.#store("versions")).delete(id));
  }

  /** Waits until all is kept. */
  settled() {
    return this.#last;
  }
}

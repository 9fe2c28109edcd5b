// What outlives the page: the steps of files that were not saved, the files that were saved in place as they were before, and the files that were
// downloaded. All are in the browser's database, and never leave it. Passwords are not kept.

/** How long drafts are kept, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000;
/** The number and the bytes of all versions that are kept. */
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

/** What is kept of a file beside its steps. */
function recordOf({ draft, source: { name, blob, options: { password, ...options } = {} }, savedStep }) {
  return { id: draft, name, blob, options, saved: savedStep, time: Date.now() };
}

/** Locks a draft until the tab is closed, which shows other tabs that the draft is open. Returns whether no other tab has the draft. */
function locked(id) {
  return new Promise((resolve) => {
    if (!navigator.locks) return resolve(true);
    navigator.locks.request(lockOf(id), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    });
  });
}

export class Drafts {
  #database;
  /** The drafts that this tab has locked. */
  #locked = new Set();
  /** The last write. Each write waits for the one before it. */
  #last = Promise.resolve();

  /** `failed` is called with the reason if the browser keeps nothing. */
  constructor(failed) {
    this.failed = failed;
  }

  async #open() {
    this.#database ??= database();
    return this.#database;
  }

  async #all(store, range) {
    return resultOf((await this.#open()).transaction(store).objectStore(store).getAll(range));
  }

  /** Changes stores in one transaction. Resolves when the browser has kept the change. */
  async #change(names, work) {
    const transaction = (await this.#open()).transaction(names, "readwrite");
    const kept = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    work(...names.map((name) => transaction.objectStore(name)));
    return kept;
  }

  #write(work) {
    this.#last = this.#last.then(work).catch((error) => {
      this.failed?.(error);
      this.failed = undefined;
    });
  }

  /** Keeps a step of a file. The first step keeps the file as well, and all its steps so far. */
  did(file, { number, edits }) {
    this.#write(async () => {
      if (file.isForgotten) return;
      if (!file.isKept) return this.#begin(file);
      try {
        await this.#change(["steps"], (steps) => steps.put({ draft: file.draft, number, edits }));
      } catch (error) {
        // The draft has a hole now. The next step keeps all steps again.
        file.isKept = false;
        throw error;
      }
    });
  }

  undid(file, { number }) {
    this.#write(async () => {
      if (file.isKept) await this.#change(["steps"], (steps) => steps.delete([file.draft, number]));
    });
  }

  /** Keeps that a file was saved with its last step. */
  saved(file) {
    this.#write(async () => {
      if (file.isKept && !file.isForgotten) await this.#change(["drafts"], (drafts) => drafts.put(recordOf(file)));
    });
  }

  /** Gives a file a new draft. The old draft stays as it is. */
  renew(file) {
    file.draft = undefined;
    this.replace(file);
  }

  /** Keeps all steps of a file again, since they have other numbers now. */
  replace(file) {
    file.isKept = false;
    const last = file.journal.at(-1);
    if (last) this.did(file, last);
  }

  forget(file) {
    file.isForgotten = true;
    this.#write(async () => {
      if (file.draft !== undefined) await this.discard(file.draft);
    });
  }

  discard(id) {
    return this.#change(["drafts", "steps"], (drafts, steps) => {
      drafts.delete(id);
      steps.delete(stepsOf(id));
    });
  }

  /** Whether this tab alone has a draft. Another tab may have it open. */
  async #lock(id) {
    if (!this.#locked.has(id) && await locked(id)) this.#locked.add(id);
    return this.#locked.has(id);
  }

  async #begin(file) {
    if (file.draft === undefined || !(await this.#lock(file.draft))) {
      file.draft = `${Date.now()} ${Math.random()}`;
      await this.#lock(file.draft);
    }
    await this.#change(["drafts", "steps"], (drafts, steps) => {
      drafts.put(recordOf(file));
      steps.delete(stepsOf(file.draft));
      for (const { number, edits } of file.journal) steps.put({ draft: file.draft, number, edits });
    });
    file.isKept = true;
  }

  /** The drafts with unsaved steps that no open tab has, the newest first. Deletes drafts without such steps, and old ones. */
  async left() {
    // The drafts are read before the locks: a draft is locked before it is kept.
    const drafts = await this.#all("drafts"), { held = [] } = await navigator.locks?.query() ?? {}, open = new Set(held.map(({ name }) => name)), left = [];
    for (const draft of drafts.filter(({ id }) => !open.has(lockOf(id)))) {
      const steps = await this.#all("steps", stepsOf(draft.id));
      const isUnsaved = (steps.at(-1)?.number ?? 0) !== draft.saved;
      if (isUnsaved && Date.now() - draft.time < KEPT) left.push({ ...draft, steps });
      // Without locks, another tab may have the draft open.
      else if (navigator.locks) await this.discard(draft.id);
    }
    return left.sort((one, other) => other.time - one.time);
  }

  /**
   * Keeps `{ name, blob, isDownload }`: the bytes of a file before it is saved in place, or bytes that were downloaded. Replaces the version `id`, if it is
   * given. Deletes the oldest versions if there are too many. Returns the number of the version.
   */
  async keepVersion({ id: old, ...version }) {
    let kept, bytes = 0;
    await this.#change(["versions"], (versions) => {
      versions.put({ ...version, ...(old && { id: old }), time: Date.now() }).onsuccess = ({ target }) => { kept = target.result; };
    });
    for (const [number, { id, blob }] of (await this.versions()).entries()) {
      bytes += blob.size;
      if (number > 0 && (number >= VERSIONS || bytes > MOST_BYTES)) await this.removeVersion(id);
    }
    return kept;
  }

  /** The versions of files that were saved in place or downloaded, the newest first. */
  async versions() {
    return (await this.#all("versions")).sort((one, other) => other.time - one.time);
  }

  removeVersion(id) {
    return this.#change(["versions"], (versions) => versions.delete(id));
  }

  /** Waits until all is kept. */
  settled() {
    return this.#last;
  }
}

// A list of files: those of a folder, of an archive, or of a drop. It shows what each file is, searches all, and checks all.

import { client } from "./client.js";
import { byId, entry, onSubmit, told } from "./dom.js";
import { engineOf } from "./engines.js";
import { isArchive, isIgnored } from "./listing.js";
import { t } from "./texts.js";

/** The number of files that are shown at once. */
const SHOWN = 200;
/** The number of hits of a file that are shown. */
const HITS = 3;

export class Folder {
  #files = [];
  #shown = SHOWN;
  /** The run that is under way. A new run ends it. */
  #turn = 0;

  /** `open` opens a file of the list beside the others. */
  constructor(session, open) {
    Object.assign(this, { session, open });
    [this.section, this.state, this.rows, this.more] = ["folder", "folder-state", "folder-list", "folder-more"].map(byId);
    onSubmit(byId("folder-form"), () => this.#search(byId("folder-text").value));
    byId("folder-check").addEventListener("click", () => this.#check());
    byId("folder-close").addEventListener("click", () => this.#close());
    this.more.addEventListener("click", () => {
      this.#shown += SHOWN;
      this.#show();
    });
  }

  /** Whether the only entry is an archive. */
  async isArchive(entries) {
    return entries.length === 1 && isArchive(entries[0].file);
  }

  /** Lists files. Archives are listed with their files. */
  async list(entries) {
    const turn = this.#begin();
    this.#files = [];
    this.section.hidden = false;
    this.state.textContent = t("folder.reading");
    for (const entry of entries) {
      try {
        this.#files.push(...await this.#expand(entry));
      } catch (error) {
        this.#files.push({ ...entry, error });
      }
      if (turn !== this.#turn) return;
    }
    this.#files = this.#files.filter(({ path }) => !isIgnored(path)).sort((one, other) => (one.path < other.path ? -1 : 1));
    this.#shown = SHOWN;
    this.#show();
    await this.#each(turn, "folder.looked", (file) => this.#survey(file, false));
  }

  async #expand(entry) {
    if (!(await isArchive(entry.file))) return [entry];
    const files = await client.call(0, "archive", entry.file);
    return files.map(({ path, blob }) => ({ path: `${entry.path}/${path}`, file: new File([blob], path.split("/").at(-1)) }));
  }

  #begin() {
    for (const file of this.#files) file.hits = undefined;
    return ++this.#turn;
  }

  #close() {
    this.#begin();
    this.#files = [];
    this.section.hidden = true;
  }

  /** Calls `work` with each file, one after the other, until another run begins. */
  async #each(turn, text, work) {
    let done = 0, shown = 0;
    for (const file of this.#files) {
      await work(file).catch((error) => {
        if (error.isDead) throw error;
        file.error = error;
      });
      if (turn !== this.#turn) return;
      done++;
      // The list is shown again a few times a second.
      if (performance.now() - shown < 200 && done < this.#files.length) continue;
      shown = performance.now();
      this.#show();
      this.state.textContent = t(text, { done, count: this.#files.length, hits: this.#files.filter(({ hits }) => hits?.length > 0).length, wrong: this.#files.filter(isWrong).length });
    }
  }

  async #survey(file, isChecked) {
    if (file.error && !isChecked) return;
    const { isLocked, info, validation } = await client.call(0, "survey", file.file, {}, isChecked);
    Object.assign(file, { isLocked, info, validation, error: undefined });
  }

  #check() {
    return this.#each(this.#begin(), "folder.checked", (file) => this.#survey(file, true));
  }

  #search(text) {
    const turn = this.#begin();
    if (text === "") return this.#show();
    return this.#each(turn, "folder.searched", async (file) => {
      file.hits = [];
      const found = await client.call(0, "searchIn", file.file, {}, text, { most: HITS });
      file.hits = found.found ?? [];
    });
  }

  #show() {
    const isSearch = this.#files.some(({ hits }) => hits !== undefined);
    const files = isSearch ? this.#files.filter(({ hits }) => hits?.length > 0) : this.#files;
    if (!isSearch && files.length === 0) this.state.textContent = t("folder.none");
    this.rows.replaceChildren(...files.slice(0, this.#shown).map((file) => this.#entry(file)));
    this.more.hidden = files.length <= this.#shown;
  }

  #entry(file) {
    const { path, file: { size }, hits = [] } = file, isBad = isWrong(file);
    const lines = [`${whatIs(file)} · ${t("bytes.count", { count: size })}`, ...hits.map(({ path, label, text }) => `${path || label}: ${text}`)];
    return entry({ mark: isBad ? "!" : "", kind: isBad ? "removed" : "", title: path, lines, act: () => this.#choose(file, hits[0]) });
  }

  async #choose({ file, handle, path }, hit) {
    await this.open(file, path.split("/").at(-1), undefined, handle);
    if (hit && this.session.isOpen) await this.session.select(hit.way, "search");
  }
}

const isWrong = ({ error, validation }) => error !== undefined || validation?.isValid === false;

/** What is known of a file, in one line. */
function whatIs({ error, isLocked, info, validation }) {
  if (error) return told(error);
  if (isLocked) return t("folder.locked");
  if (!info) return t("folder.unknown");
  const what = engineOf(info.dialect);
  if (!validation) return what;
  return validation.isValid ? t("folder.sound", { what }) : `${what}: ${validation.problems[0]?.message ?? ""}`;
}

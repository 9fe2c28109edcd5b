// The start screen: where games keep their saves, what was opened before, and on the first visit the sample with three things to try.

import { byId, make } from "./dom.js";
import { keep, kept } from "./kept.js";
import { localize, t } from "./texts.js";

/** The folders of each system. The pages of Godot about its data paths name them. */
const FOLDERS = {
  Windows: ["%APPDATA%\\Godot\\app_userdata\\GAME", "%APPDATA%\\GAME"],
  macOS: ["~/Library/Application Support/Godot/app_userdata/GAME", "~/Library/Application Support/GAME"],
  Linux: ["~/.local/share/godot/app_userdata/GAME", "~/.local/share/GAME"],
};
/** The systems where saves are not in a folder that a user can open. */
const CLOSED = [["saves.android", "saves.mobile"], ["saves.web", "saves.browser"]];
/** The number of names that are remembered. */
const RECENT = 5;
const SAMPLE = "sample.bin";

export class Welcome {
  constructor(session, panes) {
    Object.assign(this, { session, panes });
    byId("saves").append(
      ...Object.entries(FOLDERS).flatMap(([system, folders]) => [make("dt", {}, system), make("dd", {}, ...folders.map((folder) => make("code", { dir: "ltr" }, folder)))]),
      ...CLOSED.flatMap(([system, text]) => [make("dt", { "data-t": system }), make("dd", { "data-t": text })]));
    localize(byId("saves"));
    byId("show-start").addEventListener("click", () => this.#back());
    byId("tries-close").addEventListener("click", () => {
      byId("tries").hidden = true;
      keep("tries", "closed");
      byId("tree").focus();
    });
    byId("try-level").addEventListener("click", () => this.#to("player.level"));
    byId("try-item").addEventListener("click", () => this.#to("inventory[0]"));
    byId("try-compare").addEventListener("click", () => panes.show("compare"));
    session.addEventListener("opened", () => this.#opened());
  }

  /** Whether nothing was opened in this browser before. */
  get isFirst() {
    return kept("visited") === undefined;
  }

  /** The names of the files that were opened before. */
  showRecent() {
    const names = JSON.parse(kept("recent") ?? "[]");
    byId("recent").hidden = names.length === 0;
    byId("recent").textContent = t("welcome.recent", { names: names.join(", ") });
  }

  #opened() {
    const { name } = this.session, isSample = name === SAMPLE;
    keep("visited", "yes");
    byId("tries").hidden = !isSample || kept("tries") === "closed";
    if (!isSample) keep("recent", JSON.stringify([name, ...JSON.parse(kept("recent") ?? "[]").filter((other) => other !== name)].slice(0, RECENT)));
    this.showRecent();
  }

  /** Shows the start screen again. The open file stays open. */
  #back() {
    byId("more-menu").hidePopover();
    for (const id of ["failure", "lock"]) byId(id).hidden = true;
    byId("welcome").hidden = byId("back").hidden = false;
    byId("work").hidden = true;
    byId("start").hidden = false;
    document.body.classList.remove("has-file");
    byId("saves-title").scrollIntoView();
    byId("back").focus();
  }

  async #to(path) {
    this.panes.show("values");
    await this.session.select({ frame: 1, path }, "tries");
    byId("tree").focus();
  }
}

// The start screen's list of what this browser keeps: unsaved work, earlier versions, and downloads.

import { byId, download, make, told } from "./dom.js";
import { t } from "./texts.js";

export class Recovery {
  constructor(drafts, start, say) {
    Object.assign(this, { drafts, start, say });
    [this.section, this.list] = ["drafts", "drafts-list"].map(byId);
  }

  /** Lists what an earlier visit left. */
  async show() {
    await this.drafts.settled();
    const left = await this.drafts.left(), versions = await this.drafts.versions();
    this.section.hidden = left.length + versions.length === 0;
    this.list.replaceChildren(...left.map((draft) => this.#draft(draft)), ...versions.map((version) => this.#version(version)));
    return left.length > 0;
  }

  #draft({ id, name, blob, options, steps, saved, time }) {
    const restore = async () => {
      try {
        await this.start.open(blob, name, options, undefined, { id, steps, saved });
      } finally {
        await this.show();
      }
    };
    const discard = async () => {
      if (!confirm(t("drafts.sure", { name }))) return;
      await this.drafts.discard(id);
      await this.show();
    };
    const text = t("drafts.draft", { name, count: steps.length, time: timeOf(time) });
    return this.#entry(text, [["drafts.restore", restore, "primary"], ["drafts.discard", discard]]);
  }

  #version({ id, name, blob, time, isDownload }) {
    const remove = async () => {
      await this.drafts.removeVersion(id);
      await this.show();
    };
    return this.#entry(t(isDownload ? "drafts.copy" : "drafts.version", { name, time: timeOf(time) }), [["drafts.download", () => download(blob, name)], ["drafts.remove", remove]]);
  }

  #entry(text, actions) {
    const button = ([key, act, className = ""]) => make("button", { type: "button", className, onclick: () => Promise.resolve(act()).catch((error) => this.say(told(error), true)) }, t(key));
    return make("li", {}, make("span", {}, text), make("span", { className: "actions" }, ...actions.map(button)));
  }
}

const timeOf = (time) => new Date(time).toLocaleString(document.documentElement.lang === "qps" ? "en" : document.documentElement.lang);

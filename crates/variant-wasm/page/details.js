// The details of the file, for those who know the format: dialect, framing, layers, bytes.

import { byId, make } from "./dom.js";
import { writtenBy } from "./engines.js";
import { t } from "./texts.js";

export class Details {
  constructor(session, reading) {
    Object.assign(this, { session, dialog: byId("details-dialog"), list: byId("details") });
    byId("show-details").addEventListener("click", () => {
      byId("more-menu").hidePopover();
      this.#show();
    });
    byId("details-reading").addEventListener("click", () => {
      this.dialog.close();
      reading.show();
    });
  }

  #show() {
    const { name, info } = this.session;
    const rows = {
      "details.file": [name], "reading.dialect": [writtenBy(info)], "details.dialect": [info.dialect], "reading.framing": [info.framing],
      "details.layers": info.layers.length > 0 ? info.layers : [t("details.plain")], "details.size": [t("bytes.count", { count: info.size })],
      "details.skipped": info.skipped ? [t("bytes.count", { count: info.skipped })] : [], "details.notes": info.notes,
    };
    this.list.replaceChildren(...Object.entries(rows).filter(([, texts]) => texts.length > 0)
      .flatMap(([key, texts]) => [make("dt", {}, t(key)), make("dd", {}, ...texts.map((text) => make("p", {}, text)))]));
    this.dialog.showModal();
  }
}

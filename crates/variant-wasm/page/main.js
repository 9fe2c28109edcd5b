// Creates the parts of the page and connects them.

import { Changes } from "./changes.js";
import { client } from "./client.js";
import { Compare } from "./compare.js";
import { byId, counted, make } from "./dom.js";
import { Export } from "./export.js";
import { Hex } from "./hex.js";
import { PathBar } from "./path.js";
import { Problems } from "./problems.js";
import { Reading } from "./reading.js";
import { Search } from "./search.js";
import { Session } from "./session.js";
import { Start } from "./start.js";
import { tabs } from "./tabs.js";
import { theme } from "./theme.js";
import { Tree } from "./tree.js";

byId("unserved").remove();
theme(byId("theme"));

function say(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { toast.hidden = true; }, 6000);
}

/** Fills the line at the bottom with the layers and the size of the file. */
function showStatus() {
  const { info } = session;
  byId("status").textContent = [...info.layers, `${counted(info.size, "byte")}, plain`, session.isUnsaved ? "changed" : "", ...info.notes].filter(Boolean).join(" · ");
}

const session = new Session((error) => start.died(error));
const dialects = [];
const start = new Start(session, dialects);
const showTab = tabs(document.querySelector("[role=tablist]"));
new Reading(session);
new PathBar(session);
new Tree(session, byId("tree"), say);
new Hex(session, byId("hex"), byId("field"));
new Search(session, showTab);
new Changes(session, say);
new Problems(session, (blob, name) => start.open(blob, name));
new Compare(session);
new Export(session);
for (const type of ["opened", "changed", "saved"]) session.addEventListener(type, showStatus);
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.isDead) event.preventDefault();
  else if (event.reason?.name === "VariantError") {
    event.preventDefault();
    say(event.reason.message);
  }
});
addEventListener("beforeunload", (event) => { if (session.isUnsaved) event.preventDefault(); });

client.died = session.died;
dialects.push(...await session.call("dialects"));
for (const id of ["dialect", "convert-to"]) byId(id).append(...dialects.map((value) => make("option", { value }, value)));
performance.mark("usable");

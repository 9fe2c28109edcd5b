// Creates the parts of the page and connects them.

import { Address } from "./address.js";
import { Changes } from "./changes.js";
import { client } from "./client.js";
import { Compare } from "./compare.js";
import { Crumbs } from "./crumbs.js";
import { Details } from "./details.js";
import { Drafts } from "./drafts.js";
import { byId, make } from "./dom.js";
import { engineOf } from "./engines.js";
import { Export } from "./export.js";
import { FileTabs } from "./file-tabs.js";
import { Find } from "./find.js";
import { Folder } from "./folder.js";
import { Hex } from "./hex.js";
import { host, isHosted } from "./host.js";
import { chooseLanguage, languageList } from "./language.js";
import { Panes } from "./panes.js";
import { Problems } from "./problems.js";
import { Reading } from "./reading.js";
import { Recovery } from "./recovery.js";
import { Saving } from "./saving.js";
import { Session } from "./session.js";
import { Start } from "./start.js";
import { t } from "./texts.js";
import { theme } from "./theme.js";
import { Tree } from "./tree.js";
import { Welcome } from "./welcome.js";

byId("unserved").remove();
chooseLanguage();
theme(byId("theme"));

/** Shows a short text. Screen readers read an error at once, and other texts when they pause. */
function say(text, isError = false) {
  const [shown, other] = isError ? ["alarm", "toast"] : ["toast", "alarm"];
  byId(other).hidden = true;
  byId(shown).textContent = text;
  byId(shown).hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { byId(shown).hidden = true; }, 6000);
}

/** Fills the line at the bottom: whether the file was changed, and what the reader noted. */
function showStatus() {
  const { info } = session;
  byId("status").textContent = [session.isUnsaved ? t("save.unsaved") : "", ...info.notes].filter(Boolean).join(" · ");
}

const drafts = new Drafts(() => { if (!isHosted) say(t("drafts.none"), true); });
const session = new Session(drafts, (error) => start.died(error));
const dialects = [];
const panes = new Panes();
const compare = new Compare(session, panes);
const folder = new Folder(session, (...parts) => start.open(...parts));
const start = new Start(session, { dialects, folder, compare, say });
const recovery = new Recovery(drafts, start, say);
const welcome = new Welcome(session, panes);
const reading = new Reading(session);
new Details(session, reading);
new Crumbs(session);
const address = new Address(session, say);
const tree = new Tree(session, byId("tree"), say);
new Hex(session, byId("hex"), byId("field"));
new Find(session, tree);
new Changes(session, say);
new Saving(session, say);
new FileTabs(session);
new Problems(session, (blob, name) => start.open(blob, name));
new Export(session);
for (const type of ["opened", "changed", "saved"]) session.addEventListener(type, showStatus);
session.addEventListener("selected", ({ detail }) => { if (detail.from === "list") panes.leave(); });
byId("open-more").addEventListener("click", () => byId("open").click());
languageList(byId("language"), () => {
  welcome.showRecent();
  // The panes show their texts again.
  if (session.isOpen && !byId("work").hidden) session.dispatchEvent(new CustomEvent("opened", { detail: { isReturn: true } }));
});
welcome.showRecent();
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.isDead) event.preventDefault();
  else if (event.reason?.name === "VariantError") {
    event.preventDefault();
    say(event.reason.message, true);
  }
});
addEventListener("beforeunload", (event) => {
  session.leave();
  // A host that saves has the changes also.
  if ((session.isAnyUnsaved || tree.actions.field.isTyped) && document.documentElement.dataset.host !== "host") event.preventDefault();
});

client.died = session.died;
dialects.push(...await client.call(0, "dialects"));
for (const id of ["dialect", "convert-to"]) byId(id).append(...dialects.map((value) => make("option", { value }, engineOf(value))));
const hasDrafts = !isHosted && await recovery.show().catch(() => false);
performance.mark("usable");
if (isHosted) await host(session);
// The first visit begins with the sample, unless the address leads elsewhere.
else if (welcome.isFirst && !hasDrafts && !address.isGiven && !session.isOpen && byId("busy").textContent === "") byId("sample").click();

// The page in each language, at a sample of sizes. A made-up language, from right to left and longer, shows which texts are not in the table, cut or mirrored wrongly.

import assert from "node:assert/strict";
import test from "node:test";

import { corpus, isSampled, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin";
const SIZES = [[1440, 860], [390, 844], [360, 640]];
/** Parts that show texts of files, names of formats and engines, or messages of the reader. */
const OF_FILES = "#tree, #hex, #crumbs, #files, code, .error, .entry, h1, dt, [lang], #candidates strong, #field, #details dd, #status, #convert-to, #dialect, #compression, #encryption, #lock-file, [aria-hidden=true]";

/** The visible texts that are not in brackets, the cut texts, and the pairs of overlapping controls. */
const looked = (page, ofFiles) => page.evaluate((ofFiles) => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;
  const name = (element) => `${element.tagName.toLowerCase()}#${element.id || element.closest("[id]")?.id}: ${element.textContent.trim().slice(0, 50)}`;
  const unseen = (element) => element.closest(".unseen, #skip, option");
  const all = [...document.querySelectorAll("body *")].filter((element) => isShown(element) && !unseen(element));
  const own = (element) => [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join("").trim();
  const bare = all.filter((element) => /\p{L}{2}/u.test(own(element)) && !/^⟦.*⟧$/su.test(own(element)) && !element.closest(ofFiles));
  const labels = [...document.querySelectorAll("[aria-label], [placeholder]")].filter((element) => isShown(element) && !element.closest(ofFiles))
    .filter((element) => [element.getAttribute("aria-label"), element.getAttribute("placeholder")].some((text) => text && !text.startsWith("⟦")));
  // Rows, crumbs and tabs of files end with an ellipsis or scroll.
  const cut = all.filter((element) => own(element) && !element.closest("#tree, #hex, #crumbs, #files, select, h1") && (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0));
  const wide = document.documentElement.scrollWidth > innerWidth ? [`${document.documentElement.scrollWidth} pixels`] : [];
  const controls = all.filter((element) => element.matches("button, input, select, summary") && !element.closest("#tree, #hex, #crumbs, #files, #candidates"));
  const boxes = controls.map((element) => [element, element.getBoundingClientRect()]);
  const over = boxes.flatMap(([one, a], number) => boxes.slice(number + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one) && one.closest("dialog, [popover], #toast") === other.closest("dialog, [popover], #toast")
      && one.closest("main, header, #foot, dialog") === other.closest("main, header, #foot, dialog")
      && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
      && one.closest("section, form, nav") === other.closest("section, form, nav"))
    .map(([other]) => `${name(one)} over ${name(other)}`));
  return { bare: bare.map(name), labels: labels.map(name), cut: cut.map(name), wide, over };
}, ofFiles);

async function check(page, language, where) {
  const { bare, labels, ...rest } = await looked(page, OF_FILES);
  assert.deepEqual({ ...rest, ...(language === "qps" ? { bare, labels } : {}) }, { cut: [], wide: [], over: [], ...(language === "qps" ? { bare: [], labels: [] } : {}) }, where);
}

for (const [row, language] of ["en", "de", "qps"].entries()) {
  for (const [column, [width, height]] of SIZES.entries()) {
    // The window of a desktop shows the most texts.
    const isWhole = language === "qps" && column === 0;
    if (!isWhole && !isSampled(row, column, SIZES.length)) continue;
    const isPhone = width < 720;
    test(`${language} at ${width} x ${height}: each text is from the table, and whole`, withPage(async (inspector, page) => {
      const look = async (where) => {
        await check(page, language, `${where}, ${language}, ${width}`);
        await inspector.screenshot(`${language}-${width}-${where}`);
      };
      assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), [language, language === "qps" ? "rtl" : "ltr"]);
      await look("start");
      await page.click("#sample");
      await inspector.shown();
      await look("sample");
      await inspector.openNext(corpus(PLAIN));
      const more = isPhone ? "#foot [popovertarget]" : "#more";
      await page.hover("#tree .selected");
      await page.click("#tree .selected .more");
      await look("row");
      await page.keyboard.press("Escape");
      await inspector.go("version");
      await inspector.press("Delete");
      await page.waitForSelector("#tab-changes[data-count]", { state: "attached" });
      if (isPhone) await page.click("#foot [data-pane=side]");
      for (const tab of ["changes", "problems", "compare", "export"]) {
        await inspector.tab(tab);
        await look(tab);
      }
      for (const pane of isPhone ? ["find", "bytes", "values"] : []) {
        await page.click(`#foot [data-pane=${pane}]`);
        await page.waitForFunction((pane) => document.querySelector("#work").dataset.pane === pane, pane);
        await look(pane);
      }
      await page.click(more);
      await look("menu");
      await page.click("#show-details");
      await look("details");
      await page.click("#details-reading");
      await page.waitForSelector("#candidates label");
      await page.click("#reading-details summary");
      await look("reading");
      await page.click("#reading-cancel");
      await inspector.choose(corpus("godot4/containers/pass_hunter2_3.gdec"));
      await page.waitForSelector("#lock:not([hidden])");
      await look("lock");
      await inspector.choose({ name: "x.png", buffer: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") });
      await page.waitForSelector("#failure:not([hidden])");
      await look("failure");
      await page.setInputFiles("#folder-picker", corpus("pandemonium3/saves"));
      await page.waitForSelector("#folder-list li");
      await page.click("#folder-check");
      await inspector.says("#folder-state", /1/);
      await look("folder");
    }, { viewport: { width, height }, hasTouch: isPhone, search: `?lang=${language}` }));
  }
}

test("a chosen language is shown at once, and kept", withPage(async (inspector, page) => {
  await page.click("#more");
  await page.selectOption("#language", "de");
  await inspector.says("#choose", /Spielstand wählen/);
  await page.reload();
  await inspector.says("#choose", /Spielstand wählen/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
}));

test("the browser's language is the page's language", withPage(async (inspector, page) => {
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
}, { locale: "de-AT" }));

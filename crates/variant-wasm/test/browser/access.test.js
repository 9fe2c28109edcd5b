// The page can be used with only a keyboard, and with a screen reader.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, isSampled, site } from "./site.js";

const { withPage } = site();
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TABS = ["changes", "problems", "compare", "export"];

/** Asserts that axe-core finds no violations. The page's policy would stop the script of axe-core, so the browser injects the script. */
async function clean(inspector, where) {
  const violations = await inspector.page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`);
  });
  assert.deepEqual(violations, [], where);
}

// The sample has each state of the page in one of the themes.
for (const [column, colorScheme] of ["light", "dark"].entries()) {
  test(`axe-core finds nothing, ${colorScheme}`, withPage(async (inspector, page) => {
    await page.context().addInitScript({ path: axe });
    let state = 0;
    const look = async (where) => {
      if (isSampled(state++, column, 2)) await clean(inspector, where);
    };
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    await look("start");
    await inspector.choose({ name: "x.png", buffer: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") });
    await inspector.says("#failure", /not opened/);
    await look("failure");
    await inspector.choose(corpus("godot4/containers/pass_hunter2_3.gdec"));
    await page.waitForSelector("#lock:not([hidden])");
    await look("lock");

    await inspector.open(corpus("godot4/saves/plain.bin"));
    await inspector.go("entities[3].tag", 1);
    await inspector.screenshot(`${colorScheme}-overview`);
    await inspector.submit("#find", "tag");
    await page.waitForSelector("#find-next:not([disabled])");
    await look("search");
    await inspector.edit("renamed");
    await inspector.says("#changes-state", /1 change/);
    await inspector.compareWith("another");
    await page.setInputFiles("#other", corpus("godot4/saves/plain.bin"));
    await page.click("#compare-form [type=submit]");
    await inspector.says("#compare-state", /1 changed/);
    await inspector.tab("export");
    await page.selectOption("#convert-to", "godot3");
    await page.click("#convert-form [type=submit]");
    await inspector.says("#convert-state", /cannot/);
    for (const tab of TABS) {
      await inspector.tab(tab);
      await look(tab);
      await inspector.screenshot(`${colorScheme}-${tab}`);
    }
    await inspector.press("Enter");
    await page.waitForSelector("#row-field:not([hidden])");
    await look("field");
    await inspector.screenshot(`${colorScheme}-edit`);
    await page.keyboard.press("Escape");
    await inspector.press("Shift+F10");
    await page.waitForSelector("#row-menu:not([hidden])");
    await look("menu of a row");
    await page.keyboard.press("Escape");
    await page.click("#reading");
    await page.waitForSelector("#candidates label");
    await look("reading");
    await inspector.screenshot(`${colorScheme}-reading`);
    await page.click("#reading-cancel");

    await inspector.openNext(corpus("damaged/bad_utf8.variant"));
    await inspector.tab("problems");
    await inspector.says("#problems-state", /1 problem/);
    await page.click("#problems-list button");
    await page.click("#salvage");
    await inspector.says("#salvaged", /lost/);
    await look("salvage");
  }, { colorScheme }));
}

test("the keyboard alone: open, walk, edit, undo, search, bytes", withPage(async (inspector, page) => {
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await page.focus("#sample");
  await press("Enter");
  await inspector.shown();
  assert.equal(await page.evaluate(() => document.activeElement.id), "tree");
  await inspector.openNext(corpus("godot4/saves/plain.bin"));
  await press("ArrowRight");
  await inspector.says("#tree .selected .label", /^version$/);
  const active = await page.evaluate(() => {
    const row = document.getElementById(document.querySelector("#tree").getAttribute("aria-activedescendant"));
    return [row.getAttribute("role"), ...["level", "posinset", "setsize", "selected"].map((name) => row.getAttribute(`aria-${name}`))];
  });
  const { rows } = new Document(bytesOf("godot4/saves/plain.bin")).node([0]);
  assert.deepEqual(active, ["treeitem", "2", "1", String(rows), "true"]);

  await inspector.at("version");
  await press("Enter");
  await page.waitForSelector("#row-field:not([hidden])");
  await press("Control+a");
  await page.keyboard.type("12");
  await press("Enter");
  await inspector.says("#tree .selected .value", /^12$/);
  await page.waitForFunction(() => document.activeElement.id === "tree");
  await press("Control+z");
  await inspector.says("#tree .selected .value", /^4$/);

  await press("e");
  await inspector.says("#tree .selected .label", /^entities$/);
  await inspector.at("entities");
  await press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("#tree .selected").getAttribute("aria-expanded") === "true");
  await press("ArrowRight");
  await inspector.says("#tree .selected .label", /0/);
  await press("ArrowLeft");
  await inspector.says("#tree .selected .label", /^entities$/);
  await press("End");
  await inspector.says("#tree .selected .value", /tail/);
  await press("Home");
  await page.waitForFunction(() => document.querySelector("#tree .selected").getAttribute("aria-posinset") === "1");

  await press("Control+f");
  await page.keyboard.type("enemy_7");
  await press("Enter");
  await inspector.at("entities[7].tag");
  await page.focus("#hex");
  await press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
  await inspector.says("#field", /length/);
  await press("Control+End");
  await inspector.says("#tree .selected .value", /tail/);
  await press("Control+Home");
  await page.waitForFunction(() => document.querySelector("#tree .selected").getAttribute("aria-level") === "1");

  await page.focus("#tab-changes");
  await press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-problems");
  assert.ok(await page.isVisible("#problems"));
}));

test("the active element of a list is one that is drawn, however few rows there are", withPage(async (inspector, page) => {
  const isThere = (id) => page.waitForFunction((id) => {
    const active = document.getElementById(id).getAttribute("aria-activedescendant");
    return active === null || document.getElementById(active)?.checkVisibility();
  }, id);
  await inspector.open(corpus("godot4/saves/plain.bin"));
  await inspector.press("Control+f");
  for (const id of ["hex", "tree"]) {
    await page.setViewportSize({ width: 1440, height: 860 });
    await page.focus(`#${id}`);
    for (let turn = 0; turn < 12; turn++) await page.keyboard.press("ArrowDown");
    await page.waitForFunction((id) => document.getElementById(id).hasAttribute("aria-activedescendant"), id);
    for (const height of [500, 260, 860]) {
      const before = await page.evaluate((id) => document.getElementById(id).clientHeight, id);
      await page.setViewportSize({ width: 1440, height });
      await page.waitForFunction(([id, before]) => document.getElementById(id).clientHeight !== before, [id, before]);
      await isThere(id);
    }
  }
  // Another file has fewer bytes.
  await inspector.openNext(corpus("godot4/saves/rpc.variant"));
  for (const id of ["hex", "tree"]) await isThere(id);
}));

test("light, dark, and kept", withPage(async (inspector, page) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await page.click("#more");
  await page.selectOption("#theme", "dark");
  assert.equal(await theme(), "dark");
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
}));

test("F6 goes from pane to pane, and the first link to the values", withPage(async (inspector, page) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  const at = () => page.evaluate(() => document.activeElement.id);
  const stops = [];
  for (let turn = 0; turn < 5; turn++) {
    await page.keyboard.press("F6");
    stops.push(await at());
  }
  assert.deepEqual(stops, ["hex", "tab-changes", "file-1", "find", "tree"]);
  await page.keyboard.press("Shift+F6");
  assert.equal(await at(), "find");
  await page.focus("#skip");
  await page.keyboard.press("Enter");
  assert.equal(await at(), "tree");
}));

for (const [colorScheme, width, height] of [["light", 390, 844], ["dark", 360, 640], ["dark", 1440, 860]]) {
  test(`axe-core finds nothing at ${width} x ${height}, ${colorScheme}: first visit, menus, dialogs, start`, withPage(async (inspector, page) => {
    await page.context().addInitScript({ path: axe });
    await inspector.shown();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await inspector.shown();
    await clean(inspector, "first visit");
    const isPhone = width < 720;
    if (isPhone) {
      for (const pane of ["find", "side", "bytes", "values"]) {
        await page.click(`#foot [data-pane=${pane}]`);
        await clean(inspector, pane);
        await inspector.screenshot(`${colorScheme}-${width}-${pane}`);
      }
    }
    const more = isPhone ? "#foot [popovertarget]" : "#more";
    await page.click(more);
    await clean(inspector, "menu");
    await inspector.screenshot(`${colorScheme}-${width}-menu`);
    await page.click("#show-details");
    await clean(inspector, "details");
    await inspector.screenshot(`${colorScheme}-${width}-details`);
    await page.click("#details-reading");
    await page.waitForSelector("#candidates label");
    await page.click("#reading-details summary");
    await clean(inspector, "reading");
    await inspector.screenshot(`${colorScheme}-${width}-reading`);
    await page.click("#reading-cancel");
    await page.click(more);
    await page.click("#show-start");
    await clean(inspector, "start");
    await inspector.screenshot(`${colorScheme}-${width}-start`);
  }, { colorScheme, isFirst: true, viewport: { width, height }, hasTouch: width < 720 }));
}

test("a narrow window has all panes", withPage(async (inspector) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  const width = await inspector.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 400, `${width} pixels`);
  await inspector.screenshot("narrow");
}, { viewport: { width: 400, height: 800 } }));

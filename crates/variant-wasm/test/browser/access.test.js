// The page can be used with only a keyboard, and with a screen reader.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

import { Document } from "../../js/document-node.js";
import { bytesOf, corpus, site } from "./site.js";

const { withPage } = site();
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TABS = ["search", "changes", "problems", "compare", "export"];

/** Asserts that axe-core finds no violations. The page's policy would stop the script of axe-core, so the browser injects the script. */
async function clean(inspector, where) {
  const violations = await inspector.page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`);
  });
  assert.deepEqual(violations, [], where);
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${colorScheme}`, withPage(async (inspector, page) => {
    await page.context().addInitScript({ path: axe });
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    await clean(inspector, "start");
    await inspector.choose({ name: "x.png", buffer: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") });
    await inspector.says("#failure", /not opened/);
    await clean(inspector, "failure");
    await inspector.choose(corpus("godot4/containers/pass_hunter2_3.gdec"));
    await page.waitForSelector("#lock:not([hidden])");
    await clean(inspector, "lock");

    await inspector.open(corpus("godot4/saves/plain.bin"));
    await inspector.go("entities[3].tag", 1);
    await inspector.screenshot(`${colorScheme}-overview`);
    await inspector.submit("#search-text", "tag");
    await inspector.says("#search-state", /hit/);
    await clean(inspector, "search");
    await inspector.edit('&"renamed"');
    await inspector.says("#changes-state", /1 change/);
    await inspector.tab("compare");
    await page.setInputFiles("#other", corpus("godot4/saves/plain.bin"));
    await page.click("#compare-form [type=submit]");
    await inspector.says("#compare-state", /1 changed/);
    await inspector.tab("export");
    await page.selectOption("#convert-to", "godot3");
    await page.click("#convert-form [type=submit]");
    await inspector.says("#convert-state", /cannot/);
    for (const tab of TABS) {
      await inspector.tab(tab);
      await clean(inspector, tab);
      await inspector.screenshot(`${colorScheme}-${tab}`);
    }
    await page.click("#insert");
    await clean(inspector, "editor");
    await inspector.screenshot(`${colorScheme}-edit`);
    await page.click("#cancel");
    await page.click("#reading");
    await page.waitForSelector("#candidates label");
    await clean(inspector, "reading");
    await inspector.screenshot(`${colorScheme}-reading`);
    await page.click("#reading-cancel");

    await inspector.asked(true, () => inspector.openNext(corpus("damaged/bad_utf8.variant")));
    await inspector.tab("problems");
    await inspector.says("#problems-state", /1 problem/);
    await page.click("#problems-list button");
    await page.click("#salvage");
    await inspector.says("#salvaged", /lost/);
    await clean(inspector, "salvage");
  }, { colorScheme }));
}

test("the keyboard alone: open, walk, edit, undo, search, bytes", withPage(async (inspector, page) => {
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await page.focus("#sample");
  await press("Enter");
  await inspector.shown();
  assert.equal(await page.evaluate(() => document.activeElement.id), "tree");
  await press("ArrowRight");
  await inspector.says("#tree .selected .label", /^"version"$/);
  const active = await page.evaluate(() => {
    const row = document.getElementById(document.querySelector("#tree").getAttribute("aria-activedescendant"));
    return [row.getAttribute("role"), ...["level", "posinset", "setsize", "selected"].map((name) => row.getAttribute(`aria-${name}`))];
  });
  const { rows } = new Document(bytesOf("godot4/saves/plain.bin")).node([0]);
  assert.deepEqual(active, ["treeitem", "2", "1", String(rows), "true"]);

  await inspector.says("#path-bar", /Path/);
  await inspector.at("version");
  await press("Enter");
  await page.waitForSelector("#editor:not([hidden])");
  await press("Control+a");
  await page.keyboard.type("12");
  await press("Enter");
  await inspector.says("#tree .selected .value", /^12$/);
  await page.waitForFunction(() => document.activeElement.id === "tree");
  await press("Control+z");
  await inspector.says("#tree .selected .value", /^4$/);

  await press("e");
  await inspector.says("#tree .selected .label", /^"entities"$/);
  await inspector.at("entities");
  await press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("#tree .selected").getAttribute("aria-expanded") === "true");
  await press("ArrowRight");
  await inspector.says("#tree .selected .label", /0/);
  await press("ArrowLeft");
  await inspector.says("#tree .selected .label", /^"entities"$/);
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

  await page.focus("#tab-search");
  await press("ArrowRight", "ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-problems");
  assert.ok(await page.isVisible("#problems"));
}));

test("light, dark, and kept", withPage(async (inspector, page) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await page.click("#theme");
  assert.equal(await theme(), "dark");
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
}));

test("a narrow window has all panes", withPage(async (inspector) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  const width = await inspector.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 400, `${width} pixels`);
  await inspector.screenshot("narrow");
}, { viewport: { width: 400, height: 800 } }));

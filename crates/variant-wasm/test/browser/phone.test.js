// The page on a phone: one pane at a time, a bar at the foot, targets for fingers.

import assert from "node:assert/strict";
import test from "node:test";

import { corpus, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin";
const PANES = { values: "#tree", find: "#find", side: "#changes", bytes: "#hex" };

/** The targets that are smaller than 44 pixels. */
const small = (page) => page.evaluate(() => {
  const targets = [...document.querySelectorAll("button, select, summary, input:not([type=checkbox], [type=radio]), .check, .candidate")];
  const isShown = (element) => element.checkVisibility() && !element.closest("#tree, #skip");
  return targets.filter(isShown).map((element) => [element, element.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 43.5 || height < 43.5))
    .map(([element, { width, height }]) => `${element.id || element.textContent}: ${width.toFixed()} x ${height.toFixed()}`);
});

for (const [width, height] of [[390, 844], [360, 640]]) {
  const options = { viewport: { width, height }, hasTouch: true, isMobile: true };

  test(`one pane at a time, and targets of at least 44 pixels, at ${width} x ${height}`, withPage(async (inspector, page) => {
    assert.deepEqual(await small(page), [], "start");
    await inspector.open(corpus(PLAIN));
    for (const [pane, shown] of Object.entries(PANES)) {
      await page.tap(`#foot [data-pane=${pane}]`);
      await page.waitForSelector(shown, { state: "visible" });
      assert.equal(await page.locator("#panes > section:visible").count(), 1, pane);
      assert.deepEqual(await page.$$eval("#foot [aria-current]", (all) => all.map(({ dataset }) => dataset.pane)), [pane]);
      assert.deepEqual(await small(page), [], pane);
      const foot = await page.locator("#foot").boundingBox();
      assert.ok(Math.abs(foot.y + foot.height - height) < 1, `the bar ends at ${foot.y + foot.height}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    }
    await page.tap("#foot [data-pane=side]");
    for (const tab of ["problems", "compare", "export"]) {
      await inspector.tab(tab);
      assert.deepEqual(await small(page), [], tab);
    }
    await page.tap("#foot [popovertarget]");
    assert.deepEqual(await small(page), [], "menu");
    await page.tap("#show-details");
    await page.tap("#details-reading");
    await page.waitForSelector("#candidates label");
    assert.deepEqual(await small(page), [], "reading");
  }, options));

  test(`the tree has most of the screen at ${width} x ${height}`, withPage(async (inspector, page) => {
    await inspector.open(corpus(PLAIN));
    const { height: tree } = await page.locator("#tree").boundingBox();
    assert.ok(tree > height * 0.55, `${tree} of ${height}`);
  }, options));
}

test("the search stays on the screen as long as it holds a text", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  assert.ok(!(await page.isVisible("#find")));
  await page.tap("#foot [data-pane=find]");
  assert.equal(await page.evaluate(() => document.activeElement.id), "find");
  await page.fill("#find", "tag");
  await page.tap("#foot [data-pane=values]");
  assert.ok(await page.isVisible("#find"));
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }));

test("what is chosen in a list is shown among the values", withPage(async (inspector, page) => {
  await inspector.open(corpus("damaged/bad_utf8.variant"));
  await page.tap("#foot [data-pane=side]");
  await inspector.tab("problems");
  await page.tap("#problems-list button");
  await page.waitForSelector("#tree", { state: "visible" });
}, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }));

test("the first visit begins with the sample, later visits do not; each thing to try leads there", withPage(async (inspector, page) => {
  await inspector.shown();
  await page.click("#try-level");
  await inspector.at("player.level");
  await page.click("#try-item");
  await inspector.at("inventory[0]");
  await page.click("#try-compare");
  assert.ok(await page.isVisible("#compare"));
  assert.ok(!(await page.isVisible("#hex")));
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
  assert.ok(await page.isVisible("#welcome"));
}, { isFirst: true }));

test("bytes and tools stay open or closed", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await page.click("#show-bytes");
  await page.click("#close-side");
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
  await inspector.open(corpus(PLAIN));
  assert.ok(!(await page.isVisible("#hex")) && !(await page.isVisible("#side")));
  await page.click("#show-side");
  assert.ok(await page.isVisible("#side"));
}));

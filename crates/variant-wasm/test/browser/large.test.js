// Large files. The tests print the times. With LIMITS=1 they also assert the limits of the times.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { between, bytesOf, measured, site, temporary } from "./site.js";

const { withPage } = site();
const ARRAY = 28, INT = 2;

/** An array of Godot 4 that contains a value several times. */
function repeated(value, count) {
  const bytes = Buffer.alloc(8 + value.length * count);
  bytes.writeUInt32LE(ARRAY, 0);
  bytes.writeUInt32LE(count, 4);
  for (let number = 0; number < count; number++) bytes.set(value, 8 + number * value.length);
  return bytes;
}

function made(name, bytes) {
  const path = join(temporary, name);
  writeFileSync(path, bytes);
  return path;
}

/** Times of frames and long tasks during `work`. */
async function watched(inspector, work) {
  await inspector.page.evaluate(() => {
    const watch = { frames: [], tasks: [] };
    new PerformanceObserver((list) => watch.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    const frame = (time) => { watch.frames.push(time); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    window.watch = watch;
  });
  await work();
  return inspector.page.evaluate(() => {
    const { frames, tasks } = window.watch, gaps = frames.slice(1).map((time, number) => time - frames[number]);
    return { rate: (1000 * gaps.length) / (frames.at(-1) - frames[0]), longest: Math.max(0, ...tasks), widest: Math.max(...gaps) };
  });
}

test("a file of 50 MB", withPage(async (inspector, page, test) => {
  const record = bytesOf("godot4/saves/sample20.variant"), count = Math.ceil(50e6 / record.length);
  const { longest } = await watched(inspector, async () => {
    await inspector.open(made("large.variant", repeated(record, count)));
    measured(test, "opened 50 MB", await between(inspector, "open", "opened"), 500);
    measured(test, "first tree of 50 MB", await between(inspector, "open", "rows-shown"), 500);
    await page.fill("#find", "enemy_1");
    await page.waitForFunction(() => performance.getEntriesByName("hits-shown").length > 0);
    measured(test, "first hits of a filter over 50 MB", await between(inspector, "search", "hits-shown"), 100);
    await page.fill("#find", "no such text anywhere");
    await inspector.says("#find-state", /^Nothing is found/);
    await page.fill("#find", "");
    await inspector.go(`[${count - 1}].entities[19].tag`);
    await inspector.says("#tree .selected .label", /^tag$/);
    assert.equal((await inspector.selected()).text, "enemy_19");
  });
  measured(test, "longest task while a file of 50 MB is opened and searched", longest, 100);
}));

test("frames of 50 MB", withPage(async (inspector, page, test) => {
  const record = Buffer.from(bytesOf("godot3/saves/replay_200.bin"));
  await inspector.open(made("large.frames", Buffer.concat(Array(Math.ceil(50e6 / record.length)).fill(record))));
  measured(test, "first tree of 50 MB of frames", await between(inspector, "open", "rows-shown"), 500);
}));

test("a million rows are scrolled", withPage(async (inspector, page, test) => {
  const count = 1_000_000, value = Buffer.alloc(8);
  value.writeUInt32LE(INT, 0);
  const bytes = repeated(value, count);
  for (let number = 0; number < count; number++) bytes.writeUInt32LE(number, 8 + number * 8 + 4);
  await inspector.open(made("million.variant", bytes));
  await inspector.press("End");
  await inspector.says("#tree .selected .value", /^999999$/);
  assert.ok((await page.locator("#tree .row").count()) < 200);
  await page.keyboard.press("ArrowUp");
  await inspector.says("#tree .selected .value", /^999998$/);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await inspector.says("#tree .selected .value", /^0$/);

  // A wheel moves by rows at any position. A jump shows the rows of the new position.
  const first = async () => Number((await inspector.rows()).at(1).label.replace(/\D/g, ""));
  await page.evaluate(() => new Promise((resolve) => {
    const tree = document.querySelector("#tree");
    tree.addEventListener("scrollend", resolve, { once: true });
    tree.scrollTop = (tree.scrollHeight - tree.clientHeight) / 2;
  }));
  await page.waitForFunction(() => !document.querySelector("#tree .body").textContent.includes("[1]"));
  await inspector.settled();
  const middle = await first();
  assert.ok(Math.abs(middle - count / 2) < 100, `row ${middle}`);
  await page.hover("#tree");
  await page.evaluate(() => { globalThis.ended = new Promise((resolve) => { document.querySelector("#tree").addEventListener("scrollend", resolve, { once: true }); }); });
  await page.mouse.wheel(0, 260);
  await page.evaluate(() => globalThis.ended);
  await inspector.settled();
  assert.ok(Math.abs((await first()) - middle - 10) <= 1, `from ${middle} to ${await first()}`);

  const { rate, longest, widest } = await watched(inspector, async () => {
    for (let turn = 0; turn < 120; turn++) {
      await page.mouse.wheel(0, turn % 40 === 39 ? 40_000 : 180);
      await page.waitForTimeout(16);
    }
  });
  test.diagnostic(`frames a second: ${rate.toFixed(0)}, widest gap ${widest.toFixed(0)} ms`);
  measured(test, "longest task while scrolling", longest, 50);
}));

test("10,000 edits in the list of undo", withPage(async (inspector, page, test) => {
  await inspector.open({ name: "plain.bin", buffer: Buffer.from(bytesOf("godot4/saves/plain.bin")) });
  // The worker makes the edits that the page would ask for; the page learns of them with its own next edit.
  await page.evaluate(async () => {
    const { client } = await import(new URL("client.js", document.baseURI));
    for (let number = 1; number < 10_000; number++) await client.call(1, "edit", [{ set: { frame: 1, path: "version" }, to: String(number) }]);
  });
  const { longest } = await watched(inspector, async () => {
    await inspector.go("version");
    await inspector.edit("77");
    await inspector.says("#changes-state", /^10,?000 changes/);
    await inspector.tab("changes");
    await page.press("#changes-earlier", "Enter");
    await page.waitForFunction(() => document.querySelectorAll("#changes-list li").length > 100);
    await inspector.press("Control+z");
    await inspector.says("#changes-state", /^9,?999 changes/);
  });
  measured(test, "longest task with 10,000 edits", longest, 50);
}));

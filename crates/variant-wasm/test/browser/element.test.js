// The element <variant-inspector> in another page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import test, { before } from "node:test";
import { fileURLToPath } from "node:url";

import { Document } from "../../js/document-node.js";
import { bytesOf, site, temporary } from "./site.js";

const folder = join(temporary, "element");
before(() => { execFileSync(fileURLToPath(new URL("../../page/bundle", import.meta.url)), ["--site", folder], { stdio: ["ignore", "ignore", "inherit"] }); });
const { withPage } = site(undefined, { served: folder, start: "element.html", isReady: () => customElements.get("variant-inspector") !== undefined });

/** The frame has no `localStorage`, in which a page that was visited before has its choices. */
const hosted = (body) => withPage(body, { isFirst: true });

const SAMPLE = bytesOf("godot3/containers/gcpf_zstd_save.bin"), ENCRYPTED = bytesOf("godot4/containers/pass_hunter2_3.gdec");

/** The event of the element that an action causes, and its detail. */
async function eventOf(page, type, action) {
  const heard = page.evaluate((type) => new Promise((resolve) => {
    document.querySelector("variant-inspector").addEventListener(type, ({ detail }) => resolve(JSON.parse(JSON.stringify({ ...detail, message: detail?.message }))), { once: true });
  }), type);
  await action();
  return heard;
}
/** Does `work` with the element and more parts. */
const on = (page, work, ...parts) => page.evaluate(([work, parts]) => new Function("element", "parts", `return (${work})(element, ...parts)`)(document.querySelector("variant-inspector"), parts), [work.toString(), parts]);
const bytes = async (page) => Uint8Array.from(await on(page, async (element) => [...await element.bytes()]));
const isSelected = (page, path) => page.waitForFunction((path) => document.querySelector("#selected").textContent === path, path);
const version = (bytes) => new Document(bytes).at({ frame: 1, path: "version" });

test("the file of `src` is shown at `path`; an edit is an event; bytes() has it", { timeout: 60_000 }, hosted(async (inspector, page) => {
  await isSelected(page, "version");
  assert.deepEqual(await bytes(page), SAMPLE);
  const frame = page.frames()[1];
  assert.equal(await frame.evaluate(() => self.origin), "null");
  const detail = await eventOf(page, "change", async () => {
    await frame.press("#tree", "Enter");
    await frame.waitForSelector("#row-field:not([hidden]) input");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
  });
  assert.deepEqual([detail.canUndo, detail.canRedo, detail.isUnsaved], [true, false, true]);
  assert.equal(version(await bytes(page)), 5);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelector("#undo").disabled);
  assert.deepEqual(await bytes(page), SAMPLE);
  await on(page, (element) => element.redo());
  assert.equal(version(await bytes(page)), 5);
}));

test("attributes select another value, another theme, and forbid changes", { timeout: 60_000 }, hosted(async (inspector, page) => {
  await isSelected(page, "version");
  await on(page, (element) => element.setAttribute("path", "player.level"));
  await isSelected(page, "player.level");
  await on(page, (element) => { element.setAttribute("theme", "dark"); element.setAttribute("readonly", ""); element.setAttribute("lang", "de"); });
  const frame = page.frames()[1];
  await frame.waitForFunction(() => document.documentElement.dataset.theme === "dark" && document.documentElement.lang === "de");
  assert.equal(await frame.isVisible("#undo"), false);
  assert.match((await eventOf(page, "error", () => on(page, (element) => element.setAttribute("path", "nothing.here")))).message, /./);
}));

test("an encrypted file is opened with its password, and is an error without", { timeout: 60_000 }, hosted(async (inspector, page) => {
  await isSelected(page, "version");
  await on(page, (element) => { element.removeAttribute("path"); });
  const open = (options) => on(page, (element, bytes, options) => element.open(new Uint8Array(bytes), "save.bin", options).then(() => "open", ({ class: kind }) => kind), [...ENCRYPTED], options);
  assert.equal(await open({ password: "hunter2" }), "open");
  assert.equal(await open({}), "open");
  assert.ok(await page.frames()[1].isVisible("#lock"));
  assert.equal(await open({ password: "hunter2" }), "open");
  assert.deepEqual(new Document(await bytes(page), { password: "hunter2" }).unwrap(), new Document(ENCRYPTED, { password: "hunter2" }).unwrap());
  await on(page, (element) => element.setAttribute("password-prompt", "none"));
  assert.equal(await open({}), "locked");
}));

test("an address without a file is an error; an element that is moved opens its file again", { timeout: 60_000 }, hosted(async (inspector, page) => {
  await isSelected(page, "version");
  const { message } = await eventOf(page, "error", () => on(page, (element) => element.setAttribute("src", "missing.bin")));
  assert.match(message, /missing\.bin: the server answered 404/);
  inspector.troubles.splice(0).forEach((trouble) => assert.match(trouble, /404/));
  const { name } = await eventOf(page, "open", () => on(page, (element) => document.body.append(element)));
  assert.equal(name, "sample.bin");
}));

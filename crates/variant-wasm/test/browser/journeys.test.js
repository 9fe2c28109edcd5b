// What players come for, from the page's first moment to the saved bytes. Each journey is tested at one size, in the theme
// of that size. `VARIANT_RECORDS=all` tests each at all sizes.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

import { Document, Literal } from "../../js/document-node.js";
import { bytesOf, corpus, isSampled, site } from "./site.js";

const { withPage } = site();
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** The greatest number of actions from the loaded page to the saved file. The password does not count. */
const MOST = 8;
const SIZES = [
  ["wide, light", { viewport: { width: 1440, height: 860 }, colorScheme: "light" }],
  ["phone, dark", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" }],
  ["small phone, light", { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, colorScheme: "light" }],
];

/** A save as a game of Godot 4 writes it. */
function saveOf(layers) {
  const document = new Document(bytesOf("godot4/containers/pass_hunter2_3.gdec"), { password: "hunter2" });
  document.insert("player", new Literal('{"name": "Ana", "gold": 120, "hp": 31.5}'));
  document.insert("items", new Literal('[{"name": "sword", "price": 30}, {"name": "potion", "price": 5}]'));
  return document.wrap(layers);
}
const LAYERS = {
  "compressed (GCPF)": { compression: "zstd", encryption: "none" },
  "encrypted (GDEC)": { compression: "none", encryption: "cfb", password: "hunter2" },
};
const opened = (bytes) => new Document(bytes, { password: "hunter2" });

/** A journey of a user, whose actions are counted. */
class Journey {
  actions = 0;

  constructor(inspector, options) {
    Object.assign(this, { inspector, page: inspector.page, isTouch: options.hasTouch === true });
  }

  async act(work) {
    this.actions++;
    return work();
  }

  tap(selector) {
    return this.act(() => (this.isTouch ? this.page.tap(selector) : this.page.click(selector)));
  }

  type(text) {
    return this.act(() => this.page.keyboard.type(text));
  }

  press(key) {
    return this.act(() => this.page.keyboard.press(key));
  }

  async open(name, bytes) {
    await this.act(() => this.inspector.choose({ name, buffer: Buffer.from(bytes) }));
  }

  async unlock() {
    await this.inspector.submit("#password", "hunter2");
  }

  /** Looks for a text that one value has. On a phone, the search is in the bar at the foot. */
  async find(text) {
    await this.tap(this.isTouch ? "#foot [data-pane=find]" : "#find");
    await this.type(text);
    // The hits of the shorter texts, before the last letter, have other rows.
    await this.inspector.says("#find-state", /^1 hit$/);
  }

  /** The row with a key. */
  row(key) {
    // A part of the text of a hit is marked, so its text is in several elements.
    return `#tree .row:not([hidden]):has(.label[title="${key}"])`;
  }

  async saved() {
    return this.inspector.downloaded(() => this.tap("#save"));
  }

  async clean(where) {
    const violations = await this.page.evaluate(async (source) => {
      if (!globalThis.axe) throw new Error(source);
      const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`);
    }, "axe-core is missing");
    assert.deepEqual(violations, [], where);
  }
}

for (const [column, [size, options]] of SIZES.entries()) {
  let row = 0;
  const journey = (name, body) => {
    if (!isSampled(row++, column, SIZES.length)) return;
    test(`${name}, ${size}`, withPage(async (inspector, page, context) => {
      await page.context().addInitScript({ path: axe });
      await page.reload();
      await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
      await body(new Journey(inspector, options), page, context);
      await inspector.screenshot(`${name.replaceAll(/\W+/g, "-")}-${size.replaceAll(/\W+/g, "-")}`);
    }, options));
  };

  for (const [layers, how] of Object.entries(LAYERS)) {
    journey(`9,999 gold in a save that is ${layers}`, async (user, page, context) => {
      const before = saveOf(how);
      await user.open("slot1.sav", before);
      if (how.password) await user.unlock();
      await page.waitForSelector("#tree .row");
      await user.find("gold");
      await user.tap(`${user.row("gold")} .label`);
      await user.tap(`${user.row("gold")} .value`);
      await page.waitForSelector("#row-field:not([hidden]) input");
      await user.clean("a value is edited");
      await user.type("9999");
      await user.press("Enter");
      await page.waitForSelector("#files .mark");
      const { name, bytes } = await user.saved();
      context.diagnostic(`${user.actions} actions`);
      assert.ok(user.actions <= MOST, `${user.actions} actions`);
      assert.equal(name, "slot1.sav");
      const after = opened(bytes);
      assert.equal(after.at("player.gold"), 9999);
      assert.deepEqual(after.info.layers.map((layer) => layer.split(" ", 1)[0]), opened(before).info.layers.map((layer) => layer.split(" ", 1)[0]));
      assert.deepEqual(opened(before).diff(after).found.map(({ path }) => path), ["player.gold"]);
    });
  }

  journey("an item more", async (user, page) => {
    await user.open("slot1.sav", saveOf(LAYERS["compressed (GCPF)"]));
    await page.waitForSelector("#tree .row");
    await user.tap(`${user.row("items")} .value`);
    await user.tap(`${user.row("[1]")} .label`);
    await user.tap(`${user.row("[1]")} .more`);
    await page.waitForSelector("[role=menu]");
    await user.clean("the menu of a row");
    await user.tap('[role=menuitem]:has-text("Duplicate")');
    await page.waitForSelector("#files .mark");
    const { bytes } = await user.saved();
    assert.deepEqual(opened(bytes).at("items", { dictionaries: "object" }).map(({ name }) => name), ["sword", "potion", "potion"]);
  });

  journey("two files, and each is saved with its own change", async (user, page) => {
    await user.open("one.sav", saveOf(LAYERS["compressed (GCPF)"]));
    await page.waitForSelector("#tree .row");
    await user.inspector.change("player.gold", "1");
    await user.open("two.sav", saveOf(LAYERS["compressed (GCPF)"]));
    await user.inspector.isOf("two.sav");
    await user.inspector.change("player.gold", "2");
    const second = await user.saved();
    await user.tap('#files [role=tab]:has-text("one.sav")');
    await user.inspector.isOf("one.sav");
    await user.clean("two files");
    const first = await user.saved();
    assert.deepEqual([first, second].map(({ name, bytes }) => [name, opened(bytes).at("player.gold")]), [["one.sav", 1], ["two.sav", 2]]);
  });

  journey("a comparison with the save as it was", async (user, page) => {
    await user.open("slot1.sav", saveOf(LAYERS["compressed (GCPF)"]));
    await page.waitForSelector("#tree .row");
    await user.inspector.change("player.gold", "121");
    if (user.isTouch) await user.tap("#foot [data-pane=side]");
    await user.tap("#tab-compare");
    await user.tap("#compare-form [type=submit]");
    await user.inspector.says("#compare-state", /1 changed, 0 added, 0 removed/);
    await user.clean("a comparison");
    await user.tap("#differences button");
    await user.inspector.says("#tree .selected .text", /121/);
    const { bytes } = await user.saved();
    assert.equal(opened(bytes).at("player.gold"), 121);
  });

  journey("a broken file is told, and what is sound is saved", async (user, page) => {
    const whole = opened(saveOf(LAYERS["compressed (GCPF)"])).unwrap();
    await user.open("broken.sav", whole.slice(0, -30));
    await page.waitForSelector("#tree .row");
    await user.inspector.says("#tab-problems", /./);
    if (user.isTouch) await user.tap("#foot [data-pane=side]");
    await user.tap("#tab-problems");
    await user.inspector.says("#problems-state", /1 problem/);
    await user.clean("problems");
    await user.tap("#salvage");
    await page.waitForSelector("#salvaged .primary");
    const { bytes } = await user.inspector.downloaded(() => user.tap("#salvaged .primary"));
    const after = new Document(bytes);
    assert.ok(after.validate().isValid);
    assert.equal(after.at("player.gold"), 120);
  });

  journey("a crash, and the work is back", async (user, page) => {
    await user.open("slot1.sav", saveOf(LAYERS["compressed (GCPF)"]));
    await page.waitForSelector("#tree .row");
    await user.inspector.change("player.gold", "9999");
    await user.inspector.keeps(1);
    const context = page.context(), address = page.url().replace(/#.*/, "");
    await page.close({ runBeforeUnload: false });
    const next = user.inspector.page = user.page = await context.newPage();
    await next.goto(address);
    await next.waitForSelector("#drafts-list .primary");
    await user.clean("drafts");
    await user.tap("#drafts-list .primary");
    await next.waitForSelector("#files .mark");
    const { bytes } = await user.saved();
    assert.equal(opened(bytes).at("player.gold"), 9999);
  });
}

test("9,999 gold with the keyboard alone", withPage(async (inspector, page) => {
  await inspector.choose({ name: "slot1.sav", buffer: Buffer.from(saveOf(LAYERS["compressed (GCPF)"])) });
  await inspector.shown();
  const { keyboard } = page;
  await keyboard.press("Control+f");
  await keyboard.type("gold");
  await page.waitForFunction(() => !document.querySelector("#find-next").disabled);
  await keyboard.press("Enter");
  await inspector.says("#tree .selected .label", /gold/);
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await page.waitForSelector("#row-field:not([hidden]) input");
  await keyboard.type("9999");
  await keyboard.press("Enter");
  await page.waitForSelector("#files .mark");
  const { bytes } = await inspector.downloaded(() => keyboard.press("Control+s"));
  assert.equal(opened(bytes).at("player.gold"), 9999);
}));

// What is typed above the tree filters it: keys, texts, numbers, and the values that a path selects.

import assert from "node:assert/strict";
import test from "node:test";

import { Document, Literal } from "../../js/document-node.js";
import { encode } from "../../js/node.js";
import { corpus, pressAtOnce, site } from "./site.js";

const { withPage } = site();

/** A save with keys and texts of several scripts, and numbers. */
function save() {
  const document = new Document(encode({ all: null }, "godot4"), { dialect: "godot4", framing: "bare" });
  document.set("", new Literal('{"Герой": {"имя": "ВАСИЛИСА", "hp": 7}, "gold": 1234, "ratio": 0.25, "items": [{"hp": 5, "name": "axe"}, {"hp": 50, "name": "bow"}, {"hp": 9, "name": "club"}]}'));
  return { name: "save.bin", buffer: Buffer.from(document.save()) };
}

/** Types a text, and waits until the state of the search has this text. */
async function find(inspector, text, state) {
  await inspector.page.fill("#find", text);
  await inspector.says("#find-state", state);
}

/** Waits until the tree has these rows. */
const shows = (page, labels) => page.waitForFunction((labels) => [...document.querySelectorAll("#tree .row:not([hidden]) .label")].map(({ textContent }) => textContent).join("\n") === labels.join("\n"), labels);

const WHOLE = "save";

test("keys, texts in any case of any script, numbers and paths filter the tree", withPage(async (inspector, page) => {
  await inspector.open(save());
  for (const [text, state, rows] of [
    ["gol", /^1 hit$/, [WHOLE, "gold"]],
    ["василиса", /^1 hit$/, [WHOLE, "Герой", "имя"]],
    ["ГЕРОЙ", /^1 hit$/, [WHOLE, "Герой"]],
    ["1234", /^1 hit$/, [WHOLE, "gold"]],
    ["0.25", /^1 hit$/, [WHOLE, "ratio"]],
    ["items[?hp<10]", /^2 hits$/, [WHOLE, "items", "[0]", "[2]"]],
    ["items[1].name", /^1 hit$/, [WHOLE, "items", "[1]", "name"]],
    ["no such thing", /^Nothing is found\.$/, []],
  ]) {
    await find(inspector, text, state);
    await shows(page, rows);
  }
}));

test("elements of packed arrays are found by numbers, texts and paths", withPage(async (inspector, page) => {
  const document = new Document(encode({ all: null }, "godot4"), { dialect: "godot4", framing: "bare" });
  document.set("", new Literal('{"p": PackedInt32Array(1, 4321, 3), "words": PackedStringArray("axe", "bow"), "at": PackedVector2Array(1, 2, 3, 4)}'));
  await inspector.open({ name: "save.bin", buffer: Buffer.from(document.save()) });
  for (const [text, state, rows] of [
    ["4321", /^1 hit$/, [WHOLE, "p", "[1]"]],
    ["bow", /^1 hit$/, [WHOLE, "words", "[1]"]],
    ["at[0]", /^1 hit$/, [WHOLE, "at", "[0]"]],
    ["p[-2:]", /^2 hits$/, [WHOLE, "p", "[1]", "[2]"]],
    ["at[*]", /^2 hits$/, [WHOLE, "at", "[0]", "[1]"]],
  ]) {
    await find(inspector, text, state);
    await shows(page, rows);
  }
}));

test("a path typed whole leads to its value by Enter, however soon Enter is pressed", withPage(async (inspector, page) => {
  await inspector.open(save());
  await inspector.press("Control+f");
  await page.evaluate(() => {
    const field = document.querySelector("#find");
    field.value = "items[2].name";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  await inspector.at("items[2].name");
  assert.equal((await inspector.selected()).text, "club");
}));

test("a hit leads to its value after values before it were added and deleted", withPage(async (inspector, page) => {
  await inspector.open(save());
  await find(inspector, "club", /^1 hit$/);
  await shows(page, [WHOLE, "items", "[2]", "name"]);
  await inspector.go("items[0]");
  await inspector.press("Delete");
  await inspector.says("#changes-state", /1 change/);
  await page.press("#find", "Enter");
  await inspector.at("items[1].name");
  assert.equal((await inspector.selected()).text, "club");
  await inspector.go("items[0]");
  await inspector.press("Control+d");
  await inspector.says("#changes-state", /2 changes/);
  await page.press("#find", "Enter");
  await inspector.at("items[2].name");
  assert.equal((await inspector.selected()).text, "club");
  assert.equal(await inspector.text("#find-state"), "1 hit");
}));

test("after its hit is deleted and another value is changed, Enter leads to the next hit", withPage(async (inspector, page) => {
  await inspector.open(save());
  await find(inspector, "name", /^3 hits$/);
  for (const place of [0, 1]) {
    await page.press("#find", "Enter");
    await inspector.at(`items[${place}].name`);
  }
  await inspector.press("Delete");
  await inspector.says("#changes-state", /1 change/);
  await inspector.change("gold", "5", /2 changes/);
  await page.press("#find", "Enter");
  await inspector.at("items[2].name");
}));

test("Enter that follows a change at once leads to where the hit is now", withPage(async (inspector, page) => {
  await inspector.open(save());
  await find(inspector, "club", /^1 hit$/);
  await inspector.go("items[0]");
  // The change is pending.
  await pressAtOnce(page, "Control+d", ["find", "Enter"]);
  await inspector.at("items[3].name");
  assert.equal((await inspector.selected()).text, "club");
  // The tree does not show the change yet.
  await inspector.go("items[0]");
  await page.evaluate(() => {
    const press = (id, key, ctrlKey) => document.getElementById(id).dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
    new MutationObserver((_, observer) => {
      observer.disconnect();
      press("find", "Enter");
    }).observe(document.querySelector("#changes-state"), { childList: true });
    press("tree", "d", true);
  });
  await inspector.at("items[4].name");
  assert.equal((await inspector.selected()).text, "club");
}));

test("a key of a row does nothing if a hit is selected before its value", withPage(async (inspector, page) => {
  await inspector.open(save());
  await find(inspector, "club", /^1 hit$/);
  await inspector.go("items[2]");
  await pressAtOnce(page, "ArrowUp", "Enter", "F3");
  await inspector.at("items[2].name");
  await inspector.settled();
  assert.ok(await page.isHidden("#row-field"));
  assert.equal((await inspector.rows()).length, 4);
}));

test("Escape shows what was shown before, and keeps the selection", withPage(async (inspector, page) => {
  await inspector.open(save());
  await inspector.go("items[0].hp");
  const before = (await inspector.rows()).map(({ label }) => label);
  await find(inspector, "ГЕРОЙ", /^1 hit$/);
  await shows(page, [WHOLE, "Герой"]);
  await page.press("#find", "Enter");
  await inspector.at('Герой');
  await page.press("#find", "Escape");
  await shows(page, before);
  assert.equal((await inspector.selected()).label, "Герой");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tree");
  assert.equal(await page.inputValue("#find"), "");
}));

test("a newer text ends the search of the older one", withPage(async (inspector, page) => {
  await inspector.open(corpus("godot4/saves/plain.bin"));
  await page.evaluate(() => {
    const field = document.querySelector("#find");
    for (const text of ["enemy", "enemy_1", "enemy_7"]) {
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
  });
  await inspector.says("#find-state", /^1 hit$/);
  await shows(page, ["part 1", "entities", "[7]", "tag"]);
  await inspector.press("F3");
  await inspector.at("entities[7].tag");
}));

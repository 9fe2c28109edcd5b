// Values are edited in their rows, and rows by their menu and by keys.

import assert from "node:assert/strict";
import test from "node:test";

import { Document, Literal } from "../../js/document-node.js";
import { encode } from "../../js/node.js";
import { bytesOf, corpus, pressAtOnce, site } from "./site.js";

const { withPage } = site();
const PLAIN = "godot4/saves/plain.bin";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A file with one value, from its literal. */
function fileOf(literal, dialect = "godot4") {
  const document = new Document(encode({ all: null }, dialect), { dialect, framing: "bare" });
  document.set("", new Literal(literal));
  return { name: "save.bin", buffer: Buffer.from(document.save()) };
}

const saved = async (inspector) => new Document((await inspector.downloaded(() => inspector.page.keyboard.press("Control+s"))).bytes, { framing: "bare", dialect: "godot4" });
const textOf = async (inspector, path) => (await saved(inspector)).text(path).trimEnd();
const focusIs = (page, selector) => page.waitForFunction((selector) => document.activeElement.matches(selector), selector);
const rowOf = (page, label) => page.locator("#tree .row:not([hidden])", { has: page.locator(`.label:text-is("${label}")`) });

/** Presses a key that opens an input. */
async function start(inspector, key) {
  await inspector.press(key);
  await inspector.page.waitForSelector("#row-field:not([hidden])");
}

/** Starts the input of a value, and fills it in. */
async function type(inspector, path, ...texts) {
  const { page } = inspector;
  await inspector.go(path);
  await start(inspector, "Enter");
  const fields = page.locator("#row-field :is(input:not([type=color]), textarea)");
  for (const [place, text] of texts.entries()) await fields.nth(place).fill(text);
  await fields.first().press("Enter");
}

async function closed(page) {
  await page.waitForSelector("#row-field", { state: "hidden" });
  await focusIs(page, "#tree");
}

/** Opens the menu of the selected row by keys, and picks an item. */
async function pick(inspector, name) {
  await inspector.press("Shift+F10");
  await inspector.page.getByRole("menuitem", { name, exact: true }).click();
}

const KINDS = [
  ["int", "7", ["-9223372036854775808"], "-9223372036854775808"],
  ["float", "1.5", ["2,25"], "2.25"],
  ["float", "1.5", ["7"], "7.0"],
  ["String", '"old"', ['a "b" \\ é 😀\nand a line'], '"a \\"b\\" \\\\ é 😀\nand a line"'],
  ["StringName", '&"old"', ["new"], '&"new"'],
  ["NodePath", '^"old"', ["A/B:c"], 'NodePath("A/B:c")'],
  ["Vector2", "Vector2(1, 2)", ["3", "0.5"], "Vector2(3, 0.5)"],
  ["Vector2i", "Vector2i(1, 2)", ["3", "-4"], "Vector2i(3, -4)"],
  ["Vector3", "Vector3(1, 2, 3)", ["4", "5", "6"], "Vector3(4, 5, 6)"],
  ["Vector4i", "Vector4i(1, 2, 3, 4)", ["5", "6", "7", "8"], "Vector4i(5, 6, 7, 8)"],
  ["Rect2", "Rect2(1, 2, 3, 4)", ["5", "6", "7", "8"], "Rect2(5, 6, 7, 8)"],
  ["Plane", "Plane(1, 2, 3, 4)", ["5", "6", "7", "8"], "Plane(5, 6, 7, 8)"],
  ["Quaternion", "Quaternion(0, 0, 0, 1)", ["1", "0", "0", "0"], "Quaternion(1, 0, 0, 0)"],
  ["AABB", "AABB(1, 2, 3, 4, 5, 6)", ["9"], "AABB(9, 2, 3, 4, 5, 6)"],
  ["Basis", "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)", ["0"], "Basis(0, 2, 3, 4, 5, 6, 7, 8, 9)"],
  ["Transform2D", "Transform2D(1, 2, 3, 4, 5, 6)", ["0"], "Transform2D(0, 2, 3, 4, 5, 6)"],
  ["Transform3D", "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)", ["0"], "Transform3D(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"],
  ["Projection", "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)", ["0"], "Projection(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)"],
  ["Color", "Color(1, 0.5, 0, 1)", ["0", "0.25", "1", "0.5"], "Color(0, 0.25, 1, 0.5)"],
  ["RID", "RID(5)", ["RID(6)"], "RID(6)"],
];

test("a value of each kind is edited in its row", withPage(async (inspector, page) => {
  await inspector.open(fileOf(`{${KINDS.map(([, literal], number) => `"k${number}": ${literal}`).join(", ")}}`));
  for (const [number, [kind, , texts]] of KINDS.entries()) {
    await type(inspector, `k${number}`, ...texts);
    await closed(page);
    assert.equal((await inspector.selected()).kind, kind);
  }
  const after = await saved(inspector);
  assert.deepEqual(KINDS.map(([kind], number) => [after.kind(`k${number}`), after.text(`k${number}`).trimEnd()]), KINDS.map(([kind, , , text]) => [kind, text]));
}));

test("arrows step a number by 1 or 10, exactly; the checkbox of a bool changes it at once", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"big": 9007199254740993, "part": 0.5, "on": false}'));
  await inspector.go("big");
  await start(inspector, "Enter");
  for (const key of ["ArrowUp", "Shift+ArrowUp", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  await closed(page);
  await inspector.go("part");
  await start(inspector, "Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await closed(page);
  await rowOf(page, "on").locator("input").click();
  await inspector.says("#tree .selected .text", /^true$/);
  assert.equal(await textOf(inspector, ""), '{\n"big": 9007199254741002,\n"part": 1.5,\n"on": true\n}');
}));

test("a click on the value of the selected row edits; Tab goes to the next value; Escape leaves", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": 2, "c": 3}'));
  const value = rowOf(page, "a").locator(".value");
  await value.click();
  await inspector.at("a");
  assert.ok(await page.isHidden("#row-field"));
  await value.click();
  await focusIs(page, "#row-field input");
  await page.keyboard.type("10");
  await page.keyboard.press("Tab");
  await inspector.at("b");
  await focusIs(page, "#row-field input");
  assert.equal(await page.inputValue("#row-field input"), "2");
  await page.keyboard.type("99");
  await page.keyboard.press("Escape");
  await closed(page);
  assert.equal(await textOf(inspector, ""), '{\n"a": 10,\n"b": 2,\n"c": 3\n}');
}));

test("what was typed is applied when another row is clicked, and that row stays selected", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": 2}'));
  await inspector.go("a");
  await start(inspector, "Enter");
  await page.fill("#row-field input", "5");
  await rowOf(page, "b").locator(".label").click();
  await inspector.says("#tree .row:nth-of-type(2) .text", /^5$/);
  await inspector.at("b");
  assert.equal((await inspector.selected()).label, "b");
}));

test("what is wrong stays when another row is clicked, and is said when another value is edited", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"v": Vector2(1, 2), "b": 2}'));
  await inspector.go("v");
  await start(inspector, "Enter");
  await page.locator("#row-field input").first().fill("one");
  await rowOf(page, "b").locator(".label").click();
  await inspector.at("b");
  await inspector.says("#row-field:not([hidden]) .error", /x is not a number/);
  assert.equal(await page.inputValue("#row-field input >> nth=0"), "one");
  await inspector.asked(false, () => page.evaluate(() => { setTimeout(() => location.reload()); }));
  await inspector.press("Enter");
  await inspector.says("#alarm", /“Value of v”: one\. x is not a number/);
  await page.waitForFunction(() => document.querySelector("#row-field input").value === "2");
  await page.keyboard.press("Escape");
  await closed(page);
}));

test("a change of kind is asked for", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": 2}'));
  await type(inspector, "a", "hello");
  await inspector.says("#row-field .question", /String/);
  assert.equal((await inspector.selected()).text, "1");
  await page.getByRole("button", { name: "Keep" }).click();
  await page.keyboard.press("Escape");
  await closed(page);
  await type(inspector, "a", "hello");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await closed(page);
  await inspector.says("#tree .selected .kind", /^String$/);

  await inspector.go("b");
  await rowOf(page, "b").locator(".kind").click();
  await page.getByRole("menuitemradio", { name: "float", exact: true }).click();
  await inspector.says("#tree .selected .kind", /^float$/);
  assert.equal(await textOf(inspector, ""), '{\n"a": "hello",\n"b": 2.0\n}');
  await inspector.press("Control+z");
  await inspector.says("#tree .selected .kind", /^int$/);
}));

test("what is wrong with a value is shown where it is typed", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": RID(1), "v": Vector2(1, 2)}'));
  await type(inspector, "a", "RID(1,");
  await inspector.says("#row-field .error", /./);
  await page.keyboard.press("Escape");
  await type(inspector, "v", "one");
  await inspector.says("#row-field .error", /x is not a number/);
  await page.keyboard.press("Escape");
  await closed(page);
  assert.ok(await page.isDisabled("#undo"));
}));

test("a key is renamed in its row; a new key is typed first, then its value", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": "x"}'));
  await inspector.go("a");
  await start(inspector, "F2");
  await inspector.submit("#row-field input", "gold");
  await closed(page);
  await inspector.at("gold");

  await start(inspector, "Insert");
  await inspector.submit("#row-field input", "silver");
  await inspector.at("silver");
  await focusIs(page, "#row-field input");
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await closed(page);
  assert.equal(await textOf(inspector, ""), '{\n"gold": 1,\n"b": "x",\n"silver": 9\n}');
  await start(inspector, "Insert");
  await page.keyboard.press("Escape");
  await closed(page);
  assert.equal((await inspector.rows()).length, 4);
}));

test("an item is added like the one before", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"items": [{"name": "axe", "count": 1}], "numbers": [1, 2]}'));
  await inspector.go("items");
  await inspector.press("Insert");
  await inspector.at("items[1]");
  await inspector.go("numbers[0]");
  await inspector.press("Insert");
  await inspector.at("numbers[1]");
  await focusIs(page, "#row-field input");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await closed(page);
  assert.deepEqual((await saved(inspector)).at("", { dictionaries: "object" }), { items: [{ name: "axe", count: 1 }, { name: "axe", count: 1 }], numbers: [1, 5, 2] });
}));

test("the menu: duplicate, move, delete, copy path; the next row is selected after a deletion", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"list": [1, 2, 3]}'));
  await inspector.go("list[0]");
  await pick(inspector, "Duplicate");
  await inspector.at("list[1]");
  await pick(inspector, "Move down");
  await inspector.at("list[2]");
  await pick(inspector, "Delete");
  await inspector.says("#tree .selected .text", /^3$/);
  await inspector.at("list[2]");
  await inspector.press("Alt+ArrowUp");
  await inspector.at("list[1]");
  assert.deepEqual((await saved(inspector)).at("list"), [1, 3, 2]);
  for (const key of ["z", "z", "z", "z"]) await inspector.press(`Control+${key}`);
  await page.waitForFunction(() => document.querySelector("#undo").disabled);
  assert.deepEqual((await saved(inspector)).at("list"), [1, 2, 3]);
}));

test("the menu opens by a right click and by its button, and Escape closes it", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": 2}'));
  await rowOf(page, "b").click({ button: "right" });
  await page.waitForSelector("#row-menu:not([hidden])");
  await inspector.at("b");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#row-menu", { state: "hidden" });
  await focusIs(page, "#tree");
  await rowOf(page, "a").locator(".more").click();
  await page.waitForSelector("#row-menu:not([hidden])");
  await inspector.at("a");
  const { width, height } = await rowOf(page, "a").locator(".more").boundingBox();
  assert.ok(width >= 24 && height >= 24, `${width} x ${height}`);
}));

test("copy and paste of rows, of literals, and of other text", withPage(async (inspector, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inspector.open(fileOf('{"a": {"x": 1}, "list": [1]}'));
  await inspector.go("a");
  await inspector.press("Control+c");
  await inspector.says("#toast", /1 value copied/);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '{\n"x": 1\n}');
  await inspector.press("Control+v");
  await inspector.at("a_2");
  await page.evaluate(() => navigator.clipboard.writeText("Vector2(3, 4)"));
  await inspector.go("list[0]");
  await inspector.press("Control+v");
  await inspector.at("list[1]");
  await page.evaluate(() => navigator.clipboard.writeText("not a value"));
  await inspector.press("Control+v");
  await page.getByRole("menuitem", { name: /as text/ }).click();
  await inspector.at("list[2]");
  await inspector.press("Control+x");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 6);
  assert.equal(await textOf(inspector, ""), '{\n"a": {\n"x": 1\n},\n"list": [1, Vector2(3, 4)],\n"a_2": {\n"x": 1\n}\n}');
}));

test("cut deletes what it has copied, also if another row is selected meanwhile", withPage(async (inspector, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inspector.open(fileOf('{"a": 1, "b": 2, "c": 3}'));
  await inspector.go("b");
  await page.evaluate(() => {
    document.querySelector("#tree").dispatchEvent(new ClipboardEvent("cut", { bubbles: true, cancelable: true }));
    [...document.querySelectorAll("#tree .row:not([hidden]) .label")].find(({ textContent }) => textContent === "c").click();
  });
  await inspector.says("#changes-state", /1 change/);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "2");
  assert.equal(await textOf(inspector, ""), '{\n"a": 1,\n"c": 3\n}');
}));

test("rows of a list are pasted into a dictionary, each with a free key", withPage(async (inspector, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inspector.open(fileOf('{"list": [1, 2, 3], "new": 0, "pairs": {"x": 1, "new_2": 2}}'));
  await inspector.go("list[0]");
  await inspector.press("Shift+ArrowDown");
  await inspector.press("Shift+ArrowDown");
  await inspector.at("list[2]");
  await inspector.press("Control+c");
  await inspector.says("#toast", /3 values copied/);
  await inspector.go("pairs.x");
  await inspector.press("Control+v");
  await inspector.at("pairs.new_4");
  assert.equal(await textOf(inspector, "pairs"), '{\n"x": 1,\n"new_2": 2,\n"new": 1,\n"new_3": 2,\n"new_4": 3\n}');
  await inspector.press("Control+z");
  await inspector.says("#changes-state", /Nothing/);
}));

/** The settings of a project, as `project.binary` has them. */
function settings(list) {
  const word = (number) => Buffer.from(Uint32Array.of(number).buffer), sized = (bytes) => Buffer.concat([word(bytes.length), bytes]);
  const entries = list.map(([name, number]) => Buffer.concat([sized(Buffer.from(name)), sized(Buffer.concat([word(2), word(number)]))]));
  return { name: "project.binary", buffer: Buffer.concat([Buffer.from("ECFG"), word(list.length), ...entries]) };
}

test("a setting is renamed; if the file has it twice, only this one is, and that is said", withPage(async (inspector, page) => {
  await inspector.open(settings([["a/b", 1], ["c", 2], ["a/b", 3]]));
  const labels = async () => (await inspector.rows()).map(({ label, text }) => `${label} = ${text}`);
  await rowOf(page, "setting 3, a/b").locator(".label").click();
  await inspector.says("#tree .selected .label", /setting 3/);
  await start(inspector, "F2");
  assert.equal(await page.inputValue("#row-field input"), "a/b");
  await page.fill("#row-field input", "c");
  await page.press("#row-field input", "Enter");
  await inspector.says("#row-field .error", /exists already/);
  await page.fill("#row-field input", "d/e");
  await page.press("#row-field input", "Enter");
  await closed(page);
  await inspector.says("#toast", /Only this setting is renamed\. 1 other setting is still called “a\/b”/);
  await inspector.says("#tree .selected .label", /setting 3, d\/e/);
  assert.deepEqual(await labels(), ["setting 1, a/b = 1", "setting 2, c = 2", "setting 3, d/e = 3"]);
  await inspector.press("Control+z");
  await inspector.says("#tree .selected .label", /setting 3, a\/b/);
}));

test("open rows follow two changes that are undone at once", withPage(async (inspector, page) => {
  await inspector.open(fileOf("[[1], [2], [3]]"));
  for (const count of [1, 2]) {
    await inspector.go("[0]");
    await inspector.press("Control+d");
    await inspector.says("#changes-state", new RegExp(`${count} change`));
    await inspector.at("[1]");
  }
  await inspector.go("[4][0]");
  await inspector.go("[0]");
  await pressAtOnce(page, "Control+z", "Control+z");
  await inspector.says("#changes-state", /Nothing is changed/);
  await page.waitForFunction(() => [...document.querySelectorAll("#tree .row:not([hidden])")].map((row) => `${row.getAttribute("aria-level")} ${row.querySelector(".label").textContent}`).slice(1).join() === "2 [0],2 [1],2 [2],3 [0]");
}));

test("keys that follow at once act on the marked row", withPage(async (inspector, page) => {
  await inspector.open(fileOf("[10, 20, 30, 40]"));
  await inspector.go("[0]");
  await pressAtOnce(page, "ArrowDown", "Delete");
  await inspector.says("#changes-state", /1 change/);
  assert.equal(await textOf(inspector, ""), "[10, 30, 40]");
  // A second change is refused while the first is made. The row that was picked meanwhile stays selected.
  await inspector.go("[0]");
  await pressAtOnce(page, "Delete", "ArrowDown", "Delete");
  await inspector.says("#changes-state", /2 changes/);
  await inspector.says("#tree .selected .value", /^30$/);
  assert.equal(await textOf(inspector, ""), "[30, 40]");
}));

test("a key that needs a value waits for that of the marked row", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": 2, "c": [3]}'));
  for (const [key, text] of [["Enter", "2"], ["F2", "b"]]) {
    await inspector.go("a");
    await pressAtOnce(page, "ArrowDown", key);
    await page.waitForSelector("#row-field:not([hidden])");
    assert.equal(await page.inputValue("#row-field input"), text);
    await page.keyboard.press("Escape");
  }
  await inspector.go("a");
  await pressAtOnce(page, "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight");
  await inspector.at("c[0]");
  await inspector.go("a");
  await pressAtOnce(page, "ArrowDown", "ContextMenu");
  await page.getByRole("menu", { name: "b" }).waitFor();
  await page.keyboard.press("Escape");
  await inspector.go("a");
  await page.evaluate(() => {
    const tree = document.querySelector("#tree"), clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "9");
    tree.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
    tree.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await inspector.says("#changes-state", /1 change/);
  assert.deepEqual((await saved(inspector)).at("c"), [3, 9]);
}));

test("a key does nothing if rows have changed before the marked row is selected", withPage(async (inspector, page) => {
  await inspector.open(fileOf("[true, true, true, 7]"));
  await inspector.go("[0]");
  await pressAtOnce(page, "Delete", "ArrowDown", " ");
  await inspector.says("#changes-state", /1 change/);
  await inspector.press("ArrowDown");
  await inspector.at("[1]");
  assert.equal(await textOf(inspector, ""), "[true, true, 7]");
}));

test("a key that needs a value does not act on the row before", withPage(async (inspector) => {
  await inspector.open(fileOf("[true, 7]"));
  for (const key of [" ", "Enter"]) {
    await inspector.go("[0]");
    await pressAtOnce(inspector.page, "ArrowDown", key);
    await inspector.says("#tree .selected .value", /^7$/);
    await inspector.says("#changes-state", /Nothing is changed/);
  }
}));

test("several rows are deleted, and set, as one step", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"list": [1, 2, 3, 4]}'));
  await inspector.go("list[0]");
  await inspector.press("Shift+ArrowDown");
  await inspector.at("list[1]");
  assert.equal((await inspector.rows()).filter(({ isSelected }) => isSelected).length, 2);
  await start(inspector, "Enter");
  await page.fill("#row-field input", "9");
  await page.press("#row-field input", "Enter");
  await closed(page);
  assert.deepEqual((await saved(inspector)).at("list"), [9, 9, 3, 4]);
  await inspector.go("list[1]");
  await rowOf(page, "[3]").locator(".label").click({ modifiers: ["Control"] });
  await inspector.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 4);
  assert.deepEqual((await saved(inspector)).at("list"), [9, 3]);
  await inspector.press("Control+z");
  await inspector.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#undo").disabled);
  assert.deepEqual((await saved(inspector)).at("list"), [1, 2, 3, 4]);
}));

test("all values of a path are set at once", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"items": [{"hp": 1}, {"hp": 2}]}'));
  await inspector.go("items[0].hp");
  await pick(inspector, "Set all like this…");
  const [query, value] = [0, 1].map((place) => page.locator("#row-field input").nth(place));
  assert.equal(await query.inputValue(), "items[*].hp");
  await value.fill("50");
  await value.press("Enter");
  await closed(page);
  assert.deepEqual((await saved(inspector)).at("items", { dictionaries: "object" }), [{ hp: 50 }, { hp: 50 }]);
}));

test("open rows stay open and selected where they are after a change above them", withPage(async (inspector, page) => {
  await inspector.open(fileOf('[{"a": 1}, {"b": 2}, {"c": 3}]'));
  await inspector.go("[2].c");
  await inspector.go("[0]");
  await inspector.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 4);
  assert.deepEqual((await inspector.rows()).map(({ label, isOpen }) => [label, isOpen]), [["save", "true"], ["[0]", "false"], ["[1]", "true"], ["c", undefined]]);
}));

test("the elements of packed arrays are rows, and are edited in them", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"p": PackedInt32Array(1, 2), "words": PackedStringArray(), "at": PackedVector2Array(1, 2, 3, 4), "tints": PackedColorArray(1, 0, 0, 1), "parts": PackedFloat32Array(0.5)}'));
  await inspector.go("p");
  await inspector.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 8);
  assert.deepEqual((await inspector.rows()).slice(1, 4).map(({ label, kind, text, isOpen }) => [label, kind, text, isOpen]),
    [["p", "PackedInt32Array", "[1, 2]", "true"], ["[0]", "int", "1", undefined], ["[1]", "int", "2", undefined]]);
  for (const [path, text] of [["p", "3"], ["words", "b, c"]]) {
    await inspector.go(path);
    await start(inspector, "Insert");
    await inspector.at(`${path}[${path === "p" ? 2 : 0}]`);
    await page.locator("#row-field :is(input, textarea)").fill(text);
    await page.locator("#row-field :is(input, textarea)").press("Enter");
    await closed(page);
  }
  for (const [path, ...texts] of [["p[0]", "-7"], ["words[0]", '"é"'], ["at[1]", "5", "0.25"], ["tints[0]", "0", "0.25", "1", "0.5"], ["parts[0]", "2"]]) {
    await type(inspector, path, ...texts);
    await closed(page);
    await inspector.at(path);
  }
  const after = await saved(inspector);
  assert.deepEqual(["p", "words", "at", "tints", "parts"].map((path) => after.text(path).trimEnd()), ["PackedInt32Array(-7, 2, 3)", 'PackedStringArray("\\"é\\"")',
    "PackedVector2Array(1, 2, 5, 0.25)", "PackedColorArray(0, 0.25, 1, 0.5)", "PackedFloat32Array(2)"]);
}));

test("a packed array as a list of its elements", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"p": PackedInt32Array(1, 2), "words": PackedStringArray()}'));
  await inspector.go("words");
  await start(inspector, "Enter");
  await page.fill("#row-field textarea", '"a", "b, c"');
  await page.press("#row-field textarea", "Enter");
  await closed(page);
  await inspector.go("p");
  await inspector.press("Enter");
  await pick(inspector, "Edit as text");
  await page.waitForSelector("#row-field:not([hidden])");
  assert.equal(await page.inputValue("#row-field textarea"), "1, 2");
  await page.fill("#row-field textarea", "1, 2, 3");
  await page.press("#row-field textarea", "Enter");
  await closed(page);
  assert.equal(await textOf(inspector, ""), '{\n"p": PackedInt32Array(1, 2, 3),\n"words": PackedStringArray("a", "b, c")\n}');
}));

test("elements are duplicated, moved, deleted, copied and pasted, and undone", withPage(async (inspector, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inspector.open(fileOf('{"b": PackedByteArray(1, 2, 3), "at": PackedVector2Array(1, 2, 3, 4)}'));
  const steps = [
    ["b[0]", "Control+d", "b[1]", "PackedByteArray(1, 1, 2, 3)"],
    ["b[1]", "Alt+ArrowDown", "b[2]", "PackedByteArray(1, 2, 1, 3)"],
    ["b[3]", "Delete", "b[2]", "PackedByteArray(1, 2, 1)"],
    ["b[0]", "Control+x", "b[0]", "PackedByteArray(2, 1)"],
    ["b[1]", "Control+v", "b[2]", "PackedByteArray(2, 1, 1)"],
    ["at[1]", "Control+c", "at[1]", "PackedVector2Array(1, 2, 3, 4)"],
    ["at[0]", "Control+v", "at[1]", "PackedVector2Array(1, 2, 3, 4, 3, 4)"],
  ];
  let count = 0;
  for (const [path, key, to, text] of steps) {
    await inspector.go(path);
    await inspector.press(key);
    if (key === "Control+c") await inspector.says("#toast", /1 value copied/);
    await inspector.at(to);
    count += key === "Control+c" ? 0 : 1;
    await page.waitForFunction((count) => document.querySelector("#tab-changes").dataset.count === count, String(count));
    assert.equal(await textOf(inspector, path.replace(/\[\d\]/, "")), text, `${key} at ${path}`);
  }
  for (let step = 0; step < 6; step++) await inspector.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#undo").disabled);
  assert.equal(await textOf(inspector, ""), '{\n"b": PackedByteArray(1, 2, 3),\n"at": PackedVector2Array(1, 2, 3, 4)\n}');
}));

test("several elements are set and deleted at once, and all of an array", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"b": PackedByteArray(1, 2, 3, 4, 5)}'));
  const choose = async () => {
    await inspector.go("b[0]");
    for (const place of [1, 2]) {
      await inspector.press("Shift+ArrowDown");
      await inspector.at(`b[${place}]`);
    }
  };
  await choose();
  await start(inspector, "Enter");
  await page.fill("#row-field input", "9");
  await page.press("#row-field input", "Enter");
  await closed(page);
  await inspector.says("#changes-state", /1 change/);
  assert.equal(await textOf(inspector, "b"), "PackedByteArray(9, 9, 9, 4, 5)");
  await choose();
  await inspector.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 4);
  assert.equal(await textOf(inspector, "b"), "PackedByteArray(4, 5)");
  await inspector.go("b[1]");
  await pick(inspector, "Set all like this…");
  assert.equal(await page.locator("#row-field input").first().inputValue(), "b[*]");
  await page.locator("#row-field input").nth(1).fill("7");
  await page.locator("#row-field input").nth(1).press("Enter");
  await closed(page);
  assert.equal(await textOf(inspector, "b"), "PackedByteArray(7, 7)");
}));

test("an element keeps its kind: a value of another kind is refused with what is expected", withPage(async (inspector, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await inspector.open(fileOf('{"b": PackedByteArray(1, 2, 3)}'));
  for (const [text, error] of [["300", /a byte, 0 to 255/], ["1.5", /holds int only, and this is float/], ["one", /holds int only, and this is String/]]) {
    await type(inspector, "b[1]", text);
    await inspector.says("#row-field .error", error);
    await page.keyboard.press("Escape");
    await closed(page);
  }
  await page.evaluate(() => navigator.clipboard.writeText("Vector2(1, 2)"));
  await inspector.press("Control+v");
  await inspector.says("#alarm", /holds int only, and this is Vector2/);
  await rowOf(page, "[1]").locator(".kind").click();
  await inspector.says("#toast", /int/);
  assert.ok(await page.isHidden("#row-menu"));
  assert.ok(await page.isDisabled("#undo"));
}));

test("on a phone: a tap selects, another edits, and the menu chooses several rows", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"gold": 5, "list": [1, 2]}'));
  const gold = rowOf(page, "gold"), { height } = await gold.boundingBox();
  assert.equal(height, 44);
  await gold.locator(".value").tap();
  await inspector.at("gold");
  await gold.locator(".value").tap();
  await focusIs(page, "#row-field input");
  await page.fill("#row-field input", "9999");
  await page.press("#row-field input", "Enter");
  await inspector.says("#tree .selected .text", /^9,?999$/);
  const { width, height: tall } = await gold.locator(".more").boundingBox();
  assert.ok(width >= 44 && tall >= 44, `${width} x ${tall}`);
  await rowOf(page, "list").locator(".value").tap();
  await rowOf(page, "[0]").locator(".more").tap();
  await page.getByRole("menuitem", { name: "Choose several" }).tap();
  await rowOf(page, "[1]").tap();
  assert.equal((await inspector.rows()).filter(({ isSelected }) => isSelected).length, 2);
  await rowOf(page, "[1]").locator(".more").tap();
  await inspector.screenshot("phone-row-menu");
  await page.getByRole("menuitem", { name: "Delete" }).tap();
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 3);
}, PHONE));

test("a finger that stays opens the menu", withPage(async (inspector, page) => {
  await inspector.open(fileOf('{"a": 1, "b": 2}'));
  await rowOf(page, "b").dispatchEvent("pointerdown", { pointerType: "touch", clientX: 100, clientY: 300, bubbles: true });
  await page.waitForSelector("#row-menu:not([hidden])");
  await inspector.at("b");
}, PHONE));

test("only the rows of a filter are shown, and the rest again", withPage(async (inspector, page) => {
  await inspector.open(corpus(PLAIN));
  await page.fill("#find", "enemy_7");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length === 4);
  assert.deepEqual((await inspector.rows()).map(({ label }) => label).slice(1), ["entities", "[7]", "tag"]);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelectorAll("#tree .row:not([hidden])").length > 6);
}));

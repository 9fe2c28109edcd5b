// The edits of the inspector page in its worker: each list is one step, and the moves lead each value to where it is.

import assert from "node:assert/strict";
import test from "node:test";

import { Document, Literal } from "../js/document-node.js";
import { encode } from "../js/node.js";
import { File } from "../page/file.js";
import { FreeKeys } from "../page/keys.js";
import { follow } from "../page/places.js";

function opened(literal) {
  const document = new Document(encode({ all: null }, "godot4"), { dialect: "godot4", framing: "bare" });
  document.set("", new Literal(literal));
  return new File(new Document(document.save(), { dialect: "godot4", framing: "bare" }), undefined);
}
const textOf = (file, path = "") => file.document.text(path).replaceAll("\n", "").trim();
/** The literals of the rows of a container, by their ways. */
const rows = (file, way) => file.document.children(way).map((row) => [row.way, `${row.label} ${row.text}`]);
/** A row without its index, which follows from the way. */
const bare = (text) => text.replace(/^\[\d+\]/, "");

const LIST = '{"list": [0, 1, 2, 3, 4, 5, 6], "pairs": {"a": 0, "b": 1, "c": 2, "d": 3}}';
const deletions = (...ways) => ways.map((way) => ({ delete: way }));
/** Each list of edits of the page, and the list or the dictionary afterwards. */
const EDITS = {
  "neighbours of a list": [[0, 0], deletions([0, 0, 4], [0, 0, 3], [0, 0, 2]), "[0, 1, 5, 6]"],
  "some of a list": [[0, 0], deletions([0, 0, 6], [0, 0, 4], [0, 0, 3], [0, 0, 0]), "[1, 2, 5]"],
  "all of a list": [[0, 0], deletions(...[6, 5, 4, 3, 2, 1, 0].map((position) => [0, 0, position])), "[]"],
  "pairs": [[0, 1], deletions([0, 1, 3], [0, 1, 2], [0, 1, 0]), '{"b": 1}'],
  "two values duplicated": [[0, 0], [{ duplicate: [0, 0, 5] }, { duplicate: [0, 0, 1] }], "[0, 1, 1, 2, 3, 4, 5, 5, 6]"],
  "two pairs duplicated": [[0, 1], [{ duplicate: [0, 1, 1] }, { duplicate: [0, 1, 0] }], '{"a": 0,"b": 1,"c": 2,"d": 3,"b_2": 1,"a_2": 0}'],
  "two values moved up": [[0, 0], [{ move: [0, 0, 2], by: -1 }, { move: [0, 0, 3], by: -1 }], "[0, 2, 3, 1, 4, 5, 6]"],
  "two values moved down": [[0, 0], [{ move: [0, 0, 3], by: 1 }, { move: [0, 0, 2], by: 1 }], "[0, 1, 4, 2, 3, 5, 6]"],
  "values inserted": [[0, 0], [2, 3].map((position) => ({ insert: { frame: 1, path: `list[${position}]` }, value: "9", at: [0, 0, position] })), "[0, 1, 9, 9, 2, 3, 4, 5, 6]"],
  "a kind changed": [[0, 0], [{ set: [0, 0, 0], to: "null" }, { set: [0, 0, 0], to: '"x"' }], '["x", 1, 2, 3, 4, 5, 6]'],
  "a key renamed": [[0, 1], [{ rename: [0, 1, 1], key: "z" }], '{"a": 0,"z": 1,"c": 2,"d": 3}'],
};

for (const [name, [way, edits, after]] of Object.entries(EDITS)) {
  test(`one step, which can be undone and made again: ${name}`, () => {
    const file = opened(LIST), before = file.document.save(), old = rows(file, way);
    const step = file.edit(edits);
    assert.equal(textOf(file, way), after);
    assert.equal(step.info.step, 1);
    assert.ok(file.document.node(step.way).kind !== undefined);
    const now = new Map(rows(file, way).map(([way, text]) => [way.join(), text]));
    // Values that an edit moved by deleting and inserting are the same values.
    if (edits.every((edit) => !("set" in edit || "rename" in edit))) {
      for (const [from, text] of old) {
        const to = follow(from, step.moves);
        if (to) assert.equal(bare(now.get(to.join())), bare(text));
      }
      assert.equal(old.filter(([from]) => follow(from, step.moves)).length, old.length - edits.filter((edit) => "delete" in edit).length);
    }
    const undone = file.undo();
    assert.deepEqual(file.document.save(), before);
    for (const [from] of old) {
      const to = follow(from, step.moves);
      if (to) assert.deepEqual(follow(to, undone.moves), from);
    }
    file.redo();
    assert.equal(textOf(file, way), after);
    assert.deepEqual([file.state.info.canUndo, file.state.info.canRedo, file.state.changes.count], [true, false, 1]);
  });
}

test("a step of which one edit fails is not made", () => {
  const file = opened(LIST), before = file.document.save();
  assert.throws(() => file.edit([{ set: [0, 0, 0], to: "9" }, { insert: { frame: 1, path: 'pairs["a"]' }, value: "1", at: [0, 1, 4] }]), /exists already/);
  assert.deepEqual(file.document.save(), before);
  assert.deepEqual([file.state.info.canUndo, file.state.changes.count], [false, 0]);
});

test("edits that change nothing are no step", () => {
  const file = opened(LIST);
  assert.deepEqual(file.edit([{ set: [0, 0, 0], to: "0" }]).made, []);
  assert.deepEqual(file.edit([{ move: [0, 0, 0], by: -1 }]).made, []);
  assert.deepEqual([file.state.info.step, file.state.changes.count], [0, 0]);
});

test("neighbours of a list are deleted in one change", () => {
  const file = opened(`[${Array(3000).fill("0").join(", ")}]`), changes = [], { edit } = file.document;
  file.document.edit = (all) => {
    changes.push(...all);
    return edit.call(file.document, all);
  };
  file.edit(deletions(...Array.from({ length: 2000 }, (_, number) => [0, 2500 - number])));
  assert.equal(changes.length, 1);
  assert.equal(file.document.node([0]).count, 1000);
});

test("free keys: the wanted one, or another number; a dictionary is read once for all", () => {
  const file = opened('{"a": 0, "slot_1": 1, "slot_2": 2, 7: 3, 8: 4, "": 5}');
  let reads = 0;
  const keys = new FreeKeys((...of) => {
    reads++;
    return file.document.children(...of);
  });
  const wanted = ['"new"', '"new"', '"a"', '"slot_1"', "7", "7", "20", '&"a"', '""', '"new"'];
  assert.deepEqual(wanted.map((label) => keys.take([0], label)), ["new", "new_2", "a_2", "slot_3", "9", "10", "20", "a_3", "_2", "new_3"]);
  assert.equal(reads, 1);
});

test("free keys of thousands of pairs are found without trying each number again", () => {
  const keys = new FreeKeys(() => [{ label: '"a"' }]), { has } = Set.prototype;
  let tried = 0;
  Set.prototype.has = function (...of) {
    tried++;
    return has.apply(this, of);
  };
  try {
    for (let count = 0; count < 5000; count++) keys.take([0], '"a"');
  } finally {
    Set.prototype.has = has;
  }
  assert.ok(tried < 4 * 5000, String(tried));
});

// Places follow changes.

import assert from "node:assert/strict";
import test from "node:test";

import { back, follow, merged } from "../page/places.js";

/** A list with the items of `before` after a move of its items. */
function moved(before, { kind, at, to }) {
  const items = [...before], [position] = at.slice(-1);
  if (kind === "insert") items.splice(position, 0, "new");
  else if (kind === "delete") items.splice(position, 1);
  else items.splice(to.at(-1), 0, ...items.splice(position, 1));
  return items;
}

/** Every move of a list of `count` items below the way `around`. */
function* movesOf(around, count) {
  for (let position = 0; position <= count; position++) yield { kind: "insert", at: [...around, position] };
  for (let position = 0; position < count; position++) {
    yield { kind: "delete", at: [...around, position] };
    for (let to = 0; to < count; to++) yield { kind: "move", at: [...around, position], to: [...around, to] };
  }
}

test("the way of an item leads to the same item after each move of its list", () => {
  const items = ["a", "b", "c", "d"];
  for (const around of [[], [0], [3, 1]]) {
    for (const move of movesOf(around, items.length)) {
      const after = moved(items, move);
      for (const [position, item] of items.entries()) {
        const way = follow([...around, position], [move]);
        assert.equal(way && after[way.at(-1)], after.includes(item) ? item : undefined, JSON.stringify(move));
      }
    }
  }
});

test("values within an item move with it, and values elsewhere stay", () => {
  for (const move of movesOf([2], 4)) {
    const outer = follow([2, 3], [move]);
    assert.deepEqual(follow([2, 3, 7, 1], [move]), outer && [...outer, 7, 1]);
    for (const elsewhere of [[], [2], [1], [1, 3], [3, 0, 2]]) assert.deepEqual(follow(elsewhere, [move]), elsewhere);
  }
});

test("undone moves lead back", () => {
  const all = [...movesOf([1], 4)];
  for (const [number, first] of all.entries()) {
    const moves = [first, all[(number * 7 + 3) % all.length]];
    for (let position = 0; position < 4; position++) {
      const there = follow([1, position, 5], moves);
      if (there) assert.deepEqual(follow(there, back(moves)), [1, position, 5]);
    }
  }
});

test("neighbours as one move lead each value to the same place, and back", () => {
  const insertions = [2, 3, 4].map((position) => ({ kind: "insert", at: [0, position] })), deletions = [5, 4, 3].map((position) => ({ kind: "delete", at: [0, position] }));
  const elsewhere = [{ kind: "delete", at: [0, 1] }, { kind: "insert", at: [1, 2] }, { kind: "move", at: [0, 0], to: [0, 6] }];
  for (const moves of [insertions, deletions, [...deletions, ...elsewhere], [...elsewhere, ...insertions], [...insertions, ...deletions]]) {
    const short = merged(moves);
    assert.ok(short.length <= moves.length - 2, String(short.length));
    for (let position = 0; position < 9; position++) {
      for (const way of [[0, position], [0, position, 1], [1, position]]) {
        const there = follow(way, moves);
        assert.deepEqual(follow(way, short), there);
        if (there) assert.deepEqual(follow(there, back(short)), way);
      }
    }
  }
});

// Places that follow changes. A way is a list of positions; a change of a container moves the values after it. A move is
// `{ kind, at }`: "insert" or "delete" of `count` positions (by default one) from a way on, or "move", also with the way `to`.

/** How a position changes if positions from `at` on are inserted or deleted, or one is moved to the position `to`. */
const STEPS = {
  insert: (position, at, count) => (position >= at ? position + count : position),
  delete: (position, at, count) => (position < at ? position : position < at + count ? undefined : position - count),
  move: (position, at, count, to) => (position === at ? to : STEPS.insert(STEPS.delete(position, at, 1), to, 1)),
};

function followOne(way, { kind, at, to, count = 1 }) {
  const depth = at.length - 1;
  if (way.length <= depth || at.some((position, level) => level < depth && way[level] !== position)) return way;
  const position = STEPS[kind](way[depth], at[depth], count, to?.[depth]);
  return position === undefined ? undefined : way.with(depth, position);
}

/** The way of the same value after moves, or `undefined` if the value is gone. */
export const follow = (way, moves) => moves.reduce((now, move) => now && followOne(now, move), way);

const BACK = { insert: "delete", delete: "insert" };

/** The moves that undo moves. */
export const back = (moves) => moves.toReversed().map(({ kind, at, to, count }) => (kind === "move" ? { kind, at: to, to: at } : { kind: BACK[kind], at, count }));

const isSibling = (one, other) => one.length === other.length && one.every((position, level) => level === one.length - 1 || position === other[level]);

/** The same moves, with one move for neighbours: insertions in their order, deletions from the last to the first. */
export function merged(moves) {
  const all = [];
  for (const move of moves) {
    const last = all.at(-1), { kind, at, count = 1 } = move;
    const isNext = last?.kind === kind && kind !== "move" && isSibling(last.at, at) && at.at(-1) === last.at.at(-1) + (kind === "insert" ? last.count : -count);
    if (!isNext) all.push({ ...move, count });
    else all[all.length - 1] = { kind, at: kind === "insert" ? last.at : at, count: last.count + count };
  }
  return all;
}

// Places that follow changes. A way is a list of positions; a change of a container moves the values after it. A move is
// `{ kind, at }`: "insert" or "delete" at a way, or "move", also with the way `to`.

/** How a position changes if the position `at` is inserted, deleted, or moved to the position `to`. */
const STEPS = {
  insert: (position, at) => (position >= at ? position + 1 : position),
  delete: (position, at) => (position === at ? undefined : position > at ? position - 1 : position),
  move: (position, at, to) => (position === at ? to : STEPS.insert(STEPS.delete(position, at), to)),
};

function followOne(way, { kind, at, to }) {
  const depth = at.length - 1;
  if (way.length <= depth || at.some((position, level) => level < depth && way[level] !== position)) return way;
  const position = STEPS[kind](way[depth], at[depth], to?.[depth]);
  return position === undefined ? undefined : way.with(depth, position);
}

/** The way of the same value after moves, or `undefined` if the value is gone. */
export const follow = (way, moves) => moves.reduce((now, move) => now && followOne(now, move), way);

const BACK = { insert: "delete", delete: "insert", move: "move" };

/** The moves that undo moves. */
export const back = (moves) => moves.toReversed().map(({ kind, at, to }) => (kind === "move" ? { kind, at: to, to: at } : { kind: BACK[kind], at }));

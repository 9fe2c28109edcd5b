// The engines, in words of players.

import { t } from "./texts.js";

/** The engines that write each dialect. */
export const ENGINES = {
  godot2: "Godot 2", godot3: "Godot 3", godot4: "Godot 4", pandemonium3: "Pandemonium 3", pandemonium4: "Pandemonium 4", pandemonium5: "Pandemonium 5",
};

/** The engine of a dialect. */
export const engineOf = (dialect) => ENGINES[dialect] ?? dialect;

/** The engine that wrote a file, in words. `candidates` are what else the file may be, if that is known. */
export function writtenBy({ dialect, isCertain }, candidates = []) {
  const others = new Set(candidates.filter((each) => each.isWhole && each.dialect !== dialect).map((each) => each.dialect));
  const key = isCertain ? "reading.written" : others.size > 0 ? "reading.others" : "reading.perhaps";
  return t(key, { engine: engineOf(dialect), count: others.size });
}

// The vectors of the engines are decoded, and written again as the same bytes.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { decodeFront, encode } from "../js/node.js";

const corpus = new URL("../../../corpus/", import.meta.url);

for (const dialect of ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"]) {
  for (const name of readdirSync(new URL(`${dialect}/`, corpus)).filter((name) => name.endsWith(".vectors.jsonl"))) {
    test(`${dialect}/${name}`, () => {
      const records = readFileSync(new URL(`${dialect}/${name}`, corpus), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
      let tried = 0;
      for (const record of records.filter(({ enc = "ok", dec = "ok" }) => enc === "ok" && dec === "ok")) {
        const bytes = Buffer.from(record.hex, "hex");
        const { value, length } = decodeFront(bytes, { dialect, exact: true });
        const again = Buffer.from(encode(value, { dialect, depth: 2000 })).toString("hex");
        assert.equal(again, record.hex.slice(0, length * 2), `${record.name}: ${record.hex}`);
        tried += 1;
      }
      assert.ok(tried > 100, `${tried} of ${records.length} records`);
    });
  }
}

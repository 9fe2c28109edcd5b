// Files of the corpus, and hostile files, with every member of `Document`.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Document, Float, Literal, Vector3 } from "../js/document-node.js";
import { files } from "../js/files.js";
import { decode, encode } from "../js/node.js";

const corpus = new URL("../../../corpus/", import.meta.url);
const read = (name) => new Uint8Array(readFileSync(new URL(name, corpus)));
const readJson = (name) => JSON.parse(readFileSync(new URL(name, corpus), "utf8"));
const open = (name, options) => new Document(read(name), options);
const sample = () => open("godot4/saves/sample3.variant");
const key = Uint8Array.from({ length: 32 }, (_, index) => 7 * index + 1);

/** Files of engines: their format, their layers, and the password if they are encrypted. */
const FILES = [
  ["godot3/saves/store_var_seq.bin", "godot3", "frames"],
  ["godot3/saves/objects_full.bin", "godot3", "frames"],
  ["godot3/saves/nodepath_padding.bin", "godot3", "frames"],
  ["godot3/saves/replay_200.bin", "godot3", "frames"],
  ["godot3/saves/project.binary", "godot3", "settings"],
  ["godot4/saves/plain.bin", "godot4", "frames"],
  ["godot4/saves/project.binary", "godot4", "settings"],
  ["godot4/saves/rpc.variant", "godot4", "bare"],
  ["godot4/saves/sample0.variant", "godot4", "bare"],
  ["godot4/saves/sample3.variant", "godot4", "bare"],
  ["godot4/saves/nested_18k.variant", "godot4", "bare"],
  ["pandemonium3/saves/project.binary", "pandemonium3", "settings"],
  ["pandemonium4/saves/project.binary", "pandemonium4", "settings"],
  ["pandemonium4/saves/nested_18k.variant", "pandemonium4", "bare"],
  ["pandemonium5/saves/project.binary", "pandemonium5", "settings"],
  ["godot3/containers/gcpf_fastlz_save.bin", "godot3", "frames", /compressed with fastlz/],
  ["godot3/containers/gcpf_deflate_save.bin", "godot3", "frames", /compressed with deflate/],
  ["godot3/containers/gcpf_gzip_save.bin", "godot3", "frames", /compressed with gzip/],
  ["godot3/containers/gcpf_zstd_save.bin", "godot3", "frames", /compressed with zstd/],
  ["godot4/containers/save200.zstd.gcpf", "godot4", "frames", /compressed with zstd/],
  ["godot3/containers/gdec_01.bin", "godot3", "frames", /encrypted with aes256-ecb/, "pässwörd 😀"],
  ["godot3/containers/gdec_02.bin", "godot3", "frames", /encrypted with aes256-ecb/, ""],
  ["godot4/containers/pass_hunter2_3.gdec", "godot4", "frames", /encrypted with aes256-cfb/, "hunter2"],
  ["godot4/containers/key_7i1_iv.gdec", "godot4", "frames", /encrypted with aes256-cfb/, key],
];

/** The nodes below a value, in the order of the bytes, read in pages. */
function* nodesOf(document, way = [], page = 64) {
  for (let start = 0; ; start += page) {
    const rows = document.children(way, start, page);
    for (const row of rows) {
      yield row;
      if (row.rows > 0) yield* nodesOf(document, row.way, page);
    }
    if (rows.length < page) return;
  }
}

/** The error that a call throws. */
function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  assert.fail("nothing was thrown");
}

/** Asserts that a call throws a `VariantError` of a class, at a path. */
function refuses(call, kind, path) {
  const error = thrownBy(call);
  assert.deepEqual([error.name, error.class, error instanceof Error], ["VariantError", kind, true], error.stack);
  assert.ok(error.message.length > 0);
  if (path !== undefined) assert.equal(error.path, path);
}

// This is the first test, since memory that has grown does not shrink.
test("a file takes the module its bytes, and once more its bytes to change it and to write it", () => {
  const sizeOf = () => files.engine.memory.memory.buffer.byteLength;
  const before = sizeOf();
  const bytes = encode(new Map([["data", new Uint8Array(64 << 20).fill(7)], ["hp", 5]]), "godot4");
  const assertSize = (times) => assert.ok(sizeOf() - before <= times * bytes.length, `${(sizeOf() - before) / bytes.length} times the file`);
  const document = new Document(bytes);
  assert.ok(document.validate().isValid);
  assert.equal(document.at("data").length, 64 << 20);
  assert.deepEqual(document.search("hp").found.map(({ path }) => path), ["hp"]);
  assertSize(1.1);
  document.set("hp", new Literal("6"));
  assert.equal(new DataView(document.save().buffer).getUint32(bytes.length - 4, true), 6);
  document.undo();
  assert.equal(Buffer.compare(document.save(), bytes), 0);
  assertSize(2.2);
  document.free();
  const second = new Document(bytes);
  assertSize(2.2);
  second.free();
});

for (const [name, dialect, framing, layer, password] of FILES) {
  test(`${name}: opened, listed, and every value found again`, () => {
    const bytes = read(name);
    const document = new Document(bytes, { password });
    const { size, layers, ...info } = document.info;
    assert.deepEqual(info, { isLocked: false, dialect, framing, isCertain: true, skipped: 0, notes: [], step: 0, isChanged: false, canUndo: false, canRedo: false });
    assert.deepEqual([layers.length, layer?.test(layers[0])], layer ? [1, true] : [0, undefined]);
    assert.deepEqual([document.detect()[0].framing, document.detect()[0].dialect, document.detect()[0].isWhole], [framing, dialect, true]);
    const plain = document.bytes();
    assert.deepEqual([plain.length, document.unwrap()], [size, plain]);
    if (!layer) assert.deepEqual(plain, bytes);
    assert.deepEqual([document.bytes(3, 7), document.bytes(size - 2, 1e12)], [plain.slice(3, 7), plain.slice(-2)]);

    const nodes = Array.from(nodesOf(document)), offsets = new Set(nodes.map((node) => node.offset));
    const validation = document.validate();
    assert.deepEqual([validation.isValid, validation.problems, validation.count], [true, [], 0]);
    assert.equal(validation.frames, document.children([]).length);
    // Checks at most 250 nodes, because looking up all nodes of a large file takes long.
    for (let index = 0; index < nodes.length; index += Math.ceil(nodes.length / 250)) {
      const node = nodes[index], { way, path, frame, kind, offset, start } = node;
      assert.deepEqual(document.node(way), node);
      assert.deepEqual([document.kind(way), document.offset(way)], [kind, offset]);
      const extent = document.extent(way);
      assert.deepEqual([extent.start, extent.offset], [start, offset]);
      assert.ok(start <= offset && offset < extent.end && extent.end <= size);
      const to = document.pathTo(offset);
      assert.equal(document.offset(to.way), offset);
      assert.equal(to.frame, frame);
      if (path === undefined) continue;
      assert.equal(to.path, path);
      assert.deepEqual([document.offset({ frame, path }), document.kind({ frame, path })], [offset, kind]);
      if (frame <= 1) assert.equal(document.offset(path), offset);
    }

    for (const { way, rows, frame, offset } of document.children([])) {
      assert.deepEqual(document.children(way), Array.from({ length: rows }, (_, row) => document.children(way, row, 1)).flat());
      const own = document.bytes(offset, document.extent(way).end);
      for (const exact of [false, true]) assert.deepEqual(document.at({ frame, path: "" }, { exact }), decode(own, { dialect, exact }));
    }
    let at = framing === "settings" ? document.fields(0, 1)[0]?.start ?? 8 : 0;
    for (let fields; at < size; at = fields.at(-1).end) {
      fields = document.fields(at, size);
      for (const [index, field] of fields.entries()) {
        assert.equal(field.start, index > 0 ? fields[index - 1].end : at);
        assert.ok(field.start < field.end && field.part.length > 0 && offsets.has(field.value));
      }
    }
    document.free();
  });
}

test("a locked file opens with its password alone", () => {
  const locked = open("godot4/containers/pass_hunter2_3.gdec");
  assert.deepEqual([locked.info.isLocked, locked.info.isChanged, locked.info.size], [true, false, 732]);
  for (const call of [() => locked.at([0]), () => locked.save(), () => locked.changes, () => locked.unlock(undefined)]) refuses(call, "locked");
  refuses(() => locked.unlock("hunter3"), "layer");
  refuses(() => locked.unwrap(new Uint8Array(32)), "layer");
  refuses(() => locked.unlock(new Uint8Array(31)), "option");
  assert.throws(() => locked.unlock(7), TypeError);
  assert.equal(locked.info.isLocked, true);
  locked.unlock("hunter2");
  assert.deepEqual([locked.info.isLocked, locked.at("name")], [false, "Godot 4 save"]);
  assert.deepEqual(open("godot4/containers/pass_hunter2_3.gdec").unwrap("hunter2"), locked.bytes());
  refuses(() => open("godot4/containers/key_7i1.gdec", { password: "hunter2" }), "layer");
});

test("a file is read as it is said to be", () => {
  const document = open("godot4/saves/mixed.bin", { skip: 4, framing: "frames", dialect: "godot4" });
  assert.deepEqual([document.info.skipped, document.info.isCertain, document.children([])[0].offset], [4, true, 8]);
  document.reread({ framing: "bare", skip: 8 });
  assert.deepEqual([document.info.framing, document.info.skipped, document.kind([0])], ["bare", 8, "Dictionary"]);
  document.reread({ dialect: "godot2" });
  assert.deepEqual([document.info.dialect, document.info.framing, document.info.skipped], ["godot2", "bare", 8]);
  refuses(() => document.reread({ skip: 376 }), "format");
  refuses(() => document.reread({ dialect: "godot9" }), "option");
  refuses(() => document.reread({ framing: "Bare" }), "option");
  assert.deepEqual([document.info.dialect, document.info.framing, document.info.skipped], ["godot2", "bare", 8]);
  const edited = sample();
  edited.set("name", new Literal('"x"'));
  edited.reread({ dialect: "pandemonium5" });
  assert.deepEqual([edited.info.dialect, edited.info.isChanged, edited.changes.length], ["pandemonium5", true, 1]);
  edited.reread({ dialect: "godot4" });
  edited.undo();
  assert.deepEqual(edited.bytes(), sample().bytes());
});

test("other formats are told, unless the reading is named", () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);
  refuses(() => new Document(png), "format");
  assert.equal(new Document(png, { dialect: "godot4", framing: "bare" }).validate().isValid, false);
  for (const options of [{ dialect: "godot9" }, { framing: "rows" }, { password: new Uint8Array(5) }]) refuses(() => new Document(png, options), "option");
  refuses(() => open("godot4/saves/rpc.variant", { skip: 189 }), "format");
});

test("search finds keys and values, page by page", () => {
  const document = open("godot4/saves/plain.bin");
  const pathsOf = (text, options) => document.search(text, options).found.map(({ frame, path, isKey }) => `${frame} ${path} ${isKey}`);
  assert.deepEqual(pathsOf("enemy_1", { most: 2 }), ["1 entities[1].tag false", "1 entities[10].tag false"]);
  assert.deepEqual([pathsOf("TAIL"), pathsOf("TAIL", { anyCase: false }), pathsOf("tail", { values: false })], [["3  false"], [], []]);
  assert.deepEqual(pathsOf("version", { values: false }), ["1 version true"]);
  assert.deepEqual(pathsOf("version", { keys: false }), []);
  const isText = ({ kind }) => kind === "String" || kind === "StringName";
  const texts = Array.from(nodesOf(document)).filter((node) => isText(node) && document.at(node.way).includes("e"));
  assert.deepEqual(document.search("e", { keys: false }).found.map(({ offset }) => offset), texts.map(({ offset }) => offset));
  for (const most of [1, 2, 7]) {
    const found = [];
    for (let from = 0; from !== undefined; ) {
      const hits = document.search("e", { from, most });
      assert.ok(hits.found.length <= most && !(hits.next <= from));
      found.push(...hits.found);
      from = hits.next;
    }
    assert.deepEqual(found, document.search("e", { most: 1000 }).found);
  }
  for (const bytes of [1, 100, 5000]) {
    const found = [];
    for (let from = 0; from !== undefined;) {
      const hits = document.search("e", { from, bytes });
      assert.ok(!(hits.next <= from));
      found.push(...hits.found);
      from = hits.next;
    }
    assert.deepEqual(found, document.search("e", { most: 1000 }).found);
  }
  const save = new Document(encode(new Map([["Gold", 9999], ["x", [0.127, "Åsa ПРИВЕТ", 99995]], ["at", new Vector3(9999, 0, 1)], [9999, "key"]]), "godot4"), { dialect: "godot4", framing: "bare" });
  const inSave = (text, options) => save.search(text, options).found.map(({ path, isKey }) => `${path} ${isKey}`);
  for (const text of ["9999", "9,999", "9.999", "9 999", "9'999", "9_999"]) assert.deepEqual(inSave(text), ["Gold false", "x[2] false", "at false", "[9999] true"], text);
  assert.deepEqual([inSave("0.13"), inSave("0,127"), inSave("9999", { numbers: false }), inSave("åSA"), inSave("привет")], [["x[0] false"], ["x[0] false"], [], ["x[1] false"], ["x[1] false"]]);
  assert.deepEqual(open("godot4/saves/project.binary").search("global/typed").found.map(({ frame, isKey }) => [frame, isKey]), [[3, true]]);
});

test("damage is found where it is, and nothing is made of it", () => {
  for (const { file, dialect, framing, profile, offset, path, error } of readJson("damaged/expected.json")) {
    const document = open(`damaged/${file}`, { dialect, framing }), validation = document.validate(), bytes = document.bytes();
    if (profile === "canonical") {
      assert.deepEqual([validation.isValid, validation.count], [true, 0], file);
      continue;
    }
    const [problem] = validation.problems, own = path.replace("(root)", "");
    assert.deepEqual([validation.isValid, validation.count], [false, 1], file);
    assert.deepEqual([problem.offset, problem.path, problem.message], [offset, own, error], file);
    assert.ok(problem.expected && problem.found && problem.hint && problem.section.startsWith("docs/spec/"));
    const { start, end } = document.extent(problem.way);
    assert.ok(start <= offset && offset <= end, file);
    // Some of the calls below accept text that is not UTF-8.
    if (file === "bad_utf8.variant") continue;
    for (const call of [() => document.text(), () => document.json("exact"), () => document.convert("godot3"), () => document.at(problem.way)]) {
      const thrown = thrownBy(call);
      assert.deepEqual([thrown.name, thrown.offset, thrown.path, thrown.frame], ["VariantError", offset, own, problem.frame], file);
    }
    refuses(() => document.diff(document), thrownBy(() => document.text()).class);
    refuses(() => document.insert({ frame: problem.frame, path: "[+]" }, new Literal("1")), "edit", "[+]");
    assert.deepEqual([document.bytes(), document.changes], [bytes, []]);
  }
});

/** The options for the damaged files. Damage may prevent detection. */
const readingOf = (name) => ({
  dialect: name === "nested_cut.variant" ? "pandemonium4" : name.endsWith(".bin") ? "godot3" : "godot4",
  framing: name.endsWith(".variant") ? "bare" : "frames",
});

test("salvage recovers what is known to be sound", () => {
  for (const name of readdirSync(new URL("damaged/salvage/", corpus)).filter((name) => !name.endsWith(".txt"))) {
    const password = name.endsWith(".gdec") ? "hunter2" : undefined;
    if (/gcpf|gdec/.test(name)) refuses(() => open(`damaged/salvage/${name}`, { password }), "layer");
    const document = open(`damaged/salvage/${name}`, { lenient: true, password, ...readingOf(name) });
    const report = readFileSync(new URL(`damaged/salvage/${name}.txt`, corpus), "utf8").replaceAll(/(?<=\d),(?=\d)/g, "");
    const numbers = report.match(/recovered (\d+) \w+, (\d+) bytes; (\d+) holes?, (\d+) bytes lost/).slice(1).map(Number);
    const { bytes, holes, ...rest } = document.salvage();
    assert.deepEqual([rest.values, rest.size, rest.count, rest.lost], numbers, name);
    assert.deepEqual(holes.map(({ start, end, path }) => `${start} ${end} ${path || "(root)"}`), Array.from(report.matchAll(/hole: bytes (\d+) to (\d+), \d+ bytes: (.*?): /g), ([, ...hole]) => hole.join(" ")), name);
    const { dialect, framing, layers } = document.info;
    const again = new Document(bytes, { dialect, framing, password });
    assert.deepEqual([again.validate().isValid, again.info.layers.length, again.children([]).length], [true, layers.length, rest.values], name);
  }
  const whole = sample().salvage();
  assert.deepEqual([whole.bytes, whole.holes, whole.values, whole.lost], [sample().bytes(), [], 1, 0]);
});

test("text is read back as what it was, and JSON has all of it", () => {
  for (const name of ["godot4/saves/sample0.variant", "godot4/saves/sample200.variant", "godot4/saves/rpc.variant"]) {
    const document = open(name);
    document.set([0], new Literal(document.text()));
    assert.deepEqual(open(name).diff(document).found, [], name);
  }
  for (const dialect of ["godot4", "pandemonium4"]) {
    const document = open(`${dialect}/saves/nested_18k.variant`);
    assert.equal(document.validate().values, readJson(`${dialect}/saves/nested_18k.json`).values);
    assert.equal(Object.keys(JSON.parse(document.json())).length, document.node([0]).rows);
  }
  const document = sample();
  assert.deepEqual([document.text("pos"), document.text([0, 0])], ["Vector3(1.5, 2.5, -3.25)\n", "4\n"]);
  assert.deepEqual(JSON.parse(document.json("plain", "entities[1]")), { id: 1, hp: 0.1, tag: "enemy_1", p: [8589934592, -1], q: [0.3], v4: { x: 1, y: 1, z: 2, w: 3 } });
  assert.deepEqual(JSON.parse(document.json("native", "pos")), { type: "Vector3", args: [1.5, 2.5, -3.25] });
  assert.deepEqual(JSON.parse(document.json("exact", "pos")), { dialect: "godot4", reals: "by-flag", value: { t: "Vector3", v: ["1.5", "2.5", "-3.25"] } });
  for (const [name, , , , password] of FILES) {
    const document = open(name, { password }), again = open(name, { password });
    for (const form of ["plain", "native", "exact"]) {
      const lines = document.json(form).trimEnd().split("\n");
      assert.equal(lines.length, document.children([]).length, name);
      for (const line of lines) JSON.parse(line);
    }
    assert.equal(document.json("exact"), again.json("exact"));
  }
  assert.match(open("godot4/saves/project.binary").text(), /^application\/config\/name="corpus å"\n/);
  refuses(() => document.json("pretty"), "option");
});

test("changes say what they did; all are taken back, and made again", () => {
  const document = sample(), original = document.bytes(), states = [original];
  const changes = [
    [() => document.set("entities[0].hp", new Literal("7.5")), { path: "entities[0].hp", before: "0.0", after: "7.5" }],
    [() => document.set([0, 2], new Literal("Vector3(1, 2, 3)")), { path: "pos", before: "Vector3(1.5, 2.5, -3.25)", after: "Vector3(1, 2, 3)" }],
    [() => document.insert("entities[1].bag", new Literal('{"a": [1]}')), { path: "entities[1].bag", after: "Dictionary (1)" }],
    [() => document.insert("entities[0]", new Literal("null")), { path: "entities[0]", after: "null" }],
    [() => document.insert({ frame: 1, path: "typed[+]" }, new Literal("3")), { path: "typed[2]", after: "3" }],
    [() => document.delete("version"), { path: "version", before: "4" }],
    [() => document.renameKey("name", "title"), { path: "name" }],
  ];
  const told = changes.map(([change, wanted]) => {
    const [made, ...more] = change();
    assert.deepEqual([{ ...made, ...wanted }, more], [made, []]);
    states.push(document.bytes());
    return made;
  });
  assert.deepEqual(document.changes, told);
  assert.deepEqual([document.at("title"), document.at("entities[0]"), document.at("typed[2]"), document.at("pos")], ["Godot 4 save", null, 3, new Vector3(1, 2, 3)]);
  assert.deepEqual(document.at("entities[2].bag", { dictionaries: "object" }), { a: [1] });
  assert.deepEqual([document.validate().isValid, document.save()], [true, document.bytes()]);
  for (const made of told.toReversed()) {
    states.pop();
    assert.deepEqual([document.undo(), document.bytes()], [[made], states.at(-1)]);
  }
  assert.deepEqual([document.undo(), document.changes, document.info.isChanged, document.info.canRedo], [[], [], false, true]);
  for (const made of told) assert.deepEqual(document.redo(), [made]);
  assert.deepEqual([document.redo(), document.changes], [[], told]);
  document.undo();
  document.delete("pos");
  assert.deepEqual([document.info.canRedo, document.redo()], [false, []]);
});

test("several changes are one step, all or none", () => {
  const document = sample(), before = document.bytes();
  const changes = document.edit([
    { set: "entities[0].hp", value: new Literal("7.5") }, { set: [0, 2], value: new Vector3(1, 2, 3) }, { delete: "version" },
    { insert: "typed[+]", value: 3 }, { rename: "name", key: "title" },
  ]);
  assert.deepEqual([changes.length, document.changes, document.info.step, document.info.canUndo], [5, changes, 1, true]);
  assert.deepEqual([document.at("title"), document.at("pos"), document.validate().isValid], ["Godot 4 save", new Vector3(1, 2, 3), true]);
  const after = document.bytes();
  assert.deepEqual([document.undo(), document.bytes(), document.info.step], [changes, before, 0]);
  assert.deepEqual([document.redo(), document.bytes(), document.info.step], [changes, after, 1]);
  document.undo();
  refuses(() => document.edit([{ set: "entities[0].hp", value: 5 }, { delete: "pos" }, { delete: "nothing" }]), "edit");
  for (const wrong of [undefined, {}, { move: "pos" }, { set: "pos", key: "a" }, { rename: "pos" }]) assert.throws(() => document.edit([wrong]), TypeError);
  assert.deepEqual([document.bytes(), document.edit([]), document.info.step, document.info.canRedo], [before, [], 0, true]);
  document.set("version", 9);
  assert.deepEqual([document.info.step, document.info.canRedo], [2, false]);
});

test("a query changes the values of all frames, and each keeps its kind", () => {
  const document = open("godot4/saves/plain.bin"), count = document.select("..hp").length;
  assert.ok(count > 1);
  document.set({ query: "..hp" }, new Literal("7"));
  assert.ok(document.select("..hp").every(({ value }) => value === 7));
  assert.deepEqual([document.select("..hp").length, document.info.step, document.validate().isValid], [count, 1, true]);
  assert.deepEqual(document.children([]).length, open("godot4/saves/plain.bin").children([]).length);
  document.undo();
  refuses(() => document.delete({ query: "..nothing" }), "edit");
});

test("the kind of a value is known before it is set", () => {
  const document = sample();
  assert.deepEqual([document.kind("entities[0].hp"), document.kindOf("entities[0].hp", new Literal("7")), document.kindOf("entities[0].hp", new Literal("true"))], ["float", "float", "bool"]);
  assert.deepEqual([document.kindOf("pos", null), document.kindOf([0, 2], "text"), document.info.step], ["Nil", "String", 0]);
  refuses(() => document.kindOf("pos", new Literal("(")), "literal");
});

test("rows show what is in a value, without its type", () => {
  const document = new Document(encode(new Map([
    ["player", new Map([["hp", 7], ["a \"b\"", "x"]])], ["list", [1, "two", [3], new Map([["a", 1]]), null]], ["empty", []], ["none", new Map()],
    ["at", new Vector3(1, 2.5, 3)], ["bytes", Uint8Array.of(1, 2, 3)], ["text", "a \"b\"\n"], ["long", new Map([["first", "x".repeat(9999)], ["second", 1]])], ["n", 7],
    ["many", new Map(Array.from({ length: 40 }, (_, index) => [`key ${index}`, index]))],
  ]), "godot4"), { dialect: "godot4", framing: "bare" });
  const shown = Object.fromEntries(document.children([0]).map(({ label, text, count }) => [label.replaceAll('"', ""), [text, count]]));
  assert.deepEqual([shown.list, shown.empty, shown.none, shown.bytes, shown.n], [["[1, two, [...], {...}, null]", 5], ["[]", 0], ["{}", 0], ["[1, 2, 3]", 3], ["7", undefined]]);
  assert.deepEqual([shown.at, shown.long], [["(1, 2.5, 3)", undefined], ["{...}", 2]]);
  assert.match(shown.many[0], /^\{key 0, key 1, .*, \.\.\.\}$/);
  assert.match(shown.player[0], /^\{hp, a .*\}$/);
  assert.doesNotMatch(shown.text[0], /^"/);
});

test("the elements of packed arrays are rows, and are changed like the items of arrays", () => {
  const document = new Document(encode({ all: null }, "godot4"), { dialect: "godot4", framing: "bare" });
  document.set("", new Literal('{"b": PackedByteArray(1, 2, 3), "w": PackedStringArray("a", "b c"), "v": PackedVector2Array(1, 2, 0.5, 4)}'));
  const rows = (path) => document.children(document.node(path).way).map(({ label, kind, text, rows, path }) => [label, kind, text, rows, path]);
  assert.deepEqual([document.node("b").rows, document.node("b").count], [3, 3]);
  assert.deepEqual(rows("b"), [["[0]", "int", "1", 0, "b[0]"], ["[1]", "int", "2", 0, "b[1]"], ["[2]", "int", "3", 0, "b[2]"]]);
  assert.deepEqual(rows("w"), [["[0]", "String", "a", 0, "w[0]"], ["[1]", "String", "b c", 0, "w[1]"]]);
  assert.deepEqual(rows("v"), [["[0]", "Vector2", "(1, 2)", 0, "v[0]"], ["[1]", "Vector2", "(0.5, 4)", 0, "v[1]"]]);
  for (const [path, literal] of [["b[2]", "3"], ["w[1]", '"b c"'], ["v[-1]", "Vector2(0.5, 4)"]]) {
    const { way, start, offset } = document.node(path);
    assert.deepEqual([document.text(way).trimEnd(), document.text(path).trimEnd(), start], [literal, literal, offset]);
    assert.deepEqual(document.at(way), document.at(path));
    assert.deepEqual(document.pathTo(offset).way, way);
    const { start: from, end } = document.extent(way);
    assert.equal(document.fields(from, end)[0].value, offset);
    document.set(way, document.at(way, { exact: true }));
    assert.equal(document.changes.length, 1);
  }
  assert.deepEqual(document.nodes("v[*]").found.map(({ path }) => path), ["v[0]", "v[1]"]);
  assert.deepEqual(document.search("b c").found.map(({ path }) => path), ["w[1]"]);
  assert.deepEqual(document.search("3").found.map(({ path }) => path), ["b[2]"]);
  document.insert("b[+]", 4);
  document.edit([{ set: "b[0]", value: 9 }, { set: "b[3]", value: 8 }]);
  document.delete(document.node("b[1]").way);
  document.insert("w[0]", "new");
  document.delete("w[-1]");
  assert.equal(document.text("").trimEnd(), '{\n"b": PackedByteArray(9, 3, 8),\n"w": PackedStringArray("new", "a"),\n"v": PackedVector2Array(1, 2, 0.5, 4)\n}');
  for (const value of [256, 1.5, "1"]) refuses(() => document.set("b[0]", value), "edit");
  refuses(() => document.node("b[3]"), "path");
  refuses(() => document.delete("..[0]"), "edit");
  assert.equal(document.kindOf("b[0]", 7), "int");
  for (let step = 0; step < 6; step++) document.undo();
  assert.equal(document.info.canUndo, false);
});

test("the rows of a query, page by page", () => {
  for (const name of ["godot4/saves/sample3.variant", "godot4/saves/plain.bin"]) {
    const document = open(name), all = document.select("..hp").map(({ frame, path }) => ({ frame, path }));
    const { found, next } = document.nodes("..hp", { most: 1000 });
    assert.deepEqual([found.map(({ frame, path }) => ({ frame, path })), next], [all, undefined]);
    assert.deepEqual(found, found.map(({ way }) => document.node(way)));
    for (const how of [{ most: 1 }, { most: 7 }, { bytes: 1 }]) {
      const pages = [];
      for (let from = 0; from !== undefined;) {
        const page = document.nodes("..hp", { from, ...how });
        assert.ok(!(page.next <= from));
        pages.push(...page.found);
        from = page.next;
      }
      assert.deepEqual(pages, found);
    }
    refuses(() => document.nodes("a["), "path", "a[");
  }
});

test("a change leaves the bytes around it", () => {
  for (const [name] of FILES.filter(([, , , layer]) => !layer)) {
    const document = open(name), before = document.bytes();
    for (const { frame, kind } of document.children([])) {
      if (kind === "Object") continue;
      const place = { frame, path: "" }, { offset, end } = document.extent([Math.max(frame - 1, 0)]), { length } = document.bytes();
      document.set(place, new Literal('{"new": 1}'));
      const after = document.bytes(), grown = after.length - length;
      assert.deepEqual(document.at(place, { dictionaries: "object" }), { new: 1 }, name);
      assert.equal(Buffer.compare(after.subarray(end + grown), before.subarray(end)), 0);
      // A change may also change the length prefix of the frame before the value.
      const front = Math.max(offset - 4, 0);
      assert.equal(Buffer.compare(after.subarray(0, front), before.subarray(0, front)), 0);
      document.undo();
      assert.equal(Buffer.compare(document.bytes(), before), 0);
    }
    document.free();
  }
});

test("a change that is refused changes nothing", () => {
  const document = sample();
  document.set("name", new Literal('"x"'));
  document.set("version", new Literal("5"));
  document.undo();
  const { info, changes } = document, bytes = document.bytes();
  const refused = [
    [() => document.set("nope", new Literal("1")), "edit", "nope"],
    [() => document.set("name", new Literal("Vec(")), "literal"],
    [() => document.set("name", new Literal("1 2")), "literal"],
    [() => document.set({ frame: 3, path: "" }, new Literal("1")), "edit", ""],
    [() => document.set("typed[0]", new Literal('"a"')), "edit", "typed[0]"],
    [() => document.set([0, 99], new Literal("1")), "path"],
    [() => document.insert("name", new Literal("1")), "edit", "name"],
    [() => document.insert("", new Literal("1")), "edit", ""],
    [() => document.insert("entities[9]", new Literal("1")), "edit", "entities[9]"],
    [() => document.delete([0]), "edit", ""],
    [() => document.renameKey("entities[0]", "x"), "edit", "entities[0]"],
    [() => document.renameKey("name", "version"), "edit", "name"],
  ];
  for (const [call, kind, path] of refused) refuses(call, kind, path);
  assert.deepEqual([document.info, document.changes, document.bytes()], [info, changes, bytes]);
  assert.equal(document.redo().length, 1);
});

test("a change that engines write in different bytes is refused until the dialect is named", () => {
  const stored = Uint8Array.of(8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0), tied = Uint8Array.of(8, 0, 0, 0, 27, 0, 0, 0, 0, 0, 0, 0);
  for (const [bytes, named] of [[stored, "godot3"], [tied, "pandemonium3"]]) {
    const document = new Document(bytes), change = () => document.set("", new Literal("[1, 2]"));
    assert.equal(document.info.isCertain, false);
    refuses(change, "edit", "");
    const { message } = thrownBy(change);
    for (const dialect of ["godot2", "godot4", "pandemonium3"]) assert.ok(message.includes(dialect), message);
    assert.deepEqual([document.bytes(), document.changes], [bytes, []]);
    // A new framing alone does not make the dialect certain.
    document.reread({ framing: "bare", skip: 4 });
    refuses(change, "edit", "");
    document.reread({ dialect: named, framing: "frames", skip: 0 });
    assert.deepEqual([change()[0].after, document.save()[4], document.undo().length], ["Array (2)", encode([], named)[0], 1]);
    assert.equal(new Document(bytes, { dialect: "godot4" }).set("", new Literal("[1, 2]")).length, 1);
  }
  const document = new Document(stored);
  document.set("", new Literal("51"));
  assert.equal(document.save()[8], 51);
  document.set("", new Literal("true"));
  refuses(() => document.set("", new Literal("Vector2(1, 2.5)")), "edit", "");
});

test("bytes after the frames are told, and kept by what writes", () => {
  const save = encode(new Map([["hp", 77], ["gold", 5]]), "godot4");
  const frame = Buffer.concat([Uint8Array.of(save.length, 0, 0, 0), save]), hash = Buffer.from("a7ee27fbae27bc40", "hex");
  const bytes = new Uint8Array(Buffer.concat([frame, hash])), document = new Document(bytes);
  const isKept = (written) => Buffer.compare(written.subarray(-8), hash) === 0;
  for (const document of [new Document(bytes), new Document(bytes, { dialect: "godot4", framing: "frames" })]) {
    const { notes, size } = document.info;
    assert.deepEqual([size, document.children([]).length, document.validate().isValid, notes.length], [bytes.length, 1, true, 1]);
    assert.ok(notes[0].startsWith(`8 bytes from byte ${frame.length} belong to no value`), notes[0]);
    document.set("hp", new Literal("10"));
    document.insert("name", new Literal('"Ann"'));
    const saved = document.save();
    assert.deepEqual([isKept(saved), new Document(saved).at("", { dictionaries: "object" })], [true, { hp: 10, gold: 5, name: "Ann" }]);
    document.undo();
    document.undo();
    assert.deepEqual(document.save(), bytes);
  }
  for (const written of [document.convert("godot3", { lossy: true }).bytes, document.salvage().bytes]) {
    assert.deepEqual([isKept(written), new Document(written).at("gold")], [true, 5]);
  }
  for (let offset = frame.length; offset < bytes.length; offset++) attempt(() => document.pathTo(offset));
  document.reread({ framing: "bare", skip: 4 });
  assert.deepEqual([document.info.notes, document.at("hp")], [[], 77]);
  document.reread({ framing: "frames", skip: 0 });
  assert.deepEqual([document.info.notes.length, document.children([]).length], [1, 1]);
});

test("values without lengths are read as a sequence, in the dialect of the file", () => {
  const bytes = (dialect) => new Uint8Array(Buffer.concat([{ a: 1 }, { b: [2] }, { c: 3 }].map((value) => encode(value, dialect))));
  for (const dialect of ["godot3", "godot4"]) {
    const detected = new Document(bytes(dialect)), { info } = detected;
    assert.deepEqual([info.framing, info.dialect, detected.children([]).length], ["sequence", dialect, 3]);
    const named = [new Document(bytes(dialect), { framing: "sequence" }), new Document(bytes(dialect), { dialect, framing: "sequence" })];
    const reread = new Document(bytes(dialect), { dialect: dialect === "godot3" ? "godot4" : "godot3", framing: "bare" });
    detected.reread({ dialect: info.dialect, framing: info.framing, skip: info.skipped });
    reread.reread({ framing: "sequence", dialect });
    for (const document of [detected, reread, ...named]) {
      assert.deepEqual([document.info.framing, document.info.dialect, document.validate().isValid], ["sequence", dialect, true]);
      assert.deepEqual(document.at({ frame: 2, path: "b" }), [2]);
      document.set({ frame: 2, path: "b[0]" }, new Literal("9"));
      assert.deepEqual([document.at({ frame: 2, path: "b" }), document.at({ frame: 3, path: "c" })], [[9], 3]);
      document.undo();
      assert.deepEqual(document.save(), bytes(dialect));
    }
  }
  const lone = new Document(new Uint8Array(Buffer.concat([1, "a", 2.5].map((value) => encode(value, "godot4")))), { dialect: "godot4", framing: "bare" });
  lone.reread({ framing: "sequence" });
  assert.deepEqual([0, 1, 2].map((place) => lone.at([place])), [1, "a", 2.5]);
  // If only the dialect is given, the values are read in this dialect, and the framing is unchanged.
  lone.reread({ dialect: "godot3" });
  assert.deepEqual([lone.info.framing, lone.children([]).length], ["sequence", 3]);
});

test("a value that was read exactly is set again without a change of the bytes", () => {
  // Values do not have the padding of node paths. Only this file has padding that is not zero.
  for (const [name, , , , password] of FILES.filter(([name]) => !name.includes("padding"))) {
    const document = open(name, { password }), before = document.bytes();
    for (const { way } of document.children([], 0, 20)) document.set(way, document.at(way, { exact: true }));
    assert.deepEqual(document.bytes(), before, name);
  }
});

test("values of JavaScript are set as encode takes them, and a text is a String", () => {
  const document = sample();
  const values = ["Vector3(1, 2, 3)", 7, 2.5, true, null, new Vector3(1, 2, 3), [1, "two", [3]], Uint8Array.of(1, 2), 2n ** 60n, new Float(1), ""];
  for (const [index, value] of values.entries()) {
    document.insert(`["new ${index}"]`, value);
    assert.deepEqual(document.at(`["new ${index}"]`), value instanceof Float ? 1 : value === 2n ** 60n ? 2n ** 60n : value);
  }
  document.set("name", { a: { b: 1 }, constructor: 2 });
  assert.deepEqual(document.at("name", { dictionaries: "object" }), { a: { b: 1 }, constructor: 2 });
  document.set([0, 2], new Literal("Vector3(1, 2, 3)"));
  const other = sample();
  other.set([0, 2], new Vector3(1, 2, 3));
  assert.deepEqual(other.at([0, 2]), document.at([0, 2]));
  assert.equal(new Document(document.save()).validate().isValid, true);
  assert.deepEqual([document.changes.length, document.changes[0].after], [values.length + 2, '"Vector3(1, 2, 3)"']);
  while (document.undo().length > 0);
  assert.deepEqual(document.bytes(), sample().bytes());
  // The value is larger than the buffers that the module keeps, and its getter changes the document.
  document.set("name", { data: new Uint8Array(4 << 20), get inner() { return document.set("version", 9).length; } });
  assert.deepEqual([document.at("name.data").length, document.at("name.inner"), document.at("version")], [4 << 20, 1, 9]);
  refuses(() => open("godot3/saves/store_var_seq.bin").set({ frame: 1, path: "" }, new Map([["a", [new BigInt64Array(1)]]])), "edit");
});

test("a selection has the values of all frames, in the order of the bytes", () => {
  for (const [name, , , , password] of FILES) {
    const document = open(name, { password }), roots = document.children([], 0, 50);
    if (document.info.framing !== "settings") {
      assert.deepEqual(document.select("", { most: 50 }).map(({ frame, path }) => [frame, path]), roots.map(({ frame }) => [frame, ""]));
    }
    for (const exact of [false, true]) {
      const found = document.select("..*", { most: 60, exact });
      assert.ok(found.length <= 60);
      for (const { frame, path, value } of found) assert.deepEqual(value, document.at({ frame, path }, { exact }), `${name} ${path}`);
      const offsets = found.map(({ frame, path }) => document.offset({ frame, path }));
      assert.deepEqual(offsets, offsets.toSorted((a, b) => a - b));
    }
    assert.deepEqual(document.select("..*", { most: 0 }), []);
  }
  const document = sample();
  assert.deepEqual([document.select("..*", { most: 7 }).length, document.select("..*").length > 20], [7, true]);
  assert.deepEqual(document.select("entities[*].hp").map(({ frame, path, value }) => [frame, path, value]), [0, 1, 2].map((index) => [0, `entities[${index}].hp`, document.at(`entities[${index}].hp`)]));
  assert.deepEqual([document.select("nope"), document.select("entities[0]", { dictionaries: "object" })[0].value.hp], [[], 0]);
  refuses(() => document.select("a["), "path", "a[");
  const frames = new Document(open("godot3/saves/store_var_seq.bin").bytes().slice(0, -3), { dialect: "godot3", framing: "frames" });
  refuses(() => frames.select("..*", { most: Infinity }), "truncated");
  assert.equal(frames.select("", { most: 1 }).length, 1);
});

test("a merge has the changes of both files, as one change", () => {
  const save = (...values) => new Document(new Uint8Array(Buffer.concat(values.flatMap((value) => {
    const bytes = encode(value, "godot4");
    return [Uint8Array.of(bytes.length, bytes.length >> 8, 0, 0), bytes];
  }))), { dialect: "godot4", framing: "frames" });
  const read = (document, frame = 1) => document.at({ frame, path: "" }, { dictionaries: "object" });
  const base = save({ hp: 1, gold: 5, bag: { a: 1, b: 2 }, at: [1, 2, 3], old: 0 });
  const ours = save({ hp: 2, gold: 5, bag: { a: 1, b: 2, c: 3 }, at: [9, 2, 3], old: 0, mine: 1 }), before = ours.bytes();
  const theirs = save({ hp: 1, gold: 7, bag: { a: 4 }, at: [1, 2, 8], new: [1] });
  const changes = ours.merge(theirs, { base });
  assert.deepEqual(read(ours), { hp: 2, gold: 7, bag: { a: 4, c: 3 }, at: [9, 2, 8], mine: 1, new: [1] });
  assert.deepEqual([changes.length > 3, ours.changes, ours.info.canUndo], [true, changes, true]);
  assert.deepEqual([ours.undo(), ours.bytes(), ours.info.isChanged], [changes, before, false]);
  ours.merge(theirs);
  assert.deepEqual(read(ours), { hp: 1, gold: 7, bag: { a: 4, b: 2, c: 3 }, at: [1, 2, 8], old: 0, mine: 1, new: [1] });
  for (const document of [ours, theirs, base]) assert.deepEqual([document.merge(document), document.merge(document, { base: document })], [[], []]);

  const [old, one, other] = [save({ a: 1, b: [1] }, { d: 1 }), save({ a: 2, b: [1, 2] }, {}), save({ a: 3, b: [3] }, { d: 2 })], unchanged = one.bytes();
  refuses(() => one.merge(other, { base: old }), "edit", "a");
  const { message, frame, conflicts } = thrownBy(() => one.merge(other, { base: old }));
  assert.match(message, /3 values in different ways, such as a; prefer/);
  assert.deepEqual([frame, conflicts], [1, [
    { frame: 1, path: "a", base: "1", ours: "2", theirs: "3" },
    { frame: 1, path: "b", base: "Array (1)", ours: "Array (2)", theirs: "Array (1)" },
    { frame: 2, path: "d", base: "1", theirs: "2" },
  ]]);
  assert.deepEqual([one.merge(other, { base: old, prefer: "ours" }), one.bytes(), one.changes], [[], unchanged, []]);
  one.merge(other, { base: old, prefer: "theirs" });
  assert.deepEqual([read(one), read(one, 2)], [read(other), read(other, 2)]);
  refuses(() => one.merge(other, { base: old, prefer: "mine" }), "option");
  assert.throws(() => one.merge(other, { prefer: "theirs" }), /only a merge with a base chooses a side/);
  refuses(() => one.merge(save({ a: 1 }, {}, {})), "edit");
});

test("a merge refuses what the dialect of the file cannot hold, unless it is lossy", () => {
  const old = new Document(encode({}, "godot3"), { dialect: "godot3", framing: "bare" }), before = old.bytes();
  const other = new Document(encode({}, "godot4"), { dialect: "godot4", framing: "bare" });
  other.insert("call", new Literal("Callable()"));
  refuses(() => old.merge(other), "encode", "call");
  assert.deepEqual([old.bytes(), old.changes], [before, []]);
  assert.equal(old.merge(other, { lossy: true }).length, 1);
  assert.equal(old.at("call"), null);
});

test("a merge of a file with itself keeps every byte", () => {
  for (const [name, , , , password] of FILES) {
    const document = open(name, { password }), other = open(name, { password });
    assert.deepEqual([document.merge(other, { base: other }), document.changes], [[], []]);
  }
  const damaged = new Document(sample().bytes().slice(0, -4), { dialect: "godot4", framing: "bare" });
  refuses(() => damaged.merge(sample()), "truncated");
  refuses(() => sample().merge(damaged), "edit");
});

test("a file is saved in what it was wrapped in", () => {
  const kindOf = ({ layers }) => layers.map((layer) => layer.split(" from ")[0]);
  for (const [name, dialect, framing, layer, password] of FILES.filter(([, , , layer]) => layer)) {
    const document = open(name, { password }), place = { frame: 1, path: "" };
    document.set(place, new Literal('{"a": "changed"}'));
    const saved = document.save(), again = new Document(saved, { password });
    assert.deepEqual([again.info.dialect, again.info.framing, kindOf(again.info)], [dialect, framing, kindOf(document.info)]);
    assert.deepEqual([again.bytes(), again.at("a"), again.validate().isValid], [document.bytes(), "changed", true], `${name} ${layer}`);
    if (password !== undefined) assert.ok(new Document(saved).info.isLocked);
    assert.deepEqual(new Document(document.convert("pandemonium4", { lossy: true }).bytes, { password }).info.layers.length, 1);
  }
});

test("every compression and encryption is put on and taken off", () => {
  for (const name of ["godot3/saves/store_var_seq.bin", "godot4/saves/sample200.variant", "godot3/containers/gcpf_zstd_save.bin"]) {
    const document = open(name), plain = document.unwrap();
    for (const compression of ["none", "fastlz", "deflate", "zstd", "gzip"]) {
      for (const encryption of ["none", "ecb", "cfb"]) {
        for (const password of encryption === "none" ? [undefined] : ["pässwörd", "", key]) {
          const wrapped = document.wrap({ compression, encryption, password }), again = new Document(wrapped, { password });
          assert.deepEqual(again.unwrap(), plain);
          const layers = [encryption === "none" ? [] : [`aes256-${encryption}`], compression === "none" ? [] : [compression]].flat();
          assert.deepEqual(again.info.layers.map((layer) => layer.split(" ")[2]), layers);
          if (layers.length === 0) assert.deepEqual(wrapped, plain);
          if (password !== undefined) assert.deepEqual(new Document(again.wrap({ compression: "none" }), { password }).unwrap(), plain);
        }
      }
    }
    for (const how of [{ compression: "brotli" }, { encryption: "xor" }, { encryption: "cfb" }, { encryption: "ecb", password: new Uint8Array(31) }]) refuses(() => document.wrap(how), "option");
  }
});

test("a conversion tells what is lost, and loses it if that is wanted", () => {
  const document = sample(), { bytes, losses, count } = document.convert("godot3");
  assert.deepEqual([bytes, losses.length > 0, count >= losses.length], [undefined, true, true]);
  for (const { frame, path, message } of losses) assert.ok(document.kind({ frame, path }) && frame === 0 && message.length > 0);
  const lossy = new Document(document.convert("godot3", { lossy: true }).bytes);
  assert.deepEqual([lossy.info.dialect, lossy.validate().isValid, lossy.at("entities[1].id")], ["godot3", true, 1]);
  for (const dialect of ["godot4", "pandemonium4", "pandemonium5"]) {
    const rpc = open("godot4/saves/rpc.variant"), there = rpc.convert(dialect);
    assert.deepEqual([there.losses, there.count], [[], 0]);
    const back = new Document(there.bytes, { dialect, framing: "bare" });
    assert.deepEqual(back.at([0]), rpc.at([0]));
    assert.deepEqual(back.convert("godot4").bytes, rpc.bytes());
  }
  const settings = new Document(open("godot4/saves/project.binary").convert("pandemonium4", { lossy: true }).bytes, { dialect: "pandemonium4" });
  assert.deepEqual([settings.info.framing, settings.children([]).length, settings.validate().isValid], ["settings", 10, true]);
  refuses(() => document.convert("godot9"), "option");
});

test("a comparison tells what was changed, and nothing else", () => {
  for (const [name, , , , password] of FILES) {
    const document = open(name, { password }), none = { found: [], changed: 0, added: 0, removed: 0, reordered: 0 };
    assert.deepEqual(document.diff(document), none);
    assert.deepEqual(document.diff(open(name, { password })), none);
  }
  const document = sample(), edited = sample();
  edited.set("entities[1].hp", new Literal("9.5"));
  edited.delete("version");
  edited.insert("new", new Literal("true"));
  const { found, ...counts } = document.diff(edited);
  assert.deepEqual(counts, { changed: 1, added: 1, removed: 1, reordered: 0 });
  const of = (wanted) => found.find(({ change }) => change === wanted);
  assert.deepEqual(of("changed"), { change: "changed", frame: 0, path: "entities[1].hp", before: "0.1", after: "9.5", offsetBefore: document.offset("entities[1].hp"), offsetAfter: edited.offset("entities[1].hp") });
  assert.deepEqual(of("removed"), { change: "removed", frame: 0, path: "version", before: "4", offsetBefore: document.offset("version") });
  assert.deepEqual(of("added"), { change: "added", frame: 0, path: "new", after: "true", offsetAfter: edited.offset("new") });
  assert.deepEqual([document.diff(edited, { most: 1 }).found.length, document.diff(edited, { most: 1 }).added], [1, 1]);
  const settings = open("godot4/saves/project.binary"), other = open("godot4/saves/project.binary");
  other.set({ frame: 2, path: "" }, new Literal("7"));
  assert.deepEqual(settings.diff(other).found.map(({ called, frame, path, after }) => [/^setting 2\b/.test(called), frame, path, after]), [[true, 2, "", "7"]]);
});

test("an empty file, and one of no bytes in every reading", () => {
  refuses(() => open("godot3/saves/empty.bin"), "format");
  for (const framing of ["bare", "frames", "frames-be", "settings", "sequence"]) {
    const document = new Document(new Uint8Array(0), { dialect: "godot4", framing });
    assert.deepEqual([document.info.size, document.bytes(), document.save(), document.fields(0, 9), document.search("a").found], [0, new Uint8Array(0), new Uint8Array(0), [], []]);
    assert.equal(document.validate().isValid, framing.startsWith("frames") || framing === "sequence");
    for (const read of Object.values(READS)) attempt(() => read(document));
    refuses(() => document.pathTo(0), "path");
    refuses(() => document.at([0]), framing === "bare" ? "truncated" : "path");
    assert.equal(new Document(document.wrap({ compression: "zstd" }), { dialect: "godot4", framing }).info.size, 0);
  }
});

/** Every member that reads, and every member that writes. */
const READS = {
  info: (document) => document.info,
  changes: (document) => document.changes,
  detect: (document) => document.detect(),
  children: (document) => document.children([], 0, 20).map(({ way }) => attempt(() => document.children(way, 0, 20))),
  node: (document) => [[], [0], [0, 0], [1, 2], [0, 0, 0]].map((way) => attempt(() => [document.node(way), document.kind(way), document.offset(way)])),
  extent: (document) => [[0], [0, 1], [2]].map((way) => attempt(() => document.extent(way))),
  at: (document) => ["", [0], [0, 0], [3], { frame: 2, path: "[0]" }, "{0:key}"].map((place) => attempt(() => document.at(place, { exact: true }))),
  pathTo: (document) => [0, 8, 21, 100, document.info.size - 1].map((offset) => attempt(() => document.pathTo(Math.max(offset, 0)))),
  fields: (document) => [[0, 64], [90, 300], [0, Infinity]].map(([start, end]) => document.fields(start, end)),
  bytes: (document) => document.bytes(),
  select: (document) => document.select("..*", { most: 20 }),
  search: (document) => document.search("a", { most: 20 }),
  validate: (document) => document.validate(),
  text: (document) => document.text(),
  json: (document) => ["plain", "native", "exact"].map((form) => attempt(() => document.json(form))),
  salvage: (document) => document.salvage(),
  convert: (document) => ["godot2", "godot4", "pandemonium5"].map((dialect) => attempt(() => document.convert(dialect, { lossy: true }))),
  diff: (document) => document.diff(document),
};
const WRITES = {
  set: (document) => document.set([0], new Literal("1")),
  give: (document) => document.set([0], [1, { a: "b" }]),
  merge: (document) => document.merge(document),
  insert: (document) => document.insert("[+]", new Literal("[1]")),
  delete: (document) => document.delete([0, 0]),
  renameKey: (document) => document.renameKey([0, 0], "b"),
  undo: (document) => document.undo(),
  redo: (document) => document.redo(),
  reread: (document) => document.reread({ dialect: "godot3" }),
  save: (document) => document.save(),
  unwrap: (document) => document.unwrap(),
  wrap: (document) => document.wrap({ compression: "deflate" }),
};

/** The result of a call, or its `VariantError`. Other errors fail the test. */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    if (error.name !== "VariantError" || typeof error.class !== "string") throw error;
    return error;
  }
}

test("damaged at random, every member answers", () => {
  let seed = 20_240_607;
  const random = (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const SMALL = FILES.map(([name, dialect, framing, layer, password]) => [read(name), dialect, framing, layer, password]).filter(([bytes]) => bytes.length < 3000);
  let opened = 0;
  for (let round = 0; round < 3000; round++) {
    const [bytes, dialect, framing, , password] = SMALL[round % SMALL.length];
    const damaged = bytes.slice(0, random(4) === 0 ? random(bytes.length) : bytes.length);
    for (let times = random(4) + 1; times > 0 && damaged.length > 0; times--) {
      const at = random(damaged.length), worst = [0, 0xff, 0x7f, 0x80, random(256), random(64)];
      if (random(2) === 0) damaged[at] = worst[random(worst.length)];
      else damaged.fill(worst[random(worst.length)], at & ~3, (at & ~3) + 4);
    }
    const document = attempt(() => new Document(damaged, { password, lenient: round % 3 > 0, ...(round % 2 > 0 && { dialect, framing }) }));
    if (!(document instanceof Document)) continue;
    opened += 1;
    for (const read of Object.values(READS)) attempt(() => read(document));
    const before = document.info.isLocked || document.bytes();
    for (const write of Object.values(WRITES)) attempt(() => write(document));
    while (!document.info.isLocked && document.undo().length > 0);
    assert.deepEqual(document.info.isLocked || document.bytes(), before);
    document.free();
  }
  assert.ok(opened > 2000, `${opened} were open`);
});

test("a tower of arrays, and counts that are claimed", () => {
  const tower = new Uint8Array(8 * 100_000 + 4);
  for (let level = 0; level < 100_000; level++) tower.set([28, 0, 0, 0, 1], 8 * level);
  const claims = ["1c000000ffffff7f", "1b000000ffffff7f", "22000000ffffff7f", "04000000ffffff7f", "18000000ffffff7f"].map((hex) => Buffer.from(hex, "hex"));
  for (const bytes of [tower, ...claims]) {
    const document = new Document(bytes, { dialect: "godot4", framing: "bare" });
    for (const call of Object.values({ ...READS, ...WRITES })) attempt(() => call(document));
    document.reread({ dialect: "godot4" });
    assert.equal(document.validate().isValid, document.children([], 0, 1)[0].kind === "int");
    document.free();
  }
  const document = new Document(tower, { dialect: "godot4", framing: "bare" });
  assert.equal(document.validate().problems[0].message, "more levels of nesting than the limits allow");
  assert.equal(document.kind(Array(500).fill(0)), "Array");
  refuses(() => document.kind(Array(5000).fill(0)), "path");
  refuses(() => document.at([0]), "limit");
});

/** The calls with options. */
const OPTIONS = (document, options) => [
  () => new Document(document.bytes(), options), () => document.reread(options), () => document.at("", options), () => document.select("..*", options),
  () => document.search("a", options), () => document.wrap(options), () => document.convert("godot4", options), () => document.diff(document, options),
  () => document.merge(document, options),
];

test("wrong arguments are told, and do no harm", () => {
  const document = sample(), before = document.bytes(), numbers = [NaN, -1, 1.5, -Infinity, "1", null, 1n, {}];
  for (const number of numbers) {
    const calls = [
      () => document.children([], number), () => document.children([], 0, number), () => document.pathTo(number), () => document.fields(number, 9),
      () => document.fields(0, number), () => document.bytes(number), () => document.bytes(0, number), () => document.search("a", { from: number }),
      () => document.search("a", { most: number }), () => document.reread({ skip: number }), () => document.diff(document, { most: number }),
      () => document.at([number]), () => document.set([0, number], new Literal("1")), () => new Document(before, { skip: number }),
    ];
    for (const call of calls) assert.throws(call, RangeError, String(call));
    if (number !== null) assert.throws(() => document.at({ frame: number, path: "" }), RangeError);
  }
  for (const wrong of [7, null, {}, [], Symbol("a"), true]) {
    const calls = [
      () => document.search(wrong), () => document.json(wrong), () => new Literal(wrong), () => document.select(wrong), () => document.merge(wrong),
      () => document.renameKey("name", wrong), () => document.reread({ dialect: wrong }), () => document.reread({ framing: wrong }),
      () => document.wrap({ compression: wrong }), () => document.wrap({ encryption: wrong }), () => document.wrap({ encryption: "cfb", password: wrong }),
      () => document.convert(wrong), () => document.diff(wrong), () => document.at("", { dictionaries: wrong }), () => new Document(wrong),
      () => new Document(before, { dialect: wrong }), () => new Document(before, { framing: wrong }), () => new Document(before, { password: wrong }),
    ];
    for (const call of calls) assert.throws(call, TypeError, String(call));
    if (!Array.isArray(wrong)) for (const member of ["at", "node", "kind", "offset", "extent", "children", "text", "delete"]) assert.throws(() => document[member](wrong), TypeError);
  }
  assert.deepEqual([document.children([], 1e12), document.bytes(5, 2).length, document.bytes(2 ** 32 + 5).length, document.fields(1e9, 2e9)], [[], 0, 0, []]);
  assert.deepEqual([document.bytes(0, 2 ** 32 + 5), document.children([], 0, 1e12).length, document.search("enemy", { from: 1e12 }).found], [before, 1, []]);
  for (const call of [() => document.pathTo(684), () => document.pathTo(1e12), () => document.node([1e12]), () => document.at({ frame: 2, path: "" }), () => document.at("name.x")]) refuses(call, "path");
  for (const wrong of [Symbol("a"), () => 1, new Date(), { a: [new Set()] }, Int16Array.of(1), new Literal("1").constructor]) {
    for (const call of [() => document.set("name", wrong), () => document.insert("new", wrong), () => document.set([0], [wrong])]) assert.throws(call, TypeError);
  }
  const circle = [];
  circle.push(circle);
  assert.throws(() => document.set("name", circle), RangeError);
  for (const call of OPTIONS(document, { wrongName: 1 })) assert.throws(call, /^TypeError: wrongName: there is no such option; there are .*[a-z]/, String(call));
  const claimed = Object.defineProperty(before.slice(), "length", { value: 4 });
  assert.deepEqual(new Document(claimed).bytes(), before);
  assert.deepEqual([document.bytes(), document.changes, files.engine.hasStopped], [before, [], false]);
});

test("a document that was freed says so; others stay", () => {
  const [document, other] = [sample(), open("godot3/saves/store_var_seq.bin")];
  document.set("name", new Literal('"one"'));
  other.set({ frame: 3, path: "" }, new Literal("43"));
  assert.deepEqual([document.at("name"), other.at({ frame: 3, path: "" }), document.changes.length, other.changes.length], ["one", 43, 1, 1]);
  document.free();
  document.free();
  for (const call of Object.values({ ...READS, ...WRITES })) assert.throws(() => call(document), /the document was freed/);
  assert.throws(() => document.unlock("a"), /the document was freed/);
  assert.throws(() => other.diff(document), /the document was freed/);
  assert.deepEqual([other.at({ frame: 3, path: "" }), other.undo().length], [43, 1]);
  other[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  assert.throws(() => other.info, /the document was freed/);
});

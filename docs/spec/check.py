#!/usr/bin/env python3
"""Runs decoder.py over the records of the corpus. (check_hostile.py: hostile input.)

    python3 docs/spec/check.py

Compares verdict, error name, bytes consumed, value and re-encoding with those of the engines, as far as a record states them;
and the offsets of errors with those of corpus/damaged.
Every exception is counted under a printed reason. The exit code is 1 if another difference is found.
"""
import collections
import glob
import json
import os
import re
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import decoder  # noqa: E402
from decoder import KINDS, DecodeError, EncodeError, Object, decode_prefix, encode, kind_of  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.normpath(os.path.join(HERE, "..", "..", "corpus"))
STEMS = ("vectors", "mutants", "keys", "elements")
NAMES = {"Nil": "nil", "Bool": "bool", "Int": "int", "Float": "float", "Aabb": "AABB", "Rid": "RID"}


def name_of(kind, dialect):
    """The name of a kind in the records (corpus/README.md)."""
    if kind in NAMES or dialect == "godot4":
        return NAMES.get(kind, kind)
    if kind == "Quaternion" and dialect in ("godot3", "pandemonium3"):
        return "Quat"
    special = {"Transform3D": "Transform", "PackedInt32Array": "PoolIntArray", "PackedFloat32Array": "PoolRealArray"}
    return special.get(kind, kind if kind == "PackedTypedArray" else kind.replace("Packed", "Pool"))


def flat(tagged):
    """The numbers of nested lists."""
    return [number for part in tagged for number in flat(part)] if isinstance(tagged, list) else [tagged]


def bits_of(tagged, width):
    if isinstance(tagged, str):
        if tagged.startswith("nan:"):
            raw = bytes.fromhex(tagged[4:])[::-1]
            return raw
        tagged = float(tagged)
    return struct.pack("<f" if width == 4 else "<d", tagged)


class Comparison:
    """Compares a value with the tagged JSON of a record."""
    def __init__(self, case, by_class=False):
        self.dialect, self.double, self.by_class = case.dialect, case.double, by_class

    def reals(self, found, tagged, width):
        tagged = flat(tagged)
        pack = (lambda real: struct.pack("<I", decoder.narrow(real))) if width == 4 else lambda real: struct.pack("<d", real)
        return len(found) == len(tagged) and all(
            # The recorder stored this 32-bit NaN as an f64 (16 hexadecimal digits). That conversion makes a NaN quiet.
            struct.pack("<d", f * 1.0) == bits_of(t, 8) if width == 4 and isinstance(t, str) and len(t) == 20
            else pack(f) == bits_of(t, width) for f, t in zip(found, tagged))

    def text(self, found, tagged, points=None):
        own = list(getattr(found, "points", None) or map(ord, found))
        if points is not None:
            return own == points
        # Strict JSON holds no surrogates (corpus/README.md).
        return "".join("\ufffd" if 0xD800 <= p < 0xE000 or p > 0x10FFFF else chr(p) for p in own) == tagged

    def declared(self, found, tagged):
        if found is None or tagged is None:
            return found is None and tagged is None
        ids = decoder.IDS[self.dialect]
        return ids.get(found.kind, found.kind) == tagged["builtin"] and found.cls == tagged["class"]

    def same(self, value, tagged):
        kind, v = kind_of(value, self.dialect), tagged.get("v")
        if kind == "Object":
            return self.object(value, tagged, v)
        if name_of(kind, self.dialect) != tagged["t"]:
            return False
        if kind in decoder.MATH or kind in decoder.PACKED and kind != "PackedStringArray":
            letter, real = decoder.LAYOUTS[kind][-1], "/" in decoder.LAYOUTS[kind]
            numbers = [n for item in value for n in item] if value and isinstance(value[0], tuple) else list(value)
            if letter in "iq":
                return numbers == flat(v)
            return self.reals(numbers, v, 8 if letter == "d" and (self.double or not real) else 4)
        if kind == "Float":
            return self.reals([value], v, 8)
        if kind in ("String", "StringName"):
            return self.text(value, v, tagged.get("cps"))
        if kind == "NodePath":
            return (all(len(a) == len(b) and all(map(self.text, a, b))
                        for a, b in ((value.names, v["names"]), (value.subnames, v["subnames"])))
                    and value.absolute == v["absolute"])
        if kind == "Signal":
            return self.text(value.name, v["name"]) and value.object_id == v["object_id"]
        if kind == "Callable":
            return v is None
        if kind == "Rid":
            return value.id == v
        if kind == "PackedByteArray":
            return list(value) == v
        if kind == "PackedStringArray":
            points = tagged.get("cps") or [None] * len(v)
            return len(value) == len(v) == len(points) and all(map(self.text, value, v, points))
        if kind.endswith("Array"):
            return (self.declared(getattr(value, "type", None), tagged.get("et"))
                    and len(value) == len(v) and all(map(self.same, value, v)))
        if kind == "Dictionary":
            pairs = value.pairs()
            return (self.declared(value.key_type, tagged.get("kt")) and self.declared(value.value_type, tagged.get("vt"))
                    and len(pairs) == len(v) and all(self.pair(k, x, t) for (k, x), t in zip(pairs, v)))
        return value == v

    def pair(self, key, value, tagged):
        lost = tagged[1]["t"] == "lost"
        return self.same(key, tagged[0]) and (is_lost(key) if lost else self.same(value, tagged[1]))

    def object(self, value, tagged, v):
        if isinstance(value, decoder.EncodedObjectAsID):
            return tagged["t"] == "EncodedObjectAsID" and v == value.id
        if value.cls == "EncodedObjectAsID":  # written in full: also represents an object by id
            number = dict(value.properties).get("object_id")
            number = number if type(number) is int else 0
            return tagged["t"] == "EncodedObjectAsID" and v == number & (1 << 64) - 1
        if not value.cls or v is None:
            return not value.cls and v is None and tagged["t"] == "Object"
        if self.by_class:
            return self.text(value.cls, v["class"])
        return (self.text(value.cls, v["class"]) and len(value.properties) == len(v["props"])
                and all(self.text(n, t[0]) and self.same(x, t[1]) for (n, x), t in zip(value.properties, v["props"])))


def is_lost(key):
    """Whether a key does not equal itself (engines.md#defects)."""
    if isinstance(key, decoder.PackedFloat32Array):
        return any(real != real for real in key)
    return isinstance(key, list) and any(map(is_lost, key))


def key_of(dialect, double, data, objects):
    """The name of a case in engine-defects.json (FNV-1a)."""
    number = 0xCBF29CE484222325
    for byte in data + bytes([objects]):
        number = (number ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return "%s-%s-%d-%016x" % (dialect, "double" if double else "single", len(data), number)


def stripped(value):
    """A value without facts that only the engine knows (properties of classes, ids of objects), and with lost keys as written."""
    if isinstance(value, decoder.EncodedObjectAsID) or isinstance(value, Object) and value.cls == "EncodedObjectAsID":
        return decoder.EncodedObjectAsID(1)
    if isinstance(value, Object):
        return Object(value.cls) if value.cls else None
    if isinstance(value, dict):
        pairs = value.pairs()
        lost = [is_lost(key) for key, _ in pairs]
        pairs = [("[Deleted Object]", None) if gone else pair for pair, gone in zip(pairs, lost)]
        out = decoder.Dictionary((decoder.Key(stripped(k)), stripped(v)) for k, v in pairs)
        out.key_type, out.value_type = value.key_type, value.value_type
        return out
    if isinstance(value, decoder.TypedArray):
        return type(value)(value.type, map(stripped, value))
    return list(map(stripped, value)) if type(value) is list else value


class Defective(decoder._Reader):
    """Reads as the engines of Pandemonium 4 and 5 do (engines.md#defects)."""
    def value(self, role, depth):
        start = self.at
        found = super().value(role, depth)
        kind = type(found).__name__
        if kind in ("Vector4", "Vector4i"):
            self.at -= 4
        elif kind == "Projection" and len(self.data) - start - 4 < 248:
            self.need(False, "Projection", start + 4)
        elif kind in ("PackedVector4Array", "PackedVector4iArray"):
            found[:] = [type(v)(v[0], v[1], v[2], v[2]) for v in found]
        return found

    def read_packedtypedarray(self, kind, flags):
        found = yield from super().read_packedtypedarray(kind, flags)
        if found.type.kind == "Nil":
            found[:] = [False] * len(found)
        return found


class Check:
    def __init__(self):
        with open(os.path.join(CORPUS, "engine-defects.json"), encoding="utf-8") as file:
            self.defects = {case["key"]: case for case in json.load(file)["cases"]}
        self.counts = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.left = []
        self.classes = collections.defaultdict(set)

    def run(self, path, dialect, learn=False):
        """Reads the records of a file, to learn the engine's classes or to compare."""
        double = os.path.basename(path).startswith("double")
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                case = Case(json.loads(line), dialect, double)
                if learn:
                    self.learn(case)
                    continue
                try:
                    self.record(case)
                except Difference as difference:
                    self.left.append("%s:%d %s: %s" % (os.path.relpath(path, CORPUS), number, case.name, difference))
                    self.counts[dialect]["different"] += 1

    def run_damaged(self, path):
        """Checks the offsets of errors in files (corpus/README.md). Faults of the profile "canonical" are not errors of a decoder."""
        with open(path, encoding="utf-8") as file:
            cases = [case for case in json.load(file) if case["profile"] == "engine"]
        for case in cases:
            with open(os.path.join(os.path.dirname(path), case["file"]), "rb") as file:
                data = file.read()
            start, size, offset = 0, len(data), None
            try:
                while offset is None and start < len(data):
                    if case["framing"] == "frames":  # carriers.md#frames
                        start, size = start + 4, struct.unpack_from("<I", data, start)[0]
                    decode_prefix(data[start:start + size], case["dialect"], objects=True)
                    start += size
            except DecodeError as error:
                offset = start + error.offset
            self.counts["damaged"].update(["records"] + ["offset"] * (offset == case["offset"]))
            if offset != case["offset"]:
                self.left.append("%s: offset %s, expected %d" % (case["file"], offset, case["offset"]))

    def run_conformance(self, path):
        """The records of a level of format.md#conformance."""
        level = os.path.basename(path).split(".")[0]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                record = json.loads(line)
                known = {"objects": "obj", "canonical": "reenc"}
                case = Case({known.get(k, k): v for k, v in record.items()}, record["dialect"], record["precision"] == "double")
                case.whole = True
                self.counts[level]["records"] += 1
                try:
                    self.counts[level].update(part for part in self.compare(case, decoder._Reader, lambda name: True)
                                              if part in ("verdict", "consumed", "value", "bytes"))
                except Difference as difference:
                    self.left.append("%s:%d %s: %s" % (os.path.relpath(path, HERE), number, case.dialect, difference))
                    self.counts[level]["different"] += 1

    def learn(self, case):
        """Assumes that the engine has the classes of the objects that it has made."""
        if case.data is not None and case.verdict == "ok" and case.objects:
            seen = []
            try:
                case.read(lambda name: seen.append(name) or True)
            except DecodeError:
                return
            self.classes[case.dialect].update(name for name in seen if isinstance(name, str))

    def record(self, case):
        counts = self.counts[case.dialect]
        counts["records"] += 1
        if case.data is None:
            self.reasons["the engine refused to write the value, so there are no bytes"] += 1
            return
        if case.verdict.startswith("crash"):
            self.reasons["the engine crashed (engines.md#defects)"] += 1
            return
        reader, classes = decoder._Reader, self.classes[case.dialect]
        def known(name): return isinstance(name, str) and name in classes
        try:
            found = self.compare(case, reader, known)
        except Difference as difference:
            found = self.explain(case, known, difference)
        for part in found:
            if part in ("verdict", "consumed", "value", "bytes"):
                counts[part] += 1
            else:
                self.reasons[part] += 1

    def explain(self, case, known, difference):
        if case.dialect in ("pandemonium4", "pandemonium5"):
            try:
                return self.compare(case, Defective, known) + ["read and written with the engine's defect (engines.md#defects)"]
            except Difference:
                pass
        listed = self.defects.get(key_of(case.dialect, case.double, case.data, case.objects))
        if listed and listed["reason"].startswith("class-"):
            return ["listed in engine-defects.json: " + listed["reason"]]
        raise difference

    def compare(self, case, reader, known):
        """Prints the counts of comparisons, and the reasons for exceptions."""
        try:
            value, consumed = case.read(known, reader)
            ours = "ok"
        except DecodeError as error:
            value, consumed, ours = None, -1, error.error
        if ours != case.verdict:
            raise Difference("verdict %s, engine %s" % (ours, case.verdict))
        parts = ["verdict"]
        if ours != "ok":
            return parts
        if "consumed" in case.record:
            if case.record["consumed"] != (min(consumed, len(case.data)) if case.whole else consumed):
                raise Difference("consumed %d, engine %d" % (consumed, case.record["consumed"]))
            parts.append("consumed")
        return parts + [self.value(case, value), self.written(case, value, consumed)]

    def value(self, case, value):
        tagged = case.record.get("decoded_value", case.record.get("value"))
        if tagged is None:
            kind, number = kind_of(value, case.dialect), case.record.get("rtype", case.record.get("type"))
            if case.dialect == "godot3" and number is not None and KINDS["godot3"][number] != kind:
                raise Difference("type %s, engine %s" % (kind, KINDS["godot3"][number]))
            return "the record has no value as JSON: the type (godot3) and the re-encoding stand for it"
        if Comparison(case).same(value, tagged):
            return "value"
        if Comparison(case, by_class=True).same(value, tagged):
            return "the properties of an object are those of its class: of it, the class is compared"
        raise Difference("value %.300r, engine %.300s" % (value, json.dumps(tagged)))

    def written(self, case, value, consumed):
        theirs = case.rewritten(consumed)
        if theirs is None:
            return "the record has no re-encoding, or one with object ids of that run"
        try:
            ours = encode(value, case.dialect, double=case.double, objects=case.objects, depth=None)
        except EncodeError as error:
            raise Difference("cannot write: %s" % error)
        if ours == theirs:
            return "bytes"
        options = {"objects": True, "double": case.double, "depth": None}
        bare = [encode(stripped(v), case.dialect, **options)
                for v in (value, decode_prefix(theirs, case.dialect, **options)[0])]
        if bare[0] in (bare[1], theirs):
            return "the re-encoding differs only in ids, properties of classes or lost keys (format.md#object, engines.md#defects)"
        raise Difference("writes %s, engine %s" % (ours.hex()[:200], theirs.hex()[:200]))


class Case:
    """A record."""
    def __init__(self, record, dialect, double):
        self.record, self.dialect, self.double = record, dialect, double
        self.name = " ".join(str(record[f]) for f in ("name", "tag", "cat", "base") if f in record)
        self.whole = False  # whether missing padding at the end is not counted
        self.data = bytes.fromhex(record["hex"]) if "hex" in record else None
        self.objects = record.get("obj", record.get("full")) in (1, True)
        self.verdict = record.get("verdict", record.get("dec", "ok"))
        if self.verdict == "err":  # of Godot 3: the innermost error
            self.verdict = re.findall(r"-> (ERR_\w+)", record["text"])[0]

    def read(self, known, reader=decoder._Reader):
        # Godot 3.2.3 has no limit (format.md#limits).
        depth = None if self.dialect == "godot3" else 1024
        reader = reader(self.dialect, self.objects, self.double, depth, self.data, known, lambda own, wanted: own == wanted)
        return decoder._run(reader.value), reader.at

    def rewritten(self, consumed):
        """The bytes that the engine writes for the value that it has read."""
        found = self.record.get("reenc_hex", self.record.get("reenc", self.record.get("renc")))
        if found == "same":
            return (self.data + bytes(3))[:consumed]
        if found in (True, "=") or found is None and "enc" in self.record:
            return self.data
        return bytes.fromhex(found) if found and found != "nondeterministic" else None


class Difference(Exception):
    pass


def main():
    check = Check()
    files = [(path, dialect) for dialect in sorted(KINDS) for stem in STEMS
             for path in sorted(glob.glob(os.path.join(CORPUS, dialect, "*.%s.jsonl" % stem)))]
    for learn in (True, False):
        for path, dialect in files:
            check.run(path, dialect, learn)
    for path in sorted(glob.glob(os.path.join(HERE, "conformance", "*.jsonl"))):
        check.run_conformance(path)
    check.run_damaged(os.path.join(CORPUS, "damaged", "expected.json"))
    for dialect, counts in check.counts.items():
        print("%-13s %s" % (dialect, "  ".join("%s %d" % item for item in counts.items())))
    for reason, count in sorted(check.reasons.items()):
        print("%6d  %s" % (count, reason))
    for line in check.left:
        print(line)
    return 1 if check.left else 0


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    sys.exit(main())

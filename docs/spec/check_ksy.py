#!/usr/bin/env python3
"""Runs the parser that Kaitai Struct generates from variant.ksy on the records of the corpus.

    check_ksy.py FOLDER     the folder that holds the compiled variant.py

The parser must end at exactly the recorded byte, and find the recorded kind. Values of Godot 2 have no records, and are
built here.
"""
import glob
import json
import os
import struct
import sys
import threading

sys.dont_write_bytecode = True
from check import CORPUS, HERE, STEMS, Case, key_of  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def records():
    """Each accepted input, the kind of its file, and the bytes consumed or None."""
    for dialect in ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"]:
        for stem in STEMS:
            for path in sorted(glob.glob(os.path.join(CORPUS, dialect, "*.%s.jsonl" % stem))):
                is_double = os.path.basename(path).startswith("double")
                for line in read(path).splitlines():
                    case = Case(json.loads(line), dialect, is_double)
                    if case.data is None or case.verdict != "ok":
                        continue
                    consumed = case.record.get("consumed")
                    if consumed is None and stem == "vectors":
                        consumed = len(case.data)
                    yield case, stem, consumed


def godot2_values(tables):
    """A value of every kind of Godot 2: its kind and its bytes."""
    kinds = {row["kind"]: row for row in tables["kinds"]}
    text = struct.pack("<I", 5) + b"hello\0\0\0"
    payloads = {
        "none": b"", "scalar": bytes(4), "string": text, "object": b"", "rid": b"",
        "image": struct.pack("<5I", 4, 0, 1, 1, 3) + b"rgb\0",
        "node_path": struct.pack("<III", 0x80000001, 0, 3) + text + text,
        "input_event": struct.pack("<5I", 1, 0, 20, 2, 65),
        "dictionary": struct.pack("<5I", 0x80000001, 2, 7, 1, 1),
        "array": struct.pack("<4I", 0x80000002, 2, 7, 0),
        "packed_string_array": struct.pack("<I", 2) + text + text,
    }
    types = next(row for row in tables["dialects"] if row["dialect"] == "godot2")["types"]
    for row in types:
        kind = kinds[row["kind"]]
        if kind["payload"] == "fields":
            payload = bytes(kind["size"])
        elif kind["payload"] == "packed":
            payload = struct.pack("<I", 2) + bytes(2 * kind["element"]["size"])
            payload += bytes(-len(payload) % 4)
        else:
            payload = payloads[kind["payload"]]
        yield row["kind"], struct.pack("<I", row["id"]) + payload
    yield "NodePath", struct.pack("<II", 16, 3) + b"a/b"
    # The padding at the end may be missing.
    yield "String", struct.pack("<II", 4, 1) + b"a"


def main(folder):
    sys.path.insert(0, folder)
    import kaitaistruct
    import variant

    tables = json.loads(read(os.path.join(HERE, "dialects.json")))
    kinds = {}
    for row in tables["dialects"]:
        kinds[row["dialect"]] = [entry["kind"].lower() for entry in row["types"]]
    known = {case["key"] for case in json.loads(read(os.path.join(CORPUS, "engine-defects.json")))["cases"]}
    failures, counts = [], {}

    def judge(what, dialect, data, kind, consumed):
        stream = kaitaistruct.KaitaiStream(kaitaistruct.BytesIO(data))
        try:
            root = variant.Variant(variant.Variant.Dialect[dialect], stream).root
        except Exception as error:  # Any exception means that the parser did not read the value.
            failures.append("%s: %s: %r" % (what, data.hex()[:80], error))
            return
        # An engine also counts missing padding after the last byte.
        if consumed is not None and stream.pos() != min(consumed, len(data)):
            failures.append("%s: %s: ends at %d, not at %d" % (what, data.hex()[:80], stream.pos(), consumed))
        if root.kind.name.replace("_", "") != kind:
            failures.append("%s: %s is read as %s" % (what, kind, root.kind.name))

    for case, stem, consumed in records():
        group = "%s %s" % (case.dialect, stem)
        if key_of(case.dialect, case.double, case.data, case.objects) in known:
            counts["engine defects, left out"] = counts.get("engine defects, left out", 0) + 1
            continue
        counts[group] = counts.get(group, 0) + 1
        judge("%s %s" % (group, case.name), case.dialect, case.data, kinds[case.dialect][case.data[0]], consumed)
    for kind, data in godot2_values(tables):
        counts["godot2 values"] = counts.get("godot2 values", 0) + 1
        judge("godot2 " + kind, "godot2", data, kind.lower(), len(data))

    for group, count in counts.items():
        print("variant.ksy: %s: %d" % (group, count))
    for failure in failures[:40]:
        print(failure)
    print("variant.ksy: %d failed" % len(failures))
    return 1 if failures or len(counts) < 15 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # The limit is high because records nest a thousand levels deep, and the parser recurses.
    sys.setrecursionlimit(200000)
    threading.stack_size(512 << 20)
    status = []
    thread = threading.Thread(target=lambda: status.append(main(sys.argv[1])))
    thread.start()
    thread.join()
    sys.exit(status[0] if status else 1)

#!/usr/bin/env python3
"""Runs variant.lua in tshark over the captures of the remote debugger, and compares the shown messages with the captures.

    check_debugger.py FOLDER     a folder for the captures of packets and for the output of tshark

Each capture of corpus/debugger becomes a TCP connection to port 6007, in segments that end anywhere in a frame.
"""
import base64
import collections
import glob
import json
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib

import decoder

HERE = os.path.dirname(os.path.abspath(__file__))
DEBUGGER, GAME = 6007, 40000
SEGMENT = 1009
THREADS = ("pandemonium4", "pandemonium5")


def load(path):
    """The frames of a capture: whether from the game, the bytes, the length word."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if "way" in entry:
                data = bytes.fromhex(entry["hex"]) if "hex" in entry else zlib.decompress(base64.b64decode(entry["z"]))
                yield entry["way"] == "from game", data, entry.get("count", len(data)), entry.get("broken", False)


def write(path, frames):
    """A capture of packets. A run of frames in one direction is cut into segments."""
    sequence = {True: 1, False: 1}
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101))
        number = 0
        for is_from_game, data in runs(frames):
            ports = (GAME, DEBUGGER) if is_from_game else (DEBUGGER, GAME)
            for at in range(0, len(data), SEGMENT):
                part = data[at:at + SEGMENT]
                tcp = struct.pack(">HHIIBBHHH", *ports, sequence[is_from_game], sequence[not is_from_game], 0x50, 0x18, 0xFFFF, 0, 0)
                sequence[is_from_game] += len(part)
                packet = tcp + part
                address = b"\x7f\0\0\1"
                packet = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(packet), 0, 0, 64, 6, 0, address, address) + packet
                file.write(struct.pack("<IIII", number // 1000, number % 1000, len(packet), len(packet)) + packet)
                number += 1


def runs(frames):
    way, run = None, b""
    for is_from_game, data, count, _ in frames:
        if is_from_game != way and run:
            yield way, run
            run = b""
        way, run = is_from_game, run + struct.pack("<I", count) + data
    if run:
        yield way, run


def dissect(path, title):
    """For each frame: whether from the game, name, part, thread, names of arguments, notes."""
    command = ["tshark", "-r", path, "-X", "lua_script:" + os.path.join(HERE, "variant.lua"), "-o", "variant.dialect:" + title,
               "-o", "tcp.check_checksum:FALSE", "-Y", "variant_debugger", "-T", "pdml"]
    with open(path + ".pdml", "wb") as file:
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=True, timeout=300)
    with open(path + ".pdml", "rb") as file:
        # tshark leaves control characters in attributes, which XML forbids.
        text = bytes(byte for byte in file.read() if byte >= 32 or byte in b"\n\r\t").decode("utf-8", "replace")
    if "Lua Error" in text:
        raise SystemExit("variant.lua: " + text[text.index("Lua Error"):][:300])
    for element in ElementTree.fromstring(text).iter("proto"):
        if element.get("name") == "variant_debugger":
            shown = {field.get("name"): field.get("show") for field in element.iter("field")}
            get = lambda name: shown.get("variant_debugger." + name)
            thread = get("thread")
            yield get("from_game") in ("1", "True"), get("name"), get("part"), thread and int(thread), labels(element), shown


def labels(element):
    """The names before the kinds of the values, by depth-first order."""
    names = [field.get("show") or "" for field in element.iter("field")]
    kinds = [field for field in element.iter("field") if field.get("name") == "variant.kind"]
    del names
    return [(field.get("showname") or "").rpartition(": ")[0] for field in kinds]


def expected(frames, dialect):
    """What the dissector must show for each frame: from game, name, thread, position among the values or None."""
    partial = []
    head = 3 if dialect in THREADS else 2
    for is_from_game, data, _, is_broken in frames:
        try:
            value = decoder.decode_prefix(data, dialect)[0]
        except Exception:
            value = None
        if not is_from_game or dialect == "godot4":
            is_message = isinstance(value, list) and value and isinstance(value[0], str)
            has_thread = is_message and (len(value) == 3 if dialect == "godot4" else dialect in THREADS and len(value) > 1)
            thread = value[1] if has_thread and isinstance(value[1], int) else None
            yield is_from_game, value[0] if is_message else None, thread, None, is_broken
            continue
        partial.append(value)
        thread = partial[1] if dialect in THREADS and len(partial) > 1 else None
        yield is_from_game, partial[0], thread, len(partial) - 1 - head if len(partial) > head else None, is_broken
        if len(partial) >= head and len(partial) == head + partial[head - 1]:
            partial = []


def main(folder):
    captures = sorted(glob.glob(os.path.join(HERE, "../../corpus/debugger", "*.jsonl")))
    with open(os.path.join(HERE, "dialects.json"), encoding="utf-8") as file:
        titles = {row["dialect"]: row["title"] for row in json.load(file)["dialects"]}
    failures, names, total = [], collections.Counter(), 0
    for capture in captures:
        name = os.path.basename(capture)
        dialect = next(dialect for dialect in titles if name.startswith(dialect))
        frames = list(load(capture))
        path = os.path.join(folder, name.replace(".jsonl", ".pcap"))
        write(path, frames)
        found = list(dissect(path, titles[dialect]))
        wanted = list(expected(frames, dialect))
        print(name, len(found), len(wanted))
        for number, (shown, want) in enumerate(zip(found, wanted)):
            if shown[0] != want[0] or shown[1] != want[1] or shown[3] != want[2]:
                failures.append("%s, frame %d: %s, not %s" % (name, number, shown, want))
                break
        total += len(found)
    for failure in failures[:40]: print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    sys.exit(main(sys.argv[1]))

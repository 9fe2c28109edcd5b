#!/usr/bin/env python3
"""Runs variant.lua in tshark over the captures of the remote debugger, and compares the shown messages with the captures.

    check_debugger.py FOLDER     a folder for the captures of packets and for the output of tshark

Each capture of corpus/debugger becomes a TCP connection to port 6007, in segments that end anywhere in a frame.
"""
import base64
import glob
import json
import os
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib

import decoder

HERE = os.path.dirname(os.path.abspath(__file__))
DEBUGGER, GAME = 6007, 40000
SEGMENT = 1009
# A capture with a larger frame is left out: the output of tshark has each byte 40 times.
LARGEST = 4_000_000
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
    """For each frame: whether from the game, name, thread, part of the message, names of arguments, and notes."""
    command = ["tshark", "-r", path, "-X", "lua_script:" + os.path.join(HERE, "variant.lua"), "-o", "variant.dialect:" + title,
               "-o", "tcp.check_checksum:FALSE", "-Y", "variant_debugger", "-T", "pdml"]
    with open(path + ".pdml", "wb") as file:
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=True, timeout=300)
    with open(path + ".pdml", "rb") as file:
        # tshark leaves control characters in attributes, which XML forbids.
        text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "?", file.read().decode("utf-8", "replace"))
    if "Lua Error" in text:
        raise SystemExit("variant.lua: " + text[text.index("Lua Error"):][:300])
    for element in ElementTree.fromstring(text).iter("proto"):
        if element.get("name") == "variant_debugger":
            shown = {field.get("name"): field.get("show") for field in element.iter("field")}
            get = lambda name: shown.get("variant_debugger." + name)
            yield {"from_game": get("from_game") in ("1", "True"), "name": get("name"), "thread": get("thread"), "part": get("part"),
                   "family": get("family"), "arguments": arguments(element), "is_malformed": "variant.malformed" in shown}


def values(element):
    """The values directly below an element of the tree."""
    return [field for field in element.findall("field") if field.get("name") == "variant.kind"]


def arguments(element):
    """The names of the elements of the outermost Array; if the last is named `arguments`, the names of its elements."""
    outer = values(element)
    inner = values(outer[0]) if len(outer) == 1 else []
    names = [name_of(field) for field in inner]
    if names[-1:] == ["arguments"]:
        return [name_of(field) for field in values(inner[-1])]
    return names[2 if names[1:2] == ["thread"] else 1:]


def name_of(field):
    shown = field.get("showname") or field.get("show") or ""
    return shown.rpartition(" ")[0].rstrip(":")


class Table:
    """The names of arguments in debugger.json."""

    def __init__(self):
        with open(os.path.join(HERE, "debugger.json"), encoding="utf-8") as file:
            self.tables = json.load(file)
        is_array = {row["family"]: row["array"] for row in self.tables["families"]}
        self.rows = {}
        for row in self.tables["messages"]:
            for form in {is_array[family] for family in row["families"]}:
                key = row["direction"] == "from_game", form, row["name"]
                names = [argument for argument in row["arguments"] if not (row.get("counted") and argument.get("repeats"))]
                self.rows[key] = max(self.rows.get(key, []), names, key=len)

    def name(self, is_from_game, is_array, message, place):
        row = self.rows.get((is_from_game, is_array, message), [])
        fixed, each = ([argument["name"] for argument in row if bool(argument.get("repeats")) == repeats] for repeats in (False, True))
        if place < len(fixed):
            return fixed[place]
        if not each:
            return "[%d]" % place
        return "[%d] %s" % ((place - len(fixed)) // len(each), each[(place - len(fixed)) % len(each)])


def expected(frames, dialect, table):
    """What the dissector must show for each frame; None where the capture does not determine it."""
    message, head, is_array = [], 3 if dialect in THREADS else 2, dialect == "godot4"
    for is_from_game, data, _, is_broken in frames:
        try:
            value = None if is_broken else decoder.decode_prefix(data, dialect)[0]
        except decoder.DecodeError:
            value = None
        if is_from_game and not is_array:
            message.append(value)
            place = len(message) - 1 - head
            yield {"from_game": True, "name": message[0], "thread": message[1] if dialect in THREADS and len(message) > 1 else None,
                   "part": table.name(True, False, message[0], place) if place >= 0 else None, "arguments": None}
            if len(message) >= head and len(message) == head + message[head - 1]:
                message = []
        elif not isinstance(value, list) or not value or not isinstance(value[0], str):
            yield {"from_game": is_from_game, "name": None, "thread": None, "part": None, "arguments": None}
        else:
            has_thread = len(value) == 3 if is_array else dialect in THREADS and len(value) > 1
            rest = value[2 if has_thread else 1:]
            rest = rest[0] if is_array and rest and isinstance(rest[0], list) else rest
            names = [table.name(is_from_game, is_array, value[0], place) for place in range(len(rest))]
            yield {"from_game": is_from_game, "name": value[0], "thread": value[1] if has_thread else None, "part": None,
                   "arguments": names}


def differs(found, wanted):
    """The first field that differs. A frame that is malformed on purpose has only a direction."""
    if found["from_game"] != wanted["from_game"]:
        return "from_game"
    if wanted["name"] is None:
        return None
    if found["name"] != wanted["name"] or found["is_malformed"]:
        return "name"
    # Only the third frame of a conversation distinguishes a thread from a count.
    if found["part"] != "count or thread" and found["thread"] != (None if wanted["thread"] is None else str(wanted["thread"])):
        return "thread"
    if wanted["part"] is not None and found["part"] != wanted["part"]:
        return "part"
    if wanted["arguments"] is not None and found["arguments"] != wanted["arguments"]:
        return "arguments"
    return None


def main(folder):
    table = Table()
    captures = sorted(glob.glob(os.path.join(HERE, "../../corpus/debugger", "*.jsonl")))
    with open(os.path.join(HERE, "dialects.json"), encoding="utf-8") as file:
        titles = {row["dialect"]: row["title"] for row in json.load(file)["dialects"]}
    failures, compared, named, total = [], 0, 0, 0
    for capture in captures:
        name = os.path.basename(capture)[:-len(".jsonl")]
        dialect = next(dialect for dialect in titles if name.startswith(dialect))
        frames = list(load(capture))
        if max(len(data) for _, data, _, _ in frames) > LARGEST:
            continue
        compared += 1
        path = os.path.join(folder, name + ".pcap")
        write(path, frames)
        found, wanted = list(dissect(path, titles[dialect])), list(expected(frames, dialect, table))
        if len(found) != len(frames):
            failures.append("%s: %d frames of %d" % (name, len(found), len(frames)))
        for number, pair in enumerate(zip(found, wanted)):
            if field := differs(*pair):
                failures.append("%s, frame %d: %s of %s, not of %s" % (name, number, field, *pair))
        total += len(found)
        named += sum(len(shown["arguments"]) for shown in found)
    print("variant.lua: debugger: %d frames of %d captures, %d names of arguments compared" % (total, compared, named))
    for failure in failures[:40]:
        print(failure)
    print("variant.lua: debugger: %d failed" % len(failures))
    return 1 if failures or total < 5000 or named < 1000 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    sys.exit(main(sys.argv[1]))

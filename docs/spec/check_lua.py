#!/usr/bin/env python3
"""Runs variant.lua in tshark over a capture of the conformance records, and compares the shown fields with the values.

    check_lua.py FOLDER     a folder for the capture and for the output of tshark

The records are sent over the loopback interface, as datagrams and in a stream of put_var, while dumpcap captures. If
capturing is not permitted, the same packets are written to a file instead. The output reports which.
"""
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
DIALECTS = ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"]
PORT = 42420
SENTINEL = PORT + 50
FIELDS = {"bool", "int", "float", "text", "bytes", "object_id"}
LARGEST = 60000


def load(name):
    with open(os.path.join(HERE, "conformance", name + ".jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def hostile():
    """Datagrams of Godot 4 that require much work, and the notes that the dissector must add."""
    yield bytes.fromhex("1c00000001000000") * 7000, "limited"
    yield struct.pack("<II", 28, 14000) + bytes(4 * 14000), "limited"
    yield struct.pack("<II", 30, 0x7FFFFFFF) + bytes(64), "malformed"
    yield struct.pack("<II", 34, 0x7FFFFFFF) + bytes(64), "malformed"
    yield struct.pack("<IIII", 22, 0xFFFFFFFF, 0x7FFFFFFF, 0) + bytes(64), "malformed"
    yield struct.pack("<I", 99), "malformed"
    yield b"\x1b", "malformed"


def inputs():
    """Datagrams by dialect, each with a value to compare or a verdict."""
    same = {(r["dialect"], r["hex"]) for r in load("canonical") if r["canonical"] == r["hex"]}
    all_of = {dialect: [] for dialect in DIALECTS}
    for record in load("value"):
        if (record["dialect"], record["hex"]) in same and len(record["hex"]) < 2 * LARGEST:
            all_of[record["dialect"]].append((bytes.fromhex(record["hex"]), "value", record["value"]))
    for record in load("verdict"):
        # Packets do not show permissions.
        if record["verdict"] != "ERR_UNAUTHORIZED" and 0 < len(record["hex"]) < 2 * LARGEST:
            all_of[record["dialect"]].append((bytes.fromhex(record["hex"]), "verdict", record["verdict"]))
    return all_of


class Capture:
    """A capture by dumpcap on the loopback interface, or a file of the same packets."""

    def __init__(self, path):
        self.path, self.packets = path, None
        last = SENTINEL
        self.process = subprocess.Popen(
            ["dumpcap", "-q", "-i", "lo", "-B", "64", "-f", "portrange %d-%d" % (PORT, last), "-a", "duration:120", "-w", path],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if line.startswith("File:"):
                return
        self.process.wait()
        self.process, self.packets = None, []

    def datagram(self, port, data):
        if self.process:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.sendto(data, ("127.0.0.1", port))
        else:
            udp = struct.pack(">HHHH", 9, port, 8 + len(data), 0) + data
            self.packets.append(self.internet(17, udp))

    def stream(self, port, data, piece):
        pieces = [data[at:at + piece] for at in range(0, len(data), piece)]
        if self.process:
            with socket.create_server(("127.0.0.1", port)) as server:
                def serve():
                    peer, _ = server.accept()
                    with peer:
                        while peer.recv(65536):
                            pass
                reader = threading.Thread(target=serve)
                reader.start()
                with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
                    sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    for part in pieces:
                        sender.sendall(part)
                reader.join()
            return
        at = 1
        for part in pieces:
            tcp = struct.pack(">HHIIBBHHH", 9, port, at, 1, 0x50, 0x18, 0xFFFF, 0, 0) + part
            self.packets.append(self.internet(6, tcp))
            at += len(part)

    def internet(self, protocol, payload):
        return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0, b"\x7f\0\0\1", b"\x7f\0\0\1") + payload

    def close(self):
        if not self.process:
            with open(self.path, "wb") as file:
                file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101))
                for at, packet in enumerate(self.packets):
                    file.write(struct.pack("<IIII", at // 1000, at % 1000, len(packet), len(packet)) + packet)
            return "written, since capturing is not permitted here"
        # If the last packet is in the file, all earlier packets are also in it.
        time.sleep(1.5)
        self.process.send_signal(signal.SIGINT)
        told = self.process.stderr.read()
        self.process.wait(30)
        dropped = re.search(r"dropped[^:]*: \d+/(\d+)", told)
        return "captured on the loopback interface" + (", %s dropped" % dropped.group(1) if dropped else "")


def dissect(path, folder, port, title, transport, what, *options):
    """The fields in order, and the names of the notes, for each value of a capture."""
    output = os.path.join(folder, "%s-%s.pdml" % (what, transport))
    command = ["tshark", "-r", path, "-X", "lua_script:" + os.path.join(HERE, "variant.lua"),
               "-d", "udp.port==%d,variant" % port, "-d", "tcp.port==%d,variant_stream" % port,
               "-o", "variant.dialect:" + title, "-o", "tcp.check_checksum:FALSE", *options,
               "-Y", "%s.dstport == %d && variant" % (transport, port), "-T", "pdml"]
    with open(output, "wb") as file:
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=True, timeout=120)
    values = []
    with open(output, "rb") as file:
        # tshark leaves control characters in attributes, which XML forbids.
        text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "?", file.read().decode("utf-8", "replace"))
    for element in ElementTree.fromstring(text).iter("proto"):
        if element.get("name") == "variant":
            names, fields = set(), []
            for field in element.iter("field"):
                name = field.get("name").rpartition(".")[2]
                shown = field.get("showname") or field.get("show") or ""
                if "Lua Error" in shown:
                    raise SystemExit("variant.lua: " + shown)
                if name == "kind":
                    fields.append((name, field.get("show"), ""))
                elif name in FIELDS and field.get("name").startswith("variant."):
                    fields.append((name, field.get("show"), field.get("value") or ""))
                names.add(name)
            values.append((fields, names))
    return values


def expected(value, kinds, rid_payload, out):
    """The fields that the dissector must show for a value in tagged JSON; False if the JSON does not determine one."""
    tag, of = value["t"], value.get("v")
    if tag in ("Object", "EncodedObjectAsID"):
        return False
    kind = kinds["Nil" if tag == "nil" else tag]
    out.append(("kind", kind))
    if kind == "Rid":
        out.extend([("object_id", of)] if rid_payload else [])
    elif kind in ("Bool", "Int", "Float"):
        out.append((kind.lower(), of))
    elif kind in ("String", "StringName"):
        out.append(("text", of))
    elif kind == "PackedStringArray":
        out.extend(("text", text) for text in of)
    elif kind == "NodePath":
        out.extend(("text", text) for text in of["names"] + of["subnames"])
    elif kind == "Signal":
        out.extend([("text", of["name"]), ("object_id", of["object_id"])])
    elif kind == "PackedByteArray":
        out.extend([("bytes", bytes(of))] if of else [])
    elif kind in ("Array", "TypedArray", "PackedTypedArray"):
        return all([expected(element, kinds, rid_payload, out) for element in of])
    elif kind == "Dictionary":
        return all([expected(part, kinds, rid_payload, out) for pair in of for part in pair])
    elif kind not in ("Nil", "Callable"):
        is_integer = kind.endswith("2i") or kind.endswith("3i") or kind.endswith("4i") or kind == "Rect2i"
        is_integer = is_integer or re.search(r"Int\d+|\di", kind) is not None
        numbers(of, "int" if is_integer else "float", out)
    return True


def numbers(of, name, out):
    for number in of:
        if isinstance(number, list):
            numbers(number, name, out)
        else:
            out.append((name, number))


def agree(wanted, found):
    """Whether a field shows a value, and its position is that of the value's bytes."""
    (name, value), (shown_name, show, raw) = wanted, found
    if name != shown_name:
        return False
    data = bytes.fromhex(raw)
    if name == "kind":
        return show == value
    if name == "bool":
        return show in (("1", "True") if value else ("0", "False"))
    if name in ("int", "object_id"):
        return int(show, 0) == value
    if name == "bytes":
        return data == value
    if name == "text":
        # The field of an empty text covers the bytes of its length.
        data = b"" if show == "" and value == "" else data.split(b"\0")[0]
        mark = b"\xef\xbb\xbf"
        data = data[3:] if data.startswith(mark) else data
        is_plain = re.fullmatch(r"[ -~]*", value) is not None and not re.search(r'["\\]', value)
        # The records hold U+FFFD for characters that strict JSON cannot hold.
        is_same = data == value.encode("utf-8", "surrogatepass") or "\ufffd" in value
        return is_same and (not is_plain or show.rstrip("\0") == value or data.decode() != show)
    number = float(value.split(":")[0]) if isinstance(value, str) else float(value)
    form = "<f" if len(data) == 4 else "<d"
    wire, seen = struct.unpack(form, data)[0], float(show)
    if math.isnan(number):
        return math.isnan(wire) and math.isnan(seen)
    if form == "<f" and not math.isinf(number):
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return wire == number and math.isclose(seen, number, rel_tol=1e-5)


def main(folder):
    with open(os.path.join(HERE, "dialects.json"), encoding="utf-8") as file:
        rows = {row["dialect"]: row for row in json.load(file)["dialects"]}
    all_of = inputs()
    capture = Capture(os.path.join(folder, "variants.pcapng"))
    for place, dialect in enumerate(DIALECTS):
        for data, _, _ in all_of[dialect]:
            capture.datagram(PORT + place, data)
            time.sleep(0.0002)
        # Pieces may end anywhere in a frame.
        frames = b"".join(struct.pack("<i", len(data)) + data for data, _, _ in all_of[dialect])
        capture.stream(PORT + place, frames, 1009)
    for data, _ in hostile():
        capture.datagram(PORT + 20, data)
    capture.stream(PORT + 21, struct.pack("<i", -1) * 100, 50)
    capture.datagram(SENTINEL, b"end")
    print("variant.lua: capture:", capture.close())

    failures, refused, counts = [], [0, 0], {}
    for place, dialect in enumerate(DIALECTS):
        row = rows[dialect]
        kinds = {entry["engine_name"]: entry["kind"] for entry in row["types"]}
        for transport in ("udp", "tcp"):
            values = dissect(capture.path, folder, PORT + place, row["title"], transport, dialect)
            if len(values) != len(all_of[dialect]):
                failures.append("%s, %s: %d values of %d" % (dialect, transport, len(values), len(all_of[dialect])))
                continue
            fields_seen = 0
            for (data, what, known), (fields, notes) in zip(all_of[dialect], values):
                where = "%s, %s, %s" % (dialect, transport, data.hex()[:100])
                if what == "value":
                    wanted = []
                    is_whole = expected(known, kinds, row["rid_payload"], wanted)
                    fields = [field for field in fields]
                    if "malformed" in notes or "rest" in notes:
                        failures.append(where + ": a note: " + " ".join(sorted(notes)))
                    elif is_whole and (len(wanted) != len(fields) or not all(map(agree, wanted, fields))):
                        wrong = [pair for pair in zip(wanted, fields) if not agree(*pair)]
                        failures.append("%s: %s" % (where, wrong[:2] or (wanted[:6], fields[:6])))
                    fields_seen += len(wanted) if is_whole else 0
                elif known in ("ERR_FILE_EOF", "ERR_OUT_OF_MEMORY"):
                    if ("malformed" if known == "ERR_FILE_EOF" else "limited") not in notes:
                        failures.append(where + ": no note, but " + known)
                elif known == "ok":
                    if "malformed" in notes:
                        failures.append(where + ": malformed, but ok")
                else:
                    refused["malformed" in notes or "limited" in notes] += 1
            counts[dialect, transport] = (len(values), fields_seen)
    values = dissect(capture.path, folder, PORT + 20, "Godot 4", "udp", "hostile", "-o", "variant.max_items:10000")
    for (data, note), (_, notes) in zip(hostile(), values):
        if note not in notes:
            failures.append("hostile: %s: %s, but no %s" % (data[:16].hex(), sorted(notes), note))
    bad_counts = dissect(capture.path, folder, PORT + 21, "Godot 4", "tcp", "hostile")
    if len(values) != len(list(hostile())) or not bad_counts or not all("malformed" in notes for _, notes in bad_counts):
        failures.append("hostile: %d datagrams, %d segments with bad byte counts" % (len(values), len(bad_counts)))

    for (dialect, transport), (count, fields) in counts.items():
        print("variant.lua: %s, %s: %d values, %d fields compared" % (dialect, transport, count, fields))
    print("variant.lua: ERR_INVALID_DATA: %d noted, %d not (it does not check texts)" % (refused[1], refused[0]))
    for failure in failures[:40]:
        print(failure)
    print("variant.lua: %d failed" % len(failures))
    return 1 if failures or refused[1] < 3 * refused[0] or min(fields for _, fields in counts.values()) < 500 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    sys.exit(main(sys.argv[1]))

#!/usr/bin/env python3
"""Runs decoder.py on input that is meant to use much time, memory or stack."""

import struct
import sys
import time
import tracemalloc

sys.dont_write_bytecode = True
import decoder  # noqa: E402
from decoder import DecodeError, EncodeError, decode_prefix, encode  # noqa: E402

SECONDS, BYTES_PER_BYTE = 10, 400  # seconds of processor time for each input; bytes of memory for each byte of a small input


def hostile(dialect):
    """Input that is meant to use much time, memory or stack: up to a megabyte, or a few bytes with a large claim."""
    ids, size = decoder.IDS[dialect], 1 << 18

    def head(name, *words):
        return struct.pack("<%dI" % (1 + len(words)), ids[name], *words)
    array, dictionary, pair = head("Array", 1), head("Dictionary", 1), head("Dictionary", 2)
    yield "deep arrays", array * (size // 8)
    yield "deep keys", dictionary * (size // 8)
    yield "deep values", (dictionary + head("Int", 0)) * (size // 16)
    yield "arrays as deep as allowed", array * 1024 + head("Nil")
    yield "keys as deep as allowed, with large contents", dictionary * 1000 + head("Array", size // 4) + head("Nil") * (size // 4) + head("Nil") * 1000
    yield "keys in arrays in keys", (pair + head("Nil", ids["Nil"]) + array) * 500 + head("Nil")
    yield "a megabyte of tiny values", head("Array", size) + head("Nil") * size
    yield "tiny keys", head("Dictionary", size // 12) + b"".join(head("Int", n) + head("Nil") for n in range(size // 12))
    yield "equal keys", head("Dictionary", size // 8) + head("Nil") * (size // 4)
    yield "keys that equal none", head("Dictionary", size // 16) + (head("Array", 1) + head("Dictionary", 0)) * (size // 16)
    yield "texts", head("PackedStringArray", size // 4) + bytes(size)
    yield "a text of bad bytes", head("String", size) + b"\xe0\x9f\xbf\x01" * (size // 4)
    yield "NaNs", head("PackedFloat32Array", size // 4) + b"\1\0\xa0\x7f" * (size // 4)
    yield "a path", head("NodePath", 0xFFFFFFFF, 0, 0) + bytes(size)
    for name in ids:
        for count in (0x7FFFFFFF, 0xFFFFFFFF, 0x10000000):
            yield "%s that claims %x" % (name, count), head(name, count, count, count, count)


def run():
    """Each input must give a value or an error, and a value is written again. Returns the inputs that used too much."""
    left = []
    slowest, hungriest, count = 0, 0, 0
    for dialect in decoder.IDS:
        for name, data in hostile(dialect):
            measured = len(data) < 10000
            if measured:
                tracemalloc.start()
            started = time.process_time()
            try:
                value = decode_prefix(data, dialect, objects=True)[0]
                encode(value, dialect, objects=True)
            except (DecodeError, EncodeError):
                pass
            seconds, memory = time.process_time() - started, 0
            if measured:
                memory = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
            value, count = None, count + 1
            slowest, hungriest = max(slowest, seconds), max(hungriest, memory)
            if seconds > SECONDS or memory > 100000 + BYTES_PER_BYTE * len(data):
                left.append("hostile input, %s, %s: %.1f s, %d bytes of memory" % (dialect, name, seconds, memory))
    print("hostile input: %d cases, at most %.1f s of processor time, %d bytes for a small input" % (count, slowest, hungriest))
    return left


if __name__ == "__main__":
    sys.exit("\n".join(run()) or 0)

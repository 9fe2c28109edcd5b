#!/usr/bin/env python3
"""Runs the Python programs of format.md and writing.md, each beside a copy of decoder.py in a separate folder.

A program must end without an error, and decoder.py must read back every file that it writes, with or without a length
prefix. Exits with 1 if something is wrong. Needs only the standard library.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import decoder

PAGES = ("format.md", "writing.md")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

def programs(page):
    """The line number and the text of each program."""
    text = (HERE / page).read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start(1)) + 1, found[1]) for found in BLOCK.finditer(text)]

def value_of(data):
    """The value of a file: framed if the first word is the length of the rest, otherwise bare."""
    is_framed = len(data) >= 4 and struct.unpack_from("<I", data)[0] == len(data) - 4
    value, length = decoder.decode_prefix(data[4:] if is_framed else data, "godot4")
    if length != len(data) - 4 * is_framed:
        raise ValueError("%d bytes are after the value" % (len(data) - 4 * is_framed - length))
    return value

def run(code):
    """The result of a program: whether it is right, and lines to print."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(HERE / "decoder.py", folder)
        (folder / "program.py").write_text(code, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", "program.py"], cwd=folder, timeout=60, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = done.stdout.splitlines()
        if done.returncode:
            return False, lines + ["ended with %d" % done.returncode]
        files = sorted(path for path in folder.iterdir() if path.name not in ("decoder.py", "program.py"))
        if not lines and not files:
            return False, ["neither printed nor wrote anything"]
        for path in files:
            try:
                lines.append("%s: %r" % (path.name, value_of(path.read_bytes())))
            except ValueError as error:
                return False, lines + ["%s: %s" % (path.name, error)]
        return True, lines

def main():
    failures = 0
    for page in PAGES:
        found = programs(page)
        if not found:
            print("%s has no program" % page)
            failures += 1
        for line, code in found:
            is_right, lines = run(code)
            print("%s:%d: %s" % (page, line, "ran" if is_right else "FAILED"))
            for told in lines:
                print("    " + told)
            failures += not is_right
    return 1 if failures else 0

if __name__ == "__main__":
    sys.exit(main())

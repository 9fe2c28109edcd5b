#!/usr/bin/env python3
"""Checks the structure of variant.hexpat without ImHex: brackets, declared names, every kind and id."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT_IN = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "float", "double", "char", "bool"}
KEYWORDS = {"if", "else", "return", "struct", "enum", "fn", "using", "padding", "parent", "import", "std"}


def main():
    with open(os.path.join(HERE, "variant.hexpat"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(HERE, "dialects.json"), encoding="utf-8") as file:
        tables = json.load(file)
    code = re.sub(r"//[^\n]*|#pragma[^\n]*", "", text)
    code = re.sub(r'"[^"\n]*"', '""', code)
    faults, open_ones = [], []
    for at, letter in enumerate(code):
        if letter in "([{":
            open_ones.append(letter)
        elif letter in ")]}" and (not open_ones or open_ones.pop() + letter not in ("()", "[]", "{}")):
            faults.append("line %d: %s closes nothing" % (code[:at].count("\n") + 1, letter))
    faults += ["%s is not closed" % letter for letter in open_ones]

    # Statements end, and a structure or a function is closed with a semicolon.
    for block in re.finditer(r"^(struct|enum|fn) [^{]*\{.*?^\}(.?)", code, re.M | re.S):
        if block.group(2) != ";":
            faults.append("no semicolon after " + block.group(0).splitlines()[0])
    for line in code.splitlines():
        line = line.strip()
        is_open = re.match(r"(if|else)\b[^;]*$", line) or line.endswith(("{", "}", ",")) or re.match(r"\w+ = \d+$", line)
        if line and not is_open and not line.endswith(";"):
            faults.append("no semicolon: " + line)

    # Types come before their uses.
    declared = set(BUILT_IN)
    members = {}
    for line in code.splitlines():
        start = re.match(r"(?:struct|enum) (\w+)|using (\w+);", line)
        if start:
            name = start.group(1) or start.group(2)
            if name in members:
                faults.append("%s is declared twice" % name)
            declared.add(name)
            if start.group(1):
                members[name] = set()
        used = re.match(r"\s+(?:if \(.*?\) )?([A-Za-z]\w*) (\w+)(?:\[.*\])?(?: = .*)?;$", line)
        if used and used.group(1) not in KEYWORDS and used.group(1) not in declared:
            faults.append("%s is not declared: %s" % (used.group(1), line.strip()))
        row = re.match(r"\s+(\w+) = (\d+),?$", line)
        if row and members:
            list(members.values())[-1].add(row.group(1))
    for owner, name in re.findall(r"\b(Kind|Dialect)::(\w+)", code):
        if name not in members.get(owner, ()):
            faults.append("%s::%s is not declared" % (owner, name))
    functions = set(re.findall(r"fn (\w+)\(", code)) | {"assert", "error", "size", "if"}
    faults += ["%s() is not declared" % name for name in set(re.findall(r"\b([a-z]\w*)\(", code)) - functions]

    # Every id of every dialect, and every kind that has a payload.
    for row in tables["dialects"]:
        body = re.search(r"fn kind_of_%s\(.*?^\};" % row["dialect"], code, re.M | re.S).group(0)
        found = re.findall(r"if \(id == (\d+)\) return Kind::(\w+);", body)
        if found != [(str(entry["id"]), entry["kind"]) for entry in row["types"]]:
            faults.append("the ids of %s differ" % row["dialect"])
    value = re.search(r"^struct Value \{.*?^\};", code, re.M | re.S).group(0)
    for row in tables["kinds"]:
        if row["payload"] != "none" and "if (kind == Kind::%s) {" % row["kind"] not in value:
            faults.append("%s has no payload" % row["kind"])
    for fault in faults:
        print("variant.hexpat:", fault)
    print("variant.hexpat: %d types, %d faults; not run in ImHex" % (len(members), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

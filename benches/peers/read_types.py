"""Counts the types whose engine-made records playgodot reads to their last byte: read_types.py RECORDS.jsonl"""

import json
import sys

from playgodot.variant import VariantDecoder

kinds = {}
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    # Leaves out objects that are written in full (class and properties), and arrays with more levels than the stack of
    # Python allows.
    if record.get("dec") == "ok" and not record["full"] and not record["name"].startswith("deep_"):
        kinds.setdefault(record["type_name"], []).append(bytes.fromhex(record["hex"]))


def is_read(data):
    try:
        return VariantDecoder().decode(data)[1] == len(data)
    except Exception:
        return False


read = [name for name, records in kinds.items() if all(map(is_read, records))]
print(f"playgodot: {len(read)} of {len(kinds)} types: {' '.join(read)}")

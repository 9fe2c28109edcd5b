"""Measures the reading of many files as one table: python bench/table.py FOLDER

The columns are those of docs/dev/performance.md, "Tables"."""

import resource
import sys
import time

import pyarrow
import variant_view

COLUMNS = [
    "version:int",
    "player.name:text",
    "player.hp:int",
    "player.gold:int",
    "player.position:Vector3",
    "meta.slot:int",
    "meta.time:float",
    "_file",
]


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


before, start = cpu(), time.perf_counter()
reader = pyarrow.RecordBatchReader.from_stream(variant_view.table(sys.argv[1], COLUMNS))
rows = sum(batch.num_rows for batch in reader)
wall, used = time.perf_counter() - start, cpu() - before
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{rows} rows: {wall:.2f} s, {used:.2f} CPU s, {memory} MiB")

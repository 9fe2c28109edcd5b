#!/usr/bin/env python3
"""Makes a table and a plot of what `cargo bench -p variant-bench` has measured.

    benches/report.py                 prints the table, in Markdown
    benches/report.py --plot FILE     writes the plot of the peers, as SVG

Reads the medians that criterion leaves in target/criterion.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "target" / "criterion"
PLOTTED = "peers/save_10k"


def measured():
    """Every benchmark of the last run: group, name, nanoseconds, throughput."""
    for path in sorted(ROOT.glob("**/new/benchmark.json")):
        about = json.loads(path.read_text())
        estimates = json.loads((path.parent / "estimates.json").read_text())
        name = about["full_id"].removeprefix(about["group_id"]).strip("/")
        yield about["group_id"], name, estimates["median"]["point_estimate"], about["throughput"]


def time(ns):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def rate(throughput, ns):
    """Nanoseconds an element and gigabytes a second, where they are known."""
    known = throughput or {}
    counts = known.get("ElementsAndBytes") or {name.lower(): n for name, n in known.items()}
    elements, size = counts.get("elements"), counts.get("bytes")
    return f"{ns / elements:.2f} ns" if elements else "", f"{size / ns:.2f} GB/s" if size else ""


def table():
    print("| group | benchmark | median | an element | throughput |")
    print("|---|---|--:|--:|--:|")
    for group, name, ns, throughput in measured():
        each, speed = rate(throughput, ns)
        print(f"| {group} | {name} | {time(ns)} | {each} | {speed} |")


def plot(path):
    bars = sorted(((ns, name) for group, name, ns, _ in measured() if group == PLOTTED))
    if not bars:
        sys.exit("nothing measured: run cargo bench -p variant-bench --features peers --bench peers")
    longest = bars[-1][0]
    row, left = 26, 20 + 7 * max(len(name) for _, name in bars)
    width = left + 430
    height = row * len(bars) + 44
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="10" y="20" font-weight="bold">110,007 values: less is better</text>',
    ]
    for place, (ns, name) in enumerate(bars):
        y = 34 + place * row
        length = max(1.0, ns / longest * (width - left - 90))
        colour = "#2a6" if name.startswith("variant-") else "#99a"
        lines += [
            f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{name}</text>',
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="18" fill="{colour}"/>',
            f'<text x="{left + length + 6:.1f}" y="{y + 14}">{time(ns)}</text>',
        ]
    pathlib.Path(path).write_text("\n".join([*lines, "</svg>", ""]))


if len(sys.argv) == 1:
    table()
elif len(sys.argv) == 3 and sys.argv[1] == "--plot":
    plot(sys.argv[2])
else:
    sys.exit(__doc__)

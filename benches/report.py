#!/usr/bin/env python3
"""Makes a table and a plot of the results of `cargo bench --manifest-path benches/Cargo.toml`.

    benches/report.py                 prints the table, in Markdown
    benches/report.py --aims          prints the aims of benches/aims.txt beside the measurements
    benches/report.py --worst         prints nanoseconds per byte, by document (rows) and entry point (columns)
    benches/report.py --batch         prints nanoseconds per packet, by the number of packets in flight
    benches/report.py --write FILE    writes these three tables at their markers in FILE, <!-- benches/report.py --aims -->
    benches/report.py --plot FILE     writes the plot of the peers, as SVG

Reads the medians of criterion in benches/target/criterion.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "target" / "criterion"
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
    """Nanoseconds per element and gigabytes per second, if they are known."""
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
        sys.exit("nothing measured: run cargo bench --manifest-path benches/Cargo.toml --features peers --bench peers")
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


def aims():
    """The table of aims, from the lines `work | benchmark | beside | aim` of aims.txt."""
    times = {f"{group}/{name}": ns for group, name, ns, _ in measured()}
    yield "| work | now | beside | ratio | aim | |"
    yield "|---|--:|--:|--:|--:|---|"
    for line in (HERE / "aims.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        work, name, beside, aim = (cell.strip() for cell in line.split("|"))
        missing = [each for each in (name, beside) if each not in times]
        if missing:
            sys.exit(f"not measured: {', '.join(missing)}")
        sign, number = aim.split()
        ratio = times[name] / times[beside]
        met = ratio <= float(number) if sign == "<=" else ratio >= float(number)
        other = f"{beside}: {time(times[beside])}"
        yield f"| {work} | {time(times[name])} | {other} | {ratio:.2f} | {aim} | {'met' if met else 'not met'} |"


def matrix(group, unit):
    """A table of benchmarks: a row for each name, a column for each group, and each column's best and worst."""
    cells = {}
    for full, name, ns, throughput in measured():
        if full.startswith(group):
            (size,) = throughput.values()
            cells.setdefault(name, {})[full.removeprefix(group)] = ns / size
    if not cells:
        sys.exit(f"nothing measured: {group}")
    columns = sorted({column for row in cells.values() for column in row})
    yield f"| {unit} | {' | '.join(columns)} |"
    yield "|---|" + "--:|" * len(columns)
    for name, row in cells.items():
        yield f"| {name} | {' | '.join(f'{row[c]:.2f}' if c in row else '' for c in columns)} |"
    for title, pick in (("best", min), ("worst", max)):
        ends = [pick((row[c], name) for name, row in cells.items() if c in row) for c in columns]
        yield f"| **{title}** | {' | '.join(f'**{ns:.2f}** {name}' for ns, name in ends)} |"


def batch():
    """Nanoseconds per packet: a row for each call and packet, a column for each number of packets in flight."""
    rows, counts = {}, set()
    for group, name, ns, throughput in measured():
        if group.startswith("batch"):
            call, packet, count = name.rsplit("/", 2)
            count = int(count)
            counts.add(count)
            rows.setdefault((packet, call), {})[count] = ns / count
    counts = sorted(counts)
    yield f"| packet | call | {' | '.join(f'{count:,}' for count in counts)} |"
    yield "|---|---|" + "--:|" * len(counts)
    for (packet, call), row in sorted(rows.items()):
        cells = (f"{row[count]:.1f}" if count in row else "" for count in counts)
        yield f"| {packet} | {call} | {' | '.join(cells)} |"


TABLES = {"aims": aims, "worst": lambda: matrix("worst/", "ns a byte"), "batch": batch}


def write(path):
    """Replaces the table after each marker."""
    path = pathlib.Path(path)
    text = path.read_text()
    for name, lines in TABLES.items():
        marker = f"<!-- benches/report.py --{name} -->\n"
        if marker not in text:
            sys.exit(f"{path} has no marker of --{name}")
        made = "\n".join(lines())
        there = re.escape(marker) + r"\n*(?:\|[^\n]*\n)*\n*"
        text = re.sub(there, lambda _: f"{marker}\n{made}\n\n", text)
    path.write_text(text)


if len(sys.argv) == 1:
    table()
elif len(sys.argv) == 2 and sys.argv[1].removeprefix("--") in TABLES:
    print("\n".join(TABLES[sys.argv[1].removeprefix("--")]()))
elif len(sys.argv) == 3 and sys.argv[1] == "--write":
    write(sys.argv[2])
elif len(sys.argv) == 3 and sys.argv[1] == "--plot":
    plot(sys.argv[2])
else:
    sys.exit(__doc__)

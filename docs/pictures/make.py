#!/usr/bin/env python3
"""Makes the pictures of the README from the output of variant-inspect.

    pip install pyte
    cargo build --release -p variant-inspect
    docs/pictures/make.py
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from xml.sax.saxutils import escape

import pyte

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "variant-inspect"
COLUMNS = 112
# Width and height of a character, in pixels.
WIDE, HIGH = 8.4, 18
COLOURS = {
    "default": "#d8dee9", "black": "#3b4252", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b",
    "blue": "#61afef", "magenta": "#c678dd", "cyan": "#56b6c2", "white": "#e5e9f0",
    "brightblack": "#7f848e", "brightred": "#e06c75", "brightgreen": "#98c379", "brightbrown": "#e5c07b",
    "brightblue": "#61afef", "brightmagenta": "#c678dd", "brightcyan": "#56b6c2", "brightwhite": "#ffffff",
}
PAPER = "#1e222a"


def colour(name, default):
    if name == "default":
        return default
    return COLOURS.get(name) or ("#" + name if len(name) == 6 else default)


def printed(arguments, rows):
    """The screen after a command has printed."""
    output = subprocess.run([PROGRAM, "--color", "always", *arguments], cwd=ROOT, capture_output=True, check=True)
    screen = pyte.Screen(COLUMNS, rows)
    lines = output.stdout.replace(b"\n", b"\r\n").split(b"\r\n")[:rows]
    pyte.ByteStream(screen).feed(b"\r\n".join(lines))
    return screen


def driven(arguments, keys, rows):
    """The screen of a command that runs on a terminal, after these keys."""
    screen = pyte.Screen(COLUMNS, rows)
    stream = pyte.ByteStream(screen)
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(ROOT)
        os.environ["TERM"] = "xterm-256color"
        os.execv(PROGRAM, [str(PROGRAM), *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, COLUMNS, 0, 0))

    def read(seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    stream.feed(os.read(terminal, 65536))
                except OSError:  # The program has ended.
                    return

    read(1.5)
    for key in keys:
        os.write(terminal, key.encode())
        read(0.3)
    cells = {row: dict(line) for row, line in screen.buffer.items()}
    os.write(terminal, b"q")
    read(0.5)
    os.close(terminal)
    os.waitpid(process, 0)
    screen.buffer.clear()
    for row, line in cells.items():
        screen.buffer[row].update(line)
    return screen


def runs(line):
    """The stretches of a line with one style: column, text, colours, weight."""
    column = 0
    while column < COLUMNS:
        cell = line[column]
        fore, back = colour(cell.fg, COLOURS["default"]), colour(cell.bg, PAPER)
        if cell.reverse:
            fore, back = back, fore
        style = (fore, back, cell.bold)
        start, text = column, ""
        while column < COLUMNS:
            cell = line[column]
            fore, back = colour(cell.fg, COLOURS["default"]), colour(cell.bg, PAPER)
            if cell.reverse:
                fore, back = back, fore
            if (fore, back, cell.bold) != style:
                break
            text += cell.data
            column += 1
        yield start, text, style


def svg(screen, title, rows):
    width, height = COLUMNS * WIDE + 24, rows * HIGH + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>',
        f'<text x="12" y="20" fill="#7f848e">$ {escape(title)}</text>',
    ]
    for row in range(rows):
        y = 44 + row * HIGH
        for column, text, (fore, back, bold) in runs(screen.buffer[row]):
            x = 12 + column * WIDE
            if back != PAPER:
                parts.append(f'<rect x="{x:g}" y="{y - 14}" width="{len(text) * WIDE:g}" height="{HIGH}" fill="{back}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                length = f'textLength="{len(text) * WIDE:g}" lengthAdjust="spacingAndGlyphs"'
                parts.append(f'<text x="{x:g}" y="{y}" fill="{fore}"{weight} xml:space="preserve" {length}>{escape(text)}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main():
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is missing: cargo build --release -p variant-inspect")
    save = "corpus/godot3/saves/rpg_save.bin"
    small = "corpus/godot4/saves/sample3.variant"
    pictures = {
        "tree": (lambda: printed(["tree", "--depth", "2", "--limit", "5", save], 22), f"variant-inspect tree --depth 2 --limit 5 {save}", 22),
        "hex": (lambda: printed(["hex", small, "entities[0]"], 16), f"variant-inspect hex {small} 'entities[0]'", 16),
        "browse": (lambda: driven(["browse", save], ["j", "j", "l", "j", "j", "j", "\t"], 24), f"variant-inspect browse {save}", 24),
    }
    for name, (make, title, rows) in pictures.items():
        path = Path(__file__).with_name(f"{name}.svg")
        path.write_text(svg(make(), title, rows))
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()

"""Tables of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

# The longest text of a cell, in characters.
_MOST = 200


def _cell(tag: str, text: str) -> str:
    text = text if len(text) <= _MOST else f"{text[:_MOST]}..."
    return f"<{tag} style='text-align: left'>{escape(text)}</{tag}>"


def table(caption: str, rows: Sequence[tuple[str, str | None, str]], more: int) -> str:
    """A table with a row for each value: its name, its kind and a short literal. ``more`` values are not shown."""
    body = [f"<tr>{_cell('th', name)}{_cell('td', kind or 'damaged')}{_cell('td', text)}</tr>" for name, kind, text in rows]
    if more:
        body.append(f"<tr><td colspan='3' style='text-align: left'>and at most {more:,} more</td></tr>")
    return f"<table><caption>{escape(caption)}</caption>{''.join(body)}</table>"

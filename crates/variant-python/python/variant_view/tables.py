"""Many files as one table."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._native import Table, prepare

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["table"]


def table(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str] | Buffer],
    columns: Sequence[str],
    *,
    filters: Sequence[tuple[str, str, Any]] | None = None,
    dialect: str | None = None,
    framing: Literal["bare", "frames", "frames-be", "settings"] | None = None,
    reals: Literal["by-flag", "always64"] | None = None,
    password: str | None = None,
    key: bytes | None = None,
    max_len: int = 1 << 30,
    mmap: bool = False,
    misfits: Literal["widen", "strict"] = "widen",
    validate: bool = False,
    batch_rows: int = 8192,
    threads: int = 0,
) -> Table:
    """Many files as one table, which pandas, polars, pyarrow and DuckDB read without a copy.

    ``files`` is a path, a pattern such as ``"saves/**/*.sav"``, or several of them and of bytes-like objects, read in that order. A file
    that is named twice is read twice.

    ``columns`` are ``NAME=EXPRESSION:TYPE``, such as ``"hp=player.hp:int"``, ``"items[*].id"`` (a row for each item),
    ``"total=sum(..gold):int"``, and ``"_file"``, ``"_frame"``, ``"_offset"``, ``"_error"``, ``"_value"``. ``filters`` are
    ``(column, comparison, value)`` with ``== != < <= > >= in`` and ``not in``, all of which hold of each row.

    A broken file is a row whose ``_error`` says why; without that column it is no row, and counted in ``Table.summary``. So is a value
    that does not fit its column, which is null: ``misfits="strict"`` has no wider column take a narrower value. Every file that
    has no dialect given is read in the one that fits it.

    O(1) here: files are listed, and read when the table is. On ``threads`` threads then, 0 for one a core.

    Raises FileNotFoundError for a pattern that matches nothing, and TableError for columns and filters that make no table.
    """
    named = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    return prepare(
        [found for name in named for found in _listed(name)], list(columns), filters=filters, dialect=dialect, framing=framing,
        reals=reals, password=password, key=key, max_len=max_len, mmap=mmap, misfits=misfits, validate=validate, batch_rows=batch_rows,
        threads=threads,
    )


def _listed(name: Any) -> list[Any]:
    """The files of a pattern, sorted. What is there by that very name is no pattern."""
    if not isinstance(name, str) or not glob.has_magic(name) or os.path.exists(name):
        return [name]
    found = sorted(path for path in glob.glob(name, recursive=True) if not os.path.isdir(path))
    if not found:
        raise FileNotFoundError(f"no file matches {name!r}")
    return found

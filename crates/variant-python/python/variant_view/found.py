"""A list of what was found in a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["Found"]

_T = TypeVar("_T")


class Found(list[_T]):
    """The first results of ``File.diff`` or ``File.check``. ``total`` is the number of all results, and ``is_cut`` says whether some of
    them are not in the list."""

    total: int
    is_cut: bool

    def __init__(self, items: Iterable[_T] = (), total: int = 0, is_cut: bool = False) -> None:
        super().__init__(items)
        self.total = total
        self.is_cut = is_cut

"""Errors: where something is wrong, what was found, and what was expected."""

from __future__ import annotations

from typing import Any

__all__ = ["DecodeError", "EncodeError", "OpenError", "PathError", "TableError", "VariantError"]


class VariantError(ValueError):
    """Something is wrong with a value or a file. What is not known is ``None``.

    ``offset`` is that of the byte among the plain bytes of the file, which are those without compression and encryption. ``path`` is
    that of the value, as ``Document.at`` reads it, within the frame or setting of number ``frame``, counted from 1: ``file[frame - 1]``.
    """

    def __init__(
        self, message: str, *, offset: int | None = None, path: str | None = None, frame: int | None = None, found: str | None = None,
        expected: str | None = None, category: str | None = None,
    ) -> None:
        super().__init__(message)
        self.offset = offset
        self.path = path
        self.frame = frame
        self.found = found
        self.expected = expected
        self.category = category

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, self.__dict__


class DecodeError(VariantError):
    """Bytes that are not a value. ``category``: ``"truncated"``, ``"malformed"`` or ``"limit"``."""


class PathError(VariantError, LookupError):
    """A path or a query that is none, or leads to nothing."""


class EncodeError(VariantError):
    """A value that the dialect cannot hold."""


class OpenError(VariantError):
    """A file whose layers cannot be removed, or that is of another format. ``category``: ``"locked"`` where a password is missing,
    ``"layer"`` or ``"format"``. A file that cannot be read at all is an ``OSError``."""


class TableError(VariantError):
    """Columns that make no table. The column ``_error`` has the errors of files."""

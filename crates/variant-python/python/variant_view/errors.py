"""The errors of this package. Each has the offset and path of the fault, and the found and the expected content, if they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._native import Conflict

__all__ = [
    "DebugError", "DebugTimeoutError", "DecodeError", "EditError", "EncodeError", "GameEndedError", "MergeError", "MigrationError", "OpenError", "PathError",
    "TableError", "VariantError",
]


class VariantError(ValueError):
    """A fault of a value or a file. An attribute that is not known is ``None``.

    ``offset`` is the offset of the fault in the plain bytes of the file: without compression and encryption. ``frame`` is the number of
    the frame or setting with the value, counted from 1: ``file[frame - 1]``. ``path`` is the path of the value in this frame or setting,
    as ``Document.at`` reads it.
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
    """A path that is invalid, or that selects nothing."""


class EncodeError(VariantError):
    """A value that the dialect cannot hold."""


class EditError(VariantError):
    """A change that cannot be made: nothing is at the path, a container cannot hold the value, or the file is damaged. ``category`` is
    ``"edit"``, or ``"literal"`` for a text that is not a literal. The file stays as it was."""


class MergeError(VariantError):
    """Two files that changed a value in different ways. ``conflicts`` is the list of these values, at most 1,000: ``Conflict``."""

    conflicts: list[Conflict]


class OpenError(VariantError):
    """A file whose layers (compression, encryption) cannot be removed, or a file of another format. ``category``:
    ``"locked"`` if a password is missing, otherwise ``"layer"`` or ``"format"``. A file that cannot be read at all is
    an ``OSError``."""


class TableError(VariantError):
    """Columns that do not form a table. The column ``_error`` has the errors of files."""


class MigrationError(VariantError):
    """A fault of a file of steps, or a value that the steps cannot migrate. The message has the place in the file of steps, the step and
    the path: ``steps.toml:14:3: rename: player.hp: ...``."""


class DebugError(VariantError):
    """A fault of a connection to a game. ``category``: ``"fatal"`` or ``"damaged"`` for bytes that are not a message, ``"refused"`` for
    a command that the game would not understand or not survive, ``"start"`` for a game that does not start or connect, ``"timeout"``,
    ``"ended"``, ``"answer"`` for an answer that is not the expected one."""


class DebugTimeoutError(DebugError, TimeoutError):
    """A wait for a game that took too long. The message has what the game said last."""


class GameEndedError(DebugError, ConnectionError):
    """A wait for a game that ended meanwhile. The message has the exit status, and what the game said last."""

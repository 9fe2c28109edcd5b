"""The errors and warnings of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..found import Found
from .messages import ErrorReport, StackFrame

__all__ = ["Problem", "Problems"]

_KEPT = 1_000
"""The number of errors, and of warnings, that are kept. Further ones are counted."""

_LONGEST = 4_096
"""The longest text that is kept, in characters; of a place in a stack a sixteenth of that."""

_DEEPEST = 32
"""The number of places of a stack that are kept."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning of a game. ``is_script`` is true for an error at which the engine stops a script. ``stack`` is innermost
    first."""

    text: str
    stack: tuple[StackFrame, ...]
    is_warning: bool = False
    is_script: bool = False

    def __str__(self) -> str:
        kind = "warning" if self.is_warning else "script error" if self.is_script else "error"
        return "\n".join([f"{kind}: {self.text}", *(f"  at {place}" for place in self.stack)])


class Problems:
    """Collects errors and warnings. An error of a script is in a message, in a stop, or in both: it counts once."""

    def __init__(self) -> None:
        self.errors: Found[Problem] = Found()
        self.warnings: Found[Problem] = Found()
        self._last: Problem | None = None
        self._stop: str | None = None

    def report(self, report: ErrorReport) -> None:
        """Takes a message of the game."""
        text = (report.description or report.error)[:_LONGEST]
        place = StackFrame(report.file, report.line, report.function)
        problem = Problem(text, _cut(report.stack or (place,)), report.is_warning)
        if not problem.is_warning and self._stop == text:
            # The stop at this error was counted.
            self._stop = None
            return
        self._add(problem)
        self._last = problem

    def stop(self, reason: str, stack: tuple[StackFrame, ...]) -> None:
        """Takes a stop at an error of a script."""
        reason = reason[:_LONGEST]
        problem = Problem(reason, _cut(stack), is_script=True)
        if self._last is not None and self._last.text == reason and not self._last.is_warning:
            # Godot 4.5 and later reports the error before it stops.
            for index, error in enumerate(self.errors):
                if error is self._last:
                    self.errors[index] = problem
            self._last = None
            return
        self._stop = reason
        self._add(problem)

    def run(self) -> None:
        """Takes the end of a stop."""
        self._stop = None

    def _add(self, problem: Problem) -> None:
        found = self.warnings if problem.is_warning else self.errors
        found.total += 1
        if len(found) < _KEPT:
            found.append(problem)
        else:
            found.is_cut = True


def _cut(stack: tuple[StackFrame, ...]) -> tuple[StackFrame, ...]:
    """A stack in bounded memory: a game may send any texts."""
    most = _LONGEST // 16
    return tuple(replace(place, file=place.file[:most], function=place.function[:most]) for place in stack[:_DEEPEST])

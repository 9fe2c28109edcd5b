"""The parts of messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "CachedNode", "Category", "FunctionProfile", "Line", "Node", "NodeTraffic", "Profile", "Property", "RemoteObject", "Request",
    "RpcTraffic", "Span", "StackFrame", "Stopped", "SyncTraffic", "Time", "Variable", "VideoResource", "VisualArea",
]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output. Control characters and BBCode are the game's. ``thread`` is the thread that printed it (Pandemonium 4 and 5)."""

    text: str
    kind: Literal["log", "error", "rich"] | int
    thread: int | None = None


@dataclass(frozen=True, slots=True)
class StackFrame:
    """A frame of a stack: a place in a script."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.function} ({self.file}:{self.line})"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a frame, or the value of an expression. Objects are ids. ``type_id`` is ``None`` in Godot 3 and Pandemonium."""

    name: str
    value: Any
    scope: Literal["local", "member", "global", "evaluation"] | int
    type_id: int | None


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the scene tree. Nodes come depth first: ``children`` nodes of the next level follow. ``scene`` and ``flags`` are
    ``None`` in Godot 3 and Pandemonium."""

    children: int
    name: str
    class_name: str
    id: int
    scene: str | None
    flags: int | None


@dataclass(frozen=True, slots=True)
class Property:
    """A property of an object. ``Members/`` precedes variables of the script, ``Constants/`` constants, ``Node/`` facts about a node."""

    name: str
    value: Any
    type_id: int
    hint: int
    hint_text: str
    usage: int

    @property
    def short_name(self) -> str:
        """The name without the prefix of variables, as in the script."""
        return self.name.rsplit("/", 1)[-1] if self.name.startswith("Members/") else self.name


@dataclass(frozen=True, slots=True)
class RemoteObject:
    """An inspected object. ``inspected["hp"]`` is the value of a property: by its name in the script, or by its whole name."""

    id: int
    class_name: str
    properties: tuple[Property, ...]

    def property(self, name: str) -> Property:
        """A property by its name. Raises KeyError if the object has none."""
        for is_whole in (True, False):
            for one in self.properties:
                if name == (one.name if is_whole else one.short_name):
                    return one
        raise KeyError(f"{self.class_name} #{self.id} has no property {name!r}")

    def __getitem__(self, name: str) -> Any:
        return self.property(name).value

    def __contains__(self, name: object) -> bool:
        return any(name in (one.name, one.short_name) for one in self.properties)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A thread that is stopped. ``reason`` is ``Breakpoint``, or the text of a script error."""

    thread: int | None
    thread_name: str | None
    reason: str
    can_continue: bool
    has_stack: bool | None


@dataclass(frozen=True, slots=True)
class Time:
    """A time since the start of the game."""

    hours: int
    minutes: int
    seconds: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class VideoResource:
    """A resource in video memory."""

    path: str
    kind: str
    format: str
    bytes: int


@dataclass(frozen=True, slots=True)
class FunctionProfile:
    """The time of a function in seconds: ``total`` with the functions that it called, ``own`` without."""

    signature: int
    calls: int
    total: float
    own: float
    internal: float | None


@dataclass(frozen=True, slots=True)
class Span:
    """A named time in seconds."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Category:
    """The time of a server of the engine."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of a frame, or the sums since the start. Times are in seconds."""

    frame: int
    frame_time: float
    process_time: float
    physics_time: float
    physics_frame_time: float
    script_time: float
    categories: tuple[Category, ...]
    functions: tuple[FunctionProfile, ...]


@dataclass(frozen=True, slots=True)
class VisualArea:
    """The times of an area of the renderer in milliseconds."""

    name: str
    cpu: float
    gpu: float


@dataclass(frozen=True, slots=True)
class NodeTraffic:
    """Remote calls of a node (Godot 3, Pandemonium)."""

    id: int
    path: str
    rpc_in: int
    rset_in: int
    rpc_out: int
    rset_out: int


@dataclass(frozen=True, slots=True)
class RpcTraffic:
    """Remote calls of a node (Godot 4)."""

    id: int
    path: str
    calls_in: int
    bytes_in: int
    calls_out: int
    bytes_out: int


@dataclass(frozen=True, slots=True)
class SyncTraffic:
    """A synchronizer, by the ids of its nodes."""

    synchronizer: int
    config: int
    root: int
    syncs_in: int
    bytes_in: int
    syncs_out: int
    bytes_out: int


@dataclass(frozen=True, slots=True)
class CachedNode:
    """A node by its id."""

    id: int
    class_name: str
    path: str


@dataclass(frozen=True, slots=True)
class Request:
    """A command as ``Game`` receives it."""

    name: str
    thread: int | None
    arguments: tuple[Any, ...]

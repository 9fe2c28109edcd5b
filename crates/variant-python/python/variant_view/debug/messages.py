"""The messages of a game. docs/debugger.md in the repository describes them.

A script can send any message: nothing here is to be trusted. Lists are tuples, and values are those of ``Document.to_python``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..errors import DebugError
from .parts import (
    CachedNode, Category, FunctionProfile, Line, Node, NodeTraffic, Profile, Property, RemoteObject, Request, RpcTraffic, Span,
    StackFrame, Stopped, SyncTraffic, Time, Variable, VideoResource, VisualArea,
)

__all__ = [
    "Bandwidth", "CachedNode", "Category", "ClickCtrl", "Custom", "Damaged", "DebugEnter", "DebugExit", "Drawn", "Dropped", "ErrorReport",
    "EvaluationReturn", "FilesUpdated", "FunctionProfile", "FunctionSignature", "InspectObject", "InspectObjects", "Line", "MainThreadId",
    "Message", "MonitorNames", "MultiplayerCache", "MultiplayerRpc", "MultiplayerSyncs", "NetworkProfile", "Node", "NodeClicked",
    "NodeTraffic", "NothingSelected", "ObjectsSelected", "Output", "Performance", "Profile", "ProfileFrame", "ProfileTotal", "Property",
    "RemoteObject", "Request", "RequestQuit", "RpcTraffic", "SceneTree", "SelectionInvalidated", "SelectionLimit", "SetPid", "Span",
    "StackDump", "StackFrame", "StackFrameVar", "StackFrameVars", "Stopped", "SyncTraffic", "Time", "Variable", "VideoMemory",
    "VideoResource", "VisualArea", "VisualFrame", "VisualHardware", "WindowTitle",
]


@dataclass(frozen=True)
class Message:
    """A message as it arrived. ``name`` is its name on the wire, ``thread`` the thread that sent it (``None`` in families without
    threads), and ``size`` its bytes."""

    name: str = field(default="", kw_only=True)
    thread: int | None = field(default=None, kw_only=True)
    size: int = field(default=0, kw_only=True, repr=False, compare=False)


@dataclass(frozen=True)
class SetPid(Message):
    """The process id of the game (Godot 4). Never signal it: a script can send any id."""

    pid: int


@dataclass(frozen=True)
class Output(Message):
    """Lines of output. A ``Connection`` reports one line in a message."""

    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The text of the lines."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True)
class ErrorReport(Message):
    """An error or a warning. ``error`` is the condition, or the text of ``push_error``. ``stack`` is that of the script, innermost
    first; ``file``, ``line`` and ``function`` are in most cases of the engine's source."""

    error: str
    description: str
    is_warning: bool
    stack: tuple[StackFrame, ...]
    file: str
    line: int
    function: str
    time: Time


@dataclass(frozen=True)
class Performance(Message):
    """The monitors, once a second, in the order of ``Performance.Monitor``. Own monitors follow."""

    monitors: tuple[Any, ...]


@dataclass(frozen=True)
class MonitorNames(Message):
    """The names of the script's own monitors (Godot 4). ``kinds`` is ``None`` before Godot 4.6."""

    names: tuple[str, ...]
    kinds: tuple[int, ...] | None


@dataclass(frozen=True)
class DebugEnter(Message):
    """A thread has stopped. ``reason`` is ``Breakpoint``, or the text of a script error; empty after ``break`` in Godot 4."""

    can_continue: bool
    reason: str
    has_stack: bool | None
    thread_name: str | None
    thread_id: int | None


@dataclass(frozen=True)
class DebugExit(Message):
    """A thread runs again."""


@dataclass(frozen=True)
class StackDump(Message):
    """The stack of the stopped thread, innermost first."""

    frames: tuple[StackFrame, ...]


@dataclass(frozen=True)
class StackFrameVars(Message):
    """The variables of a frame. Godot 4 sends ``count`` messages ``StackFrameVar`` afterwards, and ``variables`` is empty."""

    count: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class StackFrameVar(Message):
    """A variable of a frame (Godot 4)."""

    variable: Variable


@dataclass(frozen=True)
class EvaluationReturn(Message):
    """The value of an expression (Godot 4.4 and later)."""

    variable: Variable


@dataclass(frozen=True)
class SceneTree(Message):
    """All nodes, depth first."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class InspectObject(Message):
    """The properties of an object; ``None`` if the id is unknown (Godot 4.6; the others do not answer)."""

    object: RemoteObject | None


@dataclass(frozen=True)
class InspectObjects(Message):
    """The properties of objects (Godot 4.5 and later)."""

    objects: tuple[RemoteObject, ...]


@dataclass(frozen=True)
class ObjectsSelected(Message):
    """The objects that were selected, in the game or by a command (Godot 4.5 and later)."""

    objects: tuple[RemoteObject, ...]


@dataclass(frozen=True)
class NodeClicked(Message):
    """A node was clicked in the game (Godot 4.4)."""

    id: int


@dataclass(frozen=True)
class NothingSelected(Message):
    """No object is selected (Godot 4.5 and later)."""


@dataclass(frozen=True)
class SelectionInvalidated(Message):
    """Some of the ids are unknown (Godot 4.5 and later)."""

    ids: tuple[int, ...]


@dataclass(frozen=True)
class SelectionLimit(Message):
    """More objects were selected than the game allows (Godot 4.5 and later)."""


@dataclass(frozen=True)
class ClickCtrl(Message):
    """Ctrl and a click on a Control."""

    path: Any
    class_name: str


@dataclass(frozen=True)
class VideoMemory(Message):
    """The video memory in use."""

    resources: tuple[VideoResource, ...]


@dataclass(frozen=True)
class FunctionSignature(Message):
    """The number by which profiles name a function. ``signature`` is ``file::line::function``."""

    signature: str
    number: int


@dataclass(frozen=True)
class ProfileFrame(Message):
    """The profile of a frame."""

    profile: Profile


@dataclass(frozen=True)
class ProfileTotal(Message):
    """The profile since its start."""

    profile: Profile


@dataclass(frozen=True)
class NetworkProfile(Message):
    """Remote calls by node (Godot 3, Pandemonium)."""

    nodes: tuple[NodeTraffic, ...]


@dataclass(frozen=True)
class Bandwidth(Message):
    """Bytes a second, received and sent."""

    incoming: int
    outgoing: int


@dataclass(frozen=True)
class MultiplayerRpc(Message):
    """Remote calls by node (Godot 4)."""

    nodes: tuple[RpcTraffic, ...]


@dataclass(frozen=True)
class MultiplayerSyncs(Message):
    """Synchronizers (Godot 4)."""

    synchronizers: tuple[SyncTraffic, ...]


@dataclass(frozen=True)
class MultiplayerCache(Message):
    """Nodes by id (Godot 4)."""

    nodes: tuple[CachedNode, ...]


@dataclass(frozen=True)
class VisualHardware(Message):
    """The processor and the graphics adapter (Godot 4.4 and later)."""

    processor: str
    adapter: str


@dataclass(frozen=True)
class VisualFrame(Message):
    """Times of the renderer (Godot 4)."""

    frame: int
    areas: tuple[VisualArea, ...]


@dataclass(frozen=True)
class Drawn(Message):
    """The game has drawn a frame, as ``draw`` asked."""


@dataclass(frozen=True)
class RequestQuit(Message):
    """The game asks to be ended: F8 in its window."""


@dataclass(frozen=True)
class MainThreadId(Message):
    """The main thread is the thread of the message."""


@dataclass(frozen=True)
class FilesUpdated(Message):
    """Files that the game has written (Godot 4)."""

    files: tuple[str, ...]


@dataclass(frozen=True)
class WindowTitle(Message):
    """The title of the game's window (Godot 4.5 and later)."""

    title: str


@dataclass(frozen=True)
class Dropped(Message):
    """Messages that the game did not send, or that exceeded the limit ``messages`` of the session."""

    messages: int


@dataclass(frozen=True)
class Custom(Message):
    """Another message: of a script (Godot 4), or of an engine that this package does not know."""

    elements: tuple[Any, ...]


@dataclass(frozen=True)
class Damaged(Message):
    """Bytes that are not a message, or a message whose elements have another shape than its name has. ``data`` has the bytes of the
    message, if it has an end."""

    error: DebugError
    data: bytes

    @property
    def is_fatal(self) -> bool:
        """Whether the session has ended."""
        return self.error.category == "fatal"

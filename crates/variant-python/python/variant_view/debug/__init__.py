"""A debugger for games of Godot 3, Godot 4 and Pandemonium, for tests and tools. It listens, and the game connects to it::

    from variant_view import debug

    async with debug.run(["godot3-server", "--path", "game"]) as game:
        door = await game.node("Door")
        await game.set(door, "open", True)
        await game.expect(output="the door is open")
        assert not game.errors

``run`` starts a game and ends it; ``listen`` waits for games that something else starts. ``Session`` and ``Game`` are the two sides of a
connection without sockets. A program that reaches the port is taken for the game: listen on addresses of this machine only.
"""

from .._native import COMMANDS, Game, Session
from .connection import Connection
from .link import Options
from .listener import Listener, listen, run
from .messages import (
    Bandwidth, CachedNode, Category, ClickCtrl, Custom, Damaged, DebugEnter, DebugExit, Drawn, Dropped, ErrorReport, EvaluationReturn,
    FilesUpdated, FunctionProfile, FunctionSignature, InspectObject, InspectObjects, Line, MainThreadId, Message, MonitorNames,
    MultiplayerCache, MultiplayerRpc, MultiplayerSyncs, NetworkProfile, Node, NodeClicked, NodeTraffic, NothingSelected, ObjectsSelected,
    Output, Performance, Profile, ProfileFrame, ProfileTotal, Property, RemoteObject, Request, RequestQuit, RpcTraffic, SceneTree,
    SelectionInvalidated, SelectionLimit, SetPid, Span, StackDump, StackFrame, StackFrameVar, StackFrameVars, Stopped, SyncTraffic, Time,
    Variable, VideoMemory, VideoResource, VisualArea, VisualFrame, VisualHardware, WindowTitle,
)
from .problems import Problem
from .tree import Tree, TreeNode

__all__ = [
    "COMMANDS", "Bandwidth", "CachedNode", "Category", "ClickCtrl", "Connection", "Custom", "Damaged", "DebugEnter", "DebugExit", "Drawn",
    "Dropped", "ErrorReport", "EvaluationReturn", "FilesUpdated", "FunctionProfile", "FunctionSignature", "Game", "InspectObject",
    "InspectObjects", "Line", "listen", "Listener", "MainThreadId", "Message", "MonitorNames", "MultiplayerCache", "MultiplayerRpc",
    "MultiplayerSyncs", "NetworkProfile", "Node", "NodeClicked", "NodeTraffic", "NothingSelected", "ObjectsSelected", "Options", "Output",
    "Performance", "Problem", "Profile", "ProfileFrame", "ProfileTotal", "Property", "RemoteObject", "Request", "RequestQuit", "RpcTraffic",
    "run", "SceneTree", "SelectionInvalidated", "SelectionLimit", "Session", "SetPid", "Span", "StackDump", "StackFrame", "StackFrameVar",
    "StackFrameVars", "Stopped", "SyncTraffic", "Time", "Tree", "TreeNode", "Variable", "VideoMemory", "VideoResource", "VisualArea",
    "VisualFrame", "VisualHardware", "WindowTitle",
]

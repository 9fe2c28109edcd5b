"""A game that has connected."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator
from typing import Any, TypeVar, overload

from ..errors import DebugError, GameEndedError
from ..names import Command
from .link import Link, picked, shown
from .messages import (
    DebugEnter, DebugExit, EvaluationReturn, InspectObject, InspectObjects, Message, ObjectsSelected, Output, Property, RemoteObject,
    SceneTree, StackDump, StackFrame, StackFrameVar, StackFrameVars, Stopped, Variable,
)
from .tree import Tree, TreeNode

__all__ = ["Connection"]

_T = TypeVar("_T")
_M = TypeVar("_M", bound=Message)

_POLL = 0.05
"""The seconds between two looks at the tree."""

_SCOPES: dict[str | int, int] = {"local": 0, "member": 1, "global": 2}
"""The order in which scopes hide each other's variables."""


class Connection(Link):
    """A game that has connected, from ``run`` or ``Listener.game``.

    Each wait has a timeout: DebugTimeoutError has what was waited for, and what the game said last. If the game ends, each wait raises
    GameEndedError. A command that the game would not understand, or not survive, raises DebugError.

    ``session`` is the session without a socket. ``errors`` and ``warnings`` are those of the game so far: the first 1,000 of each, and
    ``total``. ``dropped`` counts messages that left the full inbox unread.
    """

    # Messages

    @overload
    async def expect(self, *, output: str | re.Pattern[str], message: None = None, timeout: float | None = None) -> Output: ...
    @overload
    async def expect(self, *, output: None = None, message: str, timeout: float | None = None) -> Message: ...
    @overload
    async def expect(self, *, output: None = None, message: type[_M], timeout: float | None = None) -> _M: ...
    async def expect(
        self, *, output: str | re.Pattern[str] | None = None, message: str | type[Message] | None = None, timeout: float | None = None
    ) -> Any:
        """The next line of output that contains a text or a pattern, or the next message with a name on the wire or of a class.

        It reads from the message after the last one that ``expect`` or ``messages`` returned, and leaves out the messages before the
        result. Lines of output come one by one.
        """
        if (output is None) == (message is None):
            raise TypeError("expect takes either output or message")
        if output is not None:
            search = re.compile(re.escape(output)).search if isinstance(output, str) else output.search
            what = f"a line of output with {shown(output)}"
            return await self._next(what, lambda one: isinstance(one, Output) and search(one.text), timeout)
        if isinstance(message, str):
            return await self._next(f"a message {message!r}", lambda one: one.name == message, timeout)
        assert message is not None
        return await self._next(f"a message {message.__name__}", lambda one: isinstance(one, message), timeout)

    async def messages(self, *, timeout: float | None = None) -> AsyncIterator[Message]:
        """The messages that were not read yet, until the game ends. Each may take ``timeout`` seconds."""
        while True:
            try:
                message = await self._next("a message", lambda _: True, timeout)
            except GameEndedError:
                return
            yield message

    # Nodes

    async def tree(self, *, timeout: float | None = None) -> Tree:
        """The nodes of the game (debug builds)."""
        pick = picked(SceneTree, lambda one: Tree(one.nodes))
        return await self._ask("the scene tree, which release builds do not send", pick, timeout, "scene_tree")

    async def node(self, wanted: str | int, *, timeout: float | None = None) -> TreeNode:
        """Waits until the game has a node: by its path, by the end of its path if no other node has it, or by its id.

        Raises PathError if several nodes have this end.
        """
        tree: Tree | None = None
        async with self._limit(f"the node {wanted!r}", timeout, lambda: tree.near(wanted) if tree else "; release builds have no nodes"):
            while True:
                tree = await self.tree(timeout=3_600)
                found = tree.get(wanted)
                if found is not None:
                    return found
                await asyncio.sleep(_POLL)

    async def inspect(self, node: TreeNode | str | int, *, timeout: float | None = None) -> RemoteObject:
        """The properties of a node, or of an object by its id."""
        called = shown(node.path if isinstance(node, TreeNode) else node)
        async with self._limit(f"the object {called}, which may not exist", timeout):
            return await self._inspected(await self._id(node, timeout), timeout)

    async def _inspected(self, id: int, timeout: float | None) -> RemoteObject:
        def pick(message: Message) -> RemoteObject | bool | None:
            if isinstance(message, InspectObject):
                return False if message.object is None else message.object if message.object.id == id else None
            if isinstance(message, (InspectObjects, ObjectsSelected)):
                return next((one for one in message.objects if one.id == id), None)
            return None

        found = await self._ask(f"the object {id}, which may not exist", pick, timeout, "inspect_object", id)
        if not isinstance(found, RemoteObject):
            raise DebugError(f"no object has the id {id}", category="answer")
        return found

    async def set(self, node: TreeNode | str | int, name: str, value: Any, *, timeout: float | None = None) -> Any:
        """Sets a property of a node, and returns its value afterwards. Setters of the script run.

        Raises DebugError if the object has no such property, or if it did not change.
        """
        async with self._limit(f"the property {name} to be set", timeout):
            id = await self._id(node, timeout)
            before = await self._property(id, name, timeout)
            if isinstance(before.value, float) and type(value) is int:
                value = float(value)
            await self.command("set_property", id, before.name, value, timeout=timeout)
            after = await self._property(id, before.name, timeout)
        if not _same(after.value, value) and after.value == before.value:
            why = "a setter may have refused it, or the type does not fit"
            raise DebugError(f"{name} did not change from {shown(before.value)}; {why}", category="answer")
        return after.value

    async def _property(self, id: int, name: str, timeout: float | None) -> Property:
        inspected = await self._inspected(id, timeout)
        try:
            return inspected.property(name)
        except KeyError as error:
            raise DebugError(error.args[0], category="answer") from None

    async def _id(self, node: TreeNode | str | int, timeout: float | None) -> int:
        if isinstance(node, str):
            node = (await self.tree(timeout=timeout)).find(node)
        return node if isinstance(node, int) else node.id

    # Stops

    async def breakpoint(self, file: str, line: int, is_set: bool = True) -> None:
        """Sets or removes a breakpoint. ``file`` is a script, such as ``res://main.gd``; ``res://`` may be left out."""
        file = file if "://" in file else f"res://{file}"
        await self.command("breakpoint", file, line, is_set)
        (self._breakpoints.add if is_set else self._breakpoints.discard)((file, line))

    async def stopped(self, *, timeout: float | None = None) -> Stopped:
        """Waits until the game is stopped, at a breakpoint or by ``pause``."""
        async with self._limit("a stop", timeout):
            while (stop := self._stop()) is None:
                await self._arrival("a stop")
        return stop

    def _stop(self) -> Stopped | None:
        return next((stop for stop in reversed(self.session.stopped) if stop.thread not in self._passing), None)

    def _thread(self) -> int | None:
        """The stopped thread. The thread that stopped last may be one that runs on after an error."""
        stop = self._stop()
        return None if stop is None else stop.thread

    async def pause(self, *, timeout: float | None = None) -> Stopped:
        """Stops the main thread."""
        return await self._move("break", timeout)

    async def step(self, *, timeout: float | None = None) -> Stopped:
        """Runs to the next line, into calls."""
        return await self._move("step", timeout)

    async def next(self, *, timeout: float | None = None) -> Stopped:
        """Runs to the next line of the function."""
        return await self._move("next", timeout)

    async def out(self, *, timeout: float | None = None) -> Stopped:
        """Runs to the end of the function (Godot 4.7)."""
        return await self._move("out", timeout)

    async def resume(self, *, timeout: float | None = None) -> None:
        """Runs on, and waits until the stop has ended."""
        thread = self._thread()
        await self._ask("the end of the stop", picked(DebugExit, lambda _: True, thread), timeout, "continue", thread=thread)

    async def _move(self, name: Command, timeout: float | None) -> Stopped:
        what, thread = f"the stop after {name}", self._thread()
        async with self._limit(what, timeout):
            await self._ask(what, picked(DebugEnter, lambda _: True, thread), timeout, name, thread=thread)
            return await self.stopped(timeout=timeout)

    async def stack(self, *, timeout: float | None = None) -> tuple[StackFrame, ...]:
        """The stack of the stopped game, innermost first."""
        thread = self._thread()
        return await self._ask("the stack", picked(StackDump, lambda one: one.frames, thread), timeout, "stack_dump", thread=thread)

    async def variables(self, level: int = 0, *, timeout: float | None = None) -> dict[str, Any]:
        """The variables of a frame of the stopped game by their names; 0 is the innermost. Locals hide members of the same name."""
        found: list[Variable] = []
        missing: int | None = None
        thread = self._thread()

        def pick(message: Message) -> list[Variable] | None:
            nonlocal missing
            if thread not in (None, message.thread):
                return None
            if isinstance(message, StackFrameVars):
                # Variables that came before are the answer to an older call.
                found[:] = message.variables
                missing = message.count if not message.variables else 0
            elif isinstance(message, StackFrameVar) and missing is not None:
                found.append(message.variable)
                missing -= 1
            return found if missing is not None and missing <= 0 else None

        await self._ask("the variables", pick, timeout, "stack_frame_vars", level, thread=thread)
        by_scope: dict[str, Any] = {}
        for variable in sorted(found, key=lambda variable: _SCOPES.get(variable.scope, len(_SCOPES))):
            by_scope.setdefault(variable.name, variable.value)
        return by_scope

    async def evaluate(self, expression: str, level: int = 0, *, timeout: float | None = None) -> Any:
        """The value of an expression in a frame of the stopped game (Godot 4.4 and later). It runs in the game."""

        def take(message: EvaluationReturn) -> tuple[Any] | None:
            # A late answer to another call has another expression.
            return (message.variable.value,) if message.variable.name == expression else None

        what, pick = "the value of an expression", picked(EvaluationReturn, take)
        return (await self._ask(what, pick, timeout, "evaluate", expression, level, thread=self._thread()))[0]

    async def send(self, name: str, *arguments: Any) -> None:
        """Sends a message to the script of the game (Godot 4), or any message by its name on the wire."""
        await self.command("custom", name, *arguments)


def _same(found: Any, wanted: Any) -> bool:
    """Whether a property has a value. Engines keep most floats in 32 bits."""
    if isinstance(found, float) and isinstance(wanted, float):
        return math.isclose(found, wanted, rel_tol=1e-6)
    if type(found) is type(wanted) and isinstance(found, (tuple, list)):
        return len(found) == len(wanted) and all(map(_same, found, wanted))
    return bool(found == wanted)

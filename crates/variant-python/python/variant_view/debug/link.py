"""A connection to a game: its socket, its session and its unread messages. Everything that waits for a game waits here."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, TypedDict, TypeVar

from .._native import Session
from ..errors import DebugError, DebugTimeoutError, GameEndedError, VariantError
from ..found import Found
from ..names import Command, Dialect
from .inbox import Inbox
from .messages import Damaged, DebugEnter, DebugExit, ErrorReport, Message, Output, SceneTree, StackDump, StackFrame
from .problems import Problem, Problems
from .process import Process

__all__ = ["Link", "Options", "picked", "session", "shown"]

_T = TypeVar("_T")
_M = TypeVar("_M", bound=Message)

_READ = 64 << 10
"""The most bytes of a read."""

_UNREAD = 16 << 20
"""The bytes of unread messages that are kept."""

_LEAVING = 1.0
"""The seconds in which a stopped game must take its last commands."""

_THREADS = 64
"""The number of threads whose errors are followed at a time: a script can send any stops."""

_LINES = 10_000
"""The number of lines into which a message of output is divided. The last one has the rest: a message may be 8 MiB of line breaks."""

_ENTRY = 64
"""The bytes of an unread line apart from its text, at the least."""

_LAST = 5
"""The number of lines that an error about a wait shows, each cut after 200 characters."""


class Options(TypedDict, total=False):
    """Options of ``run`` and ``listen``."""

    timeout: float
    """The seconds that a wait may take, unless the call has another time. The default is 10."""
    dialect: Dialect
    """The dialect of the engine. By default the messages show it."""
    version: str
    """The version of Godot 4, such as ``"4.4"``, if the engine does not print it."""
    limits: dict[str, int]
    """Bounds on what the game may send, as ``Session`` takes them."""
    inbox: int
    """The number of unread messages that are kept, of 16 MiB together. The default is 10,000."""
    stop_at_errors: bool
    """Whether the game stays stopped at an error of a script. By default it runs on after its stack was read."""


def session(options: Options) -> Session:
    return Session(dialect=options.get("dialect"), version=options.get("version"), limits=options.get("limits"))


class Link:
    """What ``Connection`` waits with."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, options: Options | None = None, process: Process | None = None,
    ) -> None:
        options = options or {}
        self._reader, self._writer, self._process = reader, writer, process
        self._timeout = options.get("timeout", 10.0)
        self._stops_at_errors = options.get("stop_at_errors", False)
        self.session = session(options)
        self._inbox = Inbox(options.get("inbox", 10_000), _UNREAD)
        self._problems = Problems()
        self._waiting: list[_Waiter] = []
        self._idle: set[asyncio.Future[None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: deque[str] = deque(maxlen=_LAST)
        self._breakpoints: set[tuple[str, int]] = set()
        # The threads that stopped at an error, and run on after their stack was read.
        self._passing: set[int | None] = set()
        # The threads whose stack is being read.
        self._following: set[int | None] = set()
        self._is_read = False
        self._end: str | None = None

    async def __aenter__(self) -> Self:
        self._spawn(self._read())
        return self

    async def __aexit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        try:
            await self._leave()
        finally:
            await self._close()

    async def _close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        self._finish("the connection was closed")
        self._writer.close()
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(self._writer.wait_closed(), _LEAVING)
        finally:
            # A game that does not read would keep the unsent commands, and with them the socket.
            self._writer.transport.abort()

    @property
    def errors(self) -> Found[Problem]:
        """The errors of the game so far."""
        return self._problems.errors

    @property
    def warnings(self) -> Found[Problem]:
        """The warnings of the game so far."""
        return self._problems.warnings

    @property
    def dropped(self) -> int:
        """The number of messages that left the full inbox unread."""
        return self._inbox.dropped

    @property
    def is_ended(self) -> bool:
        """Whether the game has closed the connection."""
        return self._end is not None

    async def command(self, name: Command, *arguments: Any, thread: int | None = None, timeout: float | None = None) -> None:
        """Sends any command: ``Session.command`` describes them. Answers come as messages."""
        async with self._limit(f"the game to read the command {name}", timeout):
            await self._known()
            await self._write(name, *arguments, thread=thread)

    async def ended(self, *, timeout: float | None = None) -> int | None:
        """Waits until the game ends. Returns its exit status, if ``run`` has started it."""
        async with self._limit("the end of the game", timeout):
            with contextlib.suppress(GameEndedError):
                while True:
                    await self._arrival("the end of the game")
            return None if self._process is None else await self._process.wait()

    async def _next(self, what: str, fits: Callable[[Message], object], timeout: float | None) -> Message:
        if self._is_read:
            raise DebugError("another call reads the messages of this game", category="refused")
        self._is_read = True
        try:
            async with self._limit(what, timeout):
                while True:
                    while (message := self._inbox.pop()) is not None:
                        if fits(message):
                            return message
                    await self._arrival(what)
        finally:
            self._is_read = False

    async def _write(self, name: Command, *arguments: Any, thread: int | None = None) -> None:
        data = self.session.command(name, *arguments, thread=thread)
        if self._end is not None:
            raise self._ended(f"the command {name}")
        self._writer.write(data)
        with contextlib.suppress(ConnectionError):
            # The end of the connection is found by reading, after the last messages.
            await self._writer.drain()

    async def _known(self) -> None:
        """Waits until the messages show how commands are written."""
        while self.session.family is None or self.session.dialect is None:
            await self._arrival("the first messages of the game")

    async def _ask(
        self, what: str, pick: Callable[[Message], _T | None], timeout: float | None, name: Command, *arguments: Any,
        thread: int | None = None,
    ) -> _T:
        """Sends a command, and waits for the message that answers it: the first for which ``pick`` returns something."""
        async with self._limit(what, timeout):
            await self._known()
            future: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
            waiter = _Waiter(what, pick, future)
            self._waiting.append(waiter)
            try:
                await self._write(name, *arguments, thread=thread)
                return await future
            finally:
                self._waiting.remove(waiter)

    async def _arrival(self, what: str) -> None:
        """Waits until something arrives."""
        if self._end is not None:
            raise self._ended(what)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._idle.add(future)
        try:
            await future
        finally:
            self._idle.discard(future)

    @contextlib.asynccontextmanager
    async def _limit(self, what: str, timeout: float | None, note: Callable[[], str] = str) -> AsyncIterator[None]:
        seconds = self._timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(seconds):
                yield
        except DebugTimeoutError:
            raise
        except TimeoutError:
            message = f"waited {seconds:g} s for {what}{note()}{self._said()}"
            raise DebugTimeoutError(message, expected=what, category="timeout") from None

    def _ended(self, what: str) -> GameEndedError:
        status = None if self._process is None else self._process.status
        how = "" if status is None else f", signal {-status}" if status < 0 else f", exit status {status}"
        return GameEndedError(f"waited for {what}, but {self._end}{how}{self._said()}", expected=what, category="ended")

    def _said(self) -> str:
        """What the game said last, as an end of an error's message."""
        stops = self.session.stopped
        stop = f"; the game is stopped: {shown(stops[-1].reason or 'Break')}" if stops and self._end is None else ""
        errors = f"; its last error: {shown(self.errors[-1].text)}" if self.errors else ""
        lines = ", ".join(shown(line) for line in self._last)
        return f"{stop}{errors}; {f'its last lines: {lines}' if lines else 'it has printed nothing'}"

    # Reading

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self) -> None:
        reason = "the game has closed the connection"
        try:
            while data := await self._reader.read(_READ):
                for message in self.session.handle(data):
                    self._hear(message)
                if self._end is not None:
                    return
                # A game that sends without end must not keep other tasks from running.
                await asyncio.sleep(0)
        except ConnectionError:
            # A game that ends may reset the connection.
            pass
        except Exception as error:
            reason = f"the connection failed: {error}"
        if self._process is not None:
            # The error of a wait has the exit status.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _LEAVING)
        self._finish(reason)

    def _hear(self, message: Message) -> None:
        if isinstance(message, ErrorReport):
            self._problems.report(message)
        elif isinstance(message, DebugEnter):
            self._enter(message)
        elif isinstance(message, DebugExit):
            self._passing.discard(message.thread)
            self._problems.run()
        elif isinstance(message, Damaged) and message.is_fatal:
            self._finish(f"its bytes are not those of a game: {message.error}")
        # Games answer in the order of the commands: a message is the answer to the oldest call that it fits.
        if not any(waiter.takes(message) for waiter in self._waiting):
            for one in _lines(message):
                if isinstance(one, Output):
                    self._last.append(one.text[:200])
                self._inbox.push(one)
        self._wake()

    def _enter(self, stop: DebugEnter) -> None:
        # A statement `breakpoint` has its own reason. Only after an error a game cannot continue as if nothing had happened.
        if stop.can_continue or stop.reason in ("", "Breakpoint"):
            return
        if stop.thread in self._following or max(len(self._following), len(self._passing)) >= _THREADS:
            self._problems.stop(stop.reason, ())
            return
        self._following.add(stop.thread)
        if not self._stops_at_errors:
            self._passing.add(stop.thread)
        self._spawn(self._follow_error(stop))

    async def _follow_error(self, stop: DebugEnter) -> None:
        """Takes the stack of an error of a script. The game runs on afterwards."""
        try:
            self._problems.stop(stop.reason, await self._stack_of(stop))
            with contextlib.suppress(VariantError):
                if not self._stops_at_errors:
                    await self.command("continue", thread=stop.thread)
        finally:
            self._following.discard(stop.thread)

    async def _stack_of(self, stop: DebugEnter) -> tuple[StackFrame, ...]:
        if stop.has_stack is not False:
            with contextlib.suppress(VariantError):
                pick = picked(StackDump, lambda one: one.frames, stop.thread)
                return await self._ask("the stack", pick, None, "stack_dump", thread=stop.thread)
        return ()

    def _wake(self) -> None:
        for future in self._idle:
            if not future.done():
                future.set_result(None)
        self._idle.clear()

    def _finish(self, reason: str) -> None:
        if self._end is not None:
            return
        self._end = reason
        for waiter in self._waiting:
            waiter.fail(self._ended(waiter.what))
        self._wake()

    async def _leave(self) -> None:
        """Lets a stopped game run: a game of Godot 3 that loses its debugger would stay stopped."""
        if self._end is not None:
            return
        with contextlib.suppress(VariantError, TimeoutError):
            async with asyncio.timeout(_LEAVING):
                for file, line in list(self._breakpoints):
                    await self._write("breakpoint", file, line, False)
                for stop in self.session.stopped:
                    await self._write("continue", thread=stop.thread)
                # Commands that the game has not read when the connection closes may be lost.
                while self.session.stopped:
                    await self._arrival("the end of a stop")
                if self._breakpoints:
                    await self._ask("the scene tree", picked(SceneTree, lambda _: True), None, "scene_tree")


class _Waiter:
    """A call that waits for an answer."""

    def __init__(self, what: str, pick: Callable[[Message], Any], future: asyncio.Future[Any]) -> None:
        self.what, self._pick, self._future = what, pick, future

    def takes(self, message: Message) -> bool:
        """Whether the message is the answer."""
        if self._future.done():
            return False
        try:
            found = self._pick(message)
        except Exception as error:
            self.fail(error)
            return False
        if found is None:
            return False
        self._future.set_result(found)
        return True

    def fail(self, error: Exception) -> None:
        if not self._future.done():
            self._future.set_exception(error)


def picked(of: type[_M], take: Callable[[_M], _T | None], thread: int | None = None) -> Callable[[Message], _T | None]:
    """Picks from messages of a class, of one thread or of any."""
    return lambda message: take(message) if isinstance(message, of) and thread in (None, message.thread) else None


def _lines(message: Message) -> Iterator[Message]:
    """The message; for output, a message for each line. Godot 4 joins the lines of a frame."""
    if not isinstance(message, Output):
        yield message
        return
    left = _LINES
    for index, line in enumerate(message.lines):
        if left == 0:
            yield replace(message, lines=message.lines[index:])
            return
        for text in line.text.removesuffix("\n").split("\n", left - 1):
            yield replace(message, lines=(replace(line, text=text),), size=len(text) + _ENTRY)
            left -= 1


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."

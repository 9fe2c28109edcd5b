"""Waits for games, and starts them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Unpack

from ..errors import DebugError, DebugTimeoutError
from .connection import Connection
from .link import Options, session
from .process import Process, Word, address

__all__ = ["Listener", "listen", "run"]

_START = 30.0
"""The seconds in which a game must connect."""

_WAITING = 16
"""The number of games that wait for ``Listener.game``. Others are refused: anyone on this machine may connect."""

_Caller = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Listener:
    """Listens for games. ``async with listener.game() as game`` takes the next one; several games are several such blocks."""

    def __init__(self, host: str, port: int, options: Options) -> None:
        # Faults of the options are raised before a game connects.
        session(options)
        self._host, self._port, self._options = host, port, options
        self._is_closed = False
        self._server: asyncio.Server | None = None
        self._callers: asyncio.Queue[_Caller] = asyncio.Queue(_WAITING)

    async def __aenter__(self) -> Listener:
        try:
            self._server = await asyncio.start_server(self._take, self._host, self._port)
        except OSError as error:
            raise DebugError(f"cannot listen on {self._host}:{self._port}: {error}; port=0 chooses a free one", category="start") from error
        return self

    async def __aexit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._is_closed = True
        if self._server is not None:
            self._server.close()
        while not self._callers.empty():
            self._callers.get_nowait()[1].close()

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_closed:
            # A game that connected just before the end.
            writer.close()
            return
        try:
            self._callers.put_nowait((reader, writer))
        except asyncio.QueueFull:
            writer.close()

    @property
    def port(self) -> int:
        """The port."""
        if self._server is None or not self._server.sockets:
            raise DebugError("the listener is closed; use it in `async with`", category="start")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def address(self, dialect: str = "godot4") -> str:
        """The address for the engine's option ``--remote-debug``: ``tcp://127.0.0.1:6007`` for Godot 4, ``127.0.0.1:6007`` for others."""
        return address(self._host, self.port, dialect == "godot4")

    @contextlib.asynccontextmanager
    async def game(self, *, timeout: float = _START) -> AsyncIterator[Connection]:
        """The next game that connects. Raises DebugTimeoutError if none does."""
        try:
            caller = await asyncio.wait_for(self._callers.get(), timeout)
        except TimeoutError:
            bare, uri = self.address("godot3"), self.address()
            how = f"a game needs --remote-debug {uri} (Godot 4) or --remote-debug {bare} (Godot 3, Pandemonium)"
            raise DebugTimeoutError(f"no game connected in {timeout:g} s; {how}", category="timeout") from None
        async with Connection(*caller, self._options) as game:
            yield game

    async def _game_of(self, process: Process, timeout: float) -> _Caller:
        """The connection of a game that was started."""
        caller, ended = asyncio.create_task(self._callers.get()), asyncio.create_task(process.wait())
        try:
            await asyncio.wait({caller, ended}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if not caller.done() and ended.done():
                # A short game may connect and end between two looks.
                await asyncio.wait({caller}, timeout=0.1)
            if caller.done():
                return caller.result()
        except BaseException:
            if caller.done() and not caller.cancelled():
                caller.result()[1].close()
            raise
        finally:
            caller.cancel()
            ended.cancel()
        lines = process.last_lines()
        lines = f"; the last lines that it printed:{lines}" if lines else ""
        if process.status is not None:
            raise DebugError(f"the game ended, exit status {process.status}, before it connected{lines}", category="start")
        raise DebugTimeoutError(f"the game did not connect in {timeout:g} s{lines}", category="timeout")


def listen(host: str = "127.0.0.1", port: int = 0, **options: Unpack[Options]) -> Listener:
    """Listens for games: ``async with debug.listen() as listener``.

    Port 0 chooses a free one; 6007 is the editor's. ``Listener.address`` is the address for the engine's option ``--remote-debug``.
    The protocol has neither a password nor encryption: other hosts than this machine only in a network that you trust.
    ``Options`` describes ``options``.
    """
    return Listener(host, port, options)


@contextlib.asynccontextmanager
async def run(
    command: Sequence[Word], *, env: Mapping[str, str] | None = None, cwd: Word | None = None, start_timeout: float = _START,
    **options: Unpack[Options],
) -> AsyncIterator[Connection]:
    """Starts a game, and ends it at the end of the block: ``async with debug.run(["godot", "--path", "game", "--headless"]) as game``.

    The engine's option ``--remote-debug`` is added to the command. Godot 4 takes another form of the address than the other engines:
    ``PROGRAM --version`` decides, or the option ``dialect``. ``{uri}`` or ``{address}`` in the command names the place of the address.
    ``env`` has variables of the environment in addition to those of this program. ``Options`` describes ``options``.

    Raises DebugError for a game that does not start, or does not connect in ``start_timeout`` seconds.
    """
    async with Listener("127.0.0.1", 0, options) as listener:
        process = await Process.start(command, "127.0.0.1", listener.port, options.get("dialect"), env, cwd)
        try:
            caller = await listener._game_of(process, start_timeout)
            if process.version is not None:
                options.setdefault("version", process.version)
            async with Connection(*caller, options, process) as game:
                yield game
        finally:
            await process.end()

"""A game that this program starts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from ..errors import DebugError

__all__ = ["Process", "Word"]

Word = str | os.PathLike[str]

_KEPT = 4 << 10
"""The number of bytes of the game's own output that are kept. An error shows them if the game does not connect."""

_VERSION = 10.0
"""The seconds that a program gets to print its version."""

_END = 2.0
"""The seconds that a game gets to end before it is killed."""


class Process:
    """A started game. ``end`` ends it. ``version`` is that of Godot 4, if its program printed it."""

    def __init__(self, process: asyncio.subprocess.Process, version: str | None = None) -> None:
        self._process = process
        self.version = version
        self._last = bytearray()
        self._drain = asyncio.create_task(self._keep_last())

    @classmethod
    async def start(
        cls, command: Sequence[Word], host: str, port: int, dialect: str | None, env: Mapping[str, str] | None, cwd: Word | None,
    ) -> Process:
        words = [os.fspath(word) for word in command]
        if not words:
            raise DebugError("the command of the game is empty", category="start")
        arguments, version = placed(words[1:], host, port), None
        if arguments is None:
            version = await _version(words[0], dialect, env, cwd)
            arguments = added(words[1:], address(host, port, version is not None))
        return cls(await _spawned(words[0], arguments, env, cwd), version or None)

    async def _keep_last(self) -> None:
        # The pipe is read to its end, since a full pipe would stop the game.
        stream = self._process.stdout
        while stream is not None and (data := await stream.read(1 << 12)):
            self._last += data
            del self._last[:-_KEPT]

    @property
    def status(self) -> int | None:
        """The exit status; negative for a signal, ``None`` while the game runs."""
        return self._process.returncode

    async def wait(self) -> int:
        return await self._process.wait()

    def last_lines(self) -> str:
        """The last lines that the game printed on its own streams, with control characters as escapes."""
        lines = self._last.decode("utf-8", "replace").splitlines()[-8:]
        return "".join(f"\n  {ascii(line)[1:-1] if not line.isprintable() else line}" for line in lines)

    async def end(self) -> None:
        """Ends the game, if it runs, with the processes that it started."""
        try:
            if self._process.returncode is None:
                self._signal(is_last=False)
                await self._wait_briefly()
        finally:
            # The game of a wrapper may run after the wrapper has ended.
            self._signal(is_last=True)
            try:
                await self._wait_briefly()
                # The end of the output closes the pipe.
                await asyncio.wait({self._drain}, timeout=_END)
            finally:
                self._drain.cancel()

    async def _wait_briefly(self) -> None:
        # A process that has left the group, and holds the pipe, delays the end of a wait.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END)

    def _signal(self, is_last: bool) -> None:
        # A group that has ended is not found, or not permitted on macOS.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform != "win32":
                os.killpg(self._process.pid, signal.SIGKILL if is_last else signal.SIGTERM)
            elif is_last:
                self._process.kill()
            else:
                self._process.terminate()


async def _spawned(
    program: str, arguments: Sequence[str], env: Mapping[str, str] | None, cwd: Word | None
) -> asyncio.subprocess.Process:
    devnull, pipe, out = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE, asyncio.subprocess.STDOUT
    variables = None if env is None else {**os.environ, **env}
    try:
        return await asyncio.create_subprocess_exec(
            program, *arguments, stdin=devnull, stdout=pipe, stderr=out, env=variables, cwd=cwd, start_new_session=os.name == "posix",
        )
    except OSError as error:
        raise DebugError(f"{program} cannot be started: {error}", category="start") from error


async def _version(program: str, dialect: str | None, env: Mapping[str, str] | None, cwd: Word | None) -> str | None:
    """The version of Godot 4, empty if only the dialect is known; ``None`` for the other engines."""
    if dialect is not None:
        return "" if dialect == "godot4" else None
    # The name alone: a folder may have the name of another engine.
    if "pandemonium" in PurePath(program).name.lower():
        return None
    process = Process(await _spawned(program, ["--version"], env, cwd))
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _VERSION)
            await asyncio.wait_for(asyncio.shield(process._drain), 1)
    finally:
        await process.end()
    version = printed_version(process._last.decode("utf-8", "replace"))
    if version is None:
        raise DebugError(
            f"{program} --version does not print the version of an engine; name the engine, such as dialect=\"godot4\", or write "
            "{uri} or {address} into the command", category="start",
        )
    return version if version.startswith("4.") else None


def printed_version(printed: str) -> str | None:
    """The version of Godot 3 or 4, such as ``4.4``. Wrappers may print lines before it."""
    versions = (re.match(r"[34]\.[0-9]{1,2}(?![0-9])", line.strip()) for line in reversed(printed.splitlines()))
    return next((version[0] for version in versions if version), None)


def address(host: str, port: int, is_godot_4: bool) -> str:
    """The address as the engine's option takes it. An address of every interface is not one to connect to."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"{'tcp://' if is_godot_4 else ''}{host}:{port}"


def placed(arguments: Sequence[str], host: str, port: int) -> list[str] | None:
    """The arguments with the address in the place that one of them names; ``None`` if none does."""
    if not any("{address}" in word or "{uri}" in word for word in arguments):
        return None
    bare, uri = address(host, port, False), address(host, port, True)
    return [word.replace("{address}", bare).replace("{uri}", uri) for word in arguments]


def added(arguments: Sequence[str], address: str) -> list[str]:
    """The arguments with the engine's option. The engine reads no options after ``--`` and ``++``."""
    end = next((index for index, word in enumerate(arguments) if word in ("--", "++")), len(arguments))
    return [*arguments[:end], "--remote-debug", address, *arguments[end:]]

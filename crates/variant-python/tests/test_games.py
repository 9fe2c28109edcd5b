"""Games over sockets: games of this file that speak as Godot 4, and Godot 3.2 if it is installed."""

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys

import pytest
import variant_view as vv
from corpus import ROOT
from variant_view import debug
from variant_view.debug import process

PROJECT = ROOT / "crates/variant-python/tests/game"
GUIDE = ROOT / "docs/guides/debugging.md"
GODOT3 = os.environ.get("VARIANT_GODOT3", "godot3-server")
COMMAND = [GODOT3, "--path", str(PROJECT)]
live = pytest.mark.skipif(shutil.which(GODOT3) is None, reason=f"{GODOT3} is not installed (VARIANT_GODOT3 names it)")


def runs(test):
    """Runs a coroutine as a test."""

    def run():
        asyncio.run(asyncio.wait_for(test(), 120))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


class Player:
    """A game of Godot 4 that answers commands."""

    def __init__(self, reader, writer, version="4.4"):
        self.reader, self.writer, self.game = reader, writer, debug.Game(version=version)
        self.properties = {"Members/hp": 10, "Members/speed": 2.5}
        self.asked = []

    def say(self, name, *elements, thread=None):
        self.writer.write(self.game.send(name, elements, thread=thread))

    def print(self, *texts):
        self.say("output", vv.PackedStringArray(texts), vv.PackedArray("PackedInt32Array", [0] * len(texts)))

    async def play(self):
        # The debugger closes a connection with messages that it has not read.
        with contextlib.suppress(ConnectionError):
            await self._play()

    async def _play(self):
        self.say("set_pid", 7)
        self.print("Godot Engine v4.4.1.stable")
        while data := await self.reader.read(1 << 16):
            for request in self.game.handle(data):
                self.asked.append(request)
                self.answer(request.name, *request.arguments)

    def answer(self, name, *arguments):
        if name == "scene:request_scene_tree":
            self.say("scene:scene_tree", 1, "root", "Window", 1, "", 0, 0, "Main", "Node2D", 2, "res://main.tscn", 0)
        elif name == "scene:inspect_object" and arguments[0] == 2:
            rows = [[name, 2, 0, "", 0, value] for name, value in self.properties.items()]
            self.say("scene:inspect_object", 2, "Node2D", rows)
        elif name == "scene:set_object_property":
            # A setter refuses negative numbers.
            if arguments[2] >= 0:
                self.properties[arguments[1]] = arguments[2]
        elif name == "get_stack_dump":
            self.say("stack_dump", 3, "res://main.gd", 7, "open")
        elif name == "get_stack_frame_vars":
            self.say("stack_frame_vars", 2)
            self.say("stack_frame_var", "hp", 1, 2, 10)
            self.say("stack_frame_var", "hp", 0, 2, 99 + arguments[0])
        elif name == "evaluate":
            self.say("evaluation_return", arguments[0], 3, 2, 42)
        elif name == "break":
            self.say("debug_enter", True, "", True, "Main Thread")
        elif name in ("step", "next", "continue"):
            self.say("debug_exit")
            if name != "continue":
                self.say("debug_enter", True, "Breakpoint", True, "Main Thread")
        elif name == "mine:echo":
            self.say("mine:echo", *arguments)


@contextlib.asynccontextmanager
async def pair(**options):
    """A connection and its game."""
    async with debug.listen(**options) as listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        player = Player(reader, writer)
        playing = asyncio.create_task(player.play())
        async with listener.game() as game:
            yield game, player
        await playing
        writer.close()


@runs
async def test_messages_of_a_script_in_both_directions():
    async with pair() as (game, player):
        await game.send("mine:echo", "door", vv.Vector2(1, 2))
        message = await game.expect(message="mine:echo")
        assert message == debug.Custom(("door", vv.Vector2(1, 2)), name="mine:echo", thread=1)
        await game.send("mine:echo", 7)
        assert (await game.expect(message=debug.Custom)).elements == (7,)
        player.print("one\ntwo", "three")
        assert [(await game.expect(output=re.compile("^t"))).text for _ in range(2)] == ["two", "three"]
        for arguments in ({}, {"output": "a", "message": "b"}):
            with pytest.raises(TypeError):
                await game.expect(**arguments)


@runs
async def test_nodes_and_their_properties():
    async with pair() as (game, player):
        assert [node.path for node in await game.tree()] == ["/root", "/root/Main"]
        main = await game.node("Main")
        assert (main.id, main.scene) == (2, "res://main.tscn") and (await game.node("/root/Main")).id == (await game.node(2)).id
        inspected = await game.inspect(main)
        assert inspected["hp"] == 10 and "hp" in inspected and "mana" not in inspected
        assert await game.set("Main", "hp", 7) == 7 and await game.set(main, "speed", 3) == 3.0
        assert isinstance(player.properties["Members/speed"], float)
        with pytest.raises(vv.DebugError, match="hp did not change from 7"):
            await game.set(main, "hp", -1)
        with pytest.raises(vv.DebugError, match="no property 'mana'"):
            await game.set(main, "mana", 1)
        with pytest.raises(vv.PathError, match="no node 'Mein'; '/root/Main' is near"):
            await game.inspect("Mein")
        with pytest.raises(vv.DebugTimeoutError, match="the object 9, which may not exist"):
            await game.inspect(9, timeout=0.2)


@runs
async def test_stops_stacks_and_variables():
    async with pair() as (game, player):
        assert (await game.pause()).reason == ""
        assert [str(frame) for frame in await game.stack()] == ["open (res://main.gd:7)"]
        assert await game.variables() == {"hp": 99}
        assert await game.evaluate("6 * 7") == 42
        assert [(await move()).reason for move in (game.step, game.next)] == ["Breakpoint"] * 2
        await game.breakpoint("main.gd", 7)
        with pytest.raises(vv.DebugError, match="stopped"):
            await game.pause()
        await game.resume()
        player.say("debug_enter", True, "Breakpoint Statement", True, "Main Thread")
        assert (await game.stopped()).reason == "Breakpoint Statement" and not game.errors
    names = [request.name for request in player.asked]
    # At the end the breakpoint is removed, and the game runs on.
    assert names[-3:-1] == ["breakpoint", "continue"] and player.asked[-3].arguments == ("res://main.gd", 7, False)


@runs
async def test_an_answer_is_for_the_oldest_call_that_it_fits():
    async with pair() as (game, player):
        await game.pause()
        assert await asyncio.gather(game.variables(0), game.variables(1)) == [{"hp": 99}, {"hp": 100}]
        assert await game.expect(message=debug.StackFrameVars)
        await asyncio.gather(game.tree(), game.tree())
        await game.send("mine:echo")
        assert not [one async for one in _until(game, "mine:echo") if isinstance(one, debug.SceneTree)]
        answer = player.answer
        player.answer = lambda name, *arguments: name == "evaluate" or answer(name, *arguments)
        with pytest.raises(vv.DebugTimeoutError):
            await game.evaluate("late", timeout=0.1)
        second = asyncio.create_task(game.evaluate("hp"))
        while "hp" not in [request.arguments[0] for request in player.asked if request.name == "evaluate"]:
            await asyncio.sleep(0.01)
        player.say("evaluation_return", "late", 3, 2, 1)
        player.say("evaluation_return", "hp", 3, 2, 2)
        assert await second == 2
        player.answer = lambda name, *_: player.say("stack_dump", 3, "res://other.gd", 1, "other", thread=2) or answer(name)
        assert [frame.function for frame in await game.stack()] == ["open"]
        player.answer = answer


@runs
async def test_a_game_runs_on_after_an_error_of_its_script():
    async with pair() as (game, player):
        player.say("debug_enter", False, "no door", True, "Main Thread")
        await game.expect(message=debug.DebugExit)
        (problem,) = game.errors
        assert problem.is_script and problem.text == "no door" and problem.stack[0].line == 7
        player.say("error", 0, 0, 1, 0, "a.cpp", "f", 3, "creaks", "", True, 0)
        await game.expect(message=debug.ErrorReport)
        assert [warning.text for warning in game.warnings] == ["creaks"] and len(game.errors) == 1
    async with pair(stop_at_errors=True) as (game, player):
        player.say("debug_enter", False, "no door", True, "Main Thread")
        assert (await game.stopped()).reason == "no door"
        while not game.errors:
            await asyncio.sleep(0.01)
        # The game would have read a command that lets it run before this one.
        await game.stack()
        assert "continue" not in [request.name for request in player.asked]


@runs
async def test_a_flood_of_errors_is_followed_in_bounded_memory():
    async with pair(stop_at_errors=True) as (game, player):
        player.answer = lambda *_: None
        for number in range(1_000):
            player.say("debug_enter", False, f"error {number}", True, "Main Thread", thread=1 + number // 2)
        player.say("mine:end")
        await game.expect(message="mine:end")
        assert len(game._tasks) <= 1 + 64 and game.errors.total >= 1_000 - 64


@runs
async def test_a_wait_says_what_it_waited_for_and_what_the_game_said_last():
    async with pair() as (game, player):
        player.print("ready")
        await game.expect(output="ready")
        with pytest.raises(vv.DebugTimeoutError) as raised:
            await game.expect(output="the door is open", timeout=0.2)
        assert str(raised.value) == (
            "waited 0.2 s for a line of output with 'the door is open'; its last lines: 'Godot Engine v4.4.1.stable', 'ready'"
        )
        assert isinstance(raised.value, TimeoutError) and raised.value.category == "timeout"
        with pytest.raises(TimeoutError, match="waited 3 s for the node 'Mian'; '/root/Main' is near"):
            await game.node("Mian", timeout=3)
        for wait in (game.stopped, game.ended):
            with pytest.raises(TimeoutError):
                await wait(timeout=0.1)
        player.print("\x1b[31mred")
        await game.expect(output="red")
        with pytest.raises(TimeoutError, match=re.escape(r"'\x1b[31mred'")):
            await game.expect(message="mine:never", timeout=0.1)
    async with pair(timeout=0.1) as (game, player):
        with pytest.raises(vv.DebugTimeoutError, match="waited 0.1 s for a message 'mine:never'"):
            await game.expect(message="mine:never")


@runs
async def test_a_game_that_ends_fails_each_wait():
    async with pair() as (game, player):
        waits = [game.expect(output="never"), game.inspect(9), game.stopped(), game.ended()]
        waiting = [asyncio.create_task(wait) for wait in waits]
        while not any(request.name == "scene:inspect_object" for request in player.asked):
            await asyncio.sleep(0.01)
        player.print("the end")
        player.writer.close()
        *failed, ended = await asyncio.gather(*waiting, return_exceptions=True)
        for error in failed:
            assert isinstance(error, vv.GameEndedError) and isinstance(error, ConnectionError)
            assert "the game has closed the connection" in str(error) and "'the end'" in str(error)
        assert ended is None and game.is_ended
        for call in (game.tree(), game.send("mine:echo"), game.expect(output="x"), game.stopped()):
            with pytest.raises(vv.GameEndedError):
                await call
    async with pair() as (game, player):
        player.print("last")
        player.writer.close()
        assert [one.text async for one in game.messages() if isinstance(one, debug.Output)][-1] == "last"


@runs
async def test_bytes_that_are_not_a_game_s_end_the_connection():
    async with pair() as (game, player):
        await game.tree()
        player.writer.write(b"\xff\xff\xff\x7f")
        with pytest.raises(vv.GameEndedError, match="its bytes are not those of a game: .*length word"):
            await game.stopped()


@runs
async def test_unread_messages_are_bounded_and_counted():
    async with pair(inbox=100) as (game, player):
        for number in range(1_000):
            player.print(f"line {number}")
        player.say("mine:end")
        tree = await game.tree()
        assert len(tree) == 2 and game.dropped >= 900
        assert (await game.expect(output="line")).text == f"line {1_000 - 99}"
        assert len([one async for one in _until(game, "mine:end")]) == 99


async def _until(game, name):
    async for message in game.messages():
        yield message
        if message.name == name:
            return


@runs
async def test_several_games_at_once():
    async with debug.listen() as listener:
        connections = [await asyncio.open_connection("127.0.0.1", listener.port) for _ in range(3)]
        players = [Player(*connection) for connection in connections]
        tasks = [asyncio.create_task(player.play()) for player in players]
        async with listener.game() as one, listener.game() as two, listener.game() as three:
            for number, game in enumerate((one, two, three)):
                await game.send("mine:echo", number)
            assert [(await game.expect(message="mine:echo")).elements for game in (three, two, one)] == [(2,), (1,), (0,)]
        await asyncio.gather(*tasks)
        for _, writer in connections:
            writer.close()


@runs
async def test_one_call_reads_the_messages_at_a_time():
    async with pair() as (game, _):
        first = asyncio.create_task(game.expect(output="never", timeout=60))
        await asyncio.sleep(0)
        with pytest.raises(vv.DebugError, match="another call reads"):
            await game.expect(output="x")
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first


@runs
async def test_a_game_that_does_not_connect_is_an_error_with_a_reason():
    async with debug.listen() as listener:
        assert listener.address() == f"tcp://127.0.0.1:{listener.port}" and listener.address("godot3") == f"127.0.0.1:{listener.port}"
        with pytest.raises(vv.DebugTimeoutError, match=f"--remote-debug tcp://127.0.0.1:{listener.port} "):
            async with listener.game(timeout=0.1):
                pass
        with pytest.raises(ValueError):
            debug.listen(version="four")
        with pytest.raises(vv.DebugError, match="cannot listen on"):
            async with debug.listen(port=listener.port):
                pass
    program = "import sys; print('no such project'); sys.exit(3)"
    for command, reason in (
        ([sys.executable, "-c", program, "{uri}"], "exit status 3, before it connected; the last lines that it printed:\n  no such project"),
        (["no-such-program", "--path", "game"], "no-such-program cannot be started"),
        ([sys.executable, "--path", "game"], "--version does not print the version of an engine"),
        ([], "the command of the game is empty"),
    ):
        with pytest.raises(vv.DebugError, match=re.escape(reason)):
            async with debug.run(command):
                pass


@runs
async def test_a_block_closes_its_connection_even_if_it_is_cancelled():
    async with debug.listen() as listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        writer.write(debug.Game().send("debug_enter", [True, "Breakpoint", True, "Main Thread"]))

        async def stop():
            async with listener.game() as game:
                await game.stopped()
                games.append(game)

        games = []
        block = asyncio.create_task(stop())
        # The game reads the command that lets it run, and does not.
        await reader.read(1)
        block.cancel()
        with pytest.raises(asyncio.CancelledError):
            await block
        assert games[0].is_ended and games[0]._writer.transport.is_closing() and not games[0]._tasks
        writer.close()


@runs
async def test_a_child_is_ended_with_its_block():
    # The program connects and then ignores the signal that ends it.
    program = """
import signal, socket, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
host, port = sys.argv[1].removeprefix("tcp://").rsplit(":", 1)
connection = socket.create_connection((host, int(port)))
connection.sendall(bytes.fromhex(sys.argv[2]))
time.sleep(600)
"""
    hello = debug.Game().send("set_pid", [7]).hex()
    with pytest.raises(ZeroDivisionError):
        async with debug.run([sys.executable, "-c", program, "{uri}", hello]) as game:
            child = game._process
            assert child.status is None
            1 / 0
    assert child.status == -9


@runs
async def test_the_game_of_a_wrapper_is_ended_with_its_block():
    # The wrapper connects, and ends at the signal. Its child holds a socket and the output, and ignores the signal.
    program = """
import os, signal, socket, sys, time
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    held = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
    held.sendall(b"!")
    time.sleep(600)
host, port = sys.argv[1].removeprefix("tcp://").rsplit(":", 1)
connection = socket.create_connection((host, int(port)))
connection.sendall(bytes.fromhex(sys.argv[2]))
time.sleep(600)
"""
    hello = debug.Game().send("set_pid", [7]).hex()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        port = str(server.getsockname()[1])
        async with debug.run([sys.executable, "-c", program, "{uri}", hello, port]):
            held, _ = server.accept()
            assert held.recv(1) == b"!"
        with held:
            held.settimeout(10)
            with contextlib.suppress(ConnectionResetError):
                assert held.recv(1) == b""


@runs
async def test_a_child_that_dies_fails_each_wait_with_its_signal():
    program = """
import os, socket, sys
host, port = sys.argv[1].removeprefix("tcp://").rsplit(":", 1)
connection = socket.create_connection((host, int(port)))
connection.sendall(bytes.fromhex(sys.argv[2]))
connection.recv(1)
os.kill(os.getpid(), 9)
"""
    hello = debug.Game().send("set_pid", [7]).hex()
    async with debug.run([sys.executable, "-c", program, "{uri}", hello], timeout=60) as game:
        waits = [asyncio.create_task(wait) for wait in (game.tree(), game.stopped(), game.expect(output="never"))]
        assert await game.ended() == -9
        for error in await asyncio.gather(*waits, return_exceptions=True):
            assert isinstance(error, vv.GameEndedError) and "signal 9" in str(error)


def test_the_address_is_in_the_form_of_the_engine():
    assert process.added(["--path", "game"], "a:1") == ["--path", "game", "--remote-debug", "a:1"]
    for end in ("--", "++"):
        assert process.added(["--path", "game", end, "x"], "a:1") == ["--path", "game", "--remote-debug", "a:1", end, "x"]
    assert process.placed(["x"], "127.0.0.1", 7) is None
    assert process.placed(["--debug={uri}", "{address}"], "127.0.0.1", 7) == ["--debug=tcp://127.0.0.1:7", "127.0.0.1:7"]
    assert process.address("0.0.0.0", 7, False) == "127.0.0.1:7" and process.address("::", 7, True) == "tcp://::1:7"
    for printed, version in (
        ("3.2.3.stable.debian", "3.2"), ("a wrapper\n4.4.1.stable.official.49a5bc7b6\n", "4.4"), ("1.0.2-dev", None), ("", None),
    ):
        assert process.printed_version(printed) == version


def example():
    """The program of the guide."""
    (block,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    return block


def test_the_example_of_the_guide_is_that_of_the_readme():
    readme = (ROOT / "crates/variant-python/README.md").read_text(encoding="utf-8")
    assert example() in readme and len(example().splitlines()) <= 30


@live
def test_the_example_of_the_guide_passes(tmp_path):
    shutil.copytree(PROJECT, tmp_path / "game")
    (tmp_path / "test_game.py").write_text(example(), encoding="utf-8")
    environment = {**os.environ, "PATH": f"{os.path.dirname(str(shutil.which(GODOT3)))}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_game.py"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout


@live
@runs
async def test_nodes_of_godot_3():
    async with debug.run(COMMAND, timeout=60) as game:
        door = await game.node("Door")
        assert (door.path, door.class_name) == ("/root/Main/Door", "Sprite")
        assert (await game.inspect(door))["position"] == vv.Vector2(3, 4)
        assert await game.set("Door", "position", vv.Vector2(5, 6)) == vv.Vector2(5, 6)
        for _ in range(2):
            # The engine keeps the numbers in 32 bits.
            assert tuple(await game.set("Door", "position", vv.Vector2(0.1, 0.2))) == pytest.approx((0.1, 0.2))
        assert (await game.inspect("Main"))["bag"] == {"gold": 3, "items": ["axe", "rope"]}
        with pytest.raises(vv.PathError, match="2 nodes end with 'Lock': /root/Main/Door/Lock, /root/Main/Window/Lock"):
            await game.node("Lock")
        assert game.session.dialect == "godot3" and game.session.banner.startswith("Godot Engine v3")


@live
@runs
async def test_godot_3_stops_steps_and_runs_on():
    async with debug.run(COMMAND, timeout=60) as game:
        await game.expect(output="ready")
        await game.breakpoint("main.gd", 20)
        assert (await game.stopped()).reason == "Breakpoint"
        variables = await game.variables()
        assert variables["words"] == ["beat", variables["count"]] and variables["title"] == "Åsa"
        await game.step()
        assert [frame.function for frame in await game.stack()] == ["twice", "beat", "_process"]
        await game.breakpoint("res://main.gd", 20, False)
        await game.resume()
        await game.set("Door", "is_open", True)
        await game.expect(output="the door is open")


@live
@runs
async def test_an_error_of_a_script_of_godot_3_has_its_stack():
    async with debug.run(COMMAND, env={"GAME_ORDER": "fail and quit"}, timeout=60) as game:
        assert await game.ended() == 0
        (problem,) = [error for error in game.errors if error.is_script]
        assert "open" in problem.text and [(frame.function, frame.line) for frame in problem.stack] == [("follow", 33), ("_ready", 11)]
    async with debug.run(COMMAND, env={"GAME_ORDER": "quit with 3"}, timeout=60) as game:
        assert await game.ended() == 3
        with pytest.raises(vv.GameEndedError, match="closed the connection, exit status 3; .*'ready'"):
            await game.tree()


@live
@runs
async def test_two_games_of_godot_3_at_once():
    async with debug.run(COMMAND, timeout=60) as one, debug.run(COMMAND, timeout=60) as two:
        await asyncio.gather(one.set("Main", "hp", 1), two.set("Main", "hp", 2))
        assert [(await game.inspect("Main"))["hp"] for game in (one, two)] == [1, 2]
        children = [game._process for game in (one, two)]
    assert all(child.status is not None for child in children)

"""Sessions of a debugger, and games for tests, without sockets."""

import inspect
import math
import random
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import pytest
import variant_view as vv
from captured import CAPTURES, dialect, frames
from variant_view import debug

ARGUMENTS = {
    "level": 0, "expression": "hp", "file": "res://main.gd", "line": 3, "set": True, "skip": True, "ignore": True, "id": 7, "select": False,
    "name": "hp", "value": {"a": [vv.Vector2(1, 2)]}, "field": "x", "path": "res://a.tscn", "profiler": "scripts", "enable": True,
    "from_editor": False, "transform": vv.Transform2D((1, 0), (0, 1), (0, 0)), "perspective": True, "size": 1.0, "near": 0.5, "far": 90.0,
    "suspend": True, "speed": 2.0, "mute": True, "root": "/root", "scene": "res://a.tscn", "number": 3, "target": "node", "method": "open",
    "parent": "/root/Main", "class_name": "Node", "keep": 4, "position": 0, "frame": b"\0\0\0\0",
    "*paths": ("res://a.gd",), "*ids": (7, 8), "*options": (16,), "*files": ("res://a.png",), "*arguments": (1, "two"),
}


def session(name="godot4", version=None):
    """A session that knows its game."""
    it = debug.Session(version=version)
    it.handle(debug.Game(name, version=version).send("output", [["ready"], [0]] if name == "godot4" else [["ready", 0]]))
    return it


def games():
    """Sessions of games that run, and of games that are stopped."""
    for name, version, stop in (
        ("godot3", None, [True, "Breakpoint"]), ("godot4", "4.1", [True, "Breakpoint", True]), ("godot4", "4.7", [True, "Breakpoint", True, 1]),
        ("pandemonium5", None, [True, "Breakpoint", True, "Main Thread"]),
    ):
        yield session(name, version), version
        stopped = session(name, version)
        stopped.handle(debug.Game(name, version=version).send("debug_enter", stop))
        assert len(stopped.stopped) == 1
        yield stopped, version


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_messages_of_engines_in_parts_of_any_size(path):
    data = b"".join(frames(path, "from game"))
    whole = debug.Session().handle(data)
    assert len(whole) > 3 and not any(type(message) is debug.Custom and not is_of_a_script(message.name) for message in whole)
    assert not any(isinstance(message, debug.Damaged) for message in whole)
    assert sum(message.size for message in whole) > len(data) - 200
    size, parts, it = 1_000, [], debug.Session()
    for start in range(0, len(data), size):
        parts += it.handle(memoryview(data)[start:start + size])
    assert repr(parts) == repr(whole) and it.dialect == dialect(path) and it.banner and not it.has_failed


def is_of_a_script(name):
    return name.startswith("mine:") or name == "no_prefix"


def test_every_part_of_messages_of_engines_is_a_value():
    kinds = set()
    for path in CAPTURES:
        for message in debug.Session().handle(b"".join(frames(path, "from game"))):
            kinds.add(type(message))
            for part in ("lines", "stack", "frames", "nodes", "variables", "monitors", "elements", "resources"):
                assert isinstance(getattr(message, part, ()), tuple)
    assert {
        debug.Output, debug.ErrorReport, debug.Performance, debug.DebugEnter, debug.DebugExit, debug.StackDump, debug.StackFrameVars,
        debug.SceneTree, debug.InspectObject, debug.ProfileFrame, debug.ProfileTotal, debug.FunctionSignature, debug.VideoMemory,
        debug.SetPid, debug.Custom, debug.MonitorNames, debug.MainThreadId,
    } <= kinds


def test_a_session_of_godot_3_has_its_objects_and_stacks():
    (path,) = [path for path in CAPTURES if path.stem == "godot3.2-session"]
    it = debug.Session()
    messages = it.handle(b"".join(frames(path, "from game")))
    assert (it.family, it.versions, it.dialect, it.main_thread, it.pid) == ("frames", (None, None), "godot3", None, None)
    tree = debug.Tree(next(one.nodes for one in messages if isinstance(one, debug.SceneTree)))
    root = tree.find("/root")
    assert root.depth == 0 and all(tree.find(node.path) is node for node in tree) and len(str(tree).splitlines()) == len(tree)
    inspected = next(one.object for one in messages if isinstance(one, debug.InspectObject))
    assert tree.get(inspected.id) is not None and str(inspected["Node/path"]) == tree.find(inspected.id).path
    stack = next(one.frames for one in messages if isinstance(one, debug.StackDump))
    assert stack[0].file.startswith("res://") and str(stack[0].line) in str(stack[0])
    stop = next(one for one in messages if isinstance(one, debug.DebugEnter))
    assert stop.can_continue and stop.reason == "Breakpoint" and stop.thread is None


def test_the_names_are_the_commands():
    assert get_args(vv.names.Command) == debug.COMMANDS


@pytest.mark.parametrize("name", debug.COMMANDS)
def test_each_command_is_sent_or_refused_with_a_reason(name):
    signature = debug.Session.signature(name)
    assert signature.startswith(f"{name}(")
    parameters = [one for one in signature.removeprefix(f"{name}(").removesuffix(")").split(", ") if one]
    given = []
    for parameter in parameters:
        value = ARGUMENTS[parameter]
        given += value if parameter.startswith("*") else [value]
    sent = 0
    for it, version in games():
        try:
            data = it.command(name, *given)
        except vv.DebugError as error:
            assert error.category == "refused" and error.expected and error.found in str(error)
            continue
        sent += 1
        if name != "raw":
            (request,) = debug.Game(it.dialect, version=version).handle(data)
            assert request.thread == it.main_thread and request.name
    assert sent > 0
    if not signature.endswith("*arguments)"):
        with pytest.raises((TypeError, vv.DebugError)):
            session("godot3").command(name, *given[:-1], b"", *[b""] * 9)


def test_arguments_of_other_types_are_named():
    it = session("godot3")
    with pytest.raises(TypeError, match=r"set_property\(id, name, value\): id is String, expected an int"):
        it.command("set_property", "Door", "hp", 7)
    with pytest.raises(TypeError, match=r"set_property\(id, name, value\): 1 argument is given"):
        it.command("set_property", 7)
    with pytest.raises(TypeError, match="an id is not an int"):
        it.command("multiplayer_cache", 7, "8")
    with pytest.raises(ValueError, match="command 'open' is unknown, expected one of break, step"):
        it.command("open")
    with pytest.raises(vv.EncodeError):
        it.command("set_property", 7, "hp", object())


def test_what_would_end_or_block_a_game_is_refused():
    it = session("godot3")
    for arguments, reason in (
        (("custom", "inspect_object"), "1 "), (("set_property", 7, "text", "x" * 70_000), "65531"), (("step",), "the game runs"),
        (("evaluate", "hp", 0), "frames"), (("set_property", 7, "hp", vv.Object("Node", {})), "object"),
    ):
        with pytest.raises(vv.DebugError, match=reason) as raised:
            it.command(*arguments)
        assert raised.value.category == "refused"
    with pytest.raises(vv.DebugError, match="wait for the first message"):
        debug.Session().command("scene_tree")


def test_a_command_is_for_the_thread_that_stopped():
    it, game = session("godot4", "4.4"), debug.Game(version="4.4")
    it.handle(game.send("debug_enter", [True, "Breakpoint", True, "Worker"], thread=18))
    (stop,) = it.stopped
    assert stop == debug.Stopped(18, "Worker", "Breakpoint", True, True)
    assert [game.handle(it.command("continue", thread=thread))[0].thread for thread in (None, 18)] == [18, 18]
    (damaged,) = it.handle(game.send("debug_enter", [7]))
    assert isinstance(damaged, debug.Damaged) and not damaged.is_fatal and damaged.data and damaged.name == "debug_enter"
    it.handle(game.send("debug_exit", [], thread=18))
    assert it.stopped == ()


def test_values_come_back_as_they_were_sent():
    values = [None, True, -7, 1 << 40, 0.1, "Åsa", vv.Vector2(1, 2), [1, [2]], {"a": {"b": vv.Color(1, 0, 0, 1)}}, vv.NodePath(["a"]), b"bytes"]
    for name in ("godot3", "godot4", "pandemonium5"):
        (message,) = debug.Session(dialect=name).handle(debug.Game(name).send("mine:values", values))
        assert (message.name, vv.encode(list(message.elements), name)) == ("mine:values", vv.encode(values, name))
        (request,) = debug.Game(name).handle(session(name).command("custom", "mine:values", *values))
        assert (request.name, vv.encode(list(request.arguments), name)) == ("mine:values", vv.encode(values, name))
    (message,) = debug.Session().handle(debug.Game().send("mine:nan", [math.nan]))
    assert math.isnan(message.elements[0])


def test_bytes_of_strangers_end_a_session_and_nothing_else():
    random.seed(1)
    good = debug.Game().send("mine:x", [[1, {"a": "b"}]] * 3)
    for _ in range(2_000):
        data = bytearray(good * 2)
        for _ in range(random.randrange(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
        for message in debug.Session().handle(data):
            assert isinstance(message, debug.Message)
        debug.Game().handle(data)
    for claimed in (b"\xff\xff\xff\xff", b"\x10\0\0\0" + b"\x09" * 16):
        it = debug.Session()
        (damaged,) = it.handle(claimed)
        assert damaged.is_fatal and damaged.error.offset is not None and it.has_failed and it.handle(good) == []


def test_limits_are_those_that_are_given():
    data = debug.Game().send("mine:x", ["x" * 1_000])
    (damaged,) = debug.Session(limits={"frame": 100}).handle(data)
    assert damaged.is_fatal and "100" in str(damaged.error)
    messages = debug.Session(limits={"messages": 10}).handle(data * 100)
    dropped = [one.messages for one in messages if isinstance(one, debug.Dropped)]
    assert len(messages) - len(dropped) + sum(dropped) == 100 and sum(dropped) >= 80
    for limits in ({"size": 1}, {"frame": -1}):
        with pytest.raises((TypeError, OverflowError)):
            debug.Session(limits=limits)
    for options in ({"family": "x"}, {"dialect": "godot5"}, {"version": "four"}):
        with pytest.raises(ValueError):
            debug.Session(**options)


def test_threads_share_a_session():
    data = debug.Game().send("mine:x", [1])
    it = session()

    def work(_):
        return sum(len(it.handle(data)) for _ in range(200)) + (it.command("custom", "mine:y")[:1] == b"") + (it.family != "array-threads")

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, range(8))) == 8 * 200


def test_an_error_of_a_script_counts_once():
    from variant_view.debug.problems import Problems

    place, time = debug.StackFrame("res://a.gd", 3, "open"), debug.Time(0, 0, 1, 0)
    report = debug.ErrorReport("ERR", "no door", False, (place,), "a.cpp", 7, "f", time)
    for order in ("report stop", "stop report", "stop run"):
        problems = Problems()
        for step in order.split():
            if step == "report":
                problems.report(report)
            elif step == "stop":
                problems.stop("no door", (place,))
            else:
                problems.run()
        (problem,) = problems.errors
        assert problem.is_script and problem.stack == (place,) and str(problem) == "script error: no door\n  at open (res://a.gd:3)"
    problems = Problems()
    for number in range(1_500):
        problems.report(debug.ErrorReport(f"error {number}", "", number % 2 == 0, (), "a.cpp", 7, "f", time))
    assert problems.errors.total == problems.warnings.total == 750
    for number in range(1_000):
        problems.stop(f"stop {number}", ())
    assert len(problems.errors) == 1_000 and problems.errors.is_cut and problems.errors.total == 1_750
    problems.report(debug.ErrorReport("x" * 1_000_000, "", True, (debug.StackFrame("f" * 1_000_000, 1, "g"),) * 1_000, "", 0, "", time))
    (*_, last) = problems.warnings
    assert len(str(last)) < 25_000


def test_output_is_divided_into_a_bounded_number_of_lines():
    from variant_view.debug.link import _lines

    for texts in (["one\ntwo\n", "three"], ["\n" * 100_000, "end"], ["x"] * 100_000, ["\n" * 900] * 100):
        parts = list(_lines(debug.Output(tuple(debug.Line(text, "log") for text in texts))))
        assert len(parts) <= 10_001 and all(part.size > 0 for part in parts[:10_000])
        assert "\n".join(part.text for part in parts).rstrip("\n") == "\n".join(text.removesuffix("\n") for text in texts).rstrip("\n")
    assert [part.text for part in _lines(debug.Output((debug.Line("one\ntwo\n", "log"),)))] == ["one", "two"]


def test_all_that_is_public_is_documented():
    assert set(debug.__all__) == {name for name in dir(debug) if not name.startswith("_") and not inspect.ismodule(getattr(debug, name))}
    for name in debug.__all__:
        public = getattr(debug, name)
        assert name == "COMMANDS" or public.__doc__, name
        for method, value in vars(public).items() if inspect.isclass(public) and not issubclass(public, debug.Message) else ():
            if not method.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{method}"

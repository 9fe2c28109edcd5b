"""Several threads use one object."""

import gc
import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import variant_view as vv
from corpus import CORPUS

THREADS = 8
VALUE = {f"key {number}": [number, {"at": vv.Vector2(number, 1)}, numpy.arange(number % 7, dtype="f")] for number in range(300)}


def together(work):
    """Runs the same work on all threads at the same time, and returns the result of each thread."""
    barrier = threading.Barrier(THREADS)

    def one(number):
        barrier.wait(timeout=60)
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_a_view_is_shared():
    data = vv.encode(VALUE, "godot4")
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(5):
            document = vv.loads(data, "godot4")
            root = document.root

            def work(number):
                got = [root[f"key {key}"][0] for key in range(300)]
                return got, len(root), list(root), document.to_python()["key 9"][1], vv.encode(root, "godot4") == data

            assert all(found == (list(range(300)), 300, list(VALUE), {"at": vv.Vector2(9, 1)}, True) for found in together(work))
    finally:
        sys.setswitchinterval(old)


def test_an_iterator_tells_each_item_once():
    items = iter(vv.loads(vv.encode(list(range(10_000)), "godot4"), "godot4").root)
    told = together(lambda _: list(items))
    assert sorted(number for part in told for number in part) == list(range(10_000))


def test_a_file_is_closed_while_it_is_read():
    for _ in range(20):
        file = vv.open(CORPUS / "godot3/saves/rpg_save.bin", dialect="godot3", framing="frames")

        def work(number):
            if number == 0:
                file.close()
                return True
            try:
                return len(file[0].to_python()) > 3
            except ValueError as error:
                return "closed" in str(error)

        assert all(together(work))


def test_buffers_outlive_what_they_are_of():
    def work(number):
        for _ in range(50):
            array = numpy.asarray(vv.loads(vv.encode(numpy.full(1_000, number, "d"), "godot4"), "godot4").root)
            gc.collect(0)
            assert array.sum() == number * 1_000
        return True

    assert all(together(work))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a pipe with a name is wanted")
@pytest.mark.parametrize("use", ["open", "validate", "detect"])
def test_other_threads_run_while_a_file_is_read(tmp_path, use):
    """While one thread reads a pipe to its end, another thread must be able to write the pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = textwrap.dedent(f"""
        import threading
        import variant_view as vv

        def write():
            with open({str(pipe)!r}, "wb") as pipe:
                pipe.write(vv.encode(list(range(1_000)), "godot4"))

        threading.Thread(target=write).start()
        vv.{use}({str(pipe)!r})
        print("read")
    """)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "read\n"

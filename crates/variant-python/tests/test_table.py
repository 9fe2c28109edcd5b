"""Many files as one table, read by pandas, polars, pyarrow and DuckDB."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
import variant_view as vv

SAVES = 300
COLUMNS = ["_file", "hp=player.hp:int", "at=player.at:Vector2", "weights:PackedFloat32Array", "_error"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saves")
    for number in range(SAVES):
        value = {
            "player": {"hp": number, "at": vv.Vector2(number, 2)}, "items": [{"id": item, "gold": 2} for item in range(number % 3)],
            "weights": numpy.arange(number % 4, dtype="f"),
        }
        dialect = "godot4" if number % 2 else "godot3"
        (folder / f"{number:04}.sav").write_bytes(vv.encode(value, dialect, framing="frames" if number % 5 else "bare"))
    (folder / "zz_broken.sav").write_bytes(b"\x1b\0\0\0\x01\0\0\0")
    (folder / "zz_empty.sav").write_bytes(b"")
    return folder


def test_pyarrow_reads_it(folder):
    table = vv.table(f"{folder}/*.sav", COLUMNS)
    assert table.summary is None and "302 files" in repr(table)
    reader = pyarrow.RecordBatchReader.from_stream(table)
    assert reader.schema == pyarrow.schema(table)
    found = reader.read_all()
    assert found.num_rows == SAVES + 2 and found["hp"].to_pylist()[:3] == [0, 1, 2] and found["at"][3].as_py() == {"x": 3, "y": 2}
    assert found["weights"][3].as_py() == [0, 1, 2] and found["_error"].null_count == SAVES
    summary = table.summary
    assert (summary["files"], summary["rows"], summary["errors"]) == (SAVES + 2, SAVES, 2)


def test_pandas_polars_and_duckdb_read_the_same(folder):
    saves = vv.table(f"{folder}/*.sav", COLUMNS)
    of_pandas = pandas.DataFrame.from_arrow(saves)
    of_polars = polars.DataFrame(saves)
    of_duckdb = duckdb.sql("select count(*), sum(hp), count(_error.text) from saves").fetchall()
    assert of_pandas["hp"].sum() == of_polars["hp"].sum() == of_duckdb[0][1] == sum(range(SAVES))
    assert len(of_pandas) == len(of_polars) == of_duckdb[0][0] == SAVES + 2 and of_duckdb[0][2] == 2
    # Each library has read the files again. Without the column `_error`, a broken file has no row, but is counted.
    without = polars.DataFrame(vv.table(folder, ["player.hp:int"]))
    assert without.height == SAVES


def test_rows_of_items_folds_and_filters(folder):
    items = polars.DataFrame(vv.table(folder, ["items[*].id:int", "hp=player.hp:int"], filters=[("hp", "<", 30), ("hp", ">=", 3)]))
    assert items.height == sum(max(1, number % 3) for number in range(3, 30))
    folds = polars.DataFrame(vv.table(folder, ["gold=sum(..gold):int", "n=count(items[*])"]))
    assert folds["gold"].sum() == sum(2 * (number % 3) for number in range(SAVES))
    some = vv.table(folder, ["hp=player.hp:int"], filters=[("hp", "in", [1, 5, 1_000])])
    assert polars.DataFrame(some)["hp"].to_list() == [1, 5] and some.summary["filtered"] > 0
    assert polars.DataFrame(vv.table(folder, ["hp=player.hp:int"], filters=[("hp", "!=", None)])).height == SAVES


def test_columns_are_inferred(folder):
    columns = vv.infer(folder)
    assert "player.hp:int" in columns
    assert vv.table(folder).columns == columns and columns[0] == "_file" and columns[-1] == "_error"
    # Damaged files are also rows.
    found = polars.DataFrame(vv.table(folder))
    assert found.height == SAVES + 2
    broken = found.filter(polars.col("_error").is_not_null())
    assert [name.rsplit("/", 1)[-1] for name in broken["_file"]] == ["zz_broken.sav", "zz_empty.sav"]
    assert polars.DataFrame(vv.table(folder, ["hp=player.hp"])).schema["hp"] == polars.Int64


def test_bytes_and_several_names(folder):
    one = folder / "0001.sav"
    named = polars.DataFrame(vv.table([vv.encode({"player": {"hp": 9}}, "godot4"), one, str(one)], ["_file", "player.hp:int"]))
    # A file that is named twice is read once.
    assert sorted(named["player.hp"].to_list()) == [1, 9] and named.height == 2


def test_what_is_no_table_is_told(folder, tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing"):
        vv.table(f"{folder}/nothing*.sav", ["hp:int"])
    for columns, options in (
        (["a["], {}), (["hp:int", "hp:int"], {}), (["hp:vektor"], {}), (["hp:int"], {"filters": [("mp", "==", 1)]}),
        (["hp:int"], {"filters": [("hp", "==", "text")]}),
    ):
        with pytest.raises(vv.TableError):
            vv.table(folder, columns, **options)
    for options in ({"misfits": "wide"}, {"filters": [("hp", "~", 1)]}, {"dialect": "godot9"}):
        with pytest.raises(ValueError):
            vv.table(folder, ["hp:int"], **options)
    (tmp_path / "a.sav").write_bytes(b"")
    with pytest.raises(vv.TableError):
        vv.infer(tmp_path)
    missing = polars.DataFrame(vv.table(tmp_path / "none.sav", ["hp:int", "_error"]))
    assert missing.height == 1 and missing["_error"][0]["text"]


def test_a_stream_that_is_not_read_to_its_end_is_let_go(folder):
    for _ in range(20):
        reader = pyarrow.RecordBatchReader.from_stream(vv.table(folder, ["player.hp:int"], batch_rows=1))
        assert reader.read_next_batch().num_rows == 1
        del reader
    vv.table(folder, ["player.hp:int"]).__arrow_c_stream__()


@pytest.fixture
def bucket(monkeypatch):
    """Runs a server of buckets on the loopback interface. Returns a function that makes an object in a bucket."""
    program = Path(sys.executable).with_name("moto_server")
    if not program.exists():
        pytest.skip("there is no moto_server")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"

    def put(name, data=b""):
        of_bytes = {"Content-Type": "application/octet-stream"}
        urllib.request.urlopen(urllib.request.Request(f"{url}/{name}", data, of_bytes, method="PUT"), timeout=60).close()

    try:
        end = time.monotonic() + 120
        while True:
            try:
                put("saves")
                break
            except urllib.error.URLError:
                assert server.poll() is None and time.monotonic() < end
                time.sleep(0.05)
        settings = {"ENDPOINT": url, "ALLOW_HTTP": "true", "ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test", "REGION": "us-east-1"}
        for name, value in settings.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        yield put
    finally:
        server.kill()
        server.wait()


def test_a_bucket_is_a_table(bucket):
    for day in (1, 2):
        bucket(f"saves/of/day={day}/a.sav", vv.encode({"hp": day}, "godot4"))
    bucket("saves/of/day=2/b.sav", b"damaged")
    rows = polars.DataFrame(vv.table("s3://saves/of/**/*.sav")).drop("_error").rows()
    assert rows == [
        ("s3://saves/of/day=1/a.sav", 1, "1"), ("s3://saves/of/day=2/a.sav", 2, "2"), ("s3://saves/of/day=2/b.sav", None, "2"),
    ]
    assert vv.infer("s3://saves/of/day=1") == ["_file", "hp:int", "day=folder(day)", "_error"]
    with pytest.raises(FileNotFoundError):
        vv.table("s3://saves/none/*", ["hp:int"])
    with pytest.raises(vv.TableError):
        vv.table("s3://nowhere/*", ["hp:int"])

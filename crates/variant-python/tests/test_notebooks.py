"""Tables for notebooks are bounded and escaped."""

from html.parser import HTMLParser

import pytest
import variant_view as vv
from corpus import CORPUS


class Table(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.caption = [], [], ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert tag in ("table", "caption", "tr", "th", "td")
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] == "caption":
            self.caption += data
        else:
            self.rows[-1].append(data)


def table(value):
    return Table(value._repr_html_())


def test_a_value_is_a_table_of_its_items():
    document = vv.loads(vv.encode({"hp": 7, "bag": [1, "a"]}, "godot4"), "godot4")
    shown = table(document)
    assert shown.caption == repr(document) and shown.rows == [['"hp"', "int", "7"], ['"bag"', "Array", "Array (2)"]]
    assert [row[1:] for row in table(document.root["bag"]).rows] == [["int", "1"], ["String", '"a"']]
    assert table(document.root).rows == shown.rows
    assert table(vv.loads(vv.encode(7, "godot4"), "godot4")).rows[0][-2:] == ["int", "7"]


def test_a_file_is_a_table_of_its_values():
    file = vv.open(CORPUS / "godot3/saves/store_var_seq.bin")
    shown = table(file)
    assert shown.caption == repr(file) and len(shown.rows) == len(file)
    assert [row[-2] for row in shown.rows] == [document.kind for document in file]
    file.close()
    assert table(file).rows == []


def test_a_table_is_bounded():
    document = vv.loads(vv.encode({f"key {n}" + "x" * 10_000: "y" * 10_000 for n in range(1_000)}, "godot4"), "godot4")
    text = document._repr_html_()
    assert len(text) < 20_000 and Table(text).rows[-1] == ["and at most 980 more"] and len(Table(text).rows) == 21
    claimed = vv.loads(bytes.fromhex("1c000000ffffff7f") + bytes(400), "godot4")
    *rows, (more,) = table(claimed).rows
    assert rows == [[f"[{n}]", "Nil", "null"] for n in range(20)]
    # The array claims 2,147,483,647 elements, and its bytes hold 100.
    assert 80 <= int(more.removeprefix("and at most ").removesuffix(" more")) <= 85


def test_texts_cannot_add_tags():
    hostile = "<script>alert(1)</script>\"'&<td>"
    shown = table(vv.loads(vv.encode({hostile: hostile, vv.StringName("<b>"): vv.NodePath(("<i>",))}, "godot4"), "godot4"))
    assert "<script>" in shown.rows[0][0]
    settings = vv.encode({hostile: hostile}, "godot4", framing="settings")
    assert "<script>" in table(vv.open_bytes(settings, dialect="godot4", framing="settings")).rows[0][0]


def test_a_table_reads_only_what_the_caller_accepts():
    secret = vv.Object("Node", {"name": "hidden"})
    for value, accepted in (({"hp": 1, "at": secret}, ['"at"', "Object", "Object Node (1 property)"]), (secret, ["name", "String", '"hidden"'])):
        data = vv.encode(value, "godot4")
        assert table(vv.loads(data, "godot4")).rows[-1] == accepted
        refused = table(vv.loads(data, "godot4", objects="refuse"))
        (kind, why) = refused.rows[-1]
        assert kind == "damaged" and "object with class and properties refused" in why
        assert not {"hidden", "Node"} & {word for row in refused.rows for word in row}


def test_damage_is_a_row():
    broken = vv.loads(vv.encode([1, 2, 3], "godot4")[:-6], "godot4")
    assert table(broken).rows[-1] == ["damaged", "value header needs 4 bytes, 2 are left at byte 24"]
    with pytest.raises(vv.DecodeError):
        table(vv.loads(b"\xff\xff", "godot4"))

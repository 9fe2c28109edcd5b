# Written by `variant-inspect schema --python`: the types of values that `to_python` of the package variant_view returns.

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

import variant_view
from variant_view import PackedArray
from variant_view.math import AABB, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i
from variant_view.values import NodePath, PackedStringArray, StringName


class Row(TypedDict):
    a: int


class ByIdItem(TypedDict):
    hp: int


class ByName(TypedDict):
    a: int
    b: int


class SomeItem(TypedDict):
    a: NotRequired[int]
    b: NotRequired[int]
    c: NotRequired[int]


class From(TypedDict):
    x: int
    y: int


Str = TypedDict("Str", {
    "str": str,
    "int": int,
    "list": list[int],
})


Save = TypedDict("Save", {
    "nil": None,
    "flag": bool,
    "count": int,
    "long": int,
    "huge": int,
    "ratio": float,
    "mixed": int | str,
    "text": str,
    "name": StringName,
    "path": NodePath,
    "v2": Vector2,
    "v2i": Vector2i,
    "r2": Rect2,
    "r2i": Rect2i,
    "v3": Vector3,
    "v3i": Vector3i,
    "t2": Transform2D,
    "v4": Vector4,
    "v4i": Vector4i,
    "plane": Plane,
    "quat": Quaternion,
    "aabb": AABB,
    "basis": Basis,
    "t3": Transform3D,
    "proj": Projection,
    "color": Color,
    "bytes": PackedArray,
    "i32s": PackedArray,
    "i64s": PackedArray,
    "f32s": PackedArray,
    "f64s": PackedArray,
    "texts": PackedStringArray,
    "v2s": PackedArray,
    "v3s": PackedArray,
    "v4s": PackedArray,
    "colors": PackedArray,
    "points": list[Vector3],
    "names": list[StringName],
    "maybe": int | None,
    "maybe_at": Vector2 | None,
    "extra": NotRequired[int],
    "both": Vector3 | None,
    "more": NotRequired[Vector2],
    "ids": list[int],
    "floats": list[float],
    "ats": list[Vector2],
    "tags": list[StringName],
    "rows": list[Row],
    "lists": list[list[int]],
    "rects": list[Rect2],
    "scores": Row,
    "nodes": list[Any],
    "by_id": dict[int, ByIdItem],
    "by_name": ByName,
    "by_place": dict[Vector2i, int],
    "empty": dict[Any, Any],
    "none": list[Any],
    "pairs": list[ByName],
    "some": list[SomeItem],
    "from": From,
    "to": From,
    "type": str,
    "odd key!": int,
    "Class": int,
    "class": int,
    "str": Str,
    "save": Row,
})


def load(path: str) -> list[Save]:
    """Reads the values of a file. Their kinds are not checked."""
    with variant_view.open(path, dialect="godot4", framing="bare") as file:
        return [document.to_python() for document in file]

"""Reads a field of each kind from values whose types `schema --python` has written (kinds.py, rpg_save.py)."""

from __future__ import annotations

from typing import Any

from variant_view import PackedArray
from variant_view.math import AABB, Color, Projection, Transform3D, Vector2, Vector3
from variant_view.values import NodePath, PackedStringArray, StringName

import kinds
import rpg_save


def fields(save: kinds.Save) -> list[object]:
    nil: None = save["nil"]
    flag: bool = save["flag"]
    count: int = save["count"]
    ratio: float = save["ratio"]
    mixed: int | str = save["mixed"]
    text: str = save["text"]
    name: StringName = save["name"]
    path: NodePath = save["path"]
    x: float = save["v3"].x
    box: AABB = save["aabb"]
    transform: Transform3D = save["t3"]
    projection: Projection = save["proj"]
    color: Color = save["color"]
    ints: PackedArray = save["i64s"]
    texts: PackedStringArray = save["texts"]
    points: list[Vector3] = save["points"]
    maybe: int | None = save["maybe"]
    extra: int | None = save.get("extra")
    more: Vector2 | None = save.get("more")
    row: int = save["rows"][0]["a"]
    hp: int = save["by_id"][1]["hp"]
    some: list[int | None] = [item.get("c") for item in save["some"]]
    odd: int = save["odd key!"]
    inner: str = save["str"]["str"]
    none: list[Any] = save["none"]
    wrong: str = save["count"]  # type: ignore[assignment]
    return [
        nil, flag, count, ratio, mixed, text, name, path, x, box, transform, projection, color, ints, texts, points, maybe, extra, more,
        row, hp, some, odd, inner, none, wrong,
    ]


def outcome(path: str) -> tuple[int, int, int, float]:
    save: rpg_save.Save = rpg_save.load(path)[0]
    return save["player"]["level"], len(save["inventory"]), len(save["npcs"]), save["player"]["position"].x

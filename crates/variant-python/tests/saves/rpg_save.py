# Written by `variant-inspect schema --python`: the types of values that `to_python` of the package variant_view returns.

from __future__ import annotations

from typing import TypedDict

import variant_view
from variant_view import PackedArray
from variant_view.math import AABB, Color, Quaternion, Transform3D, Vector2, Vector3
from variant_view.values import NodePath, PackedStringArray


class Meta(TypedDict):
    slot: int
    title: str
    playtime: float
    timestamp: int
    difficulty: str
    ironman: bool
    screenshot: None


Stats = TypedDict("Stats", {
    "str": int,
    "dex": int,
    "int": int,
    "hp": float,
    "hp_max": float,
    "mp": float,
})


class Player(TypedDict):
    name: str
    level: int
    xp: int
    xp_total: int
    position: Vector3
    rotation: Quaternion
    stats: Stats
    spawn: NodePath
    skills: PackedStringArray
    hotbar: PackedArray
    transform: Transform3D


class Mod(TypedDict):
    stat: str
    add: int
    mul: float


class InventoryItem(TypedDict):
    id: str
    name: str
    count: int
    weight: float
    equipped: bool
    color: Color
    mods: list[Mod]


class Npc(TypedDict):
    name: str
    pos: Vector3
    home: Vector2
    mood: float
    alive: bool
    dialog_state: int
    path: PackedArray
    bounds: AABB
    loot: list[InventoryItem]


class Reward(TypedDict):
    gold: int
    items: list[str]


class Quest(TypedDict):
    id: int
    title: str
    stage: int
    done: bool
    log: list[str]
    reward: Reward


class Save(TypedDict):
    version: int
    meta: Meta
    player: Player
    inventory: list[InventoryItem]
    npcs: dict[str, Npc]
    quests: list[Quest]
    flags: dict[str, bool]
    explored: PackedArray


def load(path: str) -> list[Save]:
    """Reads the values of a file. Their kinds are not checked."""
    with variant_view.open(path, dialect="godot3", framing="frames") as file:
        return [document.to_python() for document in file]

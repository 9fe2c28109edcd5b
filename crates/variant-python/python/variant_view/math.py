"""Mathematical values: vectors, matrices and the like.

They are immutable tuples with names. Each class names its parts in the order of the bytes. ``kind`` is the name of the type in Godot 4.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, NoReturn, SupportsFloat, SupportsIndex, TypeVar

__all__ = [
    "AABB", "Basis", "Color", "Math", "Plane", "Projection", "Quaternion", "Rect2", "Rect2i", "Transform2D", "Transform3D", "Vector2",
    "Vector2i", "Vector3", "Vector3i", "Vector4", "Vector4i",
]


class Math(tuple):  # type: ignore[type-arg]
    """A value with a fixed number of parts: a tuple of the parts, with names. It equals only values of its own kind.

    ``width`` is the width of its reals in bits: 64 in values that a double-precision build of Godot 4 has written.
    """

    kind: ClassVar[str]
    width: int = 32
    _fields: ClassVar[tuple[str, ...]]

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Math) and self.kind == other.kind and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.kind, tuple.__hash__(self)))

    def __repr__(self) -> str:
        parts = [f"{name}={part!r}" for name, part in zip(self._fields, self)]
        return f"{self.kind}({', '.join(parts + ['width=64'] * (self.width == 64))})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {self.kind} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {self.kind} is immutable")

    def _refuse(self, _: object) -> NoReturn:
        raise TypeError(f"a {self.kind} has no arithmetic: numpy.asarray makes an array of it")

    # The operators of a tuple would append and repeat.
    __add__ = __radd__ = __mul__ = __rmul__ = _refuse


_M = TypeVar("_M", bound=Math)
_P = TypeVar("_P")


def _wide(value: _M, width: int) -> _M:
    if width not in (32, 64):
        raise ValueError(f"width: {width}; reals have 32 or 64 bits")
    if width == 64:
        value.__dict__["width"] = 64
    return value


class _Part(Generic[_P]):
    """A part of a value, by its name."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __get__(self, value: Math | None, _: object = None) -> _P:
        return self if value is None else value[self.index]  # type: ignore[return-value]

    def __set__(self, value: Math, part: NoReturn) -> NoReturn:
        raise AttributeError(f"a {value.kind} is immutable")


class _XY(Math, Generic[_P]):
    _fields: ClassVar[tuple[str, ...]] = ("x", "y")
    __match_args__ = ("x", "y")
    x = _Part[_P](0)
    y = _Part[_P](1)


class _XYZ(_XY[_P]):
    _fields: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    __match_args__ = ("x", "y", "z")
    z = _Part[_P](2)


class _XYZW(_XYZ[_P]):
    _fields = __match_args__ = ("x", "y", "z", "w")
    w = _Part[_P](3)


class _Box(Math, Generic[_P]):
    _fields = __match_args__ = ("position", "size")
    position = _Part[_P](0)
    size = _Part[_P](1)


class Vector2(_XY[float]):
    """Two reals."""

    kind = "Vector2"

    def __new__(cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, *, width: int = 32) -> Vector2:
        return _wide(tuple.__new__(cls, (float(x), float(y))), width)


class Vector2i(_XY[int]):
    """Two integers of 32 bits."""

    kind = "Vector2i"

    def __new__(cls, x: SupportsIndex = 0, y: SupportsIndex = 0) -> Vector2i:
        return tuple.__new__(cls, (operator.index(x), operator.index(y)))


class Vector3(_XYZ[float]):
    """Three reals."""

    kind = "Vector3"

    def __new__(cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, z: SupportsFloat = 0.0, *, width: int = 32) -> Vector3:
        return _wide(tuple.__new__(cls, (float(x), float(y), float(z))), width)


class Vector3i(_XYZ[int]):
    """Three integers of 32 bits."""

    kind = "Vector3i"

    def __new__(cls, x: SupportsIndex = 0, y: SupportsIndex = 0, z: SupportsIndex = 0) -> Vector3i:
        return tuple.__new__(cls, (operator.index(x), operator.index(y), operator.index(z)))


class Vector4(_XYZW[float]):
    """Four reals."""

    kind = "Vector4"

    def __new__(
        cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, z: SupportsFloat = 0.0, w: SupportsFloat = 0.0, *, width: int = 32
    ) -> Vector4:
        return _wide(tuple.__new__(cls, (float(x), float(y), float(z), float(w))), width)


class Quaternion(_XYZW[float]):
    """A rotation, in reals; it need not have length 1."""

    kind = "Quaternion"

    def __new__(
        cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, z: SupportsFloat = 0.0, w: SupportsFloat = 1.0, *, width: int = 32
    ) -> Quaternion:
        return _wide(tuple.__new__(cls, (float(x), float(y), float(z), float(w))), width)


class Vector4i(_XYZW[int]):
    """Four integers of 32 bits."""

    kind = "Vector4i"

    def __new__(cls, x: SupportsIndex = 0, y: SupportsIndex = 0, z: SupportsIndex = 0, w: SupportsIndex = 0) -> Vector4i:
        return tuple.__new__(cls, (operator.index(x), operator.index(y), operator.index(z), operator.index(w)))


class Color(Math):
    """Red, green, blue and alpha: floats of 32 bits in every build."""

    kind = "Color"
    _fields = __match_args__ = ("r", "g", "b", "a")
    r = _Part[float](0)
    g = _Part[float](1)
    b = _Part[float](2)
    a = _Part[float](3)

    def __new__(cls, r: SupportsFloat = 0.0, g: SupportsFloat = 0.0, b: SupportsFloat = 0.0, a: SupportsFloat = 1.0) -> Color:
        return tuple.__new__(cls, (float(r), float(g), float(b), float(a)))


class Rect2(_Box[Vector2]):
    """A rectangle: position and size, in reals."""

    kind = "Rect2"

    def __new__(cls, position: Iterable[float] = (0, 0), size: Iterable[float] = (0, 0), *, width: int = 32) -> Rect2:
        return _wide(tuple.__new__(cls, (Vector2(*position, width=width), Vector2(*size, width=width))), width)


class Rect2i(_Box[Vector2i]):
    """A rectangle: position and size, in integers of 32 bits."""

    kind = "Rect2i"

    def __new__(cls, position: Iterable[int] = (0, 0), size: Iterable[int] = (0, 0)) -> Rect2i:
        return tuple.__new__(cls, (Vector2i(*position), Vector2i(*size)))


class Transform2D(_XY[Vector2]):
    """Three columns of two reals."""

    kind = "Transform2D"
    _fields = __match_args__ = ("x", "y", "origin")
    origin = _Part[Vector2](2)

    def __new__(
        cls, x: Iterable[float] = (1, 0), y: Iterable[float] = (0, 1), origin: Iterable[float] = (0, 0), *, width: int = 32
    ) -> Transform2D:
        return _wide(tuple.__new__(cls, [Vector2(*part, width=width) for part in (x, y, origin)]), width)


class Plane(Math):
    """The points ``p`` with ``normal . p = d``."""

    kind = "Plane"
    _fields = __match_args__ = ("normal", "d")
    normal = _Part[Vector3](0)
    d = _Part[float](1)

    def __new__(cls, normal: Iterable[float] = (0, 0, 0), d: SupportsFloat = 0.0, *, width: int = 32) -> Plane:
        return _wide(tuple.__new__(cls, (Vector3(*normal, width=width), float(d))), width)


class AABB(_Box[Vector3]):
    """An axis-aligned box: position and size, in reals."""

    kind = "AABB"

    def __new__(cls, position: Iterable[float] = (0, 0, 0), size: Iterable[float] = (0, 0, 0), *, width: int = 32) -> AABB:
        return _wide(tuple.__new__(cls, (Vector3(*position, width=width), Vector3(*size, width=width))), width)


class _Rows(Math):
    _fields: ClassVar[tuple[str, ...]] = ("row0", "row1", "row2")
    __match_args__ = ("row0", "row1", "row2")
    row0 = _Part[Vector3](0)
    row1 = _Part[Vector3](1)
    row2 = _Part[Vector3](2)


class Basis(_Rows):
    """A matrix of three rows."""

    kind = "Basis"

    def __new__(
        cls, row0: Iterable[float] = (1, 0, 0), row1: Iterable[float] = (0, 1, 0), row2: Iterable[float] = (0, 0, 1), *, width: int = 32
    ) -> Basis:
        return _wide(tuple.__new__(cls, [Vector3(*row, width=width) for row in (row0, row1, row2)]), width)


class Transform3D(_Rows):
    """Three rows of a matrix, and an origin."""

    kind = "Transform3D"
    _fields = __match_args__ = ("row0", "row1", "row2", "origin")
    origin = _Part[Vector3](3)

    def __new__(
        cls, row0: Iterable[float] = (1, 0, 0), row1: Iterable[float] = (0, 1, 0), row2: Iterable[float] = (0, 0, 1),
        origin: Iterable[float] = (0, 0, 0), *, width: int = 32,
    ) -> Transform3D:
        return _wide(tuple.__new__(cls, [Vector3(*part, width=width) for part in (row0, row1, row2, origin)]), width)


class Projection(_XYZW[Vector4]):
    """A matrix of four columns."""

    kind = "Projection"

    def __new__(
        cls, x: Iterable[float] = (1, 0, 0, 0), y: Iterable[float] = (0, 1, 0, 0), z: Iterable[float] = (0, 0, 1, 0),
        w: Iterable[float] = (0, 0, 0, 1), *, width: int = 32,
    ) -> Projection:
        return _wide(tuple.__new__(cls, [Vector4(*part, width=width) for part in (x, y, z, w)]), width)

"""The values that Python has no type for.

All are immutable and hashable, but for :class:`Array`, :class:`Dictionary` and :class:`Object`. Each class names its parts in
the order of the bytes, and ``kind`` is the name that Godot 4 has for its type.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NoReturn, SupportsFloat, SupportsIndex, TypeVar

__all__ = [
    "AABB", "Array", "Basis", "Callable", "Color", "Dictionary", "ElementType", "Float32", "Float64", "Image", "InputEvent", "Int64",
    "Math", "NodePath", "NullObject", "Object", "ObjectId", "PackedStringArray", "Plane", "Projection", "Quaternion", "RID", "Rect2",
    "Rect2i", "Signal", "StringName", "Transform2D", "Transform3D", "Vector2", "Vector2i", "Vector3", "Vector3i", "Vector4", "Vector4i",
]


class StringName(str):
    """Text that the engine interns. Equal to a ``str`` of the same text."""

    __slots__ = ()
    kind: ClassVar[str] = "StringName"

    def __repr__(self) -> str:
        return f"StringName({str.__repr__(self)})"


class Int64(int):
    """An ``int`` that is written with 64 bits where 32 would hold it. A plain ``int`` takes as many as it needs."""

    __slots__ = ()
    kind: ClassVar[str] = "int"

    def __repr__(self) -> str:
        return f"Int64({int.__repr__(self)})"


class Float32(float):
    """A ``float`` that is written with 32 bits, rounded where they do not hold it. A plain ``float`` takes 64 then."""

    __slots__ = ()
    kind: ClassVar[str] = "float"

    def __repr__(self) -> str:
        return f"Float32({float.__repr__(self)})"


class Float64(float):
    """A ``float`` that is written with 64 bits where 32 would hold it. A plain ``float`` takes as many as it needs."""

    __slots__ = ()
    kind: ClassVar[str] = "float"

    def __repr__(self) -> str:
        return f"Float64({float.__repr__(self)})"


class Math(tuple):  # type: ignore[type-arg]
    """A value of a fixed number of parts: a tuple of them, with names. Equal only to a value of its own kind.

    ``width`` is that of its reals in bits: 64 in what a double-precision build of Godot 4 has written.
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

    # Those of a tuple would append and repeat.
    __add__ = __radd__ = __mul__ = __rmul__ = _refuse


_M = TypeVar("_M", bound=Math)


def _wide(value: _M, width: int) -> _M:
    if width not in (32, 64):
        raise ValueError(f"width: {width}; reals have 32 or 64 bits")
    if width == 64:
        value.__dict__["width"] = 64
    return value


class Vector2(Math):
    """Two reals."""

    kind = "Vector2"
    _fields = __match_args__ = ("x", "y")

    @property
    def x(self) -> float:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> float:
        return self[1]  # type: ignore[no-any-return]

    def __new__(cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, *, width: int = 32) -> Vector2:
        return _wide(tuple.__new__(cls, (float(x), float(y))), width)


class Vector2i(Math):
    """Two integers of 32 bits."""

    kind = "Vector2i"
    _fields = __match_args__ = ("x", "y")

    @property
    def x(self) -> int:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> int:
        return self[1]  # type: ignore[no-any-return]

    def __new__(cls, x: SupportsIndex = 0, y: SupportsIndex = 0) -> Vector2i:
        return tuple.__new__(cls, (operator.index(x), operator.index(y)))


class Vector3(Math):
    """Three reals."""

    kind = "Vector3"
    _fields = __match_args__ = ("x", "y", "z")

    @property
    def x(self) -> float:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> float:
        return self[1]  # type: ignore[no-any-return]

    @property
    def z(self) -> float:
        return self[2]  # type: ignore[no-any-return]

    def __new__(cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, z: SupportsFloat = 0.0, *, width: int = 32) -> Vector3:
        return _wide(tuple.__new__(cls, (float(x), float(y), float(z))), width)


class Vector3i(Math):
    """Three integers of 32 bits."""

    kind = "Vector3i"
    _fields = __match_args__ = ("x", "y", "z")

    @property
    def x(self) -> int:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> int:
        return self[1]  # type: ignore[no-any-return]

    @property
    def z(self) -> int:
        return self[2]  # type: ignore[no-any-return]

    def __new__(cls, x: SupportsIndex = 0, y: SupportsIndex = 0, z: SupportsIndex = 0) -> Vector3i:
        return tuple.__new__(cls, (operator.index(x), operator.index(y), operator.index(z)))


class _Reals4(Math):
    _fields = __match_args__ = ("x", "y", "z", "w")

    @property
    def x(self) -> float:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> float:
        return self[1]  # type: ignore[no-any-return]

    @property
    def z(self) -> float:
        return self[2]  # type: ignore[no-any-return]

    @property
    def w(self) -> float:
        return self[3]  # type: ignore[no-any-return]


class Vector4(_Reals4):
    """Four reals."""

    kind = "Vector4"

    def __new__(
        cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, z: SupportsFloat = 0.0, w: SupportsFloat = 0.0, *, width: int = 32
    ) -> Vector4:
        return _wide(tuple.__new__(cls, (float(x), float(y), float(z), float(w))), width)


class Quaternion(_Reals4):
    """A rotation, in reals; it need not have length 1."""

    kind = "Quaternion"

    def __new__(
        cls, x: SupportsFloat = 0.0, y: SupportsFloat = 0.0, z: SupportsFloat = 0.0, w: SupportsFloat = 1.0, *, width: int = 32
    ) -> Quaternion:
        return _wide(tuple.__new__(cls, (float(x), float(y), float(z), float(w))), width)


class Vector4i(Math):
    """Four integers of 32 bits."""

    kind = "Vector4i"
    _fields = __match_args__ = ("x", "y", "z", "w")

    @property
    def x(self) -> int:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> int:
        return self[1]  # type: ignore[no-any-return]

    @property
    def z(self) -> int:
        return self[2]  # type: ignore[no-any-return]

    @property
    def w(self) -> int:
        return self[3]  # type: ignore[no-any-return]

    def __new__(cls, x: SupportsIndex = 0, y: SupportsIndex = 0, z: SupportsIndex = 0, w: SupportsIndex = 0) -> Vector4i:
        return tuple.__new__(cls, (operator.index(x), operator.index(y), operator.index(z), operator.index(w)))


class Color(Math):
    """Red, green, blue and alpha: floats of 32 bits in every build."""

    kind = "Color"
    _fields = __match_args__ = ("r", "g", "b", "a")

    @property
    def r(self) -> float:
        return self[0]  # type: ignore[no-any-return]

    @property
    def g(self) -> float:
        return self[1]  # type: ignore[no-any-return]

    @property
    def b(self) -> float:
        return self[2]  # type: ignore[no-any-return]

    @property
    def a(self) -> float:
        return self[3]  # type: ignore[no-any-return]

    def __new__(cls, r: SupportsFloat = 0.0, g: SupportsFloat = 0.0, b: SupportsFloat = 0.0, a: SupportsFloat = 1.0) -> Color:
        return tuple.__new__(cls, (float(r), float(g), float(b), float(a)))


class Rect2(Math):
    """A rectangle: position and size, in reals."""

    kind = "Rect2"
    _fields = __match_args__ = ("position", "size")

    @property
    def position(self) -> Vector2:
        return self[0]  # type: ignore[no-any-return]

    @property
    def size(self) -> Vector2:
        return self[1]  # type: ignore[no-any-return]

    def __new__(cls, position: Iterable[float] = (0, 0), size: Iterable[float] = (0, 0), *, width: int = 32) -> Rect2:
        return _wide(tuple.__new__(cls, (Vector2(*position, width=width), Vector2(*size, width=width))), width)


class Rect2i(Math):
    """A rectangle: position and size, in integers of 32 bits."""

    kind = "Rect2i"
    _fields = __match_args__ = ("position", "size")

    @property
    def position(self) -> Vector2i:
        return self[0]  # type: ignore[no-any-return]

    @property
    def size(self) -> Vector2i:
        return self[1]  # type: ignore[no-any-return]

    def __new__(cls, position: Iterable[int] = (0, 0), size: Iterable[int] = (0, 0)) -> Rect2i:
        return tuple.__new__(cls, (Vector2i(*position), Vector2i(*size)))


class Transform2D(Math):
    """Three columns of two reals."""

    kind = "Transform2D"
    _fields = __match_args__ = ("x", "y", "origin")

    @property
    def x(self) -> Vector2:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> Vector2:
        return self[1]  # type: ignore[no-any-return]

    @property
    def origin(self) -> Vector2:
        return self[2]  # type: ignore[no-any-return]

    def __new__(
        cls, x: Iterable[float] = (1, 0), y: Iterable[float] = (0, 1), origin: Iterable[float] = (0, 0), *, width: int = 32
    ) -> Transform2D:
        return _wide(tuple.__new__(cls, [Vector2(*part, width=width) for part in (x, y, origin)]), width)


class Plane(Math):
    """The points ``p`` with ``normal . p = d``."""

    kind = "Plane"
    _fields = __match_args__ = ("normal", "d")

    @property
    def normal(self) -> Vector3:
        return self[0]  # type: ignore[no-any-return]

    @property
    def d(self) -> float:
        return self[1]  # type: ignore[no-any-return]

    def __new__(cls, normal: Iterable[float] = (0, 0, 0), d: SupportsFloat = 0.0, *, width: int = 32) -> Plane:
        return _wide(tuple.__new__(cls, (Vector3(*normal, width=width), float(d))), width)


class AABB(Math):
    """An axis-aligned box: position and size, in reals."""

    kind = "AABB"
    _fields = __match_args__ = ("position", "size")

    @property
    def position(self) -> Vector3:
        return self[0]  # type: ignore[no-any-return]

    @property
    def size(self) -> Vector3:
        return self[1]  # type: ignore[no-any-return]

    def __new__(cls, position: Iterable[float] = (0, 0, 0), size: Iterable[float] = (0, 0, 0), *, width: int = 32) -> AABB:
        return _wide(tuple.__new__(cls, (Vector3(*position, width=width), Vector3(*size, width=width))), width)


class Basis(Math):
    """A matrix of three rows."""

    kind = "Basis"
    _fields = __match_args__ = ("row0", "row1", "row2")

    @property
    def row0(self) -> Vector3:
        return self[0]  # type: ignore[no-any-return]

    @property
    def row1(self) -> Vector3:
        return self[1]  # type: ignore[no-any-return]

    @property
    def row2(self) -> Vector3:
        return self[2]  # type: ignore[no-any-return]

    def __new__(
        cls, row0: Iterable[float] = (1, 0, 0), row1: Iterable[float] = (0, 1, 0), row2: Iterable[float] = (0, 0, 1), *, width: int = 32
    ) -> Basis:
        return _wide(tuple.__new__(cls, [Vector3(*row, width=width) for row in (row0, row1, row2)]), width)


class Transform3D(Math):
    """Three rows of a matrix, and an origin."""

    kind = "Transform3D"
    _fields = __match_args__ = ("row0", "row1", "row2", "origin")

    @property
    def row0(self) -> Vector3:
        return self[0]  # type: ignore[no-any-return]

    @property
    def row1(self) -> Vector3:
        return self[1]  # type: ignore[no-any-return]

    @property
    def row2(self) -> Vector3:
        return self[2]  # type: ignore[no-any-return]

    @property
    def origin(self) -> Vector3:
        return self[3]  # type: ignore[no-any-return]

    def __new__(
        cls, row0: Iterable[float] = (1, 0, 0), row1: Iterable[float] = (0, 1, 0), row2: Iterable[float] = (0, 0, 1),
        origin: Iterable[float] = (0, 0, 0), *, width: int = 32,
    ) -> Transform3D:
        return _wide(tuple.__new__(cls, [Vector3(*part, width=width) for part in (row0, row1, row2, origin)]), width)


class Projection(Math):
    """A matrix of four columns."""

    kind = "Projection"
    _fields = __match_args__ = ("x", "y", "z", "w")

    @property
    def x(self) -> Vector4:
        return self[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> Vector4:
        return self[1]  # type: ignore[no-any-return]

    @property
    def z(self) -> Vector4:
        return self[2]  # type: ignore[no-any-return]

    @property
    def w(self) -> Vector4:
        return self[3]  # type: ignore[no-any-return]

    def __new__(
        cls, x: Iterable[float] = (1, 0, 0, 0), y: Iterable[float] = (0, 1, 0, 0), z: Iterable[float] = (0, 0, 1, 0),
        w: Iterable[float] = (0, 0, 0, 1), *, width: int = 32,
    ) -> Projection:
        return _wide(tuple.__new__(cls, [Vector4(*part, width=width) for part in (x, y, z, w)]), width)


class PackedStringArray(tuple):  # type: ignore[type-arg]
    """Texts: a tuple of ``str``."""

    __slots__ = ()
    kind: ClassVar[str] = "PackedStringArray"

    def __repr__(self) -> str:
        return f"PackedStringArray({tuple.__repr__(self)})"


@dataclass(frozen=True, slots=True)
class NodePath:
    """A path to a node or a property.

    ``text`` alone, in place of names, is the oldest form, which only Godot 2 reads. ``has_property`` is of Godot 2, too: the last
    subname is a property.
    """

    kind: ClassVar[str] = "NodePath"
    names: tuple[str, ...] = ()
    subnames: tuple[str, ...] = ()
    is_absolute: bool = False
    has_property: bool = False
    text: str | None = None

    def __post_init__(self) -> None:
        for field_name in ("names", "subnames"):
            texts = getattr(self, field_name)
            if isinstance(texts, str):
                raise TypeError(f"{field_name} of a NodePath are several texts: NodePath.parse reads one")
            object.__setattr__(self, field_name, tuple(texts))

    @classmethod
    def parse(cls, text: str) -> NodePath:
        """Reads ``"/root/Main:position:x"``."""
        path, *subnames = text.split(":")
        is_absolute = path.startswith("/")
        names = tuple(name for name in path.split("/") if name)
        return cls(names, tuple(subnames), is_absolute)

    def __str__(self) -> str:
        if self.text is not None:
            return self.text
        return "/" * self.is_absolute + "/".join(self.names) + "".join(f":{name}" for name in self.subnames)


@dataclass(frozen=True, slots=True)
class RID:
    """The handle of a resource. Only Godot 4 writes its number."""

    kind: ClassVar[str] = "RID"
    id: int = 0


@dataclass(frozen=True, slots=True)
class Callable:
    """A callable, of which the bytes hold nothing."""

    kind: ClassVar[str] = "Callable"


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal: its name, and the id of its object."""

    kind: ClassVar[str] = "Signal"
    name: str = ""
    object_id: int = 0


@dataclass(frozen=True, slots=True)
class ObjectId:
    """An object that was written by its id, which says something only to the process that wrote it."""

    kind: ClassVar[str] = "Object"
    id: int


@dataclass(frozen=True, slots=True)
class NullObject:
    """No object, where an object was declared. ``None`` is the value ``Nil``."""

    kind: ClassVar[str] = "Object"


@dataclass(slots=True)
class Object:
    """An object that was written with its class and properties. Data: nothing is created of it."""

    kind: ClassVar[str] = "Object"
    class_name: str
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Image:
    """Pixels, as Godot 2 writes them."""

    kind: ClassVar[str] = "Image"
    format: int
    mipmaps: int
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class InputEvent:
    """An input event, as Godot 2 writes it."""

    kind: ClassVar[str] = "InputEvent"
    event: int
    device: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class ElementType:
    """What a container declares of its items.

    ``ElementType("builtin", "int")``, ``ElementType("class", "Node")``, ``ElementType("script", "res://item.gd")``; ``"unknown"``
    with the number of a type that no dialect has.
    """

    form: Literal["builtin", "class", "script", "unknown"]
    name: str | int

    @classmethod
    def of(cls, declared: ElementType | str | None) -> ElementType | None:
        """An element type as it is, and a text as that of a built-in one."""
        return cls("builtin", declared) if isinstance(declared, str) else declared


class Array(list):  # type: ignore[type-arg]
    """A ``list`` that declares the type of its elements, or is marked as shared (Godot 2).

    ``kind`` is ``"Array"``, or ``"TypedArray"`` or ``"PackedTypedArray"`` of Pandemonium 5.
    """

    __slots__ = ("element_type", "is_shared", "kind")

    def __init__(
        self, items: Iterable[Any] = (), element_type: ElementType | str | None = None, *, kind: str = "Array", is_shared: bool = False
    ) -> None:
        super().__init__(items)
        self.element_type = ElementType.of(element_type)
        self.kind = kind
        self.is_shared = is_shared

    def __repr__(self) -> str:
        return f"{self.kind}({list.__repr__(self)}, {self.element_type!r})"


class Dictionary(dict):  # type: ignore[type-arg]
    """A ``dict`` that declares types, is marked as shared (Godot 2), or was read from pairs of which some have one key in Python.

    ``1``, ``1.0`` and ``True`` are one key of a ``dict``, and three of a Dictionary; and bytes may have one key twice. The ``dict``
    has the last value of such keys, ``pairs`` has all pairs, and ``encode`` writes ``pairs``. A change of the ``dict`` makes an end of
    them: ``pairs`` is ``None`` from then on.
    """

    __slots__ = ("key_type", "value_type", "is_shared", "pairs")
    kind: ClassVar[str] = "Dictionary"

    def __init__(
        self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (), key_type: ElementType | str | None = None,
        value_type: ElementType | str | None = None, *, is_shared: bool = False, pairs: tuple[tuple[Any, Any], ...] | None = None,
    ) -> None:
        super().__init__(items if pairs is None else pairs)
        self.key_type = ElementType.of(key_type)
        self.value_type = ElementType.of(value_type)
        self.is_shared = is_shared
        self.pairs = pairs

    def __reduce__(self) -> tuple[Any, ...]:
        return _dictionary, (dict(self), self.key_type, self.value_type, self.is_shared, self.pairs)

    def __repr__(self) -> str:
        return f"Dictionary({dict.__repr__(self)}, {self.key_type!r}, {self.value_type!r})"

    def __setitem__(self, key: Any, value: Any) -> None:
        self.pairs = None
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        self.pairs = None
        super().__delitem__(key)

    def __ior__(self, other: Any) -> Dictionary:  # type: ignore[misc]
        self.update(other)
        return self

    def clear(self) -> None:
        self.pairs = None
        super().clear()

    def pop(self, key: Any, *default: Any) -> Any:
        self.pairs = None
        return super().pop(key, *default)

    def popitem(self) -> tuple[Any, Any]:
        self.pairs = None
        return super().popitem()

    def setdefault(self, key: Any, default: Any = None) -> Any:
        self.pairs = None
        return super().setdefault(key, default)

    def update(self, *others: Any, **items: Any) -> None:
        self.pairs = None
        super().update(*others, **items)


def _dictionary(
    items: dict[Any, Any], key_type: ElementType | None, value_type: ElementType | None, is_shared: bool,
    pairs: tuple[tuple[Any, Any], ...] | None,
) -> Dictionary:
    return Dictionary(items, key_type, value_type, is_shared=is_shared, pairs=pairs)

"""Classes of values for which Python has no type.

All are immutable and hashable, except :class:`Array`, :class:`Dictionary` and :class:`Object`. ``kind`` is the name of the type in Godot 4.
Mathematical values are in :mod:`variant_view.math`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

__all__ = [
    "Array", "Callable", "Dictionary", "ElementType", "Float32", "Float64", "Image", "InputEvent", "Int64", "NodePath", "NullObject",
    "Object", "ObjectId", "PackedStringArray", "RID", "Signal", "StringName",
]


class _Named:
    """The ``repr`` has the name of the class."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().__repr__()})"


class StringName(_Named, str):
    """Text that the engine interns. It equals a ``str`` of the same text."""

    __slots__ = ()
    kind: ClassVar[str] = "StringName"


class Int64(_Named, int):
    """An ``int`` that is written with 64 bits, even if 32 bits hold it. A plain ``int`` that 32 bits hold is written with 32 bits."""

    __slots__ = ()
    kind: ClassVar[str] = "int"


class Float32(_Named, float):
    """A ``float`` that is written with 32 bits, rounded if 32 bits do not hold it. A plain ``float`` that 32 bits do not hold is
    written with 64 bits."""

    __slots__ = ()
    kind: ClassVar[str] = "float"


class Float64(_Named, float):
    """A ``float`` that is written with 64 bits, even if 32 bits hold it. A plain ``float`` that 32 bits hold is written with 32 bits."""

    __slots__ = ()
    kind: ClassVar[str] = "float"


class PackedStringArray(_Named, tuple):  # type: ignore[type-arg]
    """Texts: a tuple of ``str``."""

    __slots__ = ()
    kind: ClassVar[str] = "PackedStringArray"


@dataclass(frozen=True, slots=True)
class NodePath:
    """A path to a node or a property.

    A path with ``text`` instead of names has the oldest form, which only Godot 2 reads. ``has_property`` says that the last subname is a
    property; only Godot 2 writes this flag.
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
    """A callable. It has no content in the bytes."""

    kind: ClassVar[str] = "Callable"


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal: its name, and the id of its object."""

    kind: ClassVar[str] = "Signal"
    name: str = ""
    object_id: int = 0


@dataclass(frozen=True, slots=True)
class ObjectId:
    """An object that was written by its id. The id is valid only in the process that wrote it."""

    kind: ClassVar[str] = "Object"
    id: int


@dataclass(frozen=True, slots=True)
class NullObject:
    """A null object. It differs from ``None``, which is the value ``Nil``."""

    kind: ClassVar[str] = "Object"


@dataclass(slots=True)
class Object:
    """An object that was written with its class and properties. It is data: no object of the class is created."""

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
    """The type that a container declares for its items.

    ``ElementType("builtin", "int")``, ``ElementType("class", "Node")``, ``ElementType("script", "res://item.gd")``; ``"unknown"``
    with the number of a type that no dialect has.
    """

    form: Literal["builtin", "class", "script", "unknown"]
    name: str | int

    @classmethod
    def of(cls, declared: ElementType | str | None) -> ElementType | None:
        """An element type unchanged. A text becomes the built-in type of that name."""
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
    """A ``dict`` that declares types, is marked as shared (Godot 2), or has keys that a ``dict`` cannot distinguish.

    ``1``, ``1.0`` and ``True`` are one key of a ``dict``, but three keys in the bytes. Bytes may also have the same key twice. The ``dict``
    has the last value of such keys, and ``pairs`` has all pairs. ``encode`` writes ``pairs``. After a change of the ``dict``, ``pairs`` is
    ``None``.
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

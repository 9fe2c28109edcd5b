"""Godot's and Pandemonium's binary Variants: files and packets read lazily, and written.

``open`` opens a file, and ``loads`` a packet. Values are found by path, or ``to_python`` returns all of them. ``encode`` writes a value.
``table`` makes one table of many files.
"""

from collections.abc import Mapping as _Mapping, Sequence as _Sequence

from . import names
from ._native import (
    DIALECTS, FRAMINGS, KINDS, ArrayView, Breach, Candidate, Change, Conflict, DictionaryView, Difference, Document,
    Edit, File, Hole, Key, MappingView, Migration, ObjectView, PackedArray, Salvaged, Summary, Table, View, __version__,
    detect, encode, infer, loads, open, open_bytes, table, validate,
)
from .errors import (
    DebugError, DebugTimeoutError, DecodeError, EditError, EncodeError, GameEndedError, MergeError, MigrationError, OpenError, PathError,
    TableError, VariantError,
)
from .found import Found
from .math import (
    AABB, Basis, Color, Math, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i,
    Vector4, Vector4i,
)
from .values import (
    Array, Callable, Dictionary, ElementType, Float32, Float64, Image, InputEvent, Int64, NodePath, NullObject, Object, ObjectId,
    PackedStringArray, RID, Signal, StringName,
)

_Sequence.register(ArrayView)
_Sequence.register(File)
_Sequence.register(PackedArray)
_Mapping.register(MappingView)

__all__ = [
    "__version__", "AABB", "Array", "ArrayView", "Basis", "Breach", "Callable", "Candidate", "Change", "Color",
    "Conflict", "DebugError", "DebugTimeoutError", "DecodeError", "detect", "DIALECTS", "Dictionary",
    "DictionaryView", "Difference", "Document", "Edit", "EditError", "ElementType", "encode", "EncodeError", "File",
    "Float32", "Float64", "Found", "FRAMINGS", "GameEndedError", "Hole", "Image", "infer", "InputEvent", "Int64",
    "Key", "KINDS", "loads", "MappingView", "Math", "MergeError", "Migration", "MigrationError", "NodePath",
    "NullObject", "Object", "ObjectId", "ObjectView", "open", "open_bytes", "OpenError", "PackedArray",
    "PackedStringArray", "PathError", "Plane", "Projection", "Quaternion", "Rect2", "Rect2i", "RID", "Salvaged",
    "Signal", "StringName", "Summary", "Table", "table", "TableError", "Transform2D", "Transform3D", "validate",
    "VariantError", "Vector2", "Vector2i", "Vector3", "Vector3i", "Vector4", "Vector4i", "View",
]

"""The names that functions of this package accept and return, as types: ``def read(dialect: names.Dialect) -> ...``."""

from typing import Literal, TypeAlias

__all__ = ["Command", "Compression", "Dialect", "Encryption", "Framing", "Kind", "Objects", "Precision", "Profile", "Reals", "Widths"]

Dialect: TypeAlias = Literal[
    "godot2", "godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5", "documented-godot-3.0", "documented-godot-3.1",
    "documented-pandemonium-27", "documented-pandemonium-38",
]
"""Engines, and layouts that only pages of the documentation describe."""

Framing: TypeAlias = Literal["bare", "frames", "frames-be", "settings", "sequence"]
"""How a file separates its values."""

Reals: TypeAlias = Literal["by-flag", "always64"]
"""The rule for the width of the reals of mathematical values."""

Objects: TypeAlias = Literal["accept", "refuse"]
"""Whether objects with class and properties are read."""

Profile: TypeAlias = Literal["engine", "canonical"]
"""Which bytes are read: all that an engine reads, or only those that an engine writes."""

Precision: TypeAlias = Literal["as-is", "single", "double"]
"""The width of the reals that are written."""

Widths: TypeAlias = Literal["as-is", "canonical"]
"""The width of the integers and floats that are written."""

Compression: TypeAlias = Literal["none", "fastlz", "deflate", "zstd", "gzip"]
"""The compression of a file."""

Encryption: TypeAlias = Literal["none", "ecb", "cfb"]
"""The encryption of a file: ``ecb`` of Godot 3, ``cfb`` of Godot 4."""

Kind: TypeAlias = Literal[
    "Nil", "bool", "int", "float", "String", "Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i", "Transform2D", "Vector4",
    "Vector4i", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Projection", "Color", "Image", "StringName", "NodePath", "RID",
    "Object", "InputEvent", "Callable", "Signal", "Dictionary", "Array", "TypedArray", "PackedTypedArray", "PackedByteArray",
    "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PackedStringArray", "PackedVector2Array",
    "PackedVector2iArray", "PackedVector3Array", "PackedVector3iArray", "PackedColorArray", "PackedVector4Array", "PackedVector4iArray",
]
"""The types of values, by their names in Godot 4."""

Command: TypeAlias = Literal[
    "break", "step", "next", "out", "continue", "stack_dump", "stack_frame_vars", "evaluate", "breakpoint", "skip_breakpoints",
    "ignore_error_breaks", "reload_scripts", "main_thread_id", "scene_tree", "inspect_object", "inspect_objects", "clear_selection",
    "set_property", "set_property_field", "save_node", "video_memory", "draw", "foreground", "profile", "multiplayer_cache",
    "camera_override", "camera_override_2d", "camera_override_3d", "camera_transform_2d", "camera_transform_3d", "suspend", "next_frame",
    "speed", "mute_audio", "reload_files", "live_set_root", "live_node_path", "live_resource_path", "live_set", "live_set_resource",
    "live_call", "live_create", "live_instantiate", "live_remove", "live_remove_and_keep", "live_restore", "live_duplicate",
    "live_reparent", "custom", "raw",
]
"""The commands of a debugger to a game. ``debug.Session.signature`` has the arguments of each."""

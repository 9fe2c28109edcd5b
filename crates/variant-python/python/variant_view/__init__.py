"""Godot's and Pandemonium's binary Variants: files and packets read lazily, and written.

``open`` a file or ``loads`` a packet, go to values by path, or take all by ``to_python``; ``encode`` writes.
"""

from collections.abc import Mapping as _Mapping, Sequence as _Sequence

from . import errors, values
from ._native import (
    DIALECTS, FRAMINGS, KINDS, ArrayView, Candidate, DictionaryView, Document, File, Key, MappingView, ObjectView, PackedArray, Summary,
    View, __version__, detect, encode, loads, open, open_bytes, validate,
)
from .errors import *  # noqa: F403
from .values import *  # noqa: F403

_Sequence.register(ArrayView)
_Sequence.register(File)
_Sequence.register(PackedArray)
_Mapping.register(MappingView)

__all__ = [
    "DIALECTS", "FRAMINGS", "KINDS", "ArrayView", "Candidate", "DictionaryView", "Document", "File", "Key", "MappingView", "ObjectView",
    "PackedArray", "Summary", "View", "__version__", "detect", "encode", "loads", "open", "open_bytes", "validate",
]
__all__ += errors.__all__
__all__ += values.__all__

"""The keys, values and items of the mappings of the native module. Iterating over them takes one pass."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any


class Keys(KeysView[Any]):
    _mapping: Any

    def __iter__(self) -> Iterator[Any]:
        return iter(self._mapping)


class Values(ValuesView[Any]):
    _mapping: Any

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping._pairs())


class Items(ItemsView[Any, Any]):
    _mapping: Any

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._mapping._pairs())

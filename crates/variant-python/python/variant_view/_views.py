"""What the mappings of the native module return for their keys, values and items: each is read in one pass."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any


class Keys(KeysView[Any]):
    def __init__(self, mapping: Any) -> None:
        super().__init__(mapping)
        self._view = mapping

    def __iter__(self) -> Iterator[Any]:
        return iter(self._view)


class Values(ValuesView[Any]):
    def __init__(self, mapping: Any) -> None:
        super().__init__(mapping)
        self._view = mapping

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._view._pairs())


class Items(ItemsView[Any, Any]):
    def __init__(self, mapping: Any) -> None:
        super().__init__(mapping)
        self._view = mapping

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._view._pairs())

"""The nodes of a game."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..errors import PathError
from .messages import Node

__all__ = ["Tree", "TreeNode"]

_DEEPEST = 1_024
"""The deepest level whose nodes have a path."""

_NAMED = 5
"""The number of nodes that an error names."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeNode:
    """A node of a game. ``class_name`` is its class, or that of its script."""

    name: str
    class_name: str
    id: int
    depth: int
    scene: str | None
    flags: int | None
    parent: TreeNode | None = field(repr=False)

    @property
    def path(self) -> str:
        """The path, such as ``/root/Main/Door``; of a node deeper than 1,024 levels ``#`` and its id."""
        if self.depth > _DEEPEST:
            return f"#{self.id}"
        names: list[str] = []
        node: TreeNode | None = self
        while node is not None:
            names.append(node.name)
            node = node.parent
        return "".join(f"/{name}" for name in reversed(names))

    def _ends_with(self, steps: list[str]) -> bool:
        node: TreeNode | None = self
        for step in reversed(steps):
            if node is None or node.name != step:
                return False
            node = node.parent
        return True


class Tree:
    """The nodes of a game, depth first. ``str`` of a tree has a line for each node."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes: list[TreeNode] = []
        # The nodes whose children are not complete, and the numbers of missing children. These may be wrong: they only decide the parents.
        open: list[tuple[TreeNode, int]] = []
        for node in nodes:
            while open and open[-1][1] <= 0:
                open.pop()
            parent = None
            if open:
                parent, missing = open[-1]
                open[-1] = parent, missing - 1
            depth = 0 if parent is None else parent.depth + 1
            made = TreeNode(node.name, node.class_name, node.id, depth, node.scene, node.flags, parent)
            self.nodes.append(made)
            open.append((made, node.children))

    def get(self, wanted: str | int) -> TreeNode | None:
        """The node with a path (``/root/Main/Door``), with the end of a path (``Door``, ``Main/Door``), or with an id; ``None`` if there
        is none. Raises PathError if several nodes have the end."""
        if isinstance(wanted, int):
            return next((node for node in self.nodes if node.id == wanted), None)
        steps = wanted.removeprefix("/").split("/")
        is_whole = wanted.startswith("/")
        found = [node for node in self.nodes if (not is_whole or node.depth == len(steps) - 1) and node._ends_with(steps)]
        if len(found) > 1:
            paths = ", ".join(node.path for node in found[:_NAMED])
            raise PathError(f"{len(found)} nodes end with {wanted!r}: {paths}", path=wanted)
        return found[0] if found else None

    def find(self, wanted: str | int) -> TreeNode:
        """The node as ``get`` finds it. Raises PathError if there is none."""
        found = self.get(wanted)
        if found is None:
            raise PathError(f"no node {wanted!r}{self.near(wanted)}", path=str(wanted))
        return found

    def near(self, wanted: str | int) -> str:
        """A phrase about the node with the nearest name, for errors; empty if there is none."""
        name = str(wanted).rsplit("/", 1)[-1]
        # The comparison is slow: names of a game are bounded.
        names = {node.name: node for node in self.nodes[:1_000] if len(node.name) <= 64}
        near = difflib.get_close_matches(name[:64], names, 1)
        return f"; {names[near[0]].path!r} is near" if near else f"; the game has {len(self)} nodes"

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[TreeNode]:
        return iter(self.nodes)

    def __contains__(self, wanted: object) -> bool:
        return isinstance(wanted, (str, int)) and self.get(wanted) is not None

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} nodes>"

    def __str__(self) -> str:
        # The indentation is bounded, so that a deep tree is not quadratic.
        return "\n".join(f"{'  ' * min(node.depth, 32)}{node.name} {node.class_name} #{node.id}" for node in self.nodes)

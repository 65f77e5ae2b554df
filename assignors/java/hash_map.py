"""A Java ``HashMap`` key by key: for buckets that overflow, and for maps that are computed.

A bucket of more than eight keys doubles a map of fewer than 64 buckets and becomes a
red-black tree in a larger one. Iteration still follows a chain through the bucket, but a key
joins it behind its parent in the tree, and the root always moves to the front.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

LONGEST_CHAIN: Final = 8
"""A bucket with more keys overflows."""
_LONGEST_CHAIN_AFTER_TREE: Final = 6
FEWEST_BUCKETS_FOR_TREES: Final = 64
_NOBODY: Final = -1


class Key(NamedTuple):
    """A key as a tree sorts it."""

    hash: int
    """Spread, and signed like Java's ``int``."""
    text: bytes
    """Sorts as ``String.compareTo`` does."""


class HashMap:
    """A map into which distinct keys are inserted by position.

    It has room for ``capacity`` keys at first, rounded up to a power of two: that many buckets.
    """

    def __init__(self, keys: Sequence[Key], capacity: int = 16) -> None:
        """Start empty; ``keys`` are those to insert."""
        self._keys = keys
        self._size = 0
        self._chains: list[list[int]] = [[] for _ in range(1 << max(capacity - 1, 0).bit_length())]
        self._trees: dict[int, _Tree] = {}

    def put(self, position: int) -> None:
        """Insert one key, at the end of its bucket."""
        bucket = self._keys[position].hash & (len(self._chains) - 1)
        if bucket in self._trees:
            self._join_tree(bucket, position)
        else:
            self._chains[bucket].append(position)
            self._overflow_at(LONGEST_CHAIN + 1, bucket)
        self._size += 1
        if self._size > len(self._chains) * 3 // 4:
            self._double()

    def compute_if_absent(self, position: int) -> None:
        """Insert one key at the front of its bucket, as ``computeIfAbsent`` does.

        It doubles the map before the insertion that finds it too full, one later than ``put``,
        and takes a bucket for overflowing one key earlier.
        """
        if self._size > len(self._chains) * 3 // 4:
            self._double()
        bucket = self._keys[position].hash & (len(self._chains) - 1)
        if bucket in self._trees:
            self._join_tree(bucket, position)
        else:
            self._chains[bucket].insert(0, position)
            self._overflow_at(LONGEST_CHAIN, bucket)
        self._size += 1

    def order(self) -> list[int]:
        """Return the positions of the inserted keys in iteration order."""
        return [position for chain in self._chains for position in chain]

    def _join_tree(self, bucket: int, position: int) -> None:
        chain, tree = self._chains[bucket], self._trees[bucket]
        chain.insert(chain.index(tree.insert(position)) + 1, position)
        _put_in_front(chain, tree.root)

    def _overflow_at(self, length: int, bucket: int) -> None:
        if len(self._chains[bucket]) < length:
            return
        if len(self._chains) < FEWEST_BUCKETS_FOR_TREES:
            self._double()
        else:
            self._plant(bucket)

    def _plant(self, bucket: int) -> None:
        tree = self._trees[bucket] = _Tree(self._keys)
        for position in self._chains[bucket]:
            tree.insert(position)
        _put_in_front(self._chains[bucket], tree.root)

    def _double(self) -> None:
        bit = len(self._chains)
        whole, trees = self._chains, self._trees
        low = [[k for k in chain if not self._keys[k].hash & bit] for chain in whole]
        high = [[k for k in chain if self._keys[k].hash & bit] for chain in whole]
        self._chains, self._trees = low + high, {}
        for bucket, tree in trees.items():
            for half in (bucket, bucket + bit):
                if len(self._chains[half]) == len(whole[bucket]):
                    self._trees[half] = tree
                elif len(self._chains[half]) > _LONGEST_CHAIN_AFTER_TREE:
                    self._plant(half)


def _put_in_front(chain: list[int], position: int) -> None:
    chain.remove(position)
    chain.insert(0, position)


class _Tree:
    """A red-black tree of positions in ascending order of their keys (CLRS insertion)."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self.root = _NOBODY
        self._keys = keys
        self._parent: dict[int, int] = {}
        self._child: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._red: set[int] = set()

    def insert(self, node: int) -> int:
        """Insert a position; return its parent before rebalancing."""
        parent, side, below = _NOBODY, 0, self.root
        while below != _NOBODY:
            parent, side = below, int(self._keys[below] < self._keys[node])
            below = self._child[side].get(below, _NOBODY)
        self._parent[node] = parent
        if parent == _NOBODY:
            self.root = node
        else:
            self._child[side][parent] = node
            self._red.add(node)
            self._balance(node)
        return parent

    def _balance(self, node: int) -> None:
        while (parent := self._parent[node]) in self._red:
            above = self._parent[parent]
            side = self._side(parent)
            uncle = self._child[1 - side].get(above, _NOBODY)
            if uncle in self._red:
                self._red -= {parent, uncle}
                self._red.add(above)
                node = above
                continue
            if self._side(node) != side:
                self._rotate(parent, side)
                node, parent = parent, node
            self._red.remove(parent)
            self._red.add(above)
            self._rotate(above, 1 - side)
        self._red.discard(self.root)

    def _side(self, node: int) -> int:
        return int(self._child[1].get(self._parent[node], _NOBODY) == node)

    def _rotate(self, node: int, side: int) -> None:
        """Move the node down to ``side`` and its other child up to its place."""
        riser = self._child[1 - side][node]
        parent = self._parent[node]
        if parent == _NOBODY:
            self.root = riser
        else:
            self._child[self._side(node)][parent] = riser
        self._parent[riser] = parent
        self._parent[node] = riser
        inner = self._child[side].get(riser, _NOBODY)
        self._child[1 - side][node] = inner
        if inner != _NOBODY:
            self._parent[inner] = node
        self._child[side][riser] = node

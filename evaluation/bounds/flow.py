"""Maximum flows in whole numbers of any size, by Dinic's algorithm."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assignors.model import BoolArray, IntArray, LongArray


class Edges(NamedTuple):
    """Edges of a flow network; the three have one length."""

    tails: IntArray | LongArray
    heads: IntArray | LongArray
    sizes: Sequence[int]
    """Their capacities."""


def cut(edges: Sequence[Edges], source: int, sink: int) -> tuple[int, BoolArray | None]:
    """Return the maximum flow, and which of the first nodes it cannot serve; None if it can.

    The first edges leave the source, one to each of the first nodes; the sink is the last node.
    """
    network, demand, value = _Residual(edges, sink + 1), edges[0].sizes, 0
    while (levels := network.levels_to(sink))[source] >= 0:
        value += network.filled(levels, source, sink)
    if value == sum(demand):
        return value, None
    return value, np.array(network.levels_from(source)[: len(demand)]) >= 0


class _Residual:
    """What still fits: edge 2i is the i-th one given, and 2i + 1 leads back from its head."""

    def __init__(self, edges: Sequence[Edges], nodes: int) -> None:
        count = sum(len(part.sizes) for part in edges)
        ends = np.empty((count, 2), np.int64)
        ends[:, 0] = np.concatenate([part.heads for part in edges])
        ends[:, 1] = np.concatenate([part.tails for part in edges])
        self._to: list[int] = ends.ravel().tolist()
        self._room = [size for part in edges for own in part.sizes for size in (own, 0)]
        leaves = ends[:, ::-1].ravel()
        self._of_node: list[int] = np.argsort(leaves, kind="stable").tolist()
        self._starts: list[int] = np.searchsorted(np.sort(leaves), np.arange(nodes + 1)).tolist()

    def levels_from(self, source: int) -> list[int]:
        """Return how many edges with room lead to each node at least; -1 if none do."""
        return self._levels(source, 0)

    def levels_to(self, sink: int) -> list[int]:
        """Return how many edges with room lead from each node to the sink at least, or -1.

        Paths that are chosen by it rarely end before the sink.
        """
        return self._levels(sink, 1)

    def _levels(self, start: int, against: int) -> list[int]:
        levels, reached = [-1] * (len(self._starts) - 1), [start]
        levels[start] = 0
        for node in reached:
            for edge in self._of_node[self._starts[node] : self._starts[node + 1]]:
                other = self._to[edge]
                if levels[other] < 0 and self._room[edge ^ against]:
                    levels[other] = levels[node] + 1
                    reached.append(other)
        return levels

    def filled(self, levels: list[int], source: int, sink: int) -> int:
        """Send what fits along all shortest paths; return how much that is.

        Each step fills an edge or passes one for good: an edge is looked at again only on the way
        of a path that goes through.
        """
        to, room, sent = self._to, self._room, 0
        following, node, path = list(self._starts), source, list[int]()
        while True:
            if node == sink:
                least = min(room[edge] for edge in path)
                sent += least
                for edge in path:
                    room[edge] -= least
                    room[edge ^ 1] += least
                full = next(place for place, edge in enumerate(path) if not room[edge])
                node = to[path[full] ^ 1]
                del path[full:]
            elif (onward := self._next(node, levels, following)) is not None:
                path.append(onward)
                node = to[onward]
            elif path:
                node = to[path.pop() ^ 1]
                following[node] += 1
            else:
                return sent

    def _next(self, node: int, levels: list[int], following: list[int]) -> int | None:
        """Return the first edge of a node that was not passed, has room and leads on."""
        end, wanted = self._starts[node + 1], levels[node] - 1
        for place in range(following[node], end):
            edge = self._of_node[place]
            if self._room[edge] and levels[self._to[edge]] == wanted:
                following[node] = place
                return edge
        following[node] = end
        return None

"""The last stage of franz-go with unequal subscriptions: exchanges that save moves.

Partitions with the same readers are alike, a *kind*. How many of each kind every member has is a
flow; a circle of exchanges that costs less than nothing improves it, and without one the least
possible number of partitions moves. Which of several such flows comes out depends on the order of
the search, so that order is franz-go's own.

Source: kgo/internal/sticky/repair.go of franz-go v1.22.2, whose assignments this reproduces.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

_NEVER: Final = 1 << 62
"""The price of giving away what one does not have."""


class Cell:
    """What one member has of one kind, and what one more or one fewer costs."""

    def __init__(self, kind: int, place: int) -> None:
        """Start with nothing."""
        self.kind, self.place = kind, place
        self.has = self.came_with = 0

    @property
    def to_take(self) -> int:
        """How many more partitions move if the member gets one more."""
        return int(self.has >= self.came_with)

    @property
    def to_give(self) -> int:
        """How many more partitions move if it gives one away."""
        return -int(self.has > self.came_with) if self.has else _NEVER

    def room(self, step: int) -> int:
        """Return how often the price holds, for one more (1) or one fewer (-1)."""
        if step > 0:
            return self.came_with - self.has if self.has < self.came_with else _NEVER
        return self.has - self.came_with if self.has > self.came_with else self.has


class _Arc(NamedTuple):
    """A step from one node to another."""

    origin: int
    node: int
    price: int
    step: tuple[Cell, int] | None = None


class _Circle:
    """Steps that follow each other, each one more or one fewer in a cell."""

    def __init__(self) -> None:
        self.steps: list[tuple[Cell, int]] = []
        self.shifts_load = False

    def turn(self, loads: list[int]) -> None:
        """Take the steps, as often as their price holds; once if members swap their counts."""
        times = 1 if self.shifts_load else min(cell.room(step) for cell, step in self.steps)
        for cell, step in self.steps:
            cell.has += step * times
            loads[cell.place] += step * times


def exchanged(cells: Sequence[Cell], loads: list[int]) -> bool:
    """Turn circles until none saves a move; return whether there were any."""
    has_turned = False
    while circles := _circles(cells, loads):
        has_turned = True
        for circle in circles:
            circle.turn(loads)
    return has_turned


def _circles(cells: Sequence[Cell], loads: Sequence[int]) -> list[_Circle]:
    """Search circles that share no node, by Bellman and Ford; [] if there are none.

    Nodes are kinds, then members, then the counts that members have. From a kind to a member, it
    takes one more; back, it gives one away. A member leads to the count above its own, and a
    count to the members that have it: so two members one apart swap counts.
    """
    kinds = max((cell.kind for cell in cells), default=-1) + 1
    first_count = kinds + len(loads)
    arcs = [*_arcs_of_cells(cells, kinds), *_arcs_of_counts(loads, kinds)]
    costs = [0] * (first_count + len(set(loads) - {0}))
    via: list[_Arc | None] = [None] * len(costs)
    has_fallen = True
    while has_fallen:
        has_fallen = False
        for arc in arcs:
            origin, node, price, _ = arc
            if costs[origin] + price < costs[node]:
                costs[node], via[node], has_fallen = costs[origin] + price, arc, True
        if found := list(_closed(via, first_count)):
            return found
    return []


def _arcs_of_cells(cells: Sequence[Cell], kinds: int) -> Iterator[_Arc]:
    for cell in cells:
        yield _Arc(cell.kind, kinds + cell.place, cell.to_take, (cell, 1))
        yield _Arc(kinds + cell.place, cell.kind, cell.to_give, (cell, -1))


def _arcs_of_counts(loads: Sequence[int], kinds: int) -> Iterator[_Arc]:
    distinct = dict.fromkeys(load for load in loads if load)
    nodes = {load: kinds + len(loads) + at for at, load in enumerate(distinct)}
    for place, load in enumerate(loads):
        if load + 1 in nodes:
            yield _Arc(kinds + place, nodes[load + 1], 0)
        if load:
            yield _Arc(nodes[load], kinds + place, 0)


def _closed(via: Sequence[_Arc | None], first_count: int) -> Iterator[_Circle]:
    """Yield the circles among the arcs by which nodes were reached."""
    seen: list[int | None] = [None] * len(via)
    for start in range(len(via)):
        node = start
        while (arc := via[node]) is not None and seen[node] is None:
            seen[node] = start
            node = arc.origin
        if arc is None or seen[node] != start:
            continue
        circle, first = _Circle(), node
        while arc is not None:
            circle.shifts_load |= node >= first_count
            circle.steps += [arc.step] if arc.step else []
            node = arc.origin
            arc = via[node] if node != first else None
        yield circle


def handed_out(
    cells: Mapping[tuple[int, int], Cell],
    rows: list[list[int]],
    kind_at: Sequence[int],
    origin: Sequence[int],
) -> None:
    """Give members as many of each kind as their cells say, first what they came with."""
    missing = {key: cell.has for key, cell in cells.items()}
    piles: dict[int, list[int]] = {}
    held = [position for row in rows for position in row]
    for row in rows:
        row.clear()
    for position in held:
        key = kind_at[position], origin[position]
        if missing.get(key):
            missing[key] -= 1
            rows[origin[position]].append(position)
        else:
            piles.setdefault(kind_at[position], []).append(position)
    for (kind, place), number in missing.items():
        pile = piles.get(kind, [])
        rows[place] += pile[:number]
        del pile[:number]

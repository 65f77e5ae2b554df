"""Which consumers a flow picture shows separately, which together, and how large."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors.model import UNOWNED
from charts.labels import short_names
from evaluation.consumer_labels import labels
from evaluation.rebalance.simulation import Flows, Rebalance, flows
from evaluation.wording import natural

MOST_APART: Final = 16
"""Up to this many consumers have a slot each."""
_APART_OF_MANY: Final = 10
"""Of more, only this many do: those that give or take most."""
_LEAST_HEIGHT: Final = 17.0
_TALLEST: Final = 56.0
_TALLEST_CROWD: Final = 80.0
_ALL_APART: Final = 300.0

_Numbers = npt.NDArray[np.int64]


class Link(NamedTuple):
    """Partitions that moved from one slot to another, or stayed in one."""

    source: int
    target: int
    is_kept: bool
    partitions: int


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One consumer, several together, or unowned partitions. Sizes are in pixels."""

    name: str
    label: str
    """The shortest distinct name."""
    before: int
    """Partitions owned before."""
    after: int
    has_members: bool
    """Whether any of its consumers is in the group after the event."""
    is_nobody: bool
    scale: float
    """Pixels per partition; smaller for many consumers together, which would dwarf the rest."""

    @property
    def height(self) -> float:
        """The height of the slot."""
        return max(self.scale * max(self.before, self.after), _LEAST_HEIGHT)


class _Seat(NamedTuple):
    name: str
    label: str
    holders: _Numbers
    """Consumers, numbered as in ``Rebalance.before``."""
    is_crowd: bool = False


def picture_of(rebalance: Rebalance) -> tuple[list[Slot], list[Link]]:
    """Return the slots, top to bottom, and the links between them.

    Up to ``MOST_APART`` consumers have a slot each, as people count (1, 2, 10). Of more, only those
    that give or take most do; the others that give or take share a slot, those that keep everything
    a second, idle ones a third. Unowned partitions come last.
    """
    moves = flows(rebalance)
    seats = [*_seats(rebalance, moves)]
    seat_of = np.empty(len(rebalance.holders) + 1, np.int64)  # the last one: nobody
    for k, seat in enumerate(seats):
        seat_of[seat.holders] = k
    before = _totals(seat_of[moves.source], moves.partitions, len(seats))
    after = _totals(seat_of[moves.target], moves.partitions, len(seats))
    largest = np.maximum(before, after)
    is_member = np.arange(seat_of.size) < rebalance.group.member_count
    scale = _scale(largest, np.array([seat.is_crowd for seat in seats], np.bool_))
    slots = [
        Slot(
            name=seat.name,
            label=seat.label,
            before=int(before[k]),
            after=int(after[k]),
            has_members=bool(is_member[seat.holders].any()),
            is_nobody=bool(seat.holders[0] == UNOWNED),
            scale=float(scale[k]),
        )
        for k, seat in enumerate(seats)
    ]
    return slots, _links(moves, seat_of)


def _seats(rebalance: Rebalance, moves: Flows) -> Iterator[_Seat]:
    names = rebalance.holders
    client_ids = rebalance.group.layout.client_ids
    told = labels(names, client_ids)
    order = np.array(
        sorted(range(len(names)), key=lambda h: (natural(told[h]), names[h])), np.int64
    )
    apart, crowds = _split(order, moves) if order.size > MOST_APART else (order, [])
    shown = short_names(labels([names[h] for h in apart], client_ids))
    for holder, label in zip(apart.tolist(), shown, strict=True):
        left = " (left)" if holder >= rebalance.group.member_count else ""
        yield _Seat(names[holder] + left, label + left, np.array([holder]))
    for what, crowd in crowds:
        label = f"{crowd.size:,} {what}"
        yield _Seat(label, label, crowd, is_crowd=True)
    if (moves.source == UNOWNED).any() or (moves.target == UNOWNED).any():
        yield _Seat("nobody", "nobody", np.array([UNOWNED]), is_crowd=len(crowds) > 0)


def _split(order: _Numbers, moves: Flows) -> tuple[_Numbers, list[tuple[str, _Numbers]]]:
    """Return the consumers to show separately, and the rest by what happens to them."""
    size = order.size + 1  # the last one: nobody
    is_moved = moves.source != moves.target
    moving = _totals(moves.source[is_moved], moves.partitions[is_moved], size)
    moving += _totals(moves.target[is_moved], moves.partitions[is_moved], size)
    held = _totals(moves.source, moves.partitions, size)
    first = order[np.argsort(-moving[order], kind="stable")][:_APART_OF_MANY]
    is_apart = np.isin(order, first[moving[first] > 0])
    apart, rest = order[is_apart], order[~is_apart]
    gives, keeps = moving[rest] > 0, held[rest] > 0
    crowds = [
        ("others", rest[gives]),
        ("unchanged", rest[~gives & keeps]),
        ("idle", rest[~gives & ~keeps]),
    ]
    return apart, [(what, crowd) for what, crowd in crowds if crowd.size]


def _links(moves: Flows, seat_of: _Numbers) -> list[Link]:
    totals: dict[tuple[int, int, bool], int] = {}
    keys = zip(
        seat_of[moves.source].tolist(),
        seat_of[moves.target].tolist(),
        (moves.source == moves.target).tolist(),
        strict=True,
    )
    for key, partitions in zip(keys, moves.partitions.tolist(), strict=True):
        totals[key] = totals.get(key, 0) + partitions
    return [Link(*key, partitions) for key, partitions in totals.items()]


def _scale(largest: _Numbers, is_crowd: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return pixels per partition: one scale for separate consumers, less for large others."""
    apart = largest[~is_crowd] if (~is_crowd).any() else largest
    tallest = float(np.clip(_ALL_APART / max(apart.size, 1), _LEAST_HEIGHT, _TALLEST))
    scale = tallest / max(int(apart.max(initial=1)), 1)
    return np.where(is_crowd, np.minimum(scale, _TALLEST_CROWD / np.maximum(largest, 1)), scale)


def _totals(keys: npt.NDArray[np.integer], values: _Numbers, size: int) -> _Numbers:
    """Return the sum of the values of each key; key -1 is the last one."""
    return np.bincount(keys % size, values, minlength=size).astype(np.int64)

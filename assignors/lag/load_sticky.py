"""Load-sticky: the most even load within a budget of moved partitions.

docs/load-sticky.md defines every choice and tie, for this module and its ports alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heapreplace
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from assignors.lag.even_counts import cheaper_cycles
from assignors.lag.least_loaded import least_loaded
from assignors.lag.local_search import Exchange, LocalSearch, Terms
from assignors.lag.weights import slack, tolerance_of, weights_of
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.single_member import unless_single_member
from assignors.sums import sums
from assignors.trace.events import Trace
from assignors.trace.rules import (
    AtRest,
    NothingByChoice,
    OverBudget,
    Placed,
    PresentOwner,
    Relief,
    StillSubscribes,
)

_MOVE_SCORE: Final = 2
"""A swap moves two partitions, so it must gain as much as two moves."""


class CountedStep(NamedTuple):
    """One step from the present owners towards even load."""

    moves: tuple[tuple[int, int], ...]
    """Partitions and their new owners."""
    moved: int
    """How many partitions have left an owner they could have stayed with, gifts aside."""
    is_gift: bool
    """Whether it serves a consumer that held nothing, which the budget does not limit."""


@unless_single_member
def load_sticky(group: Group, moves: int | None = None, *, trace: Trace | None = None) -> Owners:
    """Keep the present owners, serve who holds nothing, then move up to ``moves`` off the busiest.

    Partitions without a valid owner are placed first, heaviest first, on the least loaded. Members
    that held nothing then take from the busiest up to an even share, which the budget does not
    limit. Last, partitions leave the busiest member one at a time, or are swapped if that gains as
    much as two moves; if no step relieves it, the next busiest follows. Nothing leaves a member
    within 5 % of an even share, nor while only some loads are known, unless nobody owns anything.
    ``moves`` defaults to a tenth of the partitions that could stay, rounded up. The group's
    ``load_settings`` may say other than 5 % and a tenth.

    A partition weighs 1 plus its load; the load is ``group.weights``, whatever they measure. Where
    all weigh the same, counts are as even as possible, then racks matched, then moves fewest.
    Elsewhere each step is the best one, but their sum need not be: of 9, 8 and 4 beside a consumer
    with 3 and one with 1, two moves end at 10, because 9 moves first; 9 is possible.

    >>> lags = {"t": [49, 39, 29, 19, 9, 4, 4, 0]}
    >>> group = Group.fresh({"t": 8}, ["c0", "c1", "c2", "c3"], lags)
    >>> group = group.owned_by(np.array([0, 0, 0, 0, 1, 1, 2, 2], np.int32))
    >>> group.named(load_sticky(group))  # doctest: +NORMALIZE_WHITESPACE
    {'c0': ('t-2', 't-3'), 'c1': ('t-4', 't-5'), 'c2': ('t-1', 't-6', 't-7'), 'c3': ('t-0',)}
    """
    owners, number = placed_owners(group, trace), 0
    budget = default_moves(group) if moves is None else moves
    steps = enumerate(counted_steps(group, owners), 1)
    for number, step in steps:
        if step.moved > budget:
            if trace:
                _tell_late(trace, chain([(number, step)], steps), budget)
            break
        for partition, member in step.moves:
            owners[partition] = member
        if trace:
            partitions, members = zip(*step.moves, strict=True)
            trace.moved(partitions, members, Relief(number, step.is_gift))
    if trace and (group.fit_owners != UNOWNED).any():
        if weights_of(group).is_partial:
            trace.note(NothingByChoice())
        elif not number:
            trace.note(AtRest())
    return owners


def _tell_late(trace: Trace, steps: Iterable[tuple[int, CountedStep]], budget: int) -> None:
    """Tell of each partition the first step that would still have moved it."""
    late: dict[int, None] = {}
    excess: tuple[int, int] | None = None
    for number, step in steps:
        excess = excess or (number, step.moved)
        new = {partition: member for partition, member in step.moves if partition not in late}
        late |= dict.fromkeys(new)
        trace.note(OverBudget(number, budget, *excess), list(new), list(new.values()))


def cooperative_load_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member still owns (KIP-429).

    The round after completes the target, because each withheld partition is promised to its new
    owner in that member's user data.
    """
    owners = load_sticky(group)
    present = group.present_owners
    owners[(present != UNOWNED) & (present != owners)] = UNOWNED
    return owners


def default_moves(group: Group) -> int:
    """Return the share of the partitions that could stay with their owner, rounded up."""
    homes = int(np.count_nonzero(group.fit_owners != UNOWNED))
    return -(-homes * group.load_settings.moves_permille // 1000)


def joiners_of(group: Group) -> IntArray:
    """Return the members that own nothing they could keep, of those that could own something."""
    members = group.layout.taking_part
    kept = np.bincount(group.fit_owners + 1, minlength=group.member_count + 1)[1:]
    joiners: IntArray = members[kept[members] == 0]
    return joiners


def placed_owners(group: Group, trace: Trace | None = None) -> Owners:
    """Return the present owners that still subscribe, with all other partitions placed."""
    owners, weights = group.fit_owners.copy(), weights_of(group).of
    if trace:
        stays = np.flatnonzero(owners != UNOWNED)
        trace.note(PresentOwner())
        trace.kept(stays, owners[stays], StillSubscribes())
    free = group.wanted[owners[group.wanted] == UNOWNED]
    if free.size:
        heaviest_first = free[(-weights[free]).argsort(kind="stable")]
        placing = _Placing(group, owners)
        owners[heaviest_first] = placing.seats(heaviest_first)
        if trace:
            trace.assigned(heaviest_first, owners[heaviest_first], Placed(placing.is_near))
    return owners


def counted_steps(group: Group, owners: Owners) -> Iterator[CountedStep]:
    """Yield all steps from these owners towards even load, whatever the budget."""
    home, owners, away, exempt = group.fit_owners, owners.copy(), 0, 0
    for step, is_gift in _steps(group, owners):
        before = away
        for partition, member in step:
            if home[partition] != UNOWNED:
                away += int(member != home[partition]) - int(owners[partition] != home[partition])
            owners[partition] = member
        exempt += away - before if is_gift else 0
        yield CountedStep(tuple(step), away - exempt, is_gift)


def _steps(group: Group, owners: Owners) -> Iterator[tuple[Exchange, bool]]:
    """Yield each step, and whether it serves a joiner; the caller applies it to ``owners``."""
    weights, joiners = weights_of(group), joiners_of(group)
    terms = Terms(move_score=_MOVE_SCORE, tolerance=tolerance_of(group))
    search = LocalSearch(group, weights.of, owners.copy(), terms)
    is_relieved = True
    while is_relieved:
        is_relieved = False
        if joiners.size:
            most = -(-group.wanted.size // group.layout.taking_part.size)
            yield from ((step, True) for step in search.feed(joiners, most))
        if weights.is_partial and (group.fit_owners != UNOWNED).any():
            return
        for step in search.relieve():
            is_relieved = True
            yield step, False
        is_relieved &= bool(np.isin(joiners, owners, invert=True).any())
    if weights.are_counts:
        yield from ((step, False) for step in cheaper_cycles(group, owners))


class _Placing:
    """Loads and counts while partitions are placed, in one key with each member's number."""

    def __init__(self, group: Group, owners: Owners) -> None:
        self._group, self._weights, size = group, weights_of(group), group.member_count
        self._size, self._unit = size, size * (group.partition_count + 1)
        self._loads = sums(owners + 1, self._weights.of, size + 1)[1:]
        self._counts = np.bincount(owners + 1, minlength=size + 1)[1:]
        loaded = zip(self._loads.tolist(), self._counts.tolist(), strict=True)
        self._keys = [
            load * self._unit + count * size + member for member, (load, count) in enumerate(loaded)
        ]
        even = int(self._weights.of.sum()) // max(group.layout.taking_part.size, 1)
        self._most = even + slack(even, tolerance_of(group))
        self._heaps: dict[int, dict[int, list[int]]] = {}
        self.is_near: list[bool] = []
        """Whether each partition so far went by racks."""

    def seats(self, partitions: LongArray) -> IntArray:
        """Return the member that takes each partition, in this order."""
        group, weights = self._group, self._weights.of[partitions]
        alike = group.layout.only_audience
        if alike is not None and not group.layout.racks:
            self.is_near = [False] * partitions.size
            return alike[least_loaded(self._loads[alike], self._counts[alike], weights)]
        audiences = group.audiences.of_topic[group.topic_of_partition[partitions]].tolist()
        racks_near = group.layout.racks_near
        near = [racks_near[partition] for partition in partitions.tolist()]
        rows = zip(audiences, near, weights.tolist(), strict=True)
        return np.array([self._seat(*row) for row in rows], np.int32)

    def _seat(self, audience: int, near: Sequence[int], weight: int) -> int:
        """Return the least loaded member of a rack nearby if it has room, else of all."""
        heaps = self._by_rack(audience)
        nearby = [heaps[rack] for rack in near if rack in heaps]
        heap = min(nearby, key=self._front, default=None)
        is_near = heap is not None and self._front(heap) // self._unit + weight <= self._most
        self.is_near.append(is_near)
        if heap is None or not is_near:
            heap = min(heaps.values(), key=self._front)
        member = self._front(heap) % self._size
        self._keys[member] += weight * self._unit + self._size
        return member

    def _by_rack(self, audience: int) -> dict[int, list[int]]:
        """Return a heap of keys for each rack of this audience, made when first asked for."""
        if audience not in self._heaps:
            heaps = self._heaps.setdefault(audience, {})
            for member in self._group.audiences.members_of(audience).tolist():
                rack = int(self._group.layout.member_racks[member])
                heaps.setdefault(rack, []).append(self._keys[member])
            for heap in heaps.values():
                heapify(heap)
        return self._heaps[audience]

    def _front(self, heap: list[int]) -> int:
        """Return the least key; what a heap holds only ever lags behind."""
        while heap[0] != (now := self._keys[heap[0] % self._size]):
            heapreplace(heap, now)
        return heap[0]

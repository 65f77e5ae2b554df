"""Local search: relieve the busiest member by one move or swap at a time."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from assignors import ragged
from assignors.lag.greedy import by_lag, comparable_lags, lag_of_each, only_audience
from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners

Exchange: TypeAlias = list[tuple[int, int]]
"""Partitions that move together, with their new owners: one for a move, two for a swap."""
PAIRS: Final = 30_000
"""The search compares this many pairs of members before it stops: about a second."""
_NONE: Final = np.zeros(1, np.int64)
_BEYOND: Final = np.full(1, np.iinfo(np.int64).max)


class CountLimits(NamedTuple):
    """The fewest and the most partitions each member may hold; both of shape (M,)."""

    fewest: LongArray
    most: LongArray


class _Exchange(NamedTuple):
    """The best step found; -1 for no partition in return."""

    gain: int
    """By how much the fuller of the two ends lower, times the swap's cost for a move."""
    giver: int
    taker: int
    given: int
    returned: int


class _Giver(NamedTuple):
    """The busiest member during one search for a step."""

    member: int
    held: IntArray
    """Its partitions, least lag first."""
    lags: LongArray
    """The lag of each of them."""
    gaps: LongArray
    """By how much less each member of the search carries."""


class Search:
    """An assignment under improvement.

    Internally, partitions are numbered by ascending lag, so that what a member holds is one
    sorted array. Each step takes lag from the busiest member and leaves the recipient below the
    old maximum. So the sum of squared totals falls and the search terminates, after ``PAIRS``
    comparisons at the latest.

    Lags are ``comparable_lags``: records, unless the group has more than 2^62 of them.
    """

    def __init__(
        self, group: Group, owners: Owners, limits: CountLimits, swap_cost: int = 1
    ) -> None:
        """Start from these owners; a swap must gain as much as ``swap_cost`` moves."""
        self._group, self._limits, self._swap_cost = group, limits, swap_cost
        self._given, self._loads = owners, lag_of_each(group, owners)
        alike = only_audience(group)
        self._members = np.unique(group.audiences.members) if alike is None else alike
        self._are_alike = alike is not None
        self._most = limits.most[self._members]
        self._pairs_left = PAIRS
        self._even = -(-int(self._loads.sum()) // max(self._members.size, 1))
        self._held: list[IntArray] = []
        """What each member holds; empty until the first step is searched for."""

    @property
    def largest(self) -> int:
        """The lag of the busiest member, in the search's own unit."""
        return int(self._loads.max(initial=0))

    @property
    def is_best(self) -> bool:
        """Whether a simple bound proves the largest lag optimal.

        Either the busiest member has an even share, or a single partition has all of its lag.
        """
        if not self._loads.size:
            return True
        busiest = int(self._loads.argmax())
        largest = int(self._loads[busiest])
        return largest <= self._even or self._most_in_one(busiest) == largest

    @property
    def owners(self) -> Owners:
        """(P,) the current assignment."""
        if not self._held:
            return self._given.copy()
        owners = self._group.nobody()
        for member, ranks in enumerate(self._held):
            owners[self._order[ranks]] = member
        return owners

    def steps(self) -> Iterator[Exchange]:
        """Take one step after another, yielding each.

        Ends when no step helps, the busiest member has an even share, or ``PAIRS`` are used up.
        """
        if self.is_best:
            return
        self._lay_out()
        while (step := self._best()) is not None:
            self._hand_over(step.given, step.giver, step.taker)
            moves = [(int(self._order[step.given]), step.taker)]
            if step.returned >= 0:
                self._hand_over(step.returned, step.taker, step.giver)
                moves.append((int(self._order[step.returned]), step.giver))
            yield moves

    def _most_in_one(self, member: int) -> int:
        """Return the largest lag of a single partition of the member."""
        if self._held:
            return int(self._ends[1, member])
        return int(comparable_lags(self._group)[self._given == member].max(initial=0))

    def _lay_out(self) -> None:
        """Sort the owned partitions by lag, one row per owner."""
        group, order = self._group, by_lag(self._group)[::-1]
        owners = self._given[order]
        if int(owners.min()) == UNOWNED:
            order, owners = order[owners != UNOWNED], owners[owners != UNOWNED]
        self._order, self._lags = order, comparable_lags(group)[order]
        starts, ranks = ragged.rows_by_key(owners, group.member_count)
        cuts = starts.tolist()
        self._held = [ranks[start:stop] for start, stop in pairwise(cuts)]
        self._counts = starts[1:] - starts[:-1]
        lags = np.append(self._lags[ranks], 0)
        ends = np.array([lags[starts[:-1]], lags[starts[1:] - 1]])
        self._ends = np.where(self._counts > 0, ends, 0)
        self._topics = group.topic_of_partition[order]

    def _hand_over(self, rank: int, giver: int, taker: int) -> None:
        lag, gives, takes = self._lags[rank], self._held[giver], self._held[taker]
        out, into = int(gives.searchsorted(rank)), int(takes.searchsorted(rank))
        self._held[giver] = np.concatenate([gives[:out], gives[out + 1 :]])
        self._held[taker] = np.concatenate([takes[:into], gives[out : out + 1], takes[into:]])
        for member, sign in ((giver, -1), (taker, 1)):
            self._loads[member] += sign * lag
            self._counts[member] += sign
            held = self._held[member]
            ends = (self._lags[held[0]], self._lags[held[-1]]) if held.size else (0, 0)
            self._ends[:, member] = ends

    def _best(self) -> _Exchange | None:
        """Return the step with the largest gain, moves before swaps, then to the emptiest."""
        member = int(self._loads.argmax())
        load, held = self._loads[member], self._held[member]
        if load <= self._even or self._ends[1, member] == load:
            return None  # as in ``is_best``
        lags, gaps = self._lags[held], load - self._loads[self._members]
        giver = _Giver(member, held, lags, gaps)
        by_move, by_swap = self._hopes(giver)
        best = _Exchange(0, -1, -1, -1, -1)
        for hopes, cost, between in (
            (by_move, self._swap_cost, self._move),
            (by_swap, 1, self._swap),
        ):
            for place in np.lexsort((-gaps, -hopes)).tolist():  # ties go to the larger gap
                if hopes[place] * cost <= best.gain or not self._pairs_left:
                    break
                self._pairs_left -= 1
                gain, given, returned = between(giver, place)
                if gain * cost > best.gain:
                    taker = int(self._members[place])
                    best = _Exchange(gain * cost, member, taker, given, returned)
        return best if best.gain else None

    def _hopes(self, giver: _Giver) -> tuple[LongArray, LongArray]:
        """Return upper bounds on the gain of a move to and a swap with each member.

        A lag within the gap gains at most itself, less what comes back, and nothing gains more than
        half of the gap. A larger lag can only be swapped for one that is close to it.
        """
        least, most = self._ends.take(self._members, axis=1)
        half = giver.gaps >> 1
        # Sentinels: no lag in front, an unreachable one at the end.
        lags = np.concatenate([_NONE, giver.lags, _BEYOND])
        above = giver.lags.searchsorted(giver.gaps, side="right")
        small, large = lags.take(above), lags.take(above + 1)
        by_move = np.minimum(small, half)
        by_move[self._counts.take(self._members) >= self._most] = 0
        if self._counts[giver.member] <= self._limits.fewest[giver.member]:
            by_move[:] = 0
        by_swap = np.where(large - most < giver.gaps, half, np.minimum(small - least, half))
        return by_move, by_swap

    def _move(self, giver: _Giver, place: int) -> tuple[int, int, int]:
        """Return the best gain of a move to the member at this position, and what moves."""
        held, lags = self._wanted(giver, place)
        gap = int(giver.gaps[place])
        above = int(lags.searchsorted(gap // 2))
        first = max(above - 1, 0)
        near = enumerate(lags[first : above + 1].tolist(), first)
        gain, given = max(((min(lag, gap - lag), rank) for rank, lag in near), default=(0, 0))
        return (gain, int(held[given]), -1) if gain > 0 else (0, -1, -1)

    def _swap(self, giver: _Giver, place: int) -> tuple[int, int, int]:
        """Return the best gain of a swap with this member, and the two partitions."""
        takes = self._held[self._members[place]]
        held, lags = self._wanted(giver, place)
        if not self._are_alike:
            takes = takes[self._wants(giver.member, takes)]
        gain, given, taken = _fit(lags, self._lags[takes], int(giver.gaps[place]))
        return (gain, int(held[given]), int(takes[taken])) if gain else (0, -1, -1)

    def _wanted(self, giver: _Giver, place: int) -> tuple[IntArray, LongArray]:
        """Return the giver's partitions that this member subscribes to, and their lags."""
        if self._are_alike:
            return giver.held, giver.lags
        taker = int(self._members[place])
        wants = self._wants(taker, giver.held)
        return giver.held[wants], giver.lags[wants]

    def _wants(self, member: int, ranks: IntArray) -> BoolArray:
        """Return for each partition whether the member subscribes to it."""
        subscribes = self._group.subscribes[self._group.class_of_member[member]]
        wants: BoolArray = subscribes[self._topics[ranks]]
        return wants


def _fit(gives: LongArray, takes: LongArray, gap: int) -> tuple[int, int, int]:
    """Return the gain of the best exchange and the positions of its two lags; gain 0 if none.

    Both arrays ascend. An exchange that hands over d of a gap g lowers the fuller total by
    min(d, g - d), so the best one is nearest to half of the gap.
    """
    if not gives.size or not takes.size:
        return 0, 0, 0
    above = gives.searchsorted(takes + gap // 2)
    over = gives[np.minimum(above, gives.size - 1)] - takes
    under = gives[np.maximum(above - 1, 0)] - takes
    gains = np.concatenate([np.minimum(over, gap - over), np.minimum(under, gap - under)])
    best = int(np.argmax(gains))
    side, taken = divmod(best, takes.size)
    given = int(above[taken]) - side
    return max(int(gains[best]), 0), min(max(given, 0), gives.size - 1), taken

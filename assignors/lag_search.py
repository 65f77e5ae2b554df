"""Improve an assignment at its fullest member, one move or swap at a time."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.lag_deal import comparable_lags, lag_of_each, only_audience
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners

_PAIRS: Final = 30_000
"""So often the search looks at two members before it takes what it has: about a second."""
_NOTHING: Final = np.zeros(1, np.int64)


class Limits(NamedTuple):
    """How few and how many partitions each member may hold; both of shape (M,)."""

    fewest: LongArray
    most: LongArray


class _Step(NamedTuple):
    """What to do next; -1 for no partition in return."""

    gain: int
    """How much lower the fuller of the two ends, times the swap's cost for a move."""
    giver: int
    taker: int
    given: int
    returned: int


def cannot_improve(group: Group, owners: Owners) -> bool:
    """Tell whether the fullest member's lag is all in one partition: then no step helps.

    That partition is as much for whoever takes it, so ``Search`` would find nothing either.
    """
    loads = lag_of_each(group, owners)
    if not loads.size:
        return True
    fullest = int(loads.argmax())
    return int(loads[fullest]) == int(comparable_lags(group)[owners == fullest].max(initial=0))


class Search:
    """An assignment under improvement.

    Inside, partitions are numbered by lag, the least first, so that what a member holds is
    one ascending array. Each step takes lag from the fullest member and leaves the one it
    goes to below the old maximum: the sum of squared totals falls, so steps come to an end,
    and those that near the best by single records at ``_PAIRS``.

    Lags are ``comparable_lags``: records, unless the group has more than 2^62 of them.
    """

    def __init__(self, group: Group, owners: Owners, limits: Limits, swap_cost: int = 1) -> None:
        """Take the owners over; a swap must gain as much as ``swap_cost`` moves."""
        self._group, self._limits, self._swap_cost = group, limits, swap_cost
        held, alike = np.flatnonzero(owners != UNOWNED), only_audience(group)
        self._order = held[np.lexsort((-held, group.counted_lags[held]))]
        self._lags = comparable_lags(group)[self._order]
        starts, ranks = ragged.rows_by_key(owners[self._order], group.member_count)
        self._held = [ranks[start:stop] for start, stop in pairwise(starts.tolist())]
        self._counts = starts[1:] - starts[:-1]
        self._loads = lag_of_each(group, owners)
        ends = [self._least_and_most(ranks) for ranks in self._held]
        self._ends = np.array(ends, np.int64).reshape(-1, 2).T
        self._topics = group.topic_of_partition[self._order]
        self._members = np.unique(group.audiences.members) if alike is None else alike
        self._are_alike = alike is not None
        self._pairs_left = _PAIRS
        self._even = -(-int(self._loads.sum()) // max(self._members.size, 1))

    @property
    def largest(self) -> int:
        """The lag of the fullest member, in the search's own unit."""
        return int(self._loads.max(initial=0))

    @property
    def owners(self) -> Owners:
        """The assignment as it stands."""
        owners = self._group.nobody()
        for member, ranks in enumerate(self._held):
            owners[self._order[ranks]] = member
        return owners

    def steps(self) -> Iterator[list[tuple[int, int]]]:
        """Take one step after the other, yielding each: partitions and their new owners.

        Ends when no step helps, or when the fullest has an even share, or patience is used up.
        """
        while self.largest > self._even and (step := self._best()) is not None:
            self._hand_over(step.given, step.giver, step.taker)
            moves = [(int(self._order[step.given]), step.taker)]
            if step.returned >= 0:
                self._hand_over(step.returned, step.taker, step.giver)
                moves.append((int(self._order[step.returned]), step.giver))
            yield moves

    def _hand_over(self, rank: int, giver: int, taker: int) -> None:
        lag, gives, takes = self._lags[rank], self._held[giver], self._held[taker]
        out, into = int(gives.searchsorted(rank)), int(takes.searchsorted(rank))
        self._held[giver] = np.concatenate([gives[:out], gives[out + 1 :]])
        self._held[taker] = np.concatenate([takes[:into], gives[out : out + 1], takes[into:]])
        for member, sign in ((giver, -1), (taker, 1)):
            self._loads[member] += sign * lag
            self._counts[member] += sign
            self._ends[:, member] = self._least_and_most(self._held[member])

    def _least_and_most(self, ranks: IntArray) -> tuple[int, int]:
        return (int(self._lags[ranks[0]]), int(self._lags[ranks[-1]])) if ranks.size else (0, 0)

    def _best(self) -> _Step | None:
        """Return the step that gains most, moves before swaps, then to the emptiest."""
        giver = int(self._loads.argmax())
        if self._ends[1, giver] == self._loads[giver]:
            return None  # as in ``cannot_improve``
        gaps = self._loads[giver] - self._loads[self._members]
        by_move, by_swap = self._hopes(giver, gaps)
        best = _Step(0, -1, -1, -1, -1)
        for hopes, cost, between in (
            (by_move, self._swap_cost, self._move),
            (by_swap, 1, self._swap),
        ):
            if int(hopes.max()) * cost <= best.gain:
                continue
            for place in np.lexsort((-gaps, -hopes)).tolist():
                if hopes[place] * cost <= best.gain or not self._pairs_left:
                    break
                self._pairs_left -= 1
                step = between(giver, int(self._members[place]), int(gaps[place]))
                if step.gain > best.gain:
                    best = step
        return best if best.gain else None

    def _hopes(self, giver: int, gaps: LongArray) -> tuple[LongArray, LongArray]:
        """Return what a move and a swap with each member can gain at best.

        A lag that does not exceed the gap gains no more than itself, less what comes back,
        and nothing gains more than half of the gap. A larger lag can only be swapped, for
        one that is near it.
        """
        gives = self._lags[self._held[giver]]
        least, most = self._ends[:, self._members]
        above = gives.searchsorted(gaps, side="right")
        half = gaps // 2
        small = np.where(above > 0, gives[above - 1], 0)
        large = gives[np.minimum(above, gives.size - 1)]
        is_near = (above < gives.size) & (large - most < gaps)
        has_room = self._counts[self._members] < self._limits.most[self._members]
        may_move = has_room & (self._counts[giver] > self._limits.fewest[giver])
        by_move = np.where(may_move, np.minimum(small, half), 0)
        return by_move, np.where(is_near, half, np.minimum(small - least, half))

    def _move(self, giver: int, taker: int, gap: int) -> _Step:
        gives = self._wanted(self._held[giver], taker)
        gain, given, _ = _fit(self._lags[gives], _NOTHING, gap)
        return _Step(gain * self._swap_cost, giver, taker, int(gives[given]) if gain else -1, -1)

    def _swap(self, giver: int, taker: int, gap: int) -> _Step:
        gives = self._wanted(self._held[giver], taker)
        takes = self._wanted(self._held[taker], giver)
        gain, given, taken = _fit(self._lags[gives], self._lags[takes], gap)
        if not gain:
            return _Step(0, giver, taker, -1, -1)
        return _Step(gain, giver, taker, int(gives[given]), int(takes[taken]))

    def _wanted(self, ranks: IntArray, member: int) -> IntArray:
        """Return those of the partitions that the member subscribes to."""
        if self._are_alike:
            return ranks
        group = self._group
        is_wanted = group.subscribes[group.class_of_member[member], self._topics[ranks]]
        wanted: IntArray = ranks[is_wanted]
        return wanted


def _fit(gives: LongArray, takes: LongArray, gap: int) -> tuple[int, int, int]:
    """Return the gain of the best exchange and the places of its two lags; gain 0 if none.

    Both arrays ascend. An exchange that hands over d of a gap g lowers the fuller total by
    the smaller of d and g - d, so the best one is the nearest to half of the gap.
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

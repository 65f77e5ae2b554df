"""Local search: relieve the busiest member by one move or swap at a time."""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from assignors import ragged
from assignors.lag.weights import slack
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.sums import sums

Exchange: TypeAlias = list[tuple[int, int]]
"""Partitions that move together, with their new owners: one for a move, two for a swap."""
COMPARISONS: Final = 30_000
"""The search compares this many pairs of members before it stops."""
_AT_ONCE: Final = 4_000
"""Partitions whose swaps are compared in one go."""


class CountLimits(NamedTuple):
    """The fewest and the most partitions each member may hold; both of shape (M,)."""

    fewest: LongArray
    most: LongArray


class Terms(NamedTuple):
    """What a search may do, and when it stops."""

    limits: CountLimits | None = None
    move_score: int = 1
    """What a move's gain counts beside that of a swap."""
    tolerance: int = 0
    """Members within this many millionths of an even share need no relief."""
    is_for_largest: bool = False
    """Whether the search ends once no assignment can have a lower largest load."""


class _Step(NamedTuple):
    """A move or swap, partitions by rank; -1 for nothing in return."""

    giver: int
    taker: int
    given: int
    returned: int = -1


class _Swaps(NamedTuple):
    """Members that may take part in a swap, the emptiest first; all of one shape."""

    takers: IntArray
    halves: LongArray
    """Of the gaps between the giver and them."""
    hopes: LongArray
    """What a swap may gain, by which comparisons count."""
    bounds: LongArray
    """What a swap gains at most."""

    def open(self, first: int, score: int) -> IntArray:
        """Return the takers, from this place on, with whom a swap may gain more than the score."""
        most = np.minimum(self.hopes, np.minimum(self.halves, self.bounds))
        return self.takers[first:][most[first:] > score]


class LocalSearch:
    """An assignment under improvement; docs/load-sticky.md defines every choice and tie.

    Internally, partitions have ranks by ascending weight, ties by number, so that what a member
    holds is one sorted array. Each step leaves both of its members below what the fuller one had.
    So the sum of squared loads falls and the search terminates, after ``COMPARISONS`` at the
    latest.
    """

    def __init__(self, group: Group, weights: LongArray, owners: Owners, terms: Terms) -> None:
        """Start from these owners; the total of the weights must be below 2^63."""
        self._group, self._weight_of, self._given = group, weights, owners
        self._terms, self._limits, self._move_score = terms, terms.limits, terms.move_score
        self._loads = sums(owners + 1, weights, group.member_count + 1)[1:]
        self._counts = np.bincount(owners + 1, minlength=group.member_count + 1)[1:]
        self._members, self._are_alike = (
            group.layout.taking_part,
            group.layout.only_audience is not None,
        )
        self._comparisons_left = COMPARISONS
        self._held: list[IntArray] = []
        """What each member holds; empty until the first step is searched for."""

    @property
    def largest(self) -> int:
        """The load of the busiest member."""
        return int(self._loads.max(initial=0))

    @property
    def is_best(self) -> bool:
        """Whether a simple bound proves the largest load optimal."""
        return self.largest <= self._bound

    @cached_property
    def _bound(self) -> int:
        """The least that the largest load can be.

        Some member carries an even share, and some has the heaviest partition, with as many of the
        lightest as the limits make everyone hold.
        """
        weights = self._weight_of[self._given != UNOWNED]
        if not weights.size:
            return 0
        even = -(-int(self._loads.sum()) // self._members.size)
        fewest = 0 if self._limits is None else int(self._limits.fewest[self._members].min())
        besides = max(fewest - 1, 0)
        lightest = np.partition(weights, besides)[:besides]
        return max(even, int(weights.max()) + int(lightest.sum()))

    @property
    def owners(self) -> Owners:
        """(P,) the owners after the steps so far."""
        if not self._held:
            return self._given.copy()
        owners = self._group.nobody()
        for member, ranks in enumerate(self._held):
            owners[self._order[ranks]] = member
        return owners

    def relieve(self) -> Iterator[Exchange]:
        """Yield steps off the busiest member, then off the busiest of the rest, and so on.

        Ends when a pass over the members finds no step, or ``COMPARISONS`` are used up.
        """
        is_improving = True
        while is_improving:
            is_improving = False
            for exchange in self._one_pass():
                is_improving = True
                yield exchange

    def feed(self, joiners: IntArray, most: int) -> Iterator[Exchange]:
        """Yield moves to members that start without partitions, up to ``most`` for each.

        The emptiest joiner takes from the busiest member that can give, until its load is within
        the tolerance of an even share.
        """
        self._lay_out()
        even = self._even_share()
        enough = even - slack(even, self._terms.tolerance)
        room = np.full(joiners.size, most)
        while joiners.size:
            loads = np.where(room > 0, self._loads[joiners], enough)
            place = int(loads.argmin())
            if loads[place] >= enough:
                return
            step = self._gift(int(joiners[place]))
            room[place] = room[place] - 1 if step else 0
            if step:
                yield self._taken(step)

    def _one_pass(self) -> Iterator[Exchange]:
        """Yield steps until the busiest member that is not set aside carries an even share."""
        members = self._members
        while members.size and self._comparisons_left:
            if self._terms.is_for_largest and self.is_best:
                return
            loads = self._loads[members]
            place = int(loads.argmax())
            even = int(loads.sum()) // members.size
            if loads[place] <= even + slack(even, self._terms.tolerance):
                return
            busiest = int(members[place])
            step = None if self._counts[busiest] == 1 else self._best(busiest, members)
            if step is None:
                members = np.delete(members, place)
            else:
                yield self._taken(step)

    def _even_share(self) -> int:
        """Return the even share among all but members with one partition above it."""
        loads, counts = self._loads[self._members], self._counts[self._members]
        total, size = int(loads.sum()), loads.size
        for place in np.argsort(-loads, kind="stable").tolist():
            if counts[place] != 1 or loads[place] <= total // size:
                break
            total, size = total - int(loads[place]), size - 1
        return total // size

    def _gift(self, joiner: int) -> _Step | None:
        """Return the best move to this member from the busiest one that can give."""
        gaps = self._loads[self._members] - self._loads[joiner]
        givers = self._members[self._ends[0, self._members] < gaps]  # who holds less than the gap
        for giver in givers[np.argsort(-self._loads[givers], kind="stable")].tolist():
            gain, given = self._move(giver, joiner)
            if gain:
                return _Step(giver, joiner, given)
        return None

    def _best(self, giver: int, members: IntArray) -> _Step | None:
        """Return the step with the largest score, moves before swaps, then to the emptiest."""
        self._lay_out()
        takers = members[self._loads[members] < self._loads[giver]]
        takers = takers[np.argsort(self._loads[takers], kind="stable")]
        (least, most), counts = self._ends, self._counts[takers]
        halves = (self._loads[giver] - self._loads[takers]) >> 1
        by_move = np.minimum(halves, most[giver]) * self._move_score
        by_swap = np.minimum(halves, most[giver] - least[takers])
        by_swap[counts == 0] = 0
        if self._limits is not None:
            by_move[counts >= self._limits.most[takers]] = 0
            by_move *= self._counts[giver] > self._limits.fewest[giver]
        move_bounds, swap_bounds = self._bounds(giver, takers)
        best, score = self._best_move(giver, takers, by_move, move_bounds * self._move_score)
        hopeful = np.flatnonzero(by_swap > score)
        swaps = _Swaps(takers[hopeful], halves[hopeful], by_swap[hopeful], swap_bounds[hopeful])
        return self._best_swap(giver, swaps, score) or best

    def _best_swap(self, giver: int, swaps: _Swaps, score: int) -> _Step | None:
        """Return the first swap of the largest gain above this score; None if there is none."""
        best, gains = -1, dict[int, int]()
        rows = zip(*(column.tolist() for column in swaps), strict=True)
        for place, (taker, half, hope, bound) in enumerate(rows):
            if half <= score or not self._comparisons_left:
                break
            if hope > score:
                self._comparisons_left -= 1
                if bound > score:
                    if taker not in gains:
                        gains |= self._gains(giver, swaps.open(place, score))
                    if gains[taker] > score:
                        best, score = taker, gains[taker]
        if best < 0:
            return None
        _, given, returned = self._swap(giver, best)
        return _Step(giver, best, given, returned)

    def _gains(self, giver: int, takers: IntArray) -> dict[int, int]:
        """Return what the best swap with the first of these takers gains, and with some more.

        As many at once as have some thousands of partitions: a later one may be ruled out by then.
        """
        first = int(takers[0])
        if not self._are_alike:
            return {first: self._swap(giver, first)[0]}
        sizes = self._counts[takers]
        fit = max(int(sizes.cumsum().searchsorted(_AT_ONCE, side="right")), 1)
        takers, sizes = takers[:fit], sizes[:fit]
        takes = self._weights[np.concatenate([self._held[taker] for taker in takers.tolist()])]
        gaps = (self._loads[giver] - self._loads[takers]).repeat(sizes)
        _, under, over = _nearest(self._weights[self._held[giver]], takes, gaps)
        most = np.maximum.reduceat(np.maximum(under, over), ragged.starts_of(sizes)[:-1])
        return dict(zip(takers.tolist(), np.maximum(most, 0).tolist(), strict=True))

    def _best_move(
        self, giver: int, takers: IntArray, hopes: LongArray, bounds: LongArray
    ) -> tuple[_Step | None, int]:
        """Return the best move and its score; ``hopes`` say which count as compared."""
        best, score = None, 0
        for place in np.flatnonzero(hopes).tolist():
            if hopes[place] <= score or not self._comparisons_left:
                break
            self._comparisons_left -= 1
            if bounds[place] > score:
                taker = int(takers[place])
                gain, given = self._move(giver, taker)
                if gain * self._move_score > score:
                    best, score = _Step(giver, taker, given), gain * self._move_score
        return best, score

    def _bounds(self, giver: int, takers: IntArray) -> tuple[LongArray, LongArray]:
        """Return what moves to these takers, and swaps with them, gain at most: any subscriptions.

        A partition within the gap gains at most its weight, less what comes back, and nothing more
        than half of the gap; a heavier one is only swapped, for one that is close to it.
        """
        weights, (least, most) = self._weights[self._held[giver]], self._ends[:, takers]
        gaps = self._loads[giver] - self._loads[takers]
        above = weights.searchsorted(gaps, side="right")
        small = np.append(0, weights)[above]
        is_far = above == weights.size
        large = weights[np.where(is_far, 0, above)]
        halves = gaps >> 1
        swaps = np.where(~is_far & (large - most < gaps), halves, np.minimum(small - least, halves))
        above = weights.searchsorted(halves, side="right")
        under = np.append(0, weights)[above]
        over = np.append(weights, 0)[above]
        return np.maximum(under, np.where(over, gaps - over, 0)), swaps

    def _move(self, giver: int, taker: int) -> tuple[int, int]:
        """Return the best gain of a move between these two, and what moves; gain 0 if none."""
        held = self._wanted(taker, self._held[giver])
        if not held.size:
            return 0, -1
        weights, gap = self._weights[held], int(self._loads[giver] - self._loads[taker])
        above = int(weights.searchsorted(gap // 2, side="right"))
        near = weights[max(above - 1, 0) : above + 1].tolist()
        gain, weight = max((min(weight, gap - weight), -weight) for weight in near)
        return max(gain, 0), int(held[weights.searchsorted(-weight)])

    def _swap(self, giver: int, taker: int) -> tuple[int, int, int]:
        """Return the best gain of a swap between these two, and the two partitions."""
        gives = self._wanted(taker, self._held[giver])
        takes = self._wanted(giver, self._held[taker])
        gap = int(self._loads[giver] - self._loads[taker])
        gain, given, returned = _fit(self._weights[gives], self._weights[takes], gap)
        return (gain, int(gives[given]), int(takes[returned])) if gain else (0, -1, -1)

    def _wanted(self, member: int, ranks: IntArray) -> IntArray:
        """Return the partitions to which the member subscribes."""
        if self._are_alike:
            return ranks
        subscribes = self._group.subscribes[self._group.layout.class_of_member[member]]
        wanted: IntArray = ranks[subscribes[self._topics[ranks]]]
        return wanted

    def _lay_out(self) -> None:
        """Sort the owned partitions by weight, one row per owner; once."""
        if self._held:
            return
        group, owned = self._group, np.flatnonzero(self._given != UNOWNED)
        order = owned[self._weight_of[owned].argsort(kind="stable")]
        self._order, self._weights = order, self._weight_of[order]
        self._topics = group.topic_of_partition[order]
        starts, ranks = ragged.rows_by_key(self._given[order], group.member_count)
        self._held = [ranks[start:stop] for start, stop in pairwise(starts.tolist())]
        weights = np.append(self._weights[ranks], 0)
        ends = np.array([weights[starts[:-1]], weights[starts[1:] - 1]])
        self._ends = np.where(self._counts > 0, ends, 0)

    def _taken(self, step: _Step) -> Exchange:
        """Take the step and return it as partitions and their new owners."""
        self._hand_over(step.given, step.giver, step.taker)
        moves = [(int(self._order[step.given]), step.taker)]
        if step.returned >= 0:
            self._hand_over(step.returned, step.taker, step.giver)
            moves.append((int(self._order[step.returned]), step.giver))
        return moves

    def _hand_over(self, rank: int, giver: int, taker: int) -> None:
        weight, gives, takes = self._weights[rank], self._held[giver], self._held[taker]
        out, into = int(gives.searchsorted(rank)), int(takes.searchsorted(rank))
        self._held[giver] = np.concatenate([gives[:out], gives[out + 1 :]])
        self._held[taker] = np.concatenate([takes[:into], gives[out : out + 1], takes[into:]])
        for member, sign in ((giver, -1), (taker, 1)):
            self._loads[member] += sign * weight
            self._counts[member] += sign
            held = self._held[member]
            ends = (self._weights[held[0]], self._weights[held[-1]]) if held.size else (0, 0)
            self._ends[:, member] = ends


def _fit(gives: LongArray, takes: LongArray, gap: int) -> tuple[int, int, int]:
    """Return the gain of the best swap and the positions of its two weights; gain 0 if none.

    Both arrays ascend. A swap that hands over d of a gap g lowers the fuller load by
    min(d, g - d), so the best one is nearest to half of the gap. Ties go to the lighter weight that
    returns, then to the lighter one that is given.
    """
    if not gives.size or not takes.size:
        return 0, 0, 0
    above, under, over = _nearest(gives, takes, gap)
    gains = np.maximum(under, over)
    returned = int(gains.argmax())
    gain = int(gains[returned])
    if gain <= 0:
        return 0, 0, 0
    place = int(above[returned]) - int(under[returned] >= over[returned])
    return gain, int(gives.searchsorted(gives[place])), returned


def _nearest(
    gives: LongArray, takes: LongArray, gaps: LongArray | int
) -> tuple[LongArray, LongArray, LongArray]:
    """Return what each weight gains in a swap for the two of ``gives`` nearest to half of its gap.

    First the position of the heavier one of these, then the gains of the lighter and of the
    heavier one; all of the shape of ``takes``. What is not there gains 0.
    """
    above = gives.searchsorted(takes + gaps // 2, side="right")
    under = np.where(above > 0, gives[above - 1] - takes, 0)
    over = np.where(above < gives.size, gaps - (gives[above % gives.size] - takes), 0)
    return above, under, over

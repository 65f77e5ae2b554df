"""Improve the assignments of many plain groups at once, as ``lag_search`` does that of one."""

from typing import Final, Literal, NamedTuple

import numpy as np

from assignors.lag_search import PAIRS
from assignors.model import UNOWNED, BoolArray, LongArray, Owners
from assignors.plain_deal import Windows
from assignors.plain_groups import LAG_BITS, MOST_MEMBERS, PlainGroups

_MOST_STEPS: Final = PAIRS // (2 * MOST_MEMBERS)
"""After more of them the search of one group alone might have lost its patience."""
_ROW_SHIFT: Final = LAG_BITS + 2
"""No sum of a partition's lag and half of a gap has so many bits."""
_NOTHING: Final = -1
"""The place of what comes back where nothing does."""
_MOST: Final = np.iinfo(np.int64).max


class Stay(NamedTuple):
    """How much of an assignment is to stay as it was."""

    home: Owners
    """(P,) who owned each partition; where nobody did, it is nowhere away."""
    most_away: LongArray
    """(G,) how many partitions of a group may be away from home."""


class Improved(NamedTuple):
    """Where the searches ended."""

    owners: Owners
    """(P,)"""
    is_best: BoolArray
    """(G,) as ``Search.is_best`` tells."""
    is_done: BoolArray
    """(G,) whether the search came to its end; if not, the group must be asked alone."""

    def answer(self, groups: PlainGroups) -> Owners:
        """Return the owners (P,), ``UNOWNED`` in groups whose search came to no end."""
        return np.where(self.is_done[groups.group_of_partition], self.owners, UNOWNED)


class _Busiest(NamedTuple):
    """The busiest members of R groups, and what they hold."""

    groups: LongArray
    """(R,)"""
    members: LongArray
    """(R,) numbered over all groups."""
    held: LongArray
    """Places of their partitions, by group, the least lag first."""
    starts: LongArray
    """(R + 1,) row r holds the entries from start r to start r + 1."""
    keys: LongArray
    """Row and lag of each of the places, ascending."""

    def above(self, row: LongArray, lags: LongArray, side: Literal["left", "right"]) -> LongArray:
        """Return where lags would stand among those that the busiest of their rows hold."""
        return self.keys.searchsorted((row << _ROW_SHIFT) + lags, side)


class _Ways(NamedTuple):
    """Ways to lighten the busiest: a member each, and what comes back from it."""

    row: LongArray
    """Which of the busiest."""
    member: LongArray
    gap: LongArray
    """How much less than the busiest it carries."""
    back: LongArray
    """The place of the partition that comes back, or ``_NOTHING``."""
    back_lag: LongArray
    """Its lag, 0 for nothing."""

    def only(self, some: LongArray | BoolArray) -> "_Ways":
        """Return some of them."""
        return _Ways(*(values[some] for values in self))


class PlainSearch:
    """Assignments under improvement: in each group the steps that ``Search`` would take.

    Inside, partitions have places: by group, then the least lag first.
    """

    def __init__(
        self,
        groups: PlainGroups,
        owners: Owners,
        windows: Windows,
        swap_cost: int = 1,
        stay: Stay | None = None,
    ) -> None:
        """Start from these owners (P,); end before too much is away from home."""
        self._groups, self._windows = groups, windows
        self._swap_cost, self._stay = swap_cost, stay
        order = groups.by_least_lag
        self._lags = groups.lags[order]
        self._owner = groups.numbered(owners)[order]
        home = owners if stay is None else stay.home
        self._home = np.where(home == UNOWNED, UNOWNED, groups.numbered(home))[order]
        self._away = np.zeros(groups.members.size, np.int64)
        self._loads = groups.loads(owners)
        self._counts = np.bincount(self._owner, minlength=self._loads.size)

    def run(self) -> Improved:
        """Take one step after the other in all groups, until none helps or is allowed."""
        count = self._groups.members.size
        is_best, is_done = np.ones(count, np.bool_), np.ones(count, np.bool_)
        going = np.arange(count)
        for _ in range(_MOST_STEPS):
            busiest = self._busiest(going)
            going = self._step(busiest)
            is_best[busiest.groups] = False
            is_best[going] = True
            if not going.size:
                break
        is_done[going] = False
        owners = np.empty(self._owner.size, np.int64)
        owners[self._groups.by_least_lag] = self._owner
        return Improved(self._groups.within_groups(owners), is_best, is_done)

    def _busiest(self, groups: LongArray) -> _Busiest:
        """Return the busiest members of those groups where less may be possible."""
        members, row = self._groups.members_of(groups), self._groups.member_rows(groups)
        loads = self._loads[members]
        largest = np.zeros(groups.size, np.int64)
        np.maximum.at(largest, row, loads)
        are_full = np.flatnonzero(loads == largest[row])[::-1]
        busiest = np.empty(groups.size, np.int64)
        busiest[row[are_full]] = members[are_full]  # the first one is written last
        is_uneven = largest > self._groups.even_shares[groups]
        found = self._with_held(groups[is_uneven], busiest[is_uneven])
        is_divided = self._lags[found.held[found.starts[1:] - 1]] < largest[is_uneven]
        if is_divided.all():
            return found
        return self._with_held(found.groups[is_divided], found.members[is_divided])

    def _with_held(self, groups: LongArray, members: LongArray) -> _Busiest:
        places, row = self._groups.partitions_of(groups), self._groups.partition_rows(groups)
        is_theirs = self._owner[places] == members[row]
        held, row = places[is_theirs], row[is_theirs]
        starts = np.searchsorted(row, np.arange(groups.size + 1))
        keys = (row << _ROW_SHIFT) + self._lags[held]
        return _Busiest(groups, members, held, starts, keys)

    def _step(self, busiest: _Busiest) -> LongArray:
        """Take the best step of each group that has one; return those groups."""
        ways, given = self._best(busiest, self._ways(busiest))
        groups, giver, back = busiest.groups[ways.row], busiest.members[ways.row], ways.back
        if self._stay is not None:
            away = self._away[groups] + self._farther(given, giver, ways.member)
            away += np.where(back == _NOTHING, 0, self._farther(back, ways.member, giver))
            allowed = np.flatnonzero(away <= self._stay.most_away[groups])
            self._away[groups[allowed]] = away[allowed]
            ways, given = ways.only(allowed), given[allowed]
            groups, giver, back = groups[allowed], giver[allowed], ways.back
        handed = self._lags[given] - ways.back_lag
        self._loads[giver] -= handed
        self._loads[ways.member] += handed
        is_move = back == _NOTHING
        self._counts[giver] -= is_move
        self._counts[ways.member] += is_move
        self._owner[given] = ways.member
        self._owner[back[~is_move]] = giver[~is_move]
        return groups

    def _farther(self, places: LongArray, giver: LongArray, taker: LongArray) -> LongArray:
        """Return for each partition 1 if it leaves its home so, -1 if it comes home, else 0.

        Without a home it is away before and after.
        """
        home = self._home[places]
        change: LongArray = (taker != home).astype(np.int64) - (giver != home)
        return change

    def _ways(self, busiest: _Busiest) -> _Ways:
        """Return all there are: moves to who has room, swaps with every partition of others."""
        groups, givers = busiest.groups, busiest.members
        fewest, most = (each[groups] for each in self._windows)
        taker, row = self._groups.members_of(groups), self._groups.member_rows(groups)
        may_give = self._counts[givers] > fewest
        may_move = (self._counts[taker] < most[row]) & may_give[row] & (taker != givers[row])
        back, swap_row = self._groups.partitions_of(groups), self._groups.partition_rows(groups)
        is_others = self._owner[back] != givers[swap_row]
        back, swap_row = back[is_others], swap_row[is_others]
        row = np.concatenate([row[may_move], swap_row])
        member = np.concatenate([taker[may_move], self._owner[back]])
        nothing = np.full(row.size - back.size, _NOTHING)
        return _Ways(
            row=row,
            member=member,
            gap=self._loads[givers][row] - self._loads[member],
            back=np.concatenate([nothing, back]),
            back_lag=np.concatenate([nothing * 0, self._lags[back]]),
        )

    def _best(self, busiest: _Busiest, ways: _Ways) -> tuple[_Ways, LongArray]:
        """Return the step that gains most in each group, if one does, and what it hands over.

        To hand over d of a gap g gains the smaller of d and g - d: best is what is nearest to
        half of the gap, be it over or under.
        """
        above = busiest.above(ways.row, ways.back_lag + (ways.gap >> 1), "left")
        first, last = busiest.starts[ways.row], busiest.starts[ways.row + 1] - 1
        given = busiest.held[np.array([np.minimum(above, last), np.maximum(above - 1, first)])]
        handed = self._lags[given] - ways.back_lag
        gains = np.minimum(handed, ways.gap - handed)
        gains *= np.where(ways.back == _NOTHING, self._swap_cost, 1)
        best = np.zeros(busiest.groups.size, np.int64)
        np.maximum.at(best, ways.row, gains.max(axis=0))
        side, way = np.nonzero((gains == best[ways.row]) & (gains > 0))
        first_ones = self._first_of_each(busiest, ways.only(way), side)
        side, way = side[first_ones], way[first_ones]
        return ways.only(way), given[side, way]

    def _first_of_each(self, busiest: _Busiest, ways: _Ways, side: LongArray) -> LongArray:
        """Return for each row the way that ``Search`` finds first, of ways that gain the same."""
        is_swap = ways.back != _NOTHING
        hope = self._hopes(busiest, ways)
        order = np.lexsort((ways.back, side, ways.member, -ways.gap, -hope, is_swap, ways.row))
        row = ways.row[order]
        is_first = np.ones(row.size, np.bool_)
        is_first[1:] = row[1:] != row[:-1]
        return order[is_first]

    def _hopes(self, busiest: _Busiest, ways: _Ways) -> LongArray:
        """Return what the search hopes for from each member, as ``Search`` has it."""
        least, most = self._ends(busiest.groups[np.unique(ways.row)])
        above = busiest.above(ways.row, ways.gap, "right")
        held = np.append(self._lags[busiest.held], _MOST)
        small = np.where(above > busiest.starts[ways.row], held[above - 1], 0)
        large = np.where(above < busiest.starts[ways.row + 1], held[above], _MOST)
        half = ways.gap >> 1
        by_move = np.minimum(small, half)
        is_near = large - most[ways.member] < ways.gap
        by_swap = np.where(is_near, half, np.minimum(small - least[ways.member], half))
        return np.where(ways.back == _NOTHING, by_move, by_swap)

    def _ends(self, groups: LongArray) -> tuple[LongArray, LongArray]:
        """Return the least and the largest lag that each member of these groups has in one."""
        places = self._groups.partitions_of(groups)
        least, most = np.zeros_like(self._loads), np.zeros_like(self._loads)
        least[self._owner[places[::-1]]] = self._lags[places[::-1]]  # the first is written last
        most[self._owner[places]] = self._lags[places]
        return least, most

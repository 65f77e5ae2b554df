"""Deal the partitions of many plain groups at once, as ``lag_deal.within`` does those of one."""

from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, BoolArray, LongArray, Owners
from assignors.plain_groups import LAG_BITS, MEMBER_BITS, MOST_MEMBERS, PlainGroups

_COUNT_BITS: Final = 11
_CLOSED: Final = np.iinfo(np.int64).max
"""The key of a member that takes no more."""


class Windows(NamedTuple):
    """How few and how many partitions the members of each group may hold; both (G,)."""

    fewest: LongArray
    most: LongArray


def deal_within(groups: PlainGroups, windows: Windows) -> Owners:
    """Return who takes each partition (P,), counts held to the windows; see ``within``."""
    nothing = np.zeros(int(groups.member_starts[-1]), np.int64)
    return _dealt(groups, windows, nothing, nothing)


def deal_rest(groups: PlainGroups, owners: Owners) -> Owners:
    """Return the owners with every ``UNOWNED`` partition dealt out; see ``lag_sticky.settled``."""
    rest = np.flatnonzero(owners == UNOWNED)
    if not rest.size:
        return owners
    held = np.flatnonzero(owners != UNOWNED)
    holders, members = groups.numbered(owners)[held], int(groups.member_starts[-1])
    loads = np.bincount(holders, groups.lags[held], members).astype(np.int64)
    counts = np.bincount(holders, minlength=members)
    concerned, sizes = np.unique(groups.group_of_partition[rest], return_counts=True)
    starts = ragged.starts_of(sizes)
    dealt = PlainGroups(groups.lags[rest], starts, groups.members[concerned], starts)
    anything = Windows(np.zeros(sizes.size, np.int64), groups.sizes[concerned])
    theirs = groups.members_of(concerned)
    owners = owners.copy()
    owners[rest] = _dealt(dealt, anything, loads[theirs], counts[theirs])
    return owners


def _dealt(groups: PlainGroups, windows: Windows, loads: LongArray, counts: LongArray) -> Owners:
    """Deal all partitions to members who hold so much (M,) and so many (M,) already."""
    largest_first = np.argsort(-groups.sizes, kind="stable")
    members = groups.members_of(largest_first)
    windows = Windows(*(each[largest_first] for each in windows))
    deal = _Deal(groups.only(largest_first), windows, loads[members], counts[members])
    owners = np.empty(groups.lags.size, np.int32)
    owners[groups.partitions_of(largest_first)] = deal.owners()
    return owners


class _Deal:
    """Groups, the largest first, so that those still dealing are always the first ones.

    Every member has a key, and the smallest of its group takes the next partition. While there
    is lag: total lag, count, number. Without: count, total lag, number.
    """

    def __init__(
        self, groups: PlainGroups, windows: Windows, loads: LongArray, counts: LongArray
    ) -> None:
        self._groups, self._windows, self._counts = groups, windows, counts
        keys = ((loads << _COUNT_BITS) | counts) << MEMBER_BITS
        self._keys = keys | groups.member_numbers
        self._spare = groups.sizes - groups.members * windows.fewest
        """(G,) how many partitions are left beyond those that everybody must have."""

    def owners(self) -> Owners:
        """Deal everything."""
        groups = self._groups
        order, sizes = groups.by_lag, groups.sizes
        lags = groups.lags[order]
        behind = np.bincount(groups.group_of_partition[lags > 0], minlength=sizes.size)
        owners = np.empty(lags.size, np.int32)
        for turn in range(int(sizes.max(initial=0))):
            dealing = int(np.searchsorted(-sizes, -turn))  # those with more than ``turn``
            self._count_first(np.flatnonzero(behind[:dealing] == turn))
            starts = groups.member_starts[:dealing]
            keys = np.minimum.reduceat(self._keys[: groups.member_starts[dealing]], starts)
            seats = keys & (MOST_MEMBERS - 1)
            dealt = groups.starts[:dealing] + turn
            owners[order[dealt]] = seats
            self._take(starts + seats, lags[dealt], is_behind=behind[:dealing] > turn)
        return owners

    def _count_first(self, groups: LongArray) -> None:
        """Let counts come before lag from now on, since none is left to deal.

        Who is closed has more partitions than anybody who is not, and so stays behind.
        """
        if not groups.size:
            return
        members = self._groups.members_of(groups)
        keys, counts = self._keys[members], self._counts[members]
        lag = keys >> (MEMBER_BITS + _COUNT_BITS)
        turned = ((counts << LAG_BITS) | lag) << MEMBER_BITS
        self._keys[members] = turned | (keys & (MOST_MEMBERS - 1))

    def _take(self, members: LongArray, lags: LongArray, is_behind: BoolArray) -> None:
        """Give each group's next partition to a member, and close who is full."""
        fewest, most = (each[: members.size] for each in self._windows)
        by_lag = ((lags << _COUNT_BITS) + 1) << MEMBER_BITS
        self._keys[members] += np.where(is_behind, by_lag, 1 << (LAG_BITS + MEMBER_BITS))
        spare, had = self._spare[: members.size], self._counts[members]
        is_beyond = had >= fewest
        spare -= is_beyond
        self._counts[members] = had + 1
        is_full = (had + 1 == most) | ((spare == 0) & (had + 1 >= fewest))
        self._keys[members[is_full]] = _CLOSED
        self._close_beyond(np.flatnonzero(is_beyond & (spare == 0)))

    def _close_beyond(self, groups: LongArray) -> None:
        """Leave what is left to members below the fewest."""
        if not groups.size:
            return
        members = self._groups.members_of(groups)
        fewest = self._windows.fewest[groups].repeat(self._groups.members[groups])
        self._keys[members[self._counts[members] >= fewest]] = _CLOSED

"""Strategies that answer for many groups at once, asked so about the snapshots of a batch."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, LongArray, Owners
from assignors.plain_groups import PlainGroups, are_small
from assignors.registry import Sees, Strategy
from pipeline.replay.layout import NONE, Layout
from pipeline.replay.membership import Membership, carried
from pipeline.replay.names import NOBODY
from pipeline.replay.offsets import Offsets

_MOST_AT_ONCE: Final = 1 << 14
"""Groups; more gain nothing, and take memory."""


class _Snapshots(NamedTuple):
    """What is asked about together: each unit is a snapshot of a plain group."""

    units: LongArray
    groups: PlainGroups
    places: LongArray
    """Where their partitions are in the batch."""


class AtOnce:
    """The plain groups of a batch: U snapshots, P partitions, as ``Layout`` has them."""

    def __init__(
        self, layout: Layout, membership: Membership, offsets: Offsets, found: Owners
    ) -> None:
        """Take ``found`` (P,), numbered within each snapshot, as what groups own at first."""
        self._layout, self._membership, self._found = layout, membership, found
        self._lags = np.maximum(offsets.lag, 0)
        self._members = np.diff(membership.starts)
        is_small = are_small(self._lags, layout.unit_starts, self._members)
        self._is_asked = is_small & ~layout.is_chain & _want_everything(layout, membership)
        static = membership.unit[membership.instance != NOBODY]
        self._has_static = np.bincount(static, minlength=layout.unit_count) > 0
        self._latest: _Snapshots | None = None
        """Kept, since what is worked out of it serves the next strategy too."""

    def ask(self, strategy: Strategy, owners: Owners) -> BoolArray:
        """Set ``owners`` (P,) where the strategy can be asked so; return at which snapshots, (U,).

        What was in ``owners`` before is what a chain left.
        """
        is_done = np.zeros(self._layout.unit_count, np.bool_)
        if strategy.assign_many is None:
            return is_done
        is_asked = self._is_asked
        if Sees.STATIC_IDS in strategy.sees:
            is_asked = is_asked & ~self._has_static
        asked = np.flatnonzero(is_asked)
        sees_owners = Sees.OWNERS in strategy.sees
        for units in self._turns(asked, is_done) if sees_owners else (asked,):
            for some in self._cut(units):
                claims = self._claims(some, owners) if sees_owners else self._found[some.places]
                answer = strategy.assign_many(some.groups, claims)
                is_fit = _are_members(some.groups, answer)
                fit = is_fit[some.groups.group_of_partition]
                owners[some.places[fit]] = answer[fit]
                is_done[some.units] = is_fit
        return is_done

    def _turns(self, asked: LongArray, is_done: BoolArray) -> Iterator[LongArray]:
        """Yield the first snapshots of all groups, then the next ones of those that are done."""
        units, follows = np.arange(is_done.size), self._layout.follows
        turn = (units - np.maximum.accumulate(np.where(follows, 0, units)))[asked]
        for each in range(int(turn.max(initial=-1)) + 1):
            at = asked[turn == each]
            yield at[~follows[at] | is_done[at - 1] | self._layout.is_chain[at - 1]]

    def _cut(self, units: LongArray) -> Iterator[_Snapshots]:
        """Yield the groups of these snapshots, not too many at once."""
        for start in range(0, units.size, _MOST_AT_ONCE):
            some = units[start : start + _MOST_AT_ONCE]
            if self._latest is None or not np.array_equal(self._latest.units, some):
                self._latest = self._snapshots(some)
            yield self._latest

    def _snapshots(self, units: LongArray) -> _Snapshots:
        starts, segments = self._layout.unit_starts, self._layout.segments_of_unit
        places = ragged.spans(starts[units], starts[units + 1])
        topics = ragged.spans(segments[units], segments[units + 1])
        groups = PlainGroups(
            self._lags[places],
            ragged.starts_of(starts[units + 1] - starts[units]),
            self._members[units],
            ragged.starts_of(np.diff(self._layout.segment_starts)[topics]),
        )
        return _Snapshots(units, groups, places)

    def _claims(self, some: _Snapshots, owners: Owners) -> Owners:
        """Return what members own when they are asked, as the replay has it."""
        if not self._layout.follows[some.units].any():
            return self._found[some.places]
        unit = some.units[some.groups.group_of_partition]
        members = self._membership.starts
        before = self._layout.before[some.places]
        after = self._membership.after
        return carried(owners, before, after, (members[unit - 1], members[unit]))


def _are_members(groups: PlainGroups, answer: Owners) -> BoolArray:
    """(G,) whether every owner is a member of the group, which is all that plain ones ask."""
    are_members = (answer >= 0) & (answer < groups.members[groups.group_of_partition])
    return np.logical_and.reduceat(are_members, groups.starts[:-1])


def _want_everything(layout: Layout, membership: Membership) -> BoolArray:
    """(U,) whether every member wants every topic there is, and no other."""
    lists, unit = membership.list_of_member, membership.unit
    is_so: BoolArray = np.bincount(unit[lists != NONE], minlength=layout.unit_count) == 0
    last = len(membership.lists)
    least, most = np.full(is_so.size, last), np.full(is_so.size, NONE)
    np.minimum.at(least, unit, lists)
    np.maximum.at(most, unit, lists)
    for at in np.flatnonzero((least == most) & (least != NONE)).tolist():
        segments = slice(*layout.segments_of_unit[at : at + 2].tolist())
        wanted = membership.lists[least[at]]
        is_so[at] = np.array_equal(wanted, layout.segment_topic[segments])
    return is_so

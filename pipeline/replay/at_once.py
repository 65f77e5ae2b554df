"""Strategies that answer for many groups at once, asked so about the snapshots of a batch."""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, LongArray, Owners
from assignors.plain_groups import PlainAssignor, PlainGroups, are_small
from assignors.registry import Sees, Strategy
from pipeline.replay.layout import NONE, Layout
from pipeline.replay.membership import Membership, carried
from pipeline.replay.names import NOBODY
from pipeline.replay.offsets import Offsets

_MOST_AT_ONCE: Final = 1 << 14
"""Groups; more gain nothing, and take memory."""


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
        if Sees.OWNERS not in strategy.sees:
            self._ask(strategy.assign_many, asked, owners, is_done)
            return is_done
        units, follows = np.arange(is_done.size), self._layout.follows
        turn = (units - np.maximum.accumulate(np.where(follows, 0, units)))[asked]
        for each in range(int(turn.max(initial=-1)) + 1):
            at = asked[turn == each]
            at = at[~follows[at] | is_done[at - 1] | self._layout.is_chain[at - 1]]
            self._ask(strategy.assign_many, at, owners, is_done)
        return is_done

    def _ask(
        self, assign: PlainAssignor, units: LongArray, owners: Owners, is_done: BoolArray
    ) -> None:
        """Ask about these snapshots; those before them have been."""
        for start in range(0, units.size, _MOST_AT_ONCE):
            some = units[start : start + _MOST_AT_ONCE]
            groups, places = self._groups(some)
            answer = assign(groups, self._claims(some, groups, places, owners))
            is_members = (answer >= 0) & (answer < groups.members[groups.group_of_partition])
            is_fit = np.logical_and.reduceat(is_members, groups.starts[:-1])
            fit = is_fit[groups.group_of_partition]
            owners[places[fit]] = answer[fit]
            is_done[some] = is_fit

    def _groups(self, units: LongArray) -> tuple[PlainGroups, LongArray]:
        """Return the groups of these snapshots, and where their partitions are in the batch."""
        starts, segments = self._layout.unit_starts, self._layout.segments_of_unit
        places = ragged.spans(starts[units], starts[units + 1])
        topics = ragged.spans(segments[units], segments[units + 1])
        sizes = np.diff(self._layout.segment_starts)[topics]
        groups = PlainGroups(
            self._lags[places],
            ragged.starts_of(starts[units + 1] - starts[units]),
            self._members[units],
            ragged.starts_of(sizes),
        )
        return groups, places

    def _claims(
        self, units: LongArray, groups: PlainGroups, places: LongArray, owners: Owners
    ) -> Owners:
        """Return what members own when they are asked, as the replay has it."""
        if not self._layout.follows[units].any():
            return self._found[places]
        unit = units[groups.group_of_partition]
        members = self._membership.starts
        before = self._layout.before[places]
        after = self._membership.after
        return carried(owners, before, after, (members[unit - 1], members[unit]))


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

"""Many small groups at once as flat arrays, each of whose members wants every topic.

Most groups of a fleet are so, and answers to thousands of them cost a few sweeps over arrays
instead of thousands of calls.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, LongArray, Owners

MOST_PARTITIONS: Final = 512
"""Larger groups gain nothing beside others: their own steps are arrays long enough."""
MEMBER_BITS: Final = 6
MOST_MEMBERS: Final = 1 << MEMBER_BITS
LAG_BITS: Final = 40
"""Totals below this many bits share a key with a member, a count or the number of a group."""


@dataclass(frozen=True, eq=False)
class PlainGroups:
    """G groups with P partitions and M members in all; both run by group.

    ``are_small`` tells which groups fit.
    """

    lags: LongArray
    """(P,) as strategies count them, so never below 0; by topic and number within a group."""
    starts: LongArray
    """(G + 1,) group g has the partitions from entry g to entry g + 1; none has none."""
    members: LongArray
    """(G,) how many members each has; at least one."""
    topic_starts: LongArray
    """(T + 1,) where the topics of all groups start; those of a group follow each other."""

    @cached_property
    def sizes(self) -> LongArray:
        """(G,) how many partitions each has."""
        return np.diff(self.starts)

    @cached_property
    def member_starts(self) -> LongArray:
        """(G + 1,) group g has the members from entry g to entry g + 1."""
        return ragged.starts_of(self.members)

    @cached_property
    def group_of_partition(self) -> LongArray:
        """(P,) which of the groups each partition is in."""
        return ragged.row_of_each(self.starts).astype(np.int64)

    @cached_property
    def numbers(self) -> LongArray:
        """(P,) each partition's number within its group."""
        numbers: LongArray = np.arange(self.lags.size) - self.starts[self.group_of_partition]
        return numbers

    @cached_property
    def member_numbers(self) -> LongArray:
        """(M,) each member's number within its group."""
        return np.arange(self.member_starts[-1]) - self.member_starts[:-1].repeat(self.members)

    @cached_property
    def by_lag(self) -> LongArray:
        """(P,) partitions by group, then most lag first, equals by topic and number."""
        return np.lexsort((-self.lags, self.group_of_partition))

    @cached_property
    def by_least_lag(self) -> LongArray:
        """(P,) the same with each group's turned around."""
        turned = self.starts[:-1] + self.starts[1:] - 1
        turned_around: LongArray = turned[self.group_of_partition] - np.arange(self.lags.size)
        return self.by_lag[turned_around]

    @cached_property
    def even_shares(self) -> LongArray:
        """(G,) the mean lag of a member, rounded up."""
        sums = ragged.starts_of(self.lags)
        return -(-(sums[self.starts[1:]] - sums[self.starts[:-1]]) // self.members)

    def partitions_of(self, groups: LongArray) -> LongArray:
        """Return all partitions of some groups, group after group."""
        return ragged.spans(self.starts[groups], self.starts[groups + 1])

    def members_of(self, groups: LongArray) -> LongArray:
        """Return all members of some groups, numbered over all groups."""
        return ragged.spans(self.member_starts[groups], self.member_starts[groups + 1])

    def only(self, groups: LongArray) -> "PlainGroups":
        """Return some of the groups alone."""
        partitions = self.partitions_of(groups)
        starts = ragged.starts_of(self.sizes[groups])
        is_first = np.zeros(self.lags.size, np.bool_)
        is_first[self.topic_starts[:-1]] = True
        topic_starts = np.append(is_first[partitions].nonzero()[0], partitions.size)
        return PlainGroups(self.lags[partitions], starts, self.members[groups], topic_starts)

    def topic_by_topic(self) -> "PlainGroups":
        """Return every topic as if it were a group of its own, with all members of its group."""
        group = self.group_of_partition[self.topic_starts[:-1]]
        return PlainGroups(self.lags, self.topic_starts, self.members[group], self.topic_starts)

    def partition_rows(self, groups: LongArray) -> LongArray:
        """Return which of the groups each of ``partitions_of`` is in."""
        return np.arange(groups.size).repeat(self.sizes[groups])

    def member_rows(self, groups: LongArray) -> LongArray:
        """Return which of the groups each of ``members_of`` is in."""
        return np.arange(groups.size).repeat(self.members[groups])

    def numbered(self, owners: Owners) -> LongArray:
        """Return owners (P,), numbered within their groups, as numbers over all groups."""
        return owners + self.member_starts[self.group_of_partition]

    def within_groups(self, members: LongArray) -> Owners:
        """Do the reverse."""
        first = self.member_starts[self.group_of_partition]
        return (members - first).astype(np.int32)

    def in_turn(self) -> Owners:
        """Give one partition to each member in turn; (P,)."""
        return (self.numbers % self.members[self.group_of_partition]).astype(np.int32)

    def loads(self, owners: Owners) -> LongArray:
        """Return the lag that each member carries (M,), if partitions have these owners (P,)."""
        count = int(self.member_starts[-1])
        # Adds floats, which is exact so far below 2^53.
        return np.bincount(self.numbered(owners), self.lags, count).astype(np.int64)

    def largest(self, owners: Owners) -> LongArray:
        """(G,) the lag of each group's busiest member."""
        return np.maximum.reduceat(self.loads(owners), self.member_starts[:-1])


PlainAssignor: TypeAlias = Callable[[PlainGroups, Owners], Owners]
"""A strategy for many groups: who owns each partition (P,), numbered within its group.

It is given the present owners, of whom each must be a member, or ``UNOWNED``. Its answer is
what the strategy says of each group alone; all of a group is ``UNOWNED`` where it must be asked.
"""


def are_small(lags: LongArray, starts: LongArray, members: LongArray) -> BoolArray:
    """Tell which groups, as ``PlainGroups`` has them, are small enough for it; (G,)."""
    sizes = np.diff(starts)
    largest = np.zeros(sizes.size, np.int64)
    filled = np.flatnonzero(sizes)
    largest[filled] = np.maximum.reduceat(lags, starts[filled]) if filled.size else 0
    return (
        (sizes > 0)
        & (sizes <= MOST_PARTITIONS)
        & (members > 0)
        & (members <= MOST_MEMBERS)
        & (largest < (1 << LAG_BITS) // np.maximum(sizes, 1))
    )

"""Groups, snapshots, topics and partitions of a whole batch as flat arrays.

N rows that count, U snapshots of groups, S topics of snapshots ("segments"), P partitions
of snapshots. All run by group, then snapshot, then topic, then partition; so a snapshot is a
slice of partitions, and the snapshot before it of the same group, if there is one, the row
before it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, IntArray, LongArray
from pipeline.replay.names import NOBODY
from pipeline.replay.sorting import Numbers

NONE: Final = -1
"""Where there is no such row, segment or partition."""
_SIZE_BITS: Final = 31


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """Where everything of a batch stands."""

    first_chain_row: int
    """Rows from this number on are the chain's."""
    rows: LongArray
    """(N,) the rows that count, in order."""
    unit_of_row: LongArray
    """(N,) each row's snapshot."""
    first_rows: LongArray
    """(U,) the first row of each snapshot."""
    follows: BoolArray
    """(U,) whether the snapshot before it is of the same group."""
    is_chain: BoolArray
    """(U,) whether it is the one that the chain ended with, replayed before."""
    seconds: LongArray
    """(U,) microseconds since the snapshot before, 0 where there is none."""
    segment_unit: LongArray
    """(S,)"""
    segment_topic: IntArray
    """(S,)"""
    segment_starts: LongArray
    """(S + 1,) segment s holds the partitions segment_starts[s] to segment_starts[s + 1] - 1."""
    segment_before: LongArray
    """(S,) the same topic in the snapshot before, or ``NONE``."""
    partition_rows: LongArray
    """Places in ``rows`` of the rows about a partition."""
    partition_of_row: LongArray
    """Which of the P partitions each of those is about."""

    @property
    def unit_count(self) -> int:
        """U."""
        return int(self.first_rows.size)

    @property
    def partition_count(self) -> int:
        """P."""
        return int(self.segment_starts[-1])

    @cached_property
    def segments_of_unit(self) -> LongArray:
        """(U + 1,) snapshot u has the segments from entry u to entry u + 1."""
        return np.searchsorted(self.segment_unit, np.arange(self.unit_count + 1))

    @cached_property
    def unit_starts(self) -> LongArray:
        """(U + 1,) snapshot u holds the partitions from entry u to entry u + 1."""
        starts: LongArray = self.segment_starts[self.segments_of_unit]
        return starts

    @cached_property
    def segment_of_partition(self) -> IntArray:
        """(P,) the topic of a snapshot that each is in."""
        return ragged.row_of_each(self.segment_starts)

    @cached_property
    def unit_of_partition(self) -> IntArray:
        """(P,) the snapshot that each is in."""
        return ragged.row_of_each(self.unit_starts)

    @cached_property
    def before(self) -> LongArray:
        """(P,) the same partition in the snapshot before, or ``NONE``."""
        sizes = np.diff(self.segment_starts)
        sizes_before = np.append(sizes, 0)[self.segment_before]  # the last one: NONE
        sizes_before[self.segment_before == NONE] = 0
        shift = self.segment_starts[self.segment_before] - self.segment_starts[:-1]
        found = np.arange(self.partition_count) + np.repeat(shift, sizes)
        last = np.repeat(self.segment_starts[:-1] + sizes_before, sizes)
        found[np.arange(self.partition_count) >= last] = NONE
        return found

    @cached_property
    def has_same_partitions(self) -> BoolArray:
        """(U,) whether topics and their sizes are those of the snapshot before."""
        sizes = np.diff(self.segment_starts)
        is_same = (self.segment_before != NONE) & (sizes == sizes[self.segment_before])
        return self.follows & holds_for_all(is_same, self.segments_of_unit)


def layout_of(numbers: Numbers, rows: LongArray) -> Layout:
    """Cut rows, in the order of ``sorting``, into groups, snapshots, topics and partitions."""
    first_chain_row = numbers.at.size - numbers.chain_rows
    cluster, group = numbers.cluster[rows], numbers.group[rows]
    at, topic = numbers.at[rows], numbers.topic[rows]
    is_new_group = _changes(cluster) | _changes(group)
    is_new_unit = is_new_group | _changes(at)
    first_rows = np.flatnonzero(is_new_unit)
    unit_of_row = np.cumsum(is_new_unit) - 1
    follows = ~is_new_group[first_rows]
    microseconds = np.zeros(first_rows.size, np.int64)
    microseconds[1:] = np.where(follows[1:], np.diff(at[first_rows]), 0)
    group_of_unit = np.cumsum(~follows) - 1
    about = np.flatnonzero(topic != NOBODY)
    starts_segment = _changes(topic[about]) | _changes(unit_of_row[about])
    first = about[starts_segment]
    unit, topic_of_segment = unit_of_row[first], topic[first]
    last = about[np.append(starts_segment[1:], True)] if about.size else about
    before, sizes = _grown(
        group_of_unit[unit] * max(len(numbers.topics), 1) + topic_of_segment,
        unit,
        numbers.partition[rows[last]].astype(np.int64) + 1,
    )
    starts = ragged.starts_of(sizes)
    segment_of_row = np.cumsum(starts_segment) - 1
    return Layout(
        first_chain_row=first_chain_row,
        rows=rows,
        unit_of_row=unit_of_row,
        first_rows=first_rows,
        follows=follows,
        is_chain=rows[first_rows] >= first_chain_row,
        seconds=microseconds,
        segment_unit=unit,
        segment_topic=topic_of_segment,
        segment_starts=starts,
        segment_before=before,
        partition_rows=about,
        partition_of_row=starts[segment_of_row] + numbers.partition[rows[about]],
    )


def linked(key: LongArray, unit: LongArray) -> tuple[LongArray, BoolArray]:
    """Return an order by key, then snapshot, and where an entry follows on the one before it.

    It does if both have one key and lie in adjacent snapshots of a group. Entries must
    come by snapshot; a key must belong to one group.
    """
    order = np.argsort(key, kind="stable")
    follows_on = np.zeros(order.size, np.bool_)
    follows_on[1:] = (key[order[1:]] == key[order[:-1]]) & (unit[order[1:]] == unit[order[:-1]] + 1)
    return order, follows_on


def holds_for_all(is_so: BoolArray, starts: LongArray) -> BoolArray:
    """Return for each row of entries whether it is so for all, and as many as in the row before."""
    wrong = ragged.starts_of((~is_so).astype(np.int64))
    sizes = np.diff(starts)
    is_as_long = np.append(True, sizes[1:] == sizes[:-1])[: sizes.size]
    found: BoolArray = is_as_long & (wrong[starts[1:]] == wrong[starts[:-1]])
    return found


def _grown(key: LongArray, unit: LongArray, seen: LongArray) -> tuple[LongArray, LongArray]:
    """Return the segment before each, and sizes that never shrink while a topic stays."""
    order, follows_on = linked(key, unit)
    before = np.full(order.size, NONE, np.int64)
    before[order[follows_on]] = order[np.flatnonzero(follows_on) - 1]
    run = np.cumsum(~follows_on) << _SIZE_BITS
    sizes = np.empty(order.size, np.int64)
    sizes[order] = np.maximum.accumulate(run + seen[order]) - run
    return before, sizes


def _changes(values: IntArray | LongArray) -> BoolArray:
    """Return where a value differs from the one before it; the first one does."""
    found = np.ones(values.size, np.bool_)
    found[1:] = values[1:] != values[:-1]
    return found

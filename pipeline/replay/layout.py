"""Groups, snapshots, topics and partitions of a whole batch as flat arrays.

N valid rows, S snapshots of groups, T topics of snapshots ("segments"), P partitions of snapshots.
All are ordered by group, snapshot, topic, partition; so a snapshot is a slice of partitions, and a
group's previous snapshot is the one before it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, IntArray, LongArray
from pipeline.encoding import NOBODY
from pipeline.replay.ordering import Numbers

NONE: Final = -1
"""No such row, segment or partition."""
_SIZE_BITS: Final = 31


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchLayout:
    """The positions of groups, snapshots, topics and partitions in the arrays of a batch."""

    new_rows: int
    """Rows from this index on belong to the checkpoint."""
    rows: LongArray
    """(N,) the valid rows, in order."""
    snapshot_of_row: LongArray
    """(N,) each row's snapshot."""
    first_rows: LongArray
    """(S,) the first row of each snapshot."""
    follows: BoolArray
    """(S,) whether the previous snapshot is of the same group."""
    is_checkpoint: BoolArray
    """(S,) whether it is the checkpoint's last snapshot, which has been replayed."""
    at_us: LongArray
    """(S,) the time of each snapshot, microseconds since 1970."""
    elapsed_us: LongArray
    """(S,) microseconds since the previous snapshot, 0 without one."""
    segment_snapshot: LongArray
    """(T,)"""
    segment_topic: IntArray
    """(T,)"""
    segment_starts: LongArray
    """(T + 1,) segment t holds the partitions segment_starts[t] to segment_starts[t + 1] - 1."""
    segment_before: LongArray
    """(T,) the same topic in the previous snapshot, or ``NONE``."""
    partition_rows: LongArray
    """Positions in ``rows`` of the rows about a partition."""
    partition_of_row: LongArray
    """The partition (of P) of each of those rows."""

    @property
    def snapshot_count(self) -> int:
        """S."""
        return int(self.first_rows.size)

    @property
    def partition_count(self) -> int:
        """P."""
        return int(self.segment_starts[-1])

    @cached_property
    def segments_of_snapshot(self) -> LongArray:
        """(S + 1,) snapshot s has the segments from entry s to entry s + 1."""
        return np.searchsorted(self.segment_snapshot, np.arange(self.snapshot_count + 1))

    @cached_property
    def snapshot_starts(self) -> LongArray:
        """(S + 1,) snapshot s holds the partitions from entry s to entry s + 1."""
        starts: LongArray = self.segment_starts[self.segments_of_snapshot]
        return starts

    @cached_property
    def segment_of_partition(self) -> IntArray:
        """(P,) the segment of each partition."""
        return ragged.row_of_each(self.segment_starts)

    @cached_property
    def snapshot_of_partition(self) -> IntArray:
        """(P,) the snapshot of each partition."""
        return ragged.row_of_each(self.snapshot_starts)

    @cached_property
    def before(self) -> LongArray:
        """(P,) the same partition in the previous snapshot, or ``NONE``."""
        segment = self.segment_of_partition
        earlier = self.segment_before[segment]
        number = np.arange(self.partition_count) - self.segment_starts[segment]
        is_there = (earlier != NONE) & (number < np.diff(self.segment_starts)[earlier])
        return np.where(is_there, self.segment_starts[earlier] + number, NONE)

    @cached_property
    def has_same_partitions(self) -> BoolArray:
        """(S,) whether topics and their sizes equal those of the previous snapshot."""
        sizes = np.diff(self.segment_starts)
        is_same = (self.segment_before != NONE) & (sizes == sizes[self.segment_before])
        return self.follows & holds_for_all(is_same, self.segments_of_snapshot)


def layout_of(numbers: Numbers, rows: LongArray) -> BatchLayout:
    """Split rows, in the order of ``ordering``, into groups, snapshots, topics and partitions."""
    at_us, topic = numbers.at_us[rows], numbers.topic[rows]
    is_new_group = ragged.changes(numbers.cluster[rows], numbers.group[rows])
    is_new_snapshot = is_new_group | ragged.changes(at_us)
    first_rows = np.flatnonzero(is_new_snapshot)
    snapshot_of_row = np.cumsum(is_new_snapshot) - 1
    follows = ~is_new_group[first_rows]
    elapsed_us = np.diff(at_us[first_rows], prepend=at_us[:1])
    about = np.flatnonzero(topic != NOBODY)
    starts_segment = ragged.changes(topic[about], snapshot_of_row[about])
    first = about[starts_segment]
    snapshot, topic_of_segment = snapshot_of_row[first], topic[first]
    last = about[np.append(starts_segment[1:], True)] if about.size else about
    group_of_snapshot = np.cumsum(~follows) - 1
    before, sizes = _grown(
        group_of_snapshot[snapshot] * max(len(numbers.topics), 1) + topic_of_segment,
        snapshot,
        numbers.partition[rows[last]].astype(np.int64) + 1,
    )
    starts = ragged.starts_of(sizes)
    segment_of_row = np.cumsum(starts_segment) - 1
    return BatchLayout(
        new_rows=numbers.new_rows,
        rows=rows,
        snapshot_of_row=snapshot_of_row,
        first_rows=first_rows,
        follows=follows,
        is_checkpoint=rows[first_rows] >= numbers.new_rows,
        at_us=at_us[first_rows],
        elapsed_us=np.where(follows, elapsed_us, 0),
        segment_snapshot=snapshot,
        segment_topic=topic_of_segment,
        segment_starts=starts,
        segment_before=before,
        partition_rows=about,
        partition_of_row=starts[segment_of_row] + numbers.partition[rows[about]],
    )


def entry_before(key: LongArray, snapshot: LongArray) -> LongArray:
    """Return the entry with the same key in the previous snapshot, or ``NONE``.

    Entries must be ordered by snapshot; a key must belong to one group.
    """
    order = np.argsort(key, kind="stable")
    later, earlier = order[1:], order[:-1]
    follows_on = (key[later] == key[earlier]) & (snapshot[later] == snapshot[earlier] + 1)
    before = np.full(order.size, NONE, np.int64)
    before[later[follows_on]] = earlier[follows_on]
    return before


def holds_for_all(is_so: BoolArray, starts: LongArray) -> BoolArray:
    """Return for each row whether all entries are true, and as many as in the previous row."""
    wrong = ragged.starts_of((~is_so).astype(np.int64))
    is_as_long = np.diff(np.diff(starts), prepend=0) == 0
    is_as_long[:1] = True
    holds: BoolArray = is_as_long & (wrong[starts[1:]] == wrong[starts[:-1]])
    return holds


def _grown(key: LongArray, snapshot: LongArray, seen: LongArray) -> tuple[LongArray, LongArray]:
    """Return each segment's predecessor, and sizes that never shrink while a topic exists."""
    before = entry_before(key, snapshot)
    order = np.argsort(key, kind="stable")
    sizes = np.empty(order.size, np.int64)
    sizes[order] = largest_so_far(seen[order], before[order] == NONE)
    return before, sizes


def largest_so_far(sizes: LongArray, begins: BoolArray) -> LongArray:
    """Return the largest size up to each entry, anew where a run begins."""
    run = np.cumsum(begins) << _SIZE_BITS
    largest: LongArray = np.maximum.accumulate(run + sizes) - run
    return largest

"""Rows in the order of the replay, and rows that cannot be used."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors import ragged
from assignors.model import BoolArray, IntArray, LongArray
from assignors.sums import sums
from pipeline.encoding import NOBODY, numbered
from pipeline.ingest.limits import MISSING, MISSING_IN_ALL, MISSING_PER_ROW


class Reason(NamedTuple):
    """Why a row cannot be used."""

    name: str
    """In a few words, for counts of rows."""
    sentence: str


_LATE: Final = Reason(
    "late", "expected a snapshot after the last one replayed of this group, found one before it"
)
_REPEATED: Final = "repeated row"
_IDENTICAL: Final = Reason(_REPEATED, "expected each row once, found an identical one again")
_CONFLICTING: Final = Reason(
    _REPEATED, "expected one row per partition and snapshot, found another one with other values"
)
_NAMES: Final = (
    *("file", "member_id", "client_id", "host", "group_instance_id", "rack"),
    *("auto_offset_reset", "subscribed_topics", "kind", "ownership"),
)
_CONTENT: Final = ("log_start_offset", "log_end_offset", "committed_offset", *_NAMES[1:])


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """The names of every row as numbers; N rows, in any order."""

    clusters: pa.StringArray
    groups: pa.StringArray
    topics: pa.StringArray
    """In Java's string order, like ``members``."""
    members: pa.StringArray
    cluster: IntArray
    """(N,)"""
    group: IntArray
    """(N,) numbers of group names; groups of several clusters may share a name."""
    at_us: LongArray
    """(N,) microseconds since 1970, UTC."""
    topic: IntArray
    """(N,) ``NOBODY``: a row about a member without partitions."""
    partition: IntArray
    """(N,) undefined where there is no topic."""
    member: IntArray
    """(N,) ``NOBODY`` where nobody owns the partition."""
    checkpoint_members: IntArray
    """Owners in the checkpoint, as numbers of ``members``, row by row."""
    checkpoint_rows: int
    """How many rows, at the end, belong to the checkpoint."""

    @property
    def new_rows(self) -> int:
        """How many rows precede those of the checkpoint."""
        return int(self.at_us.size) - self.checkpoint_rows


@dataclass(frozen=True, eq=False, kw_only=True)
class Ordering:
    """The valid rows in order, and the rejected ones."""

    kept: LongArray
    """Rows by cluster, group, snapshot, topic (members without partitions last), partition."""
    rejected: LongArray
    reasons: list[Reason]
    """One for each rejected row."""


def numbers_of(rows: pa.Table, checkpoint: pa.Table) -> Numbers:
    """Assign numbers to the names of all rows; those of the checkpoint come last."""
    clusters, (cluster,) = numbered([rows["cluster"]])
    groups, (group,) = numbered([rows["group_id"]])
    topics, (topic,) = numbered([rows["topic"]])
    owners = pc.list_flatten(checkpoint["owners"]).cast(pa.string()).dictionary_encode()
    members, (member, checkpoint_members) = numbered([rows["member_id"], owners])
    return Numbers(
        clusters=clusters,
        groups=groups,
        topics=topics,
        members=members,
        cluster=cluster,
        group=group,
        at_us=rows["snapshot_at"].cast(pa.int64()).to_numpy(),
        topic=topic,
        partition=rows["partition"].fill_null(0).to_numpy(),
        member=member,
        checkpoint_members=checkpoint_members,
        checkpoint_rows=checkpoint.num_rows,
    )


def ordering_of(rows: pa.Table, numbers: Numbers) -> Ordering:
    """Sort the rows; reject repeated and late ones, and snapshots with an absurd partition.

    Of several rows about one partition, or about one member without partitions, the first by file
    and content stays, regardless of their order.
    """
    is_idle = numbers.topic == NOBODY
    topic = np.where(is_idle, len(numbers.topics), numbers.topic)
    slot = np.where(is_idle, numbers.member, numbers.partition)
    key = (numbers.cluster, numbers.group, numbers.at_us, topic, slot)
    is_late = _is_late(numbers)
    late, candidates = np.flatnonzero(is_late), np.flatnonzero(~is_late)
    order = candidates[np.lexsort([part[candidates] for part in reversed(key)])]
    is_repeated = np.zeros(order.size, np.bool_)
    is_repeated[1:] = np.all([part[order[1:]] == part[order[:-1]] for part in key], axis=0)
    reasons = []
    if is_repeated.any():
        involved = np.flatnonzero(is_repeated | np.append(is_repeated[1:], False))
        run = np.cumsum(~is_repeated[involved]) - 1
        order[involved], is_same = _by_file_and_content(rows, order[involved], run)
        reasons = [_IDENTICAL if same else _CONFLICTING for same in is_same[is_repeated[involved]]]
    once = order[~is_repeated]
    is_absurd, absurd_reasons = _absurd(numbers, once)
    return Ordering(
        kept=once[~is_absurd],
        rejected=np.concatenate([late, order[is_repeated], once[is_absurd]]),
        reasons=[_LATE] * late.size + reasons + absurd_reasons,
    )


def _absurd(numbers: Numbers, rows: LongArray) -> tuple[BoolArray, list[Reason]]:
    """Tell which rows are of a group's snapshot with absurd partitions, and why.

    Such numbers would cost the memory of as many partitions, and change every strategy's answer, so
    the group's snapshot as a whole cannot be trusted. ``rows`` must be in order.
    """
    topic, partition = numbers.topic[rows], numbers.partition[rows]
    is_new = ragged.changes(numbers.cluster[rows], numbers.group[rows], numbers.at_us[rows])
    first = np.flatnonzero(is_new | ragged.changes(topic))
    count = np.diff(first, append=rows.size)
    size = partition[first + count - 1].astype(np.int64) + 1
    is_topic = topic[first] != NOBODY
    first, count, size = first[is_topic], count[is_topic], size[is_topic]
    missing, snapshot = size - count, np.cumsum(is_new) - 1
    reason_of = {}
    own, snapshots = snapshot[first], int(np.count_nonzero(is_new))
    in_all, missing_in_all = (sums(own, each, snapshots) for each in (count, missing))
    for each in np.flatnonzero(missing_in_all > MISSING_IN_ALL + MISSING_PER_ROW * in_all).tolist():
        reason_of[each] = _too_many(int(in_all[each]), int(missing_in_all[each]))
    for each in np.flatnonzero(missing > MISSING + MISSING_PER_ROW * count).tolist()[::-1]:
        name = numbers.topics[int(topic[first[each]])].as_py()
        reason_of[int(own[each])] = _too_far(name, int(count[each]), int(size[each]))
    is_absurd = np.isin(snapshot, list(reason_of))
    return is_absurd, [reason_of[each] for each in snapshot[is_absurd].tolist()]


def _too_far(topic: str, rows: int, size: int) -> Reason:
    most = rows + MISSING + MISSING_PER_ROW * rows - 1
    return _absurd_reason(
        f"expected partition numbers up to {most:,} in topic {topic}, of which the group has "
        f"{rows:,} rows at this snapshot, found {size - 1:,}"
    )


def _too_many(rows: int, missing: int) -> Reason:
    most = MISSING_IN_ALL + MISSING_PER_ROW * rows
    return _absurd_reason(
        f"expected at most {most:,} partitions without a row below the largest number of each "
        f"topic, as the group has {rows:,} rows of partitions at this snapshot, found {missing:,}"
    )


def _absurd_reason(sentence: str) -> Reason:
    whole = f"{sentence}; so the group is set aside at it"
    return Reason("absurd partition: group set aside", whole)


def _is_late(numbers: Numbers) -> BoolArray:
    """(N,) whether a row's snapshot is not after its group's in the checkpoint."""
    group = numbers.cluster.astype(np.int64) * max(len(numbers.groups), 1) + numbers.group
    known, own = np.unique(group[numbers.new_rows :], return_inverse=True)
    last_us = np.zeros(known.size, np.int64)
    np.maximum.at(last_us, own, numbers.at_us[numbers.new_rows :])
    is_late = np.zeros(group.size, np.bool_)
    if known.size:
        new = slice(0, numbers.new_rows)
        place = np.minimum(np.searchsorted(known, group[new]), known.size - 1)
        is_late[new] = (known[place] == group[new]) & (numbers.at_us[new] <= last_us[place])
    return is_late


def _by_file_and_content(
    rows: pa.Table, involved: LongArray, run: LongArray
) -> tuple[LongArray, BoolArray]:
    """Return the rows sorted within each run, and whether each equals the first of its run."""
    here = rows.take(pa.array(involved))
    plain = {n: here[n].cast(pa.string()) if n in _NAMES else here[n] for n in ("file", *_CONTENT)}
    taken = pa.table({"run": pa.array(run), **plain})
    keys = [(name, "ascending") for name in taken.column_names]
    order = pc.sort_indices(taken, sort_keys=keys).to_numpy()
    values = [taken[name].combine_chunks() for name in _CONTENT]
    encoded = [value.dictionary_encode(null_encoding="encode").indices for value in values]
    codes = np.column_stack(encoded)[order]
    first = np.searchsorted(run, run)
    return involved[order], np.all(codes == codes[first], axis=1)

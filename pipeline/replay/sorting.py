"""Rows in the order of the replay, and those of them that cannot be used."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import BoolArray, IntArray, LongArray
from pipeline.replay.coding import LISTS, NAMES
from pipeline.replay.names import NOBODY, dense, numbered

_LONG_BITS: Final = 63
_CONTENT: Final = (
    "log_start_offset",
    "log_end_offset",
    "committed_offset",
    "member_id",
    "client_id",
    "host",
    "group_instance_id",
    "rack",
    "auto_offset_reset",
    "subscribed_topics",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """Every row's strings as numbers; N rows, in any order."""

    clusters: pa.StringArray
    groups: pa.StringArray
    topics: pa.StringArray
    """In Java's string order, like ``members``."""
    members: pa.StringArray
    cluster: IntArray
    """(N,)"""
    group: IntArray
    """(N,) numbers in ``groups``, and not of groups: clusters may have groups of one name."""
    at: LongArray
    """(N,) microseconds since 1970, UTC."""
    topic: IntArray
    """(N,) ``NOBODY``: a row about a member without partitions."""
    partition: IntArray
    """(N,) undefined where there is no topic."""
    member: IntArray
    """(N,) ``NOBODY`` where nobody owns the partition."""
    chain_members: IntArray
    """Owners in the chain, as numbers of ``members``, row after row."""
    chain_rows: int
    """How many of the rows, at the end, are of the chain."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sorting:
    """Which rows count, in which order, and which do not."""

    kept: LongArray
    """Rows by cluster, group, snapshot, topic (members without partitions last), partition."""
    rejected: LongArray
    reasons: tuple[str, ...]
    """One for each rejected row."""


def numbers_of(rows: pa.Table, chain: pa.Table) -> Numbers:
    """Give numbers to the names of all rows, which are coded; those of the chain are the last."""
    clusters, (cluster,) = numbered([rows["cluster"]])
    groups, (group,) = numbered([rows["group_id"]])
    topics, (topic,) = numbered([rows["topic"]])
    chain_owners = pc.list_flatten(chain["owners"]).cast(pa.string()).dictionary_encode()
    members, (member, chain_members) = numbered([rows["member_id"], chain_owners])
    return Numbers(
        clusters=clusters,
        groups=groups,
        topics=topics,
        members=members,
        cluster=cluster,
        group=group,
        at=rows["snapshot_at"].cast(pa.int64()).to_numpy(),
        topic=topic,
        partition=rows["partition"].fill_null(0).to_numpy(),
        member=member,
        chain_members=chain_members,
        chain_rows=chain.num_rows,
    )


def sorting_of(rows: pa.Table, numbers: Numbers) -> Sorting:
    """Sort the rows; reject what repeats or comes too late.

    Of several rows for one partition, or for one member without partitions, the first in
    the order of file and content stays, whatever order the rows are in.
    """
    is_late = _is_late(numbers)
    late = np.flatnonzero(is_late)
    key = _key(numbers)
    candidates = np.flatnonzero(~is_late)
    order = candidates[_argsort(key, candidates)]
    kept, repeated, reasons = _without_repeats(rows, key, order)
    return Sorting(
        kept=kept,
        rejected=np.concatenate([late, repeated]),
        reasons=(*(_LATE for _ in late), *reasons),
    )


_LATE: Final = "expected a snapshot after the last one replayed of this group, found one before it"


def _is_late(numbers: Numbers) -> BoolArray:
    """(N,) whether a row is of a snapshot that is not after the last one in the chain."""
    found = np.zeros(numbers.at.size, np.bool_)
    fresh = numbers.at.size - numbers.chain_rows
    if numbers.chain_rows:
        group = _group_keys(numbers)
        chained, first = np.unique(group[fresh:], return_index=True)
        place = np.minimum(np.searchsorted(chained, group[:fresh]), chained.size - 1)
        found[:fresh] = chained[place] == group[:fresh]
        found[:fresh] &= numbers.at[:fresh] <= numbers.at[fresh:][first][place]
    return found


def _group_keys(numbers: Numbers) -> LongArray:
    return numbers.cluster.astype(np.int64) * max(len(numbers.groups), 1) + numbers.group


def _key(numbers: Numbers) -> tuple[LongArray, ...]:
    """Return what rows are sorted by, the most important first; one number where it fits."""
    _, moment = dense(numbers.at)
    topics, is_idle = len(numbers.topics), numbers.topic == NOBODY
    topic = np.where(is_idle, topics, numbers.topic)
    slot = np.where(is_idle, numbers.member + 1, numbers.partition)
    parts = (numbers.cluster, numbers.group, moment, topic, slot)
    sizes = [int(part.max(initial=0)) + 1 for part in parts]
    if sum(size.bit_length() for size in sizes) > _LONG_BITS:
        return (*(part.astype(np.int64) for part in parts),)
    key = parts[0].astype(np.int64)
    for part, size in zip(parts[1:], sizes[1:], strict=True):
        key = key * size + part
    return (key,)


def _argsort(key: tuple[LongArray, ...], rows: LongArray) -> LongArray:
    found: LongArray = (
        np.argsort(key[0][rows])
        if len(key) == 1
        else np.lexsort([part[rows] for part in reversed(key)])
    )
    return found


def _without_repeats(
    rows: pa.Table, key: tuple[LongArray, ...], order: LongArray
) -> tuple[LongArray, LongArray, list[str]]:
    """Return the rows that stay, in order, those that repeat one of them, and the reasons."""
    is_again = np.ones(max(order.size - 1, 0), np.bool_)
    for part in key:
        is_again &= part[order[1:]] == part[order[:-1]]
    if not is_again.any():
        return order, np.zeros(0, np.int64), []
    is_repeated = np.append(False, is_again)
    is_involved = is_repeated | np.append(is_again, False)
    places = np.flatnonzero(is_involved)
    sorted_rows, is_same = _by_file_and_content(
        rows, order[places], np.cumsum(~is_repeated[places])
    )
    order = order.copy()
    order[places] = sorted_rows
    same = np.zeros(order.size, np.bool_)
    same[places] = is_same
    reasons = [_IDENTICAL if found else _RIVAL for found in same[is_repeated].tolist()]
    return order[~is_repeated], order[is_repeated], reasons


_IDENTICAL: Final = "expected each row once, found an identical one again"
_RIVAL: Final = "expected one row a partition and snapshot, found another one with other values"


def _by_file_and_content(
    rows: pa.Table, involved: LongArray, run: LongArray
) -> tuple[LongArray, BoolArray]:
    """Return the rows sorted within their run, and whether each equals its run's first."""
    taken = rows.take(pa.array(involved))
    sortable = pa.table({"run": run, "file": taken["file"].cast(pa.string()), **_comparable(taken)})
    order = pc.sort_indices(
        sortable, sort_keys=[(name, "ascending") for name in sortable.column_names]
    ).to_numpy()
    content = sortable.drop_columns(["run", "file"])
    _, first = np.unique(run, return_index=True)
    return involved[order], _equals(content, order, order[first[run - 1]])


def _comparable(rows: pa.Table) -> dict[str, pa.ChunkedArray]:
    """Return what rows say of a partition, with names as strings again."""
    return {
        name: rows[name].cast(pa.string()) if name in {*NAMES, LISTS} else rows[name]
        for name in _CONTENT
    }


def _equals(table: pa.Table, rows: LongArray, others: LongArray) -> BoolArray:
    is_equal = np.ones(rows.size, np.bool_)
    for column in table.columns:
        left, right = column.take(pa.array(rows)), column.take(pa.array(others))
        same = pc.equal(left, right).fill_null(False)  # noqa: FBT003 -- Arrow's own name
        both_null = pc.and_(pc.is_null(left), pc.is_null(right))
        is_equal &= pc.or_(same, both_null).to_numpy().astype(np.bool_)
    return is_equal

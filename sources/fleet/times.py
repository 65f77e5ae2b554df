"""Each group's time lag, catch-up time and retention loss."""

from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray
from evaluation.measuring.lag_in_time import (
    Series,
    TimeLag,
    growth_per_second,
    seconds_to_catch_up_together,
    seconds_to_loss_by_age,
    seconds_to_loss_by_size,
    time_lag,
)
from sources.errors import guarded
from sources.fleet.scope import Scope, in_scope
from sources.fleet.tables import Fleet, codes, integers, numbered

_OFFSETS: Final = ("log_start_offset", "log_end_offset", "committed_offset")
_COLUMNS: Final = (
    "cluster",
    "group_id",
    "snapshot_at",
    "topic",
    "partition",
    "member_id",
    *_OFFSETS,
)


@guarded("the tables")
def group_times(fleet: Fleet, scope: Scope, retention_s: float | None = None) -> pd.DataFrame:
    """Return one row per group as of its last snapshot, from all its snapshots in the scope.

    ``time_lag_s`` is the time lag of its partition ``slowest``, a lower bound if ``is_at_least``;
    ``catch_up_s`` is the longest of any partition; ``loss_s`` is the soonest, of ``first_lost``: by
    the movement of the log's start, and by age if the topics' retention is given in seconds. NaN is
    unknown, infinity never.
    """
    rows = fleet.read("partition_lag", _COLUMNS, in_scope(scope))
    cluster, clusters = numbered(rows["cluster"])
    name, names = numbered(rows["group_id"])
    topic, topics = numbered(rows["topic"])
    keys = np.stack([cluster, name, topic, rows["partition"].to_numpy()])
    found = _in_order(rows, keys)
    of_group, group, keys = found.of_group, found.group, found.keys
    behind, catch_up, loss = _times(found, retention_s)
    slowest, soonest = _largest(behind.seconds, group), _largest(-loss, group)
    label = topics[keys[2]] + "-" + keys[3].astype(str).astype(object)
    return pd.DataFrame(
        {
            "cluster": clusters[keys[0, of_group]],
            "group_id": names[keys[1, of_group]],
            "time_lag_s": behind.seconds[slowest],
            "is_at_least": ~behind.is_exact[slowest],
            "slowest": label[slowest],
            "catch_up_s": catch_up[_largest(catch_up, group)],
            "loss_s": loss[soonest],
            "first_lost": label[soonest],
        }
    )


class _Partitions(NamedTuple):
    """Snapshots in the order of partitions, and partitions in the order of groups.

    N snapshots, Q partitions, G groups.
    """

    keys: LongArray
    """(4, Q) cluster, group, topic and number of each partition."""
    partition: LongArray
    """(N,) whose snapshot it is."""
    at_s: FloatArray
    """(N,)"""
    offsets: tuple[LongArray, LongArray, LongArray]
    """(N,) each, as ``_OFFSETS`` names them."""
    last: LongArray
    """(Q,) the last snapshot of each partition."""
    group: LongArray
    """(Q,) each partition's group."""
    of_group: LongArray
    """(G,) the first partition of each group."""
    is_current: BoolArray
    """(Q,) whether the last snapshot of its group has the partition."""
    readers: LongArray
    """(Q,) a number for each consumer that owned it last; -1 for nobody."""


def _in_order(rows: pd.DataFrame, keys: LongArray) -> _Partitions:
    """Return the snapshots with these keys (4, N), in order."""
    at_us = integers(rows["snapshot_at"])
    order = np.lexsort([at_us, *keys[::-1]])
    keys, at_us = keys[:, order], at_us[order]
    is_first = np.any(np.diff(keys, axis=1, prepend=-1), axis=0)
    partition, first = np.cumsum(is_first) - 1, np.flatnonzero(is_first)
    last = np.append(first[1:], order.size)[: first.size] - 1
    keys = keys[:, first]
    is_new_group = np.any(np.diff(keys[:2], axis=1, prepend=-1), axis=0)
    group, of_group = np.cumsum(is_new_group) - 1, np.flatnonzero(is_new_group)
    last_us = np.maximum.reduceat(at_us[last], of_group) if of_group.size else at_us
    start, end, committed = (integers(rows[each])[order] for each in _OFFSETS)
    member = codes(rows["member_id"])[order][last]
    of_member = np.unique(np.stack([group, member]), axis=1, return_inverse=True)[1].reshape(-1)
    return _Partitions(
        keys=keys,
        partition=partition,
        at_s=at_us / 1e6,
        offsets=(start, end, committed),
        last=last,
        group=group,
        of_group=of_group,
        is_current=(at_us[last] == last_us[group]) & (end[last] != UNKNOWN),
        readers=np.where(member < 0, -1, of_member),
    )


def _times(found: _Partitions, retention_s: float | None) -> tuple[TimeLag, FloatArray, FloatArray]:
    """Return each partition's time lag, and its seconds to catch up and to the first loss; (Q,)."""
    start, end, committed = (each[found.last] for each in found.offsets)
    read = np.where(found.is_current, committed, UNKNOWN)
    starts, ends, reads = (
        Series.of(found.partition, found.at_s, each, found.last.size) for each in found.offsets
    )
    behind = time_lag(ends, read)
    produced, consumed = growth_per_second(ends), growth_per_second(reads)
    lag = np.where(read == UNKNOWN, np.nan, np.maximum(end - read, 0))
    catch_up = seconds_to_catch_up_together(lag, produced, consumed, found.readers)
    loss = seconds_to_loss_by_size(start, read, growth_per_second(starts), consumed)
    if retention_s is not None:
        by_age = seconds_to_loss_by_age(lag, behind.seconds, produced, consumed, retention_s)
        loss = np.fmin(loss, by_age)
    return behind, catch_up, loss


def _largest(values: FloatArray, group: LongArray) -> LongArray:
    """Return the position of each group's largest value, the first of equal ones; NaN is least."""
    is_known = ~np.isnan(values)
    keys = [-np.arange(values.size), np.where(is_known, values, 0.0), is_known, group]
    order = np.lexsort(keys)
    rows: LongArray = order[np.flatnonzero(np.diff(group[order], append=-1))]
    return rows

"""Each group's time lag, catch-up time and retention loss."""

from typing import Final

import numpy as np
import pandas as pd

from assignors.model import UNKNOWN, FloatArray, LongArray
from evaluation.measuring.lag_in_time import (
    Series,
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
    number, at_us = rows["partition"].to_numpy(), integers(rows["snapshot_at"])
    order = np.lexsort([at_us, number, topic, name, cluster])
    keys = np.stack([cluster, name, topic, number])[:, order]
    is_first = np.any(np.diff(keys, axis=1, prepend=-1), axis=0)
    partition, first = np.cumsum(is_first) - 1, np.flatnonzero(is_first)
    last = np.append(first[1:], order.size)[: first.size] - 1
    is_new_group = np.any(np.diff(keys[:2, first], axis=1, prepend=-1), axis=0)
    group, of_group = np.cumsum(is_new_group) - 1, np.flatnonzero(is_new_group)
    at_us = at_us[order]
    last_us = np.maximum.reduceat(at_us[last], of_group) if of_group.size else at_us
    start, end, committed = (integers(rows[each])[order] for each in _OFFSETS)
    is_current = (at_us[last] == last_us[group]) & (end[last] != UNKNOWN)
    read = np.where(is_current, committed[last], UNKNOWN)
    starts, ends, reads = (
        Series.of(partition, at_us / 1e6, each, first.size) for each in (start, end, committed)
    )
    behind = time_lag(ends, read)
    produced, consumed = growth_per_second(ends), growth_per_second(reads)
    lag = np.where(read == UNKNOWN, np.nan, np.maximum(end[last] - read, 0))
    member = codes(rows["member_id"])[order][last]
    of_member = np.unique(np.stack([group, member]), axis=1, return_inverse=True)[1].reshape(-1)
    readers = np.where(member < 0, -1, of_member)
    catch_up = seconds_to_catch_up_together(lag, produced, consumed, readers)
    loss = seconds_to_loss_by_size(start[last], read, growth_per_second(starts), consumed)
    if retention_s is not None:
        by_age = seconds_to_loss_by_age(lag, behind.seconds, produced, consumed, retention_s)
        loss = np.fmin(loss, by_age)
    slowest, soonest = _largest(behind.seconds, group), _largest(-loss, group)
    label = topics[keys[2, first]] + "-" + keys[3, first].astype(str).astype(object)
    return pd.DataFrame(
        {
            "cluster": clusters[keys[0, first[of_group]]],
            "group_id": names[keys[1, first[of_group]]],
            "time_lag_s": behind.seconds[slowest],
            "is_at_least": ~behind.is_exact[slowest],
            "slowest": label[slowest],
            "catch_up_s": catch_up[_largest(catch_up, group)],
            "loss_s": loss[soonest],
            "first_lost": label[soonest],
        }
    )


def _largest(values: FloatArray, group: LongArray) -> LongArray:
    """Return the position of each group's largest value, the first of equal ones; NaN is least."""
    is_known = ~np.isnan(values)
    keys = [-np.arange(values.size), np.where(is_known, values, 0.0), is_known, group]
    order = np.lexsort(keys)
    rows: LongArray = order[np.flatnonzero(np.diff(group[order], append=-1))]
    return rows

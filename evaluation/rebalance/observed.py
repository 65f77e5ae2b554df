"""The rebalance between two snapshots of a group: joins, departures, moves, and the prediction."""

from dataclasses import dataclass, replace

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from assignors.naming import member_records, topic_records
from assignors.numbering import group_of
from assignors.strategy import Strategy
from evaluation.measuring.offset_history import (
    COMMITTED,
    OffsetHistory,
    history_offsets,
)
from evaluation.moves import is_moved
from evaluation.rebalance.simulation import fewest_moves

_SILENT_S = 10.0
"""Consumers commit every 5 s by default; one that has not for this long has stopped reading."""


@dataclass(frozen=True, kw_only=True)
class Observed:
    """One rebalance of a running group; names are member ids."""

    joined: tuple[str, ...]
    left: tuple[str, ...]
    """Members that are gone without having timed out."""
    timed_out: tuple[str, ...]
    """Members that are gone and had stopped committing despite lag: a guess."""
    moved: int
    """Partitions owned before, and now by another member or none."""
    needless: int | None
    """Moves beyond the fewest that make counts even; None if those are unknown."""
    unlike_prediction: int | None
    """Partitions whose owner differs from the prediction; None without a known strategy."""


def observed(
    before: Group, after: Group, history: OffsetHistory, strategy: Strategy | None
) -> Observed | None:
    """Return the rebalance between two states of a group; None if nothing changed.

    ``history`` ends with the moment of ``before``. The prediction is the strategy's result for the
    members after, each owning what it owned before.
    """
    after_join = with_past_owners(before, after)
    gone = tuple(sorted(set(before.members) - set(after.members)))
    joined = tuple(sorted(set(after.members) - set(before.members)))
    past = past_owners(before, after, gone)
    moved = int(np.count_nonzero(is_moved(past, after.present_owners)))
    if not (moved or gone or joined or before.partition_count != after.partition_count):
        return None
    silent = _silent(before, history)
    fewest = fewest_moves(after_join, past) if after.member_count else None
    unlike = None
    if strategy is not None and after.member_count:
        predicted = strategy.settle(after_join)
        unlike = int(np.count_nonzero(predicted != after.present_owners))
    return Observed(
        joined=joined,
        left=tuple(member for member in gone if member not in silent),
        timed_out=tuple(member for member in gone if member in silent),
        moved=moved,
        needless=None if fewest is None else max(moved - fewest, 0),
        unlike_prediction=unlike,
    )


def with_past_owners(before: Group, after: Group) -> Group:
    """Return the later group with each member owning what it owned before."""
    owned = {member.id: member.owned for member in member_records(before)}
    members = [member._replace(owned=owned.get(member.id, ())) for member in member_records(after)]
    reset = after.offsets.reset
    group = group_of(topic_records(after), members, id=after.id, auto_offset_reset=reset)
    return replace(group, load_settings=after.load_settings)


def past_owners(before: Group, after: Group, gone: tuple[str, ...]) -> Owners:
    """Return the earlier owners in the later numbering; departed members follow all others."""
    number = {name: m for m, name in enumerate((*after.members, *gone))}
    start = {name: int(after.layout.topic_starts[t]) for t, name in enumerate(after.topics)}
    size = {name: int(after.topic_sizes[t]) for t, name in enumerate(after.topics)}
    past = np.full(after.partition_count, UNOWNED, np.int32)
    for partition, owner in enumerate(before.present_owners.tolist()):
        name = before.topics[int(before.topic_of_partition[partition])]
        at = int(before.number_in_topic[partition])
        if owner != UNOWNED and at < size.get(name, 0):
            past[start[name] + at] = number[before.members[owner]]
    return past


def _silent(before: Group, history: OffsetHistory) -> set[str]:
    """Return the members that had lag but committed nothing for a while."""
    times = history.times_s
    if not times.size:
        return set()
    first = max(int(np.searchsorted(times, times[-1] - _SILENT_S, side="right")) - 1, 0)
    if not times[-1] - times[first] >= _SILENT_S:  # NaN is not
        return set()
    committed = history_offsets(before, [history.moments[first], history.moments[-1]])[:, COMMITTED]
    owners = before.present_owners
    stands = committed[0] == committed[1]
    reads = set(owners[~stands].tolist())
    waits = set(owners[stands & (before.counted_lags > 0)].tolist())
    return {before.members[m] for m in waits - reads - {UNOWNED}}

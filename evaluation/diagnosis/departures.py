"""Consumers that left, and whether those that stayed lack them."""

from typing import Final, NamedTuple

import numpy as np

from assignors.model import Group, LongArray
from evaluation.diagnosis.findings import FewerConsumers
from evaluation.diagnosis.sums import lag_of, numbers, owners_of, rate_between
from evaluation.measuring.facts import PACE
from evaluation.measuring.offset_history import (
    CHANGED,
    COMMITTED,
    END,
    OffsetHistory,
    history_offsets,
)
from evaluation.measuring.partition_times import PartitionTimes

NEARLY_ALL: Final = 0.8
"""From this share of its consumers on, the group is behind as a whole."""
TELLS_S: Final = 30.0
"""Commits come in batches: those within less time tell no rate."""


def fewer_consumers(
    group: Group, history: OffsetHistory, times: PartitionTimes, left: LongArray
) -> list[FewerConsumers]:
    """Return whether these partitions are behind since consumers left.

    The others read no less each than before, but less together, and no more arrives. As many as
    before are needed if those kept pace. Nearly all of them are behind.
    """
    change = _last_departure(history)
    if change is None or len(owners_of(group, left)) < NEARLY_ALL * change.after:
        return []
    begun, gone_by, before, after = change
    since_s = float(history.times_s[-1] - history.times_s[gone_by])
    if since_s < TELLS_S:
        return []
    offsets = history_offsets(group, history.as_read)[:, :, group.is_wanted]
    arriving, reading, arriving_now, reading_now = (
        rate_between(history.times_s, offsets[:, row], part)
        for part in (slice(begun, gone_by), slice(gone_by, None))
        for row in (END, COMMITTED)
    )
    is_as_fast = reading_now / after >= (1 - CHANGED) * reading / before  # NaN is not
    is_as_much = arriving >= (1 - CHANGED) * arriving_now
    is_less = reading_now < (1 - PACE) * min(reading, arriving_now)
    if not (is_as_fast and is_as_much and is_less):
        return []
    return [
        FewerConsumers(
            members=owners_of(group, left),
            partitions=numbers(left),
            lag=lag_of(times, left),
            arriving=arriving_now,
            reading=reading_now,
            before=reading,
            gone=before - after,
            needed=before if reading >= (1 - PACE) * arriving else None,
            since_s=since_s,
        )
    ]


class _Departure(NamedTuple):
    begun: int
    """The first moment of as many consumers as before."""
    gone_by: int
    """The first moment without those that left."""
    before: int
    after: int


def _last_departure(history: OffsetHistory) -> _Departure | None:
    """Return when fewer consumers than before owned something, and as many since; None if never."""
    counts = np.array([m.held.active if m.held else 0 for m in history.moments])
    if not counts.size or not counts.all() or np.isnan(history.times_s).any():
        return None
    changes = np.flatnonzero(np.diff(counts)) + 1
    if not changes.size or counts[changes[-1]] > counts[changes[-1] - 1]:
        return None
    gone_by = int(changes[-1])
    begun = int(changes[-2]) if changes.size > 1 else 0
    return _Departure(begun, gone_by, int(counts[gone_by - 1]), int(counts[gone_by]))

"""Notes on a group's lags and topics, for whoever reads its figures."""

from collections.abc import Iterator

import numpy as np

from assignors.lag.offsets import lag_from_offsets
from assignors.model import UNKNOWN, Group, LongArray

_NAMED = 3
"""So many partitions are named; the rest are counted."""


def notes_on(group: Group) -> tuple[str, ...]:
    """Return sentences on unknown, negative and derived lag, and on topics without partitions."""
    return tuple(_notes(group))


def _notes(group: Group) -> Iterator[str]:
    unknown = np.flatnonzero(~group.is_lag_known)
    negative = np.flatnonzero(group.is_lag_known & (group.lags < 0))
    if unknown.size:
        which = "all" if unknown.size == group.partition_count else f"{unknown.size} of"
        yield f"The lag of {which} {group.partition_count} partitions is unknown."
    if negative.size:
        yield f"Negative lag counts as 0: {_named(group, negative)}."
    uncommitted = _uncommitted(group)
    if uncommitted.size:
        backlog = "0" if group.auto_offset_reset == "latest" else "all that the log holds"
        yield (
            f"Nothing is committed on {_named(group, uncommitted)}; as auto.offset.reset is "
            f"{group.auto_offset_reset}, the lag there is {backlog}."
        )
    absent = [
        name
        for name, size, audience in zip(
            group.topics, group.topic_sizes, group.audiences.of_topic, strict=True
        )
        if size == 0 and audience >= 0
    ]
    if absent:
        yield f"Topics with subscribers but no partitions: {', '.join(absent[:_NAMED])}" + (
            f" and {len(absent) - _NAMED} more topics." if len(absent) > _NAMED else "."
        )


def _uncommitted(group: Group) -> LongArray:
    """Return partitions whose lag follows from the offsets although nothing is committed."""
    begin, end, committed = group.begin_offsets, group.end_offsets, group.committed_offsets
    unknown = np.full(group.partition_count, UNKNOWN)
    if end is None:
        return np.zeros(0, np.int64)
    committed = unknown if committed is None else committed
    begin = unknown if begin is None else begin
    followed = lag_from_offsets(begin, end, committed, group.auto_offset_reset)
    is_followed = group.is_lag_known & (group.lags == followed)
    return np.flatnonzero((committed == UNKNOWN) & is_followed)


def _named(group: Group, partitions: LongArray) -> str:
    names = ", ".join(group.partition_name(int(p)) for p in partitions[:_NAMED])
    more = partitions.size - _NAMED
    return f"{names} and {more} more" if more > 0 else names

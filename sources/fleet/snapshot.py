"""One group at one snapshot, as a ``Group`` to edit."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import numpy as np
import pandas as pd

from assignors.kinds import GroupKind, kind_by_ids
from assignors.model import UNKNOWN
from assignors.numbering import Member
from assignors.offsets import RESETS
from evaluation.offset_history import Moment, OffsetHistory, thinned
from sources.budget import Budget
from sources.errors import SourceError, guarded
from sources.fleet.scope import Scope, in_time, of_group, rows_where
from sources.fleet.tables import Fleet
from sources.reading import Reading, notes_on, topics_of_rows

FORMAT: Final = "fleet tables"
_COLUMNS: Final = {
    "lag": "lags",
    "produce_rate": "rates",
    "log_start_offset": "begin",
    "log_end_offset": "end",
    "committed_offset": "committed",
}
"""Columns with a value per partition, and the fields of ``Topic`` they fill."""
_PARTITION: Final = ["topic", "partition", "auto_offset_reset", "member_id", *_COLUMNS]
_PAST: Final = (
    *("snapshot_at", "topic", "partition"),
    *("log_start_offset", "log_end_offset", "committed_offset"),
)
_MOST_MOMENTS: Final = 200
"""The most snapshots of a history."""
_MEMBER: Final = [
    *("member_id", "group_instance_id", "rack", "subscribed_topics", "client_id", "host"),
]
_USUAL_RESET: Final = "latest"


@guarded("this snapshot")
def snapshot(fleet: Fleet, cluster: str, group: str, moment: datetime) -> Reading:
    """Return the group at this moment, with owners and rates.

    A topic has the partitions 0 to the largest seen; those without a row have unknown lag and no
    owner. A partition missing from one snapshot stays as long as its topic does. Raises SourceError
    if there is no such snapshot.
    """
    its_own, then = of_group(cluster, group), in_time(Scope(since=moment, until=moment))
    rows = rows_where(fleet, "partition_lag", _PARTITION, its_own, then)
    members = rows_where(fleet, "group_member", _MEMBER, its_own, then)
    if rows.empty and members.empty:
        message = (
            f"the tables have nothing about group {group!r} of cluster {cluster!r} at "
            f"{moment:%Y-%m-%d %H:%M:%S}; choose another snapshot"
        )
        raise SourceError(message)
    if not (rows["partition"] >= 0).fillna(value=False).all():
        message = f"group {group!r} has a partition without a number, or with one below 0"
        raise SourceError(message)
    budget = Budget()
    so_far = in_time(Scope(until=moment))
    past = rows_where(fleet, "partition_lag", _PAST, its_own, so_far)
    sizes = _sizes(past, rows)
    budget.take_partitions(sizes)
    try:
        restored = budget.group_of(
            topics_of_rows(
                sizes,
                list(zip(rows["topic"], rows["partition"], strict=True)),
                {field: _listed(rows[column]) for column, field in _COLUMNS.items()},
            ),
            list(_members(members, rows)),
            id=group,
            auto_offset_reset=_usual_reset(rows),
        )
    except SourceError as error:
        message = f"group {group!r} at {moment:%Y-%m-%d %H:%M:%S} contradicts itself: {error}"
        raise SourceError(message) from error
    return Reading(
        group=restored,
        format=FORMAT,
        rows=len(rows),
        kind=kind_by_ids(set(restored.layout.client_ids.values()))
        or kind_by_ids(restored.members)
        or GroupKind.CONSUMER,
        notes=tuple(notes_on(restored)),
        history=_history(past, sizes),
        hosts={
            m: host for m, host in zip(members["member_id"], members["host"], strict=True) if host
        },
    )


def _sizes(past: pd.DataFrame, rows: pd.DataFrame) -> Mapping[str, int]:
    """Return the partition count of each topic of the snapshot.

    It follows from the largest number in this snapshot and in earlier ones, back to where the topic
    was missing.
    """
    largest = past.pivot_table("partition", "snapshot_at", "topic", aggfunc="max")
    sizes = {}
    for topic in sorted(rows["topic"].unique()):
        there = largest[topic].sort_index(ascending=False)
        gone = np.flatnonzero(there.isna().to_numpy())
        unbroken = there if not gone.size else there.iloc[: int(gone[0])]
        sizes[str(topic)] = int(unbroken.max()) + 1
    return sizes


def _history(past: pd.DataFrame, sizes: Mapping[str, int]) -> OffsetHistory | None:
    """Return the offsets of the snapshots up to this one; None for a single one."""
    latest = past["snapshot_at"].drop_duplicates().nlargest(_MOST_MOMENTS)
    kept = past[past["snapshot_at"].isin(latest) & past["topic"].isin(list(sizes))]
    moments = []
    for at in thinned(sorted(latest), sum(sizes.values())):
        own = kept[kept["snapshot_at"] == at]
        topics = {}
        for name, of_topic in own.groupby("topic"):
            topics[str(name)] = history = np.full((3, sizes[str(name)]), UNKNOWN)
            is_there = of_topic["partition"].between(0, sizes[str(name)] - 1)
            for row, column in enumerate(_PAST[-3:]):
                offsets = of_topic[column].astype("Int64").fillna(UNKNOWN)
                history[row, of_topic["partition"][is_there].astype(int)] = offsets[is_there]
        moments.append(Moment(at.timestamp(), topics))
    return OffsetHistory(tuple(moments)) if len(moments) > 1 else None


def _members(members: pd.DataFrame, rows: pd.DataFrame) -> Iterator[Member]:
    """Yield the members; an unknown subscription is to all topics of the group."""
    topics = sorted(rows["topic"].unique())
    owned = {
        owner: list(zip(own["topic"], own["partition"].astype(int), strict=True))
        for owner, own in rows[rows["member_id"].notna()].groupby("member_id")
    }
    for id_, instance, rack, wanted, client, _ in members[_MEMBER].itertuples(index=False):
        yield Member(
            id_,
            topics=topics if wanted is None else list(wanted),
            instance_id=instance,
            rack=rack,
            owned=owned.pop(id_, ()),
            client_id=client,
        )
    for owner, partitions in owned.items():  # owns, and no row says more of it
        yield Member(str(owner), topics=topics, owned=partitions)


def _usual_reset(rows: pd.DataFrame) -> str:
    """Return the most common policy, as a group has one for all; no duration (KIP-1106)."""
    resets = rows["auto_offset_reset"][rows["auto_offset_reset"].isin(RESETS)]
    return _USUAL_RESET if resets.empty else str(resets.mode().iloc[0])


def _listed(values: pd.Series) -> list[Any]:
    """Return the values as Python numbers, None where unknown or infinite."""
    return [
        None if pd.isna(value) or not np.isfinite(value) else value for value in values.tolist()
    ]

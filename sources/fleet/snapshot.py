"""A group at a snapshot, as a ``Group`` to edit; or many, each at its last one."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from assignors.arrays import read_only
from assignors.kinds import GroupKind, kind_by_ids, kind_by_name
from assignors.model import UNKNOWN, LongArray
from assignors.numbering import Member
from assignors.offsets import RESETS
from evaluation.measuring.offset_history import Moment, OffsetHistory, thinned
from evaluation.reading import Reading
from sources.assuming import assume
from sources.budget import Budget
from sources.errors import SourceError, guarded
from sources.fleet.kinds import told_kinds
from sources.fleet.ownership import without_owners
from sources.fleet.scope import Scope, in_time, of_group, rows_where
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS
from sources.notes import notes_on
from sources.rows import topics_of_rows

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
_MOMENT: Final = pa.timestamp("us", "UTC")
_MOMENTS: Final = "datetime64[us, UTC]"
"""The same in pandas."""


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
    so_far = in_time(Scope(until=moment))
    past = rows_where(fleet, "partition_lag", _PAST, its_own, so_far)
    here = pd.DataFrame({"cluster": [cluster], "group_id": [group], "snapshot_at": [moment]})
    here["snapshot_at"] = here["snapshot_at"].astype(_MOMENTS)
    kind = told_kinds(fleet, here).get((cluster, group))
    reading = _reading(cluster, group, moment, rows, members, past, kind)
    return _assuming(reading, members, is_untold=bool(without_owners(fleet, here)))


@guarded("the last snapshots")
def last_snapshots(fleet: Fleet, last: pd.DataFrame) -> Iterator[tuple[tuple[str, str], Reading]]:
    """Yield the groups of ``last``, rows with cluster, group_id and snapshot_at, each as then.

    The tables are read once for all of them. A group that contradicts itself is left out.
    """
    if last.empty:
        return
    names = ds.field("group_id").isin([*last["group_id"].unique()])
    ends = ds.field("snapshot_at").isin(pa.array(last["snapshot_at"].unique(), _MOMENT))
    until = Scope(until=last["snapshot_at"].max().to_pydatetime())
    there = [*dict.fromkeys([*KEYS, "snapshot_at", *_PARTITION, *_PAST])]
    whole = rows_where(fleet, "partition_lag", there, names, in_time(until))
    members = rows_where(fleet, "group_member", [*KEYS, "snapshot_at", *_MEMBER], names, ends)
    histories = dict(iter(whole.groupby(KEYS)))
    groups = dict(iter(members.groupby(KEYS)))
    kinds, untold = told_kinds(fleet, last), without_owners(fleet, last)
    for cluster, group, at in last[[*KEYS, "snapshot_at"]].itertuples(index=False):
        past = histories.get((cluster, group), whole.iloc[:0])
        past = past[past["snapshot_at"] <= at]
        own = groups.get((cluster, group), members.iloc[:0])
        own = own[own["snapshot_at"] == at]
        with suppress(SourceError):
            reading = _reading(
                cluster,
                group,
                at.to_pydatetime(),
                past[past["snapshot_at"] == at],
                own,
                past,
                kinds.get((cluster, group)),
            )
            is_untold = (cluster, group, at) in untold
            yield (cluster, group), _assuming(reading, own, is_untold=is_untold)


def _reading(  # noqa: PLR0913, PLR0917 -- a group's name and moment, and its rows of three kinds
    cluster: str,
    group: str,
    moment: datetime,
    rows: pd.DataFrame,
    members: pd.DataFrame,
    past: pd.DataFrame,
    kind: GroupKind | None,
) -> Reading:
    """Return a group from its partitions and members at a moment, and its offsets so far."""
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
        kind=kind
        or kind_by_name(group)
        or kind_by_ids(set(restored.layout.client_ids.values()))
        or kind_by_ids(restored.members)
        or GroupKind.CONSUMER,
        notes=tuple(notes_on(restored)),
        history=_history(past, sizes),
        hosts={
            m: host for m, host in zip(members["member_id"], members["host"], strict=True) if host
        },
    )


def _assuming(reading: Reading, members: pd.DataFrame, *, is_untold: bool) -> Reading:
    """Return a group with what is assumed of it, as of a pasted one: its client, for example.

    ``is_untold``: nobody told the owners; without a consumer, those are unknown too.
    """
    group = reading.group
    if is_untold:
        unknown = read_only(np.ones(group.partition_count, np.bool_))
        group = replace(group, claims=replace(group.claims, is_owner_unknown=unknown))
    group, assumed = assume(
        group,
        lists_members=not is_untold or group.member_count > 0,
        knows_racks=bool(members["rack"].notna().any()),
        are_listed=bool(members["subscribed_topics"].notna().any()),
    )
    return replace(reading, group=group, assumed=assumed)


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
    times = thinned(sorted(latest), sum(sizes.values()))
    topics: list[dict[str, LongArray]] = [{} for _ in times]
    place = pd.Index(times).get_indexer(past["snapshot_at"])
    number = past["partition"].fillna(UNKNOWN).to_numpy(np.int64)
    for name, at in past.groupby("topic").indices.items():
        size = sizes.get(str(name), 0)
        rows = at[(place[at] >= 0) & (number[at] >= 0) & (number[at] < size)]
        offsets = np.full((3, len(times), size), UNKNOWN)
        for row, column in enumerate(_PAST[-3:]):
            known = past[column].astype("Int64").fillna(UNKNOWN).to_numpy(np.int64)
            offsets[row, place[rows], number[rows]] = known[rows]
        for moment in np.unique(place[at]).tolist():
            if moment >= 0 and size:
                topics[moment][str(name)] = offsets[:, moment]
    moments = [Moment(at.timestamp(), of) for at, of in zip(times, topics, strict=True)]
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

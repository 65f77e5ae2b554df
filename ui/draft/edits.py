"""The edits of a draft: each function takes one and returns the next."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from evaluation.capacity.resizing import names_like
from sources.budget import LIMITS
from ui.draft.tables import (
    CONSUMER_COLUMNS,
    PARTITION_COLUMNS,
    PARTITIONS,
    Draft,
    TableCell,
    frame,
    separated,
    shared,
)


def with_topics(draft: Draft, after: pd.DataFrame) -> Draft:
    """Apply a changed topics table: a renamed topic keeps its lags and subscribers.

    Rows match those of the draft by index. Consumers that subscribe to all other topics also
    subscribe to a new one; partitions appear and disappear with the counts.
    """
    before = draft.topics
    renamed = _renamed(before["topic"], after["topic"])
    names = list(after["topic"])
    old_names = set(before["topic"])
    added = set(names) - old_names - set(renamed.values())

    def followed(wanted: tuple[str, ...]) -> tuple[str, ...]:
        chosen = {renamed.get(name, name) for name in wanted}
        if old_names <= set(wanted):
            chosen |= added
        return tuple(name for name in names if name in chosen)

    now = {wanted: followed(wanted) for wanted in set(draft.subscriptions.values())}
    moved = draft.partitions["topic"].map(lambda name: renamed.get(name, name))
    return replace(
        draft,
        topics=after,
        subscriptions={name: now[wanted] for name, wanted in draft.subscriptions.items()},
        partitions=_fitted(draft.partitions.assign(topic=moved), after),
        unread={_at_renamed(cell, renamed): text for cell, text in draft.unread.items()},
    )


def with_consumers(draft: Draft, after: pd.DataFrame) -> Draft:
    """Apply a changed consumers table: a new consumer subscribes to every topic.

    Rows match by index, as in ``with_topics``: a renamed consumer keeps its partitions and
    subscriptions; the partitions of a removed one have no owner.
    """
    before = draft.consumers
    renamed = _renamed(before["consumer"], after["consumer"])
    old_name = {new: old for old, new in renamed.items()}
    everything = tuple(draft.topics["topic"])
    subscriptions = {
        name: draft.subscriptions.get(old_name.get(name, name), everything)
        for name in after["consumer"]
    }
    partitions = draft.partitions
    gone = set(before["consumer"]) - set(after["consumer"]) - set(renamed)
    if renamed or gone:
        partitions = partitions.assign(
            owner=_each_owner(partitions["owner"], lambda name: renamed.get(name, name), gone)
        )
    return replace(
        draft, consumers=after, subscriptions=shared(subscriptions), partitions=partitions
    )


def partition_row(topic: str, number: int) -> str:
    """Return what names a row of the partitions table."""
    return f"{topic} {number}"


def position_of(draft: Draft, row: str) -> int | None:
    """Return the position of a row of the partitions table; None if it is gone."""
    topic, _, number = row.rpartition(" ")
    first = draft.first_rows.get(topic)
    if first is None or not number.isdecimal():
        return None
    position, partitions = first + int(number), draft.partitions
    is_there = position < len(partitions) and partitions["topic"].iloc[position] == topic
    return position if is_there else None


def with_ticks(draft: Draft, ticked: Mapping[tuple[str, str], bool]) -> Draft:
    """Subscribe consumers to topics or end that; by consumer and topic."""
    order = {name: t for t, name in enumerate(draft.topics["topic"])}
    subscriptions = dict(draft.subscriptions)
    for (consumer, topic), is_on in ticked.items():
        if consumer in subscriptions and topic in order:
            wanted = (
                {*subscriptions[consumer], topic} if is_on else {*subscriptions[consumer]} - {topic}
            )
            subscriptions[consumer] = tuple(sorted(wanted, key=order.__getitem__))
    return replace(draft, subscriptions=shared(subscriptions))


def subscribe_all(draft: Draft) -> Draft:
    """Subscribe every consumer to every topic."""
    everything = tuple(name for name in draft.topics["topic"] if name)
    return replace(
        draft, subscriptions=dict.fromkeys(filter(None, draft.consumers["consumer"]), everything)
    )


def subscribe(draft: Draft, consumers: Sequence[str], topics: Sequence[str]) -> Draft:
    """Subscribe these consumers to these topics and no others."""
    wanted = tuple(topics)
    return replace(
        draft, subscriptions=dict(draft.subscriptions) | dict.fromkeys(consumers, wanted)
    )


def add_consumers(draft: Draft, count: int, prefix: str = "", racks: Sequence[str] = ()) -> Draft:
    """Append ``prefix1``, ``prefix2``, ... with the racks in turn; skip names that are taken.

    Without a prefix, names continue from the last consumer of the table: ``app-10`` after
    ``app-09``. Stops at the largest number of consumers that a group may have.
    """
    before = draft.consumers
    count = min(count, max(LIMITS.members - len(before), 0))
    taken = set(before["consumer"])
    numbered = (f"{prefix}{number}" for number in itertools.count(1))
    free = (name for name in numbered if name not in taken)
    further = free if prefix else names_like([name for name in before["consumer"] if name])
    names = list(itertools.islice(further, count))
    added = frame(
        CONSUMER_COLUMNS,
        {
            "consumer": names,
            "rack": [racks[k % len(racks)] if racks else "" for k in range(count)],
        },
    )
    added.index = added.index + (int(before.index.max()) + 1 if len(before) else 0)
    return with_consumers(draft, pd.concat([before, added]))


def remove_consumers(draft: Draft, count: int) -> Draft:
    """Remove the last consumers of the table."""
    return with_consumers(draft, draft.consumers.iloc[: max(len(draft.consumers) - count, 0)])


def fill_lags(draft: Draft, rows: pd.Index, lag: int | None) -> Draft:
    """Set the lag of these rows' partitions; None for unknown."""
    values = draft.partitions["lag"].copy()
    values.loc[rows] = pd.NA if lag is None else lag
    return replace(draft, partitions=draft.partitions.assign(lag=values))


def with_lag_rule(draft: Draft, *, from_offsets: bool, auto_offset_reset: str) -> Draft:
    """Choose the source of lags; return the same draft if nothing changes.

    Switching to offsets keeps the lags in their column, for switching back.
    """
    if (from_offsets, auto_offset_reset) == (draft.lag_from_offsets, draft.auto_offset_reset):
        return draft
    return replace(draft, lag_from_offsets=from_offsets, auto_offset_reset=auto_offset_reset)


def _fitted(partitions: pd.DataFrame, topics: pd.DataFrame) -> pd.DataFrame:
    """Return one row per partition of the topics, in their order."""
    sizes = topics["partitions"].to_numpy(int)
    if sizes.sum() > LIMITS.partitions:  # the checks report it
        return partitions
    wanted = pd.MultiIndex.from_arrays(
        [
            np.repeat(topics["topic"].to_numpy(object), sizes),
            np.concatenate([np.arange(size) for size in sizes]) if sizes.size else [],
        ],
        names=["topic", "partition"],
    )
    keyed = partitions.set_index(["topic", "partition"])
    fitted = keyed.reindex(wanted).reset_index()
    return frame(PARTITION_COLUMNS, {**fitted, "owner": fitted["owner"].fillna("")})


def _renamed(before: pd.Series, after: pd.Series) -> dict[str, str]:
    """Return the new name by the old one for renamed rows, matched by index."""
    both = before.index.intersection(after.index)
    return {
        old: new
        for old, new in zip(before.loc[both], after.loc[both], strict=True)
        if old and new and old != new
    }


def _at_renamed(cell: TableCell, renamed: Mapping[str, str]) -> TableCell:
    """Return the cell after topics were renamed."""
    topic, _, number = cell.row.rpartition(" ")
    is_moved = cell.table == PARTITIONS and topic in renamed
    return cell._replace(row=partition_row(renamed[topic], int(number))) if is_moved else cell


def _each_owner(owners: pd.Series, name_of: Callable[[str], str], gone: set[str]) -> pd.Series:
    def rewritten(owner: str) -> str:
        return ", ".join(name_of(name) for name in separated(owner) if name not in gone)

    changed: Mapping[str, str] = {owner: rewritten(owner) for owner in owners.unique() if owner}
    return owners.map(lambda owner: changed.get(owner, owner))

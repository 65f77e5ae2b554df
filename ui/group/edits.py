"""The edits of a draft: each function takes one and returns the next."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd

from evaluation.capacity.resizing import names_like
from sources.budget import LIMITS
from ui.group.draft import CONSUMER_COLUMNS, PARTITION_COLUMNS, Draft, frame, separated, shared

_MOST: Final = 2**63


def has_sound_names(names: "pd.Series[str]") -> bool:
    """Return whether every row has a distinct name."""
    written = names.fillna("").astype(str).str.strip()
    return bool((written != "").all() and written.is_unique)


def with_topics(draft: Draft, before: pd.DataFrame, after: pd.DataFrame) -> Draft:
    """Apply an edited topics table: a renamed topic keeps its lags and subscribers.

    Rows of ``before``, the table with the last valid names, match those of ``after`` by index.
    Consumers that subscribe to all other topics also subscribe to a new one; partitions appear and
    disappear with the counts. While a name is blank or repeated, the other tables stay unchanged.
    """
    topics = _blank_missing(after, ("topic", "racks"))
    if not has_sound_names(topics["topic"]):
        return replace(draft, topics=topics)
    renamed = _renamed(before["topic"], topics["topic"])
    names = list(topics["topic"])
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
        topics=topics,
        subscriptions={name: now[wanted] for name, wanted in draft.subscriptions.items()},
        partitions=_fitted(draft.partitions.assign(topic=moved), topics),
    )


def with_consumers(draft: Draft, before: pd.DataFrame, after: pd.DataFrame) -> Draft:
    """Apply an edited consumers table: a new consumer subscribes to every topic.

    Rows match by index, as in ``with_topics``: a renamed consumer keeps its partitions and
    subscriptions; the partitions of a removed one have no owner.
    """
    consumers = _blank_missing(after, ("consumer", "static_id", "rack"))
    if not has_sound_names(consumers["consumer"]):
        return replace(draft, consumers=consumers)
    renamed = _renamed(before["consumer"], consumers["consumer"])
    old_name = {new: old for old, new in renamed.items()}
    everything = tuple(draft.topics["topic"])
    subscriptions = {
        name: draft.subscriptions.get(old_name.get(name, name), everything)
        for name in consumers["consumer"]
    }
    partitions = draft.partitions
    gone = set(before["consumer"]) - set(consumers["consumer"]) - set(renamed)
    if renamed or gone:
        partitions = partitions.assign(
            owner=_each_owner(partitions["owner"], lambda name: renamed.get(name, name), gone)
        )
    return replace(
        draft, consumers=consumers, subscriptions=shared(subscriptions), partitions=partitions
    )


def with_partitions(draft: Draft, partitions: pd.DataFrame) -> Draft:
    """Apply edited rows of the partitions table, matched by index."""
    changed = {}
    for column in partitions.columns.difference(["topic", "partition"]):
        before = draft.partitions[column]
        rows = _typed(partitions[column], PARTITION_COLUMNS[column])
        if not rows.equals(before.loc[rows.index]):
            changed[column] = _placed(before, rows, PARTITION_COLUMNS[column])
    return replace(draft, partitions=draft.partitions.assign(**changed))


def _placed(column: "pd.Series[Any]", rows: "pd.Series[Any]", kind: str) -> "pd.Series[Any]":
    """Return the column with these rows; a fraction, though invalid, changes its type."""
    if column.dtype == rows.dtype:
        values = column.copy()
        values.loc[rows.index] = rows
        return values
    values = column.astype("object")
    values.loc[rows.index] = rows.astype("object")
    return _typed(values, kind)


def with_subscriptions(draft: Draft, ticked: pd.DataFrame) -> Draft:
    """Apply an edited part of the matrix consumer x topic; the rest stays unchanged."""
    shown = list(ticked.columns)
    order = {name: t for t, name in enumerate(draft.topics["topic"])}
    subscriptions = dict(draft.subscriptions)
    for consumer, row in zip(ticked.index, ticked.to_numpy(bool), strict=True):
        hidden = [name for name in subscriptions.get(consumer, ()) if name not in shown]
        chosen = [name for name, is_on in zip(shown, row, strict=True) if is_on]
        subscriptions[consumer] = tuple(sorted([*hidden, *chosen], key=lambda t: order.get(t, 0)))
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
    before = draft.consumers.reset_index(drop=True)
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
    return with_consumers(draft, before, pd.concat([before, added], ignore_index=True))


def remove_consumers(draft: Draft, count: int) -> Draft:
    """Remove the last consumers of the table."""
    kept = draft.consumers.iloc[: max(len(draft.consumers) - count, 0)]
    return with_consumers(draft, draft.consumers, kept)


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
    counts = pd.to_numeric(topics["partitions"], errors="coerce").fillna(0).clip(0)
    usable = topics.assign(partitions=counts.astype(int)).drop_duplicates("topic")
    usable = usable[usable["topic"] != ""]
    sizes = usable["partitions"].to_numpy(int)
    if sizes.sum() > LIMITS.partitions:  # the checks report it
        return partitions
    wanted = pd.MultiIndex.from_arrays(
        [
            np.repeat(usable["topic"].to_numpy(object), sizes),
            np.concatenate([np.arange(size) for size in sizes]) if sizes.size else [],
        ],
        names=["topic", "partition"],
    )
    keyed = partitions.drop_duplicates(["topic", "partition"]).set_index(["topic", "partition"])
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


def _each_owner(owners: pd.Series, name_of: Callable[[str], str], gone: set[str]) -> pd.Series:
    def rewritten(owner: str) -> str:
        return ", ".join(name_of(name) for name in separated(owner) if name not in gone)

    changed: Mapping[str, str] = {owner: rewritten(owner) for owner in owners.unique() if owner}
    return owners.map(lambda owner: changed.get(owner, owner))


def _typed(values: pd.Series, kind: str) -> pd.Series:
    """Return the column in its own type; fractions stay, to be refused."""
    if kind == "str":
        return values.fillna("").astype(str).str.strip()
    numbers = pd.to_numeric(values).astype("Float64")
    is_whole = bool(((numbers.dropna() % 1 == 0) & (numbers.dropna().abs() < _MOST)).all())
    return values.astype("Int64") if kind == "Int64" and is_whole else numbers


def _blank_missing(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Strip the texts, and turn empty cells of the editor into empty texts."""
    return table.assign(
        **{column: table[column].fillna("").astype(str).str.strip() for column in columns}
    )

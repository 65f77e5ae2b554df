"""Turn the edited tables into a group, and name the cells that cannot be read."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from assignors import ragged
from assignors.model import UNKNOWN, Group, InvalidGroupError
from assignors.numbering import Member, Topic
from assignors.offsets import lag_from_offsets, waiting
from sources.budget import LIMITS, Budget
from sources.errors import SourceError
from ui.draft import cells
from ui.draft.tables import (
    CONSUMERS,
    OFFSET_COLUMNS,
    PARTITIONS,
    SUBSCRIPTIONS,
    TOPICS,
    Draft,
    TableCell,
    rack_lists,
    separated,
)

_LABELS: Final = {
    "begin": "begin offset",
    "end": "end offset",
    "committed": "committed offset",
    "owner": "current owner",
    "static_id": "static id",
}


class Problem(NamedTuple):
    """One wrong cell: where it is, and how to correct it."""

    table: str
    where: str
    sentence: str

    def __str__(self) -> str:
        """Return the text as shown on the page."""
        return f"{self.table}, {self.where}: {self.sentence}"


class Checked(NamedTuple):
    """The group that the valid cells describe, None if there is none, and the problems."""

    group: Group | None
    problems: tuple[Problem, ...]


def read(draft: Draft, before: Draft | None = None, of_before: Group | None = None) -> Checked:
    """Return the group of a draft, and all its problems.

    ``of_before`` is the group of the draft ``before``, if that has no problems: where only numbers
    of partitions differ, its layout and claims stay.
    """
    unread = tuple(_unread(draft, cell) for cell in draft.unread)
    too_large = tuple(_size_problems(draft))
    if too_large:
        return Checked(None, (*unread, *too_large))
    if before is not None and of_before is not None and _only_numbers_differ(draft, before):
        return Checked(_with_numbers(of_before, draft), unread)
    try:
        return Checked(_group(draft), unread)
    except (InvalidGroupError, SourceError) as error:
        return Checked(None, (*unread, Problem("Group", "as a whole", str(error))))


def _unread(draft: Draft, cell: TableCell) -> Problem:
    """Return what is wrong with a cell, and which value counts meanwhile."""
    label, counts = _LABELS.get(cell.column, cell.column), cells.in_force(draft, cell)
    if cell.table == PARTITIONS:
        topic, _, number = cell.row.rpartition(" ")
        where = f"{cells.short(topic)}-{number}, {label}"
    else:
        rows = draft.topics if cell.table == TOPICS else draft.consumers
        where = f"{cells.short(str(rows.loc[int(cell.row)].iloc[0]))}, {label}"
    meanwhile = f"{cells.short(counts)} counts until then" if counts else "blank until then"
    return Problem(cell.table, where, f"{cells.why_unread(draft, cell)} ({meanwhile})")


def _size_problems(draft: Draft) -> Iterator[Problem]:
    """Check the limits on the size of a group before creating its arrays."""
    partitions = int(draft.topics["partitions"].sum())
    subscribed = sum(map(len, draft.subscriptions.values()))
    for table, where, count, what, most in (
        (TOPICS, "partitions", partitions, "partitions", LIMITS.partitions),
        (CONSUMERS, "all rows", len(draft.consumers), "consumers", LIMITS.members),
        (SUBSCRIPTIONS, "all rows", subscribed, "subscriptions", LIMITS.subscriptions),
    ):
        if count > most:
            sentence = f"{count:,} {what} in all; at most {most:,} can be compared"
            yield Problem(table, where, sentence)


def _only_numbers_differ(draft: Draft, before: Draft) -> bool:
    """Return whether two drafts are of one group but for the numbers of its partitions."""
    others = {each.name for each in fields(Draft)} - {"partitions", "unread", "lag_from_offsets"}
    if any(getattr(draft, name) is not getattr(before, name) for name in others):
        return False
    return draft.partitions["owner"].equals(before.partitions["owner"])


def _group(draft: Draft) -> Group:
    topics = {
        name: Topic(
            count,
            rack_lists(racks, count),
            topic_id=draft.topic_ids.get(name),
            owner_unknown=_resized(draft.unknown_owners.get(name), count),
        )
        for name, count, racks in zip(
            draft.topics["topic"],
            draft.topics["partitions"].astype(int).tolist(),
            draft.topics["racks"],
            strict=True,
        )
    }
    owned: dict[str, list[tuple[str, int]]] = {name: [] for name in draft.consumers["consumer"]}
    claimed = draft.partitions[draft.partitions["owner"] != ""]
    for topic, partition, owner in zip(
        claimed["topic"], claimed["partition"], claimed["owner"], strict=True
    ):
        for name in separated(owner):
            owned[name].append((topic, int(partition)))
    members = [
        Member(
            id=row["consumer"],
            topics=draft.subscriptions.get(row["consumer"], ()),
            instance_id=row["static_id"] or None,
            rack=row["rack"] or None,
            owned=owned[row["consumer"]],
            generation=None if pd.isna(row["generation"]) else int(row["generation"]),
            throughput=None if pd.isna(row["throughput"]) else float(row["throughput"]),
            client_id=draft.client_ids.get(row["consumer"]),
        )
        for row in draft.consumers.to_dict("records")
    ]
    reset = draft.auto_offset_reset
    group = Budget().group_of(topics, members, id=draft.group_id, auto_offset_reset=reset)
    return _with_numbers(replace(group, load_settings=draft.load_settings), draft)


def _resized(owner_unknown: Sequence[bool] | None, count: int) -> list[bool] | None:
    """Return which of a topic's partitions have an unknown owner; of added ones it is known."""
    if owner_unknown is None:
        return None
    return [*owner_unknown[:count], *[False] * (count - len(owner_unknown))]


def _with_numbers(group: Group, draft: Draft) -> Group:
    """Return the group with the lags, offsets and rates of the table of partitions."""
    first = np.array([draft.first_rows.get(name, 0) for name in group.topics], np.int64)
    rows = ragged.spans(first, first + group.topic_sizes)
    lags, begin, end, committed = (
        draft.partitions[name].to_numpy(np.int64, na_value=UNKNOWN)[rows]
        for name in ("lag", *OFFSET_COLUMNS)
    )
    rates = draft.partitions["rate"].to_numpy(np.float64, na_value=np.nan)[rows]
    if draft.lag_from_offsets:
        followed = lag_from_offsets(begin, end, committed, group.offsets.reset)
        lags = waiting(followed, begin, end)
    offsets = replace(
        group.offsets,
        lags=lags,
        begin=None if (begin == UNKNOWN).all() else begin,
        end=None if (end == UNKNOWN).all() else end,
        committed=None if (committed == UNKNOWN).all() else committed,
        rates=None if np.isnan(rates).all() else rates,
    )
    return replace(group, offsets=offsets)

"""Turn the edited tables into a group, and name the cells that cannot be read."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pandas as pd

from assignors.model import Group, InvalidGroupError
from assignors.numbering import Member, Topic
from sources.budget import LIMITS, Budget
from sources.errors import SourceError
from ui.group import cells
from ui.group.draft import (
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
    """One wrong cell: its place, and how to correct it."""

    table: str
    place: str
    sentence: str

    def __str__(self) -> str:
        """Return place and sentence as shown on the page."""
        return f"{self.table}, {self.place}: {self.sentence}"


class Checked(NamedTuple):
    """The group that the valid cells describe, None if there is none, and the problems."""

    group: Group | None
    problems: tuple[Problem, ...]


def read(draft: Draft) -> Checked:
    """Return the group of a draft, and all its problems."""
    unread = tuple(_unread(draft, cell) for cell in draft.unread)
    too_large = tuple(_size_problems(draft))
    if too_large:
        return Checked(None, (*unread, *too_large))
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
    for table, place, count, what, most in (
        (TOPICS, "partitions", partitions, "partitions", LIMITS.partitions),
        (CONSUMERS, "all rows", len(draft.consumers), "consumers", LIMITS.members),
        (SUBSCRIPTIONS, "all rows", subscribed, "subscriptions", LIMITS.subscriptions),
    ):
        if count > most:
            sentence = f"{count:,} {what} in all; at most {most:,} can be compared"
            yield Problem(table, place, sentence)


def _group(draft: Draft) -> Group:
    counts = draft.topics["partitions"].astype(int)
    rows = dict(iter(draft.partitions.groupby("topic", sort=False)))
    topics = {}
    for name, count, racks in zip(
        draft.topics["topic"], counts, draft.topics["racks"], strict=True
    ):
        topic = _topic(rows.get(name), count, racks, from_offsets=draft.lag_from_offsets)
        topics[name] = topic._replace(topic_id=draft.topic_ids.get(name))
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
    return replace(group, load_settings=draft.load_settings)


def _topic(rows: pd.DataFrame | None, count: int, racks: str, *, from_offsets: bool) -> Topic:
    if rows is None or not count:
        return Topic(count, rack_lists(racks, count))
    columns = {
        column: None if rows[column].isna().all() else _listed(rows[column])
        for column in ("lag", *OFFSET_COLUMNS, "rate")
    }
    return Topic(
        partitions=count,
        racks=rack_lists(racks, count),
        lags=None if from_offsets else columns["lag"] or [None] * count,
        begin=columns["begin"],
        end=columns["end"],
        committed=columns["committed"],
        rates=columns["rate"],
    )


def _listed(values: "pd.Series[Any]") -> list[Any]:
    """Return the values as Python numbers, None where blank."""
    return [None if blank else value for value, blank in zip(values, values.isna(), strict=True)]

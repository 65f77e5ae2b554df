"""From the tables as they stand to a group, or to one sentence for each wrong cell."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from assignors.model import BoolArray, Group, InvalidGroupError
from assignors.numbering import Member, Topic, group_of
from ui.group.draft import OFFSET_COLUMNS, Draft

MAX_PARTITIONS = 2_000_000
"""More than this is a slip of the finger: no Kafka cluster holds as many."""
_SHOWN_PER_COLUMN = 3


class Problem(NamedTuple):
    """One wrong cell: where it stands, and what to do about it."""

    table: str
    place: str
    sentence: str

    def __str__(self) -> str:
        """Return place and sentence, as the page shows them."""
        return f"{self.table}, {self.place}: {self.sentence}"


class Checked(NamedTuple):
    """The group that the tables describe, or what stands in its way."""

    group: Group | None
    problems: tuple[Problem, ...]


def read(draft: Draft) -> Checked:
    """Return the group of a draft, or every problem that keeps it from being one."""
    problems = [*_topic_problems(draft), *_consumer_problems(draft)]
    if not problems:
        problems = [*_partition_problems(draft)]
    if problems:
        return Checked(None, tuple(problems))
    try:
        return Checked(_group(draft), ())
    except InvalidGroupError as error:
        return Checked(None, (Problem("Group", "as a whole", str(error)),))


def rack_lists(text: str, partitions: int) -> list[list[str]] | None:
    """Read replica racks: ``a,b; b,c`` is one list a partition, repeated from the start.

    >>> rack_lists("a,b; b,c", 3)
    [['a', 'b'], ['b', 'c'], ['a', 'b']]
    """
    if not text.strip():
        return None
    listed = [
        [name.strip() for name in part.split(",") if name.strip()] for part in text.split(";")
    ]
    return [listed[p % len(listed)] for p in range(partitions)]


def claimants(owner: str) -> list[str]:
    """Read who claims a partition: one consumer as a rule, several apart by commas."""
    return [name for part in owner.split(",") if (name := part.strip())]


def _topic_problems(draft: Draft) -> Iterator[Problem]:
    topics = draft.topics
    yield from _name_problems("Topics", "topic", topics["topic"])
    counts = pd.to_numeric(topics["partitions"], errors="coerce").astype("Float64")
    for row, count in enumerate(counts, 1):
        place = f"row {row}, partitions"
        if pd.isna(count):
            yield Problem("Topics", place, "is blank; give a whole number, 0 or more")
        elif count < 0 or count % 1:
            yield Problem("Topics", place, f"says {count:g}; give a whole number, 0 or more")
        elif count > MAX_PARTITIONS:
            yield Problem("Topics", place, f"{count:,.0f} is more than {MAX_PARTITIONS:,}")
    if (counts <= MAX_PARTITIONS).all() and counts.sum() > MAX_PARTITIONS:
        sentence = f"{counts.sum():,.0f} partitions are more than {MAX_PARTITIONS:,}"
        yield Problem("Topics", "all rows", sentence)
    for row, (written, count) in enumerate(zip(topics["racks"], counts, strict=True), 1):
        listed = written.count(";") + 1 if written.strip() else 0
        if not pd.isna(count) and listed > max(count, 1):
            yield Problem(
                "Topics",
                f"row {row}, replica racks",
                f"{listed} partitions are listed, the topic has {count:g}; "
                "set partitions apart by ; and racks by ,",
            )


def _consumer_problems(draft: Draft) -> Iterator[Problem]:
    consumers = draft.consumers
    yield from _name_problems("Consumers", "consumer", consumers["consumer"])
    for row, name in enumerate(consumers["consumer"], 1):
        if isinstance(name, str) and "," in name:
            yield Problem(
                "Consumers", f"row {row}, consumer", f"{name!r} holds a comma; leave it out"
            )
    first_row: dict[str, int] = {}
    for row, name in enumerate(consumers["static_id"], 1):
        if not isinstance(name, str) or not name.strip():
            continue
        if name in first_row:
            yield Problem(
                "Consumers",
                f"row {row}, static id",
                f"{name!r} stands in row {first_row[name]} too; Kafka fences the older of the two",
            )
        first_row.setdefault(name, row)
    for row, written in enumerate(consumers["generation"], 1):
        if not pd.isna(written) and (written != int(written) or written < -1):
            yield Problem(
                "Consumers",
                f"row {row}, generation",
                f"says {written}; give a whole number, or leave it blank",
            )


def _name_problems(table: str, column: str, names: Iterable[object]) -> Iterator[Problem]:
    first_row: dict[str, int] = {}
    for row, name in enumerate(names, 1):
        if not isinstance(name, str) or not name.strip():
            yield Problem(table, f"row {row}, {column}", "is blank; give a name, or delete the row")
        elif name in first_row:
            yield Problem(
                table,
                f"row {row}, {column}",
                f"{name!r} stands in row {first_row[name]} already; each needs a name of its own",
            )
        else:
            first_row[name] = row


def _partition_problems(draft: Draft) -> Iterator[Problem]:
    partitions = draft.partitions
    for column in ("lag", *OFFSET_COLUMNS):
        written = partitions[column]
        if column == "lag" and draft.lag_from_offsets:
            continue
        numbers = pd.to_numeric(written, errors="coerce")
        values = numbers.to_numpy(float, na_value=np.nan)
        is_wrong = written.notna().to_numpy() & (np.isnan(values) | (values % 1 != 0))
        if column != "lag":
            is_wrong |= values < 0
        reason = "give a whole number, or leave it blank if unknown"
        yield from _cell_problems(partitions, column, is_wrong, reason)
    known = set(draft.consumers["consumer"])
    owners = partitions["owner"]
    is_stranger = {
        owner: any(name not in known for name in claimants(owner)) for owner in owners.unique()
    }
    yield from _cell_problems(
        partitions,
        "owner",
        owners.map(is_stranger).to_numpy(bool),
        "no such consumer; take one from the consumers table, or leave it blank",
    )


def _cell_problems(
    partitions: pd.DataFrame,
    column: str,
    is_wrong: BoolArray,
    reason: str,
) -> Iterator[Problem]:
    rows = np.flatnonzero(is_wrong)
    for row in rows[:_SHOWN_PER_COLUMN]:
        cell = partitions.iloc[row]
        place = f"{cell['topic']}-{cell['partition']}, {column}"
        yield Problem("Partitions", place, f"says {cell[column]}; {reason}")
    if rows.size > _SHOWN_PER_COLUMN:
        yield Problem(
            "Partitions", column, f"{rows.size - _SHOWN_PER_COLUMN} more cells are wrong too"
        )


def _group(draft: Draft) -> Group:
    counts = draft.topics["partitions"].astype(int)
    rows = dict(iter(draft.partitions.groupby("topic", sort=False)))
    topics = {}
    for name, count, racks in zip(
        draft.topics["topic"], counts, draft.topics["racks"], strict=True
    ):
        topics[name] = _topic(rows.get(name), count, racks, from_offsets=draft.lag_from_offsets)
    owned: dict[str, list[tuple[str, int]]] = {name: [] for name in draft.consumers["consumer"]}
    claimed = draft.partitions[draft.partitions["owner"] != ""]
    for topic, partition, owner in zip(
        claimed["topic"], claimed["partition"], claimed["owner"], strict=True
    ):
        for name in claimants(owner):
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
        )
        for row in draft.consumers.to_dict("records")
    ]
    return group_of(topics, members, id=draft.group_id, auto_offset_reset=draft.auto_offset_reset)


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
    """Return the values as plain numbers, None where blank."""
    return [None if blank else value for value, blank in zip(values, values.isna(), strict=True)]

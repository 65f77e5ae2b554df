"""Turn the edited tables into a group, or into one sentence per wrong cell."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from assignors.model import BoolArray, Group, InvalidGroupError
from assignors.numbering import Member, Topic
from sources.budget import LIMITS, Budget
from sources.errors import SourceError
from ui.group.draft import OFFSET_COLUMNS, Draft, rack_lists, separated

_SHOWN_PER_COLUMN = 3
_MOST_RECORDS = 2**62
"""The largest offset or lag, well within 64 bits."""
_MOST_GENERATIONS = 2**31
_SHOWN_CHARACTERS = 60
"""The most characters of a name quoted in a sentence."""
_LABELS = {
    "begin": "begin offset",
    "end": "end offset",
    "committed": "committed offset",
    "owner": "current owner",
}
_TOPICS, _CONSUMERS, _PARTITIONS = "Topics", "Consumers", "Lags and owners"
"""The tables by the editor's names."""


class Problem(NamedTuple):
    """One wrong cell: its place, and how to correct it."""

    table: str
    place: str
    sentence: str

    def __str__(self) -> str:
        """Return place and sentence as shown on the page."""
        return f"{self.table}, {self.place}: {self.sentence}"


class Checked(NamedTuple):
    """The group that the tables describe, or the problems that prevent one."""

    group: Group | None
    problems: tuple[Problem, ...]


def read(draft: Draft) -> Checked:
    """Return the group of a draft, or all its problems."""
    problems = [*_topic_problems(draft), *_consumer_problems(draft)]
    if not problems:
        problems = [*_size_problems(draft), *_partition_problems(draft)]
    if problems:
        return Checked(None, tuple(problems))
    try:
        return Checked(_group(draft), ())
    except (InvalidGroupError, SourceError) as error:
        return Checked(None, (Problem("Group", "as a whole", str(error)),))


def _topic_problems(draft: Draft) -> Iterator[Problem]:
    topics = draft.topics
    yield from _name_problems(_TOPICS, "topic", topics["topic"])
    counts = pd.to_numeric(topics["partitions"], errors="coerce").astype("Float64")
    for row, count in enumerate(counts):
        if pd.isna(count) or count < 0 or count % 1:
            written = "no number" if pd.isna(count) else f"{count:g}"
            yield Problem(
                _TOPICS,
                _place(row, topics["topic"], "partitions"),
                f"found {written}; enter a whole number, 0 or more",
            )


def _consumer_problems(draft: Draft) -> Iterator[Problem]:
    consumers = draft.consumers
    names = consumers["consumer"]
    yield from _name_problems(_CONSUMERS, "consumer", names)
    for row, name in enumerate(names):
        if isinstance(name, str) and "," in name:
            sentence = f"{_short(name)} contains a comma; remove it"
            yield Problem(_CONSUMERS, _place(row, None, "consumer"), sentence)
    for row, first in _repeated(consumers["static_id"]):
        yield Problem(
            _CONSUMERS,
            _place(row, names, "static id"),
            f"row {first + 1} has the same static id; Kafka would fence one of the two, so change "
            "either",
        )
    for row, written in enumerate(consumers["generation"]):
        if not pd.isna(written) and (written % 1 or not -1 <= written < _MOST_GENERATIONS):
            yield Problem(
                _CONSUMERS,
                _place(row, names, "generation"),
                f"found {written:g}; enter a whole number, or leave the cell blank",
            )
    rates = consumers["throughput"].to_numpy(float, na_value=np.nan)
    is_wrong = ~np.isnan(rates) & ~((rates >= 0) & np.isfinite(rates))
    for at in np.flatnonzero(is_wrong):
        yield Problem(
            _CONSUMERS,
            _place(int(at), names, "throughput"),
            f"found {rates[at]:g}; enter records per second, 0 or more",
        )


def _name_problems(table: str, column: str, names: "pd.Series[str]") -> Iterator[Problem]:
    for row, name in enumerate(names):
        if not isinstance(name, str) or not name.strip():
            sentence = "is blank; enter a name, or delete the row"
            yield Problem(table, _place(row, None, column), sentence)
    for row, first in _repeated(names):
        sentence = f"{_short(names.iloc[row])} is also in row {first + 1}; enter another name"
        yield Problem(table, _place(row, None, column), sentence)


def _repeated(values: Iterable[object]) -> Iterator[tuple[int, int]]:
    """Return each row that repeats an earlier text, with the first row that has it."""
    first_row: dict[str, int] = {}
    for row, value in enumerate(values):
        if isinstance(value, str) and value.strip():
            first = first_row.setdefault(value, row)
            if first != row:
                yield row, first


def _place(row: int, names: "pd.Series[str] | None", column: str) -> str:
    """Return the place of a cell in words; the name of its row helps in a sorted table."""
    named = "" if names is None or not names.iloc[row] else f" ({_short(names.iloc[row])})"
    return f"row {row + 1}{named}, {column}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}…"


def _size_problems(draft: Draft) -> Iterator[Problem]:
    """Check the limits on the size of a group before creating its arrays."""
    partitions = int(draft.topics["partitions"].sum())
    subscribed = sum(map(len, draft.subscriptions.values()))
    for table, place, count, what, most in (
        (_TOPICS, "partitions", partitions, "partitions", LIMITS.partitions),
        (_CONSUMERS, "all rows", len(draft.consumers), "consumers", LIMITS.members),
        ("Subscriptions", "all rows", subscribed, "subscriptions", LIMITS.subscriptions),
    ):
        if count > most:
            sentence = f"{count:,} {what} in all; at most {most:,} can be compared"
            yield Problem(table, place, sentence)


def _partition_problems(draft: Draft) -> Iterator[Problem]:
    partitions = draft.partitions
    for column in ("lag", *OFFSET_COLUMNS, "rate"):
        if column == "lag" and draft.lag_from_offsets:
            continue
        yield from _number_problems(partitions, column)
    known = set(draft.consumers["consumer"])
    owners = partitions["owner"]
    is_stranger = {
        owner: any(name not in known for name in separated(owner)) for owner in owners.unique()
    }
    yield from _cell_problems(
        partitions,
        "owner",
        owners.map(is_stranger).to_numpy(bool),
        "is not in the Consumers table; choose a consumer from there, or leave the cell blank",
    )


def _number_problems(partitions: pd.DataFrame, column: str) -> Iterator[Problem]:
    """Find invalid numbers of records and rates; only lags may be negative."""
    written = partitions[column]
    numbers = pd.to_numeric(written, errors="coerce")
    values = numbers.to_numpy(float, na_value=np.nan)
    most = np.inf if written.dtype == "Int64" else _MOST_RECORDS
    is_right = (values >= (-most if column == "lag" else 0)) & (values <= most)
    if column != "rate":
        is_right &= values % 1 == 0
    is_wrong = written.notna().to_numpy() & ~is_right
    what = "records per second, 0 or more" if column == "rate" else "a whole number"
    sign = "" if column in {"lag", "rate"} else ", 0 or more"
    reason = f"is not valid; enter {what}{sign}, or leave the cell blank if unknown"
    yield from _cell_problems(partitions, column, is_wrong, reason)


def _cell_problems(
    partitions: pd.DataFrame, column: str, is_wrong: BoolArray, reason: str
) -> Iterator[Problem]:
    rows = np.flatnonzero(is_wrong)
    label = _LABELS.get(column, column)
    for row in rows[:_SHOWN_PER_COLUMN]:
        cell = partitions.iloc[row]
        place = f"{_short(cell['topic'])}-{cell['partition']}, {label}"
        yield Problem(_PARTITIONS, place, f"{_short(str(cell[column]))} {reason}")
    if rows.size > _SHOWN_PER_COLUMN:
        sentence = f"{rows.size - _SHOWN_PER_COLUMN:,} more cells are wrong in the same way"
        yield Problem(_PARTITIONS, label, sentence)


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
        )
        for row in draft.consumers.to_dict("records")
    ]
    return Budget().group_of(
        topics, members, id=draft.group_id, auto_offset_reset=draft.auto_offset_reset
    )


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

"""The scenario as edited tables; ``checks.read`` turns them into a group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from assignors.load_settings import USUAL, LoadSettings
from assignors.model import UNKNOWN, FloatArray, Group, LongArray
from assignors.naming import member_records, topic_records
from charts.labels import short_names
from evaluation.consumer_labels import labels

TOPIC_COLUMNS = {"topic": "str", "partitions": "Int64", "racks": "str"}
CONSUMER_COLUMNS = {
    "consumer": "str",
    "static_id": "str",
    "rack": "str",
    "generation": "Int64",
    "throughput": "Float64",
}
PARTITION_COLUMNS = {
    "topic": "str",
    "partition": "Int64",
    "lag": "Int64",
    "begin": "Int64",
    "end": "Int64",
    "committed": "Int64",
    "owner": "str",
    "rate": "Float64",
}
OFFSET_COLUMNS = ("begin", "end", "committed")
TOPICS, CONSUMERS, SUBSCRIPTIONS, PARTITIONS = (
    "Topics",
    "Consumers",
    "Subscriptions",
    "Lags and owners",
)
"""The tables by the editor's names."""
_MOST_SHORTENED = 10_000


class TableCell(NamedTuple):
    """Where a text stands: the table, the row and the column."""

    table: str
    row: str
    """The index of its row; of partitions ``edits.partition_row``."""
    column: str


@dataclass(frozen=True, kw_only=True)
class Draft:
    """Every table of the scenario; frames are never changed in place."""

    group_id: str
    topics: pd.DataFrame
    """One row per topic, ``TOPIC_COLUMNS``; ``racks`` as ``rack_lists`` reads it."""
    consumers: pd.DataFrame
    """One row per consumer, ``CONSUMER_COLUMNS``."""
    subscriptions: Mapping[str, tuple[str, ...]]
    """Consumer id to the topics it subscribes to."""
    partitions: pd.DataFrame
    """One row per partition, ``PARTITION_COLUMNS``; ``owner`` lists its present claimants."""
    auto_offset_reset: str = "latest"
    load_settings: LoadSettings = USUAL
    topic_ids: Mapping[str, str] = field(default_factory=dict)
    """Topic to its id in the cluster; a renamed topic has none."""
    client_ids: Mapping[str, str] = field(default_factory=dict)
    """Consumer to its client id; a renamed one has none."""
    unknown_owners: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    """Topic to which of its partitions have an owner that the source does not tell, if any."""
    lag_from_offsets: bool = False
    """Whether lag is computed from the offsets instead of read from its column."""
    unread: Mapping[TableCell, str] = field(default_factory=dict)
    """Cells as typed that cannot be read; the tables hold their last valid values."""

    @cached_property
    def first_rows(self) -> Mapping[str, int]:
        """Where the rows of each topic start in ``partitions``."""
        sizes = self.topics["partitions"].to_numpy(int)
        return dict(zip(self.topics["topic"], (sizes.cumsum() - sizes).tolist(), strict=True))

    @cached_property
    def short_names(self) -> Mapping[str, str]:
        """The short name of each consumer as charts show it; the full one if there are many."""
        names = self.consumers["consumer"].tolist()
        named = labels(names, self.client_ids)
        shown = short_names(named) if len(names) <= _MOST_SHORTENED else named
        return dict(zip(names, shown, strict=True))


def frame(columns: Mapping[str, str], values: Mapping[str, object]) -> pd.DataFrame:
    """Return a frame with exactly these columns and types; missing columns are blank."""
    size = len(next(iter(values.values()))) if values else 0  # type: ignore[arg-type]
    series = {}
    for name, kind in columns.items():
        value = values.get(name)
        if value is None:
            value = [""] * size if kind == "str" else [pd.NA] * size
        series[name] = pd.Series(value, dtype="object" if kind == "str" else kind)
    return pd.DataFrame(series)


def draft_of(group: Group) -> Draft:
    """Return the group's tables."""
    topics, members = topic_records(group), member_records(group)
    return Draft(
        group_id=group.id,
        topics=frame(
            TOPIC_COLUMNS,
            {
                "topic": list(topics),
                "partitions": [topic.partitions for topic in topics.values()],
                "racks": [rack_text(topic.racks) for topic in topics.values()],
            },
        ),
        consumers=frame(
            CONSUMER_COLUMNS,
            {
                "consumer": [member.id for member in members],
                "static_id": [member.instance_id or "" for member in members],
                "rack": [member.rack or "" for member in members],
                "generation": [member.generation for member in members],
                "throughput": [member.throughput for member in members],
            },
        ),
        subscriptions=shared({member.id: tuple(member.topics) for member in members}),
        partitions=_partitions_frame(group),
        auto_offset_reset=group.offsets.reset,
        load_settings=group.load_settings,
        topic_ids={name: t.topic_id for name, t in topics.items() if t.topic_id},
        client_ids=group.layout.client_ids,
        unknown_owners={n: t.owner_unknown for n, t in topics.items() if t.owner_unknown},
    )


def rack_text(racks: Sequence[Sequence[str]] | None) -> str:
    """Format replica racks for the topics table, as the shortest repeating part.

    >>> rack_text([["a", "b"], ["b", "c"], ["a", "b"], ["b", "c"]])
    'a,b; b,c'
    """
    if not racks or not any(racks):
        return ""
    written = [",".join(names) for names in racks]
    for period in range(1, len(written)):
        if all(written[p] == written[p % period] for p in range(period, len(written))):
            return "; ".join(written[:period])
    return "; ".join(written)


def rack_lists(text: str, partitions: int) -> list[list[str]] | None:
    """Parse replica racks: ``a,b; b,c`` is one list per partition, repeated from the start.

    Surplus lists are ignored; ``remarks`` reports them.

    >>> rack_lists("a,b; b,c", 3)
    [['a', 'b'], ['b', 'c'], ['a', 'b']]
    """
    if not text.strip():
        return None
    listed = [separated(part) for part in text.split(";")]
    return [listed[p % len(listed)] for p in range(partitions)]


def separated(text: str) -> list[str]:
    """Split names at commas: racks, joining consumers, or the claimants of a partition."""
    return [name for part in text.split(",") if (name := part.strip())]


def _partitions_frame(group: Group) -> pd.DataFrame:
    claimants = np.full(group.partition_count, "", dtype=object)
    for partition, member in zip(group.claims.partitions, group.claims.members, strict=True):
        before = claimants[partition]
        claimants[partition] = (
            f"{before}, {group.members[member]}" if before else group.members[member]
        )
    values: dict[str, object] = {
        "topic": np.array(group.topics, dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
        "lag": blank_unknown(group.lags),
        "owner": claimants,
    }
    for column, offsets in zip(
        OFFSET_COLUMNS,
        (group.offsets.begin, group.offsets.end, group.offsets.committed),
        strict=True,
    ):
        if offsets is not None:
            values[column] = blank_unknown(offsets)
    if group.offsets.rates is not None:
        values["rate"] = _blank_nan(group.offsets.rates)
    return frame(PARTITION_COLUMNS, values)


def blank_unknown(values: LongArray) -> "pd.arrays.IntegerArray":
    """Return the values with ``UNKNOWN`` as missing."""
    return pd.arrays.IntegerArray(np.where(values == UNKNOWN, 0, values), values == UNKNOWN)


def _blank_nan(values: FloatArray) -> "pd.arrays.FloatingArray":
    return pd.arrays.FloatingArray(np.nan_to_num(values), np.isnan(values))


def shared(subscriptions: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Share one object between equal subscriptions: thousands of consumers have only a few."""
    seen: dict[tuple[str, ...], tuple[str, ...]] = {}
    return {consumer: seen.setdefault(topics, topics) for consumer, topics in subscriptions.items()}

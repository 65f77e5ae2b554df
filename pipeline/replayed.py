"""The replay of a fleet on Spark: packets shuffled by bucket, each task's groups replayed at once.

One pass makes the rows of several tables. Where the workers reach the disk that the tables
go to, they write them; else the tables leave as Arrow messages, and Spark makes rows of them
only where a table is read.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame

from assignors.registry import STRATEGIES
from pipeline.carried import Batches, InHand, Packets, Work, collected, computed
from pipeline.packets.coding import plain
from pipeline.packets.packet import PACKETS, ROWS, Packet
from pipeline.packets.parts import PART, Part, written
from pipeline.packets.shelves import Keep, keeper, taken
from pipeline.packets.workers import spare_imports
from pipeline.recommendation import ranked, recommended
from pipeline.replay.replay import REPLAYED, WRITTEN, replay
from schemas.arrow import arrow_schema
from schemas.replay import CHAIN
from schemas.tables import RECOMMENDATION

CHAIN_TABLE: Final = "chain"
_PARTS: Final = "parts"
_ADVICE: Final = "recommendation"
_MESSAGE_ROWS: Final = 25_000
_ROWS_PER_TASK: Final = 100_000
"""Enough that what a task costs does not count, few enough that several fit in memory."""
_FEWEST_TASKS: Final = 8
"""So many also where there are fewer rows: strategies take longer than rows on small groups."""
_FEW_ROWS: Final = 5_000
"""But not for as few as these."""


class Task(NamedTuple):
    """What every task does with its groups."""

    strategies: tuple[str, ...]
    folder: Path | None = None
    """Where to write the tables of ``WRITTEN``; None: they leave as messages."""
    shelves: Path | None = None
    """Where to lay down all others; None: they leave as messages."""
    leaves_chain: bool = False
    """Whether it leaves a table ``chain``, which tells where it stopped: given to another
    replay of the same strategies, that one goes on from there."""


@dataclass(frozen=True)
class Told:
    """What a replay tells beside its tables."""

    counted: Mapping[str, int]
    """By the names in ``schemas.replay.COUNTED``."""
    first: datetime | None
    """The first snapshot."""
    last: datetime | None
    recommendation: pa.Table
    """Of all groups, ranked, over the snapshots of this replay alone."""
    parts: tuple[Part, ...]
    """The files that tasks have written."""


def tasks_for(rows: int) -> int:
    """Return into how many tasks a replay of so many rows is cut."""
    return max(-(-rows // _ROWS_PER_TASK), min(_FEWEST_TASKS, rows // _FEW_ROWS), 1)


def replayed(packets: Packets, buckets: int, rows: int, task: Task) -> Packets:
    """Replay a fleet; ``table_of`` and ``told`` read the answer.

    ``packets`` are about ``rows`` rows, and the chain of another replay if there was one,
    dealt into ``buckets``. All rows of a task are in memory at once.
    """
    each = max(buckets // tasks_for(rows), 1)
    frame = packets.dealt(-(-buckets // each), _replaying(task), PACKETS)
    return InHand(frame.sparkSession, collected(frame)) if task.shelves else computed(frame)


def table_of(replayed: Packets, name: str) -> DataFrame:
    """Return the chain, or a table named in ``REPLAYED``; by group and snapshot within a task."""
    return replayed.opened(name, CHAIN if name == CHAIN_TABLE else REPLAYED[name])


def told(replayed: Packets) -> Told:
    """Return what all tasks told, by one look at the answer."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    advice = [arrow_schema(RECOMMENDATION).empty_table()]
    for batch in replayed.of(_PARTS, "counted", "span", _ADVICE).table().to_batches():
        for name, content in taken(batch):
            if name == _ADVICE:
                advice.append(pa.Table.from_batches([content]))
            else:
                rows[name] += content.to_pylist()
    counted: Counter[str] = Counter()
    for row in rows["counted"]:
        counted[row["name"]] += row["amount"]
    return Told(
        counted=dict(counted),
        first=min((row["first"] for row in rows["span"]), default=None),
        last=max((row["last"] for row in rows["span"]), default=None),
        recommendation=ranked(pa.concat_tables(advice)),
        parts=tuple(Part(**row) for row in rows[_PARTS]),
    )


def _replaying(task: Task) -> Work:
    def answers(batches: Batches) -> Iterator[pa.RecordBatch]:
        spare_imports()
        received: dict[str, list[pa.RecordBatch]] = defaultdict(list)
        for batch in batches:
            for kind, content in taken(batch):
                received[kind].append(content)
        if received:
            yield from _answers(task, {kind: _together(some) for kind, some in received.items()})

    return answers


def _together(batches: Sequence[pa.RecordBatch]) -> pa.Table:
    """Return packets as one table; a column is left out of those in which it is all null."""
    tables = [pa.Table.from_batches([batch]) for batch in batches]
    return pa.concat_tables(tables, promote_options="default")


def _answers(task: Task, received: dict[str, pa.Table]) -> Iterator[pa.RecordBatch]:
    chain, keep = received.get(CHAIN_TABLE), keeper(task.shelves)
    rows = received[ROWS] if ROWS in received else pa.table({})
    found = replay(rows, [STRATEGIES[name] for name in task.strategies], chain)
    parts: list[Part] = []
    for name, content in found.tables.items():
        if task.folder and name in WRITTEN:
            parts += written(task.folder, name, content)
        else:
            yield from _kept(name, plain(content), keep)
    yield from _kept(_ADVICE, recommended(found.tables["group_summary"], task.strategies), keep)
    if parts:
        yield from _kept(_PARTS, pa.Table.from_pylist([p._asdict() for p in parts], PART), keep)
    if task.leaves_chain:
        yield from _kept(CHAIN_TABLE, plain(found.chain), keep)


def recommended_over(summary: DataFrame, order: Sequence[str]) -> pa.Table:
    """Return the recommendation for all groups of a summary that Spark reads, ranked."""

    def advice(batches: Batches) -> Iterator[pa.RecordBatch]:
        received = list(batches)
        if received:
            yield from recommended(pa.Table.from_batches(received), order).to_batches()

    by_group = summary.repartition("cluster", "group_id")
    return ranked(by_group.mapInArrow(advice, RECOMMENDATION).toArrow())


def _kept(name: str, content: pa.Table, keep: Keep) -> Iterator[pa.RecordBatch]:
    for batch in content.to_batches(max_chunksize=_MESSAGE_ROWS):
        yield Packet(name, None, None, keep(batch)).row()

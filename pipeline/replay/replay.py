"""Rows of telemetry to the rows of every table, for many whole groups at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import LongArray
from assignors.registry import Strategy
from pipeline.replay.answers import answers_of
from pipeline.replay.coding import coded, decoded
from pipeline.replay.layout import layout_of
from pipeline.replay.loads import Weights
from pipeline.replay.membership import membership_of
from pipeline.replay.offsets import offsets_of
from pipeline.replay.questions import Questions
from pipeline.replay.sorting import Sorting, numbers_of, sorting_of
from pipeline.replay.summaries import Summaries
from pipeline.replay.tables import Tables
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, CHECKPOINT, REJECTED, TABLES, columns
from schemas.telemetry import TELEMETRY

_INPUT: Final = list(columns(TELEMETRY))
WRITTEN: Final[Mapping[str, str]] = {
    name: TABLES[name]
    for name in ("partition_lag", "group_member", "member_load", "group_summary", "rejected")
}
"""The tables of which a replay makes rows, by name."""


class CheckpointError(ValueError):
    """A checkpoint that cannot be gone on from; the message says why, and the way out."""


@dataclass(frozen=True)
class Replayed:
    """What the replay of a batch leaves."""

    tables: dict[str, pa.Table]
    """By the names of ``WRITTEN``; names as numbers into dictionaries."""
    checkpoint: pa.Table
    """Where every group stopped, also those of the last checkpoint without new rows."""
    failures: list[dict[str, str]]
    """Snapshots and strategies without an answer; these have no rows in the tables."""
    rows_used: int
    offsets_backwards: int
    """How many offsets are lower than at the snapshot before."""
    snapshots: LongArray
    """The moments of the new snapshots of all groups."""
    groups: int
    """How many there are, those in the checkpoint given too."""


def replay(
    rows: pa.Table, strategies: Sequence[Strategy], checkpoint: pa.Table | None = None
) -> Replayed:
    """Replay groups through time, every strategy owning what it answered before.

    ``rows`` are usable telemetry, names as strings or as numbers, in any order: all rows of
    each of their groups that are after those in ``checkpoint``, which an earlier call left for
    the same strategies. Groups do not touch each other: batches can be cut between them.
    """
    chain = _checked(checkpoint, len(strategies))
    rows = pa.concat_tables([coded(rows), coded(chain)]).unify_dictionaries().combine_chunks()
    numbers = numbers_of(rows, chain)
    sorting = sorting_of(rows, numbers)
    layout = layout_of(numbers, sorting.kept)
    membership = membership_of(rows, numbers, layout)
    offsets = offsets_of(rows, layout)
    answers = answers_of(
        Questions(numbers, layout, membership, offsets), layout, membership, offsets, strategies
    )
    weights = Weights(layout, membership, offsets)
    summaries = Summaries(layout, membership, weights, answers.best_max_lag)
    everybodys = (answers.found, *answers.owners)
    loads = [weights.loads(owners) for owners in everybodys]
    tables = Tables(
        numbers, layout, membership, [AS_IT_WAS, *(strategy.name for strategy in strategies)]
    )
    found = {
        "partition_lag": tables.partition_lag(rows, offsets),
        "group_member": tables.group_member(),
        "member_load": tables.member_load(loads, answers),
        "group_summary": tables.group_summary(
            summaries.totals,
            [
                summaries.summary(owners, answers.found, each)
                for owners, each in zip(everybodys, loads, strict=True)
            ],
            answers,
        ),
        "rejected": _rejected(rows, sorting),
    }
    snapshots, groups = tables.new_units()
    return Replayed(
        tables=found,
        checkpoint=tables.checkpoint(rows, offsets, answers),
        failures=tables.failures(answers),
        rows_used=sorting.kept.size - numbers.chain_rows,
        offsets_backwards=offsets.backwards,
        snapshots=snapshots,
        groups=groups,
    )


def _checked(chain: pa.Table | None, strategies: int) -> pa.Table:
    """Return the checkpoint; refuse one that was left for other strategies."""
    if chain is None:
        return arrow_schema(CHECKPOINT).empty_table()
    lengths = pc.unique(pc.list_value_length(chain["owners"])).to_pylist()
    if lengths not in ([], [strategies]):
        message = (
            f"the checkpoint is of {lengths[0]} strategies, this replay of {strategies}; "
            "replay from the start, or for the strategies of before"
        )
        raise CheckpointError(message)
    return chain


def _rejected(rows: pa.Table, sorting: Sorting) -> pa.Table:
    """Return the rejected rows as JSON, which is one of the forms in which telemetry comes."""
    taken = decoded(rows.take(pa.array(sorting.rejected)))
    # Without a zone, so that no database of zones is needed on the machine.
    at = pc.strftime(taken["snapshot_at"].cast(pa.timestamp("us")), "%Y-%m-%dT%H:%M:%SZ")
    shown = taken.select(_INPUT).set_column(2, "snapshot_at", at).to_pylist()
    return pa.table(
        {
            "file": taken["file"],
            "reason": pa.array(sorting.reasons, pa.string()),
            "raw": pa.array([msgspec.json.encode(row).decode() for row in shown], pa.string()),
            "rows": pa.array([1] * len(shown), pa.int64()),
        },
        schema=arrow_schema(REJECTED),
    )

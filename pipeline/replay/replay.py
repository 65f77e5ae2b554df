"""Turn rows of telemetry into the rows of every table, for many whole groups at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import UNKNOWN, LongArray
from assignors.strategy import Strategy
from evaluation.judging import LAG, Measure
from pipeline.encoding import decoded, encoded
from pipeline.replay.assignments import Assignments
from pipeline.replay.groups import Groups
from pipeline.replay.layout import layout_of
from pipeline.replay.membership import membership_of
from pipeline.replay.offsets import offsets_of
from pipeline.replay.ordering import Ordering, numbers_of, ordering_of
from pipeline.replay.tables import Tables
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT, REJECTED, columns
from schemas.telemetry import TELEMETRY

FIGURES: Final = ("partition_lag", "group_member", "member_load", "group_summary")
"""The tables of figures, by name."""


@dataclass(frozen=True)
class Replayed:
    """The result of the replay of a batch."""

    tables: dict[str, pa.Table]
    """The tables of ``FIGURES`` and ``rejected``, with names as dictionaries."""
    checkpoint: pa.Table
    """The last snapshot of every group that has a new one."""
    failures: list[dict[str, str]]
    """Snapshots at which a strategy failed; the tables have no rows for them."""
    rejected: LongArray
    """The numbers of the rejected rows."""
    reasons: Counter[str]
    """How many rows were rejected, by the name of the reason."""
    rows_used: int
    offsets_backwards: int
    """How many offsets are lower than at the previous snapshot."""
    snapshots: LongArray
    """The times of the new snapshots of all groups, in microseconds since 1970."""
    last_us: dict[str, int]
    """The time of the last new snapshot of each cluster."""
    groups: int
    """Number of groups that are not in the given checkpoint."""


def replay(
    rows: pa.Table,
    strategies: Sequence[Strategy],
    checkpoint: pa.Table | None = None,
    measure: Measure = LAG,
) -> Replayed:
    """Replay groups through time, each strategy from its own previous owners.

    ``rows`` are usable telemetry, names as strings or as numbers, in any order: all rows of
    each of their groups that are after those in ``checkpoint``, which an earlier call left for
    the same strategies. It may have earlier snapshots of a group too, whose end offsets tell lags
    by duration. Groups are independent: batches can be split between them. The weights of
    ``measure`` stand in the place of lags, for strategies and for figures of consumers.
    """
    if checkpoint is None:
        checkpoint = arrow_schema(CHECKPOINT).empty_table()
    rows = pa.concat_tables([encoded(rows), encoded(checkpoint)])
    rows = rows.unify_dictionaries().combine_chunks()
    numbers = numbers_of(rows, checkpoint)
    ordering = _of_new(ordering_of(rows, numbers), numbers.new_rows)
    layout = layout_of(numbers, ordering.kept)
    membership = membership_of(rows, numbers, layout)
    end_since = checkpoint["end_since"].cast(pa.int64()).fill_null(UNKNOWN).to_numpy()
    offsets = offsets_of(rows, layout, end_since, measure)
    groups = Groups(numbers, layout, membership, offsets)
    assignments = Assignments(groups, layout, membership, offsets, strategies)
    tables = Tables(numbers, layout, membership, offsets, rows.select(["kind", "ownership"]))
    return Replayed(
        tables={
            "partition_lag": tables.partition_lag(rows),
            "group_member": tables.group_member(),
            **tables.by_strategy(assignments, [strategy.name for strategy in strategies]),
            "rejected": _rejected(rows, ordering),
        },
        checkpoint=tables.checkpoint(rows, assignments),
        failures=list(tables.failures(assignments)),
        rejected=ordering.rejected,
        reasons=Counter(reason.name for reason in ordering.reasons),
        rows_used=int(np.count_nonzero(ordering.kept < numbers.new_rows)),
        offsets_backwards=offsets.backwards,
        snapshots=tables.new_snapshots,
        last_us=tables.last_of_clusters(),
        groups=int((~layout.follows & ~layout.is_checkpoint).sum()),
    )


def _of_new(ordering: Ordering, new: int) -> Ordering:
    """Return the ordering without rejected rows of the checkpoint.

    Snapshots that tell lags by duration still hold the rows that were rejected when they were new.
    """
    is_new = ordering.rejected < new
    reasons = [reason for reason, is_kept in zip(ordering.reasons, is_new, strict=True) if is_kept]
    return replace(ordering, rejected=ordering.rejected[is_new], reasons=reasons)


def _rejected(rows: pa.Table, ordering: Ordering) -> pa.Table:
    """Return the rejected rows as JSON, one of the input formats of telemetry."""
    taken = decoded(rows.take(pa.array(ordering.rejected)))
    # Without a time zone, so that the machine needs no time zone database.
    at = pc.strftime(taken["snapshot_at"].cast(pa.timestamp("us")), "%Y-%m-%dT%H:%M:%SZ")
    records = taken.select(list(columns(TELEMETRY))).set_column(2, "snapshot_at", at).to_pylist()
    return pa.table(
        {
            "file": taken["file"],
            "reason": pa.array([reason.sentence for reason in ordering.reasons], pa.string()),
            "raw": pa.array([msgspec.json.encode(row).decode() for row in records], pa.string()),
            "rows": pa.array([1] * len(records), pa.int64()),
        },
        schema=arrow_schema(REJECTED),
    )

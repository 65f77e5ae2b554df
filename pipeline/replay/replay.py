"""Rows of telemetry to the rows of every table, for many whole groups at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from assignors.registry import Strategy
from pipeline.packets.coding import coded, decoded
from pipeline.replay.answers import answers_of
from pipeline.replay.layout import layout_of
from pipeline.replay.loads import Weights
from pipeline.replay.membership import membership_of
from pipeline.replay.offsets import offsets_of
from pipeline.replay.questions import Questions
from pipeline.replay.sorting import Sorting, numbers_of, sorting_of
from pipeline.replay.summaries import Summaries
from pipeline.replay.tables import Tables
from schemas.arrow import arrow_schema
from schemas.replay import CHAIN, COUNTED, FAILURE, SPAN, UNUSED
from schemas.tables import (
    AS_IT_WAS,
    GROUP_MEMBER,
    GROUP_SUMMARY,
    MEMBER_LOAD,
    PARTITION_LAG,
)
from schemas.telemetry import TELEMETRY

REPLAYED: Final[Mapping[str, str]] = {
    "partition_lag": PARTITION_LAG,
    "group_member": GROUP_MEMBER,
    "member_load": MEMBER_LOAD,
    "group_summary": GROUP_SUMMARY,
    "unused": UNUSED,
    "failure": FAILURE,
    "counted": COUNTED,
    "span": SPAN,
}
"""What a replay leaves, by name."""
WRITTEN: Final = ("partition_lag", "group_member", "member_load", "group_summary")
"""Those that are tables of the pipeline as they are."""
_TELEMETRY: Final = arrow_schema(TELEMETRY)


class ChainError(ValueError):
    """A chain that cannot be gone on from; the message says why, and the way out."""


@dataclass(frozen=True)
class Replayed:
    """What the replay of a batch leaves."""

    tables: dict[str, pa.Table]
    """By the names of ``REPLAYED``; names as numbers into dictionaries."""
    _links: Callable[[], pa.Table]

    @cached_property
    def chain(self) -> pa.Table:
        """Where every group stopped, also those in the chain given that have no new rows.

        Made when asked for: it names every partition's owner under every strategy.
        """
        return self._links()


def replay(
    rows: pa.Table, strategies: Sequence[Strategy], chain: pa.Table | None = None
) -> Replayed:
    """Replay groups through time, every strategy owning what it answered before.

    ``rows`` are usable telemetry and the number of their ``file``, plain or coded, in any
    order, all rows of each of their groups that are after those in ``chain``, which an earlier
    call left for the same strategies. Groups do not touch each other: batches can be cut
    between them.
    """
    chain = _checked(chain, len(strategies))
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
        "unused": _unused(rows, sorting),
        "failure": tables.failures(answers),
        "counted": _counted(
            rows_used=sorting.kept.size - numbers.chain_rows,
            rows_rejected=sorting.rejected.size,
            offsets_backwards=offsets.backwards,
            answers_missing=len(answers.failures),
        ),
        "span": tables.span(),
    }
    return Replayed(found, lambda: tables.chain(offsets, answers))


def _checked(chain: pa.Table | None, strategies: int) -> pa.Table:
    """Return the chain; refuse one that was left for other strategies."""
    if chain is None:
        return arrow_schema(CHAIN).empty_table()
    lengths = pc.unique(pc.list_value_length(chain["owners"])).to_pylist()
    if lengths not in ([], [strategies]):
        message = (
            f"the chain was left for {lengths[0]} strategies, this replay is for {strategies}; "
            "replay from the start, or for the strategies of before"
        )
        raise ChainError(message)
    return chain


def _unused(rows: pa.Table, sorting: Sorting) -> pa.Table:
    """Return the rejected rows as JSON, which is one of the forms in which telemetry comes."""
    taken = decoded(rows.take(pa.array(sorting.rejected)))
    # Without a zone, so that no database of zones is needed on the machine.
    at = pc.strftime(taken["snapshot_at"].cast(pa.timestamp("us")), "%Y-%m-%dT%H:%M:%SZ")
    shown = taken.select(_TELEMETRY.names).set_column(2, "snapshot_at", at).to_pylist()
    return pa.table(
        {
            "file": taken["file"],
            "reason": pa.array(sorting.reasons, pa.string()),
            "raw": pa.array([msgspec.json.encode(row).decode() for row in shown], pa.string()),
            "rows": pa.array([1] * len(shown), pa.int64()),
        },
        schema=arrow_schema(UNUSED),
    )


def _counted(**counted: int) -> pa.Table:
    return pa.table(
        {"name": list(counted), "amount": list(counted.values())}, schema=arrow_schema(COUNTED)
    )

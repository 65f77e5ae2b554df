"""The replay of whole fleets, compared with a slow and plain one."""

import math
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from assignors.registry import STRATEGIES
from evaluation.judging import JudgeBy, Measure
from pipeline.encoding import decoded
from pipeline.recommendation import ranked, recommended
from pipeline.replay.replay import FIGURES, replay
from pipeline.replay.states import newest
from schemas.arrow import arrow_schema
from schemas.tables import CHECKPOINT, TABLES
from tests.groups import tried
from tests.pipeline.replay.fleets import Row, at, fleets, table
from tests.pipeline.replay.ranking import recommendation
from tests.pipeline.replay.reference import expected

ALL = tuple(STRATEGIES.values())


def _rows(found: pa.Table) -> list[Row]:
    return [
        {name: value for name, value in row.items() if name != "day"} for row in found.to_pylist()
    ]


def _sorted(rows: Sequence[Row]) -> list[Row]:
    keys = ("cluster", "group_id", "snapshot_at", "strategy", "member_id", "topic", "partition")
    return sorted(rows, key=lambda row: [str(row.get(key)) for key in keys])


def _is_close(found: Any, wanted: Any) -> bool:  # noqa: ANN401 -- any value of a table
    if isinstance(wanted, float) and isinstance(found, float):
        return math.isclose(found, wanted, rel_tol=1e-9)
    return bool(found == wanted)


def differences(found: Sequence[Row], wanted: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Return the pairs of rows that differ by more than rounding."""
    assert len(found) == len(wanted)
    return [
        (row, other)
        for row, other in zip(_sorted(found), _sorted(wanted), strict=True)
        if row.keys() != other.keys() or not all(_is_close(row[name], other[name]) for name in row)
    ]


@given(fleet=fleets(), judge_by=st.sampled_from(JudgeBy))
@tried(80)
def test_every_table_is_what_a_plain_loop_finds(fleet: list[Row], judge_by: JudgeBy) -> None:
    wanted = expected(fleet, ALL, judge_by.value)

    replayed = replay(table(fleet), ALL, measure=Measure(by=judge_by))
    found = replayed.tables

    assert not differences(_rows(found["partition_lag"]), wanted.partition_lag)
    assert not differences(_rows(found["group_member"]), wanted.group_member)
    assert not differences(_rows(found["group_summary"]), wanted.group_summary)
    assert not differences(_rows(found["member_load"]), wanted.member_load)
    assert found["rejected"].num_rows == len(wanted.rejected)
    assert not replayed.failures


@given(fleet=fleets(), data=st.data())
@tried(60)
def test_a_replay_in_two_halves_is_the_whole_replay(fleet: list[Row], data: st.DataObject) -> None:
    moments = sorted({row["snapshot_at"] for row in fleet} | {at()})
    cut = data.draw(st.sampled_from(moments))
    early = [row for row in fleet if row["snapshot_at"] < cut]
    late = [row for row in fleet if row["snapshot_at"] >= cut]
    whole = replay(table(fleet), ALL)

    first = replay(table(early), ALL)
    second = replay(table(late), ALL, pa.concat_tables([decoded(first.checkpoint), _ends(early)]))

    for name in ("partition_lag", "group_member", "group_summary", "member_load"):
        halves = [*_rows(first.tables[name]), *_rows(second.tables[name])]
        assert _sorted(halves) == _sorted(_rows(whole.tables[name]))
    backwards = first.offsets_backwards + second.offsets_backwards
    assert backwards == whole.offsets_backwards
    states = pa.concat_tables([decoded(first.checkpoint), decoded(second.checkpoint)])
    assert _sorted(newest(states).to_pylist()) == _sorted(whole.checkpoint.to_pylist())


def _ends(rows: Sequence[Row]) -> pa.Table:
    """Return the ends of the logs as rows of a checkpoint, which tell lags by duration."""
    keys = ("cluster", "group_id", "snapshot_at", "topic", "partition")
    known = {tuple(row[key] for key in keys): row for row in rows if row.get("topic")}
    columns, nobody = (*keys, "log_end_offset"), {"owners": [None] * len(ALL), "bucket": 7}
    ends = [{name: row[name] for name in columns} | nobody for row in known.values()]
    return pa.Table.from_pylist(ends, arrow_schema(CHECKPOINT))


@given(fleet=fleets(), data=st.data())
@tried(40)
def test_the_order_of_the_rows_makes_no_difference(fleet: list[Row], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(fleet))

    found, again = replay(table(fleet), ALL), replay(table(shuffled), ALL)

    assert decoded(found.checkpoint).equals(decoded(again.checkpoint))
    assert all(
        decoded(found.tables[name]).equals(decoded(again.tables[name])) for name in found.tables
    )


@given(fleet=fleets())
@tried(40)
def test_every_row_is_used_or_rejected_and_tables_have_their_schema(fleet: list[Row]) -> None:
    found = replay(table(fleet), ALL)

    assert found.rows_used + found.tables["rejected"].num_rows == len(fleet)
    assert found.groups == len({(row["cluster"], row["group_id"]) for row in fleet})
    assert decoded(found.checkpoint).schema == arrow_schema(CHECKPOINT)
    assert {name: decoded(found.tables[name]).schema for name in found.tables} == {
        name: arrow_schema(TABLES[name]) for name in (*FIGURES, "rejected")
    }


@given(fleet=fleets())
@tried(60)
def test_every_recommendation_is_what_the_documents_say(fleet: list[Row]) -> None:
    names = [strategy.name for strategy in ALL]
    summary = decoded(replay(table(fleet), ALL).tables["group_summary"])

    found = ranked(recommended(summary, names)).to_pylist()

    assert not differences(found, recommendation(summary.to_pylist(), names))

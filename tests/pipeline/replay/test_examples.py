"""Fleets small enough to check by eye, with comments on the significant rows."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from assignors.model import UNOWNED, Group, Owners
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, Sees
from pipeline.replay.replay import replay
from schemas.tables import AS_IT_WAS
from tests.pipeline.replay.fleets import Row, at, table
from tests.pipeline.replay.reference import expected

STICKY, RANGE, FAIR = STRATEGIES["sticky"], STRATEGIES["range"], STRATEGIES["fair"]


def _row(partition: int, member: str | None = None, /, **more: Any) -> Row:  # noqa: ANN401 -- a cell
    about = {"cluster": "eu", "group_id": "g", "snapshot_at": at(), "topic": "t"}
    return {**about, "partition": partition, "member_id": member, "file": "0", **more}


def _idle(member: str | None, /, **more: Any) -> Row:  # noqa: ANN401 -- a cell
    return _row(0, member, topic=None, **more) | {"partition": None}


def _where(found: pa.Table, **wanted: Any) -> list[Row]:  # noqa: ANN401 -- any value
    rows: list[Row] = found.to_pylist()
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def test_lag_and_rates_follow_from_offsets() -> None:
    rows = [
        _row(0, log_end_offset=100, committed_offset=90),
        _row(1, log_end_offset=100),  # nothing committed, latest: no lag
        _row(2, log_end_offset=100, log_start_offset=40, auto_offset_reset="earliest"),
        _row(3, committed_offset=90),  # the end is unknown, and so is the lag
        _row(0, log_end_offset=160, committed_offset=150, snapshot_at=at(30)),
        _row(1, log_end_offset=7, snapshot_at=at(30)),  # the topic was recreated
    ]

    replayed = replay(table(rows), [])
    found = replayed.tables

    columns = ("snapshot_at", "partition", "lag", "produce_rate", "consume_rate")
    assert [tuple(row[name] for name in columns) for row in found["partition_lag"].to_pylist()] == [
        (at(), 0, 10, None, None),
        (at(), 1, 0, None, None),
        (at(), 2, 60, None, None),
        (at(), 3, None, None, None),
        (at(30), 0, 10, 2.0, 2.0),
        (at(30), 1, 0, None, None),
    ]
    assert replayed.offsets_backwards == 1


@pytest.mark.parametrize(
    ("duration", "before", "lags"),
    [
        ("PT1M", 70, [None, 30]),  # began at the previous snapshot
        ("PT59S", 70, [None, None]),  # began at some time between the two
        ("PT59S", 100, [None, 0]),  # no records since
        ("PT1M1S", 100, [None, None]),  # records may have arrived in the second before
        ("PT0S", 70, [0, 0]),
        ("P1D", 40, [0, None]),  # the log was empty
        ("PT60.0S", 10, [None, 60]),  # the first records are already deleted
    ],
)
def test_lag_by_duration_is_known_where_snapshots_tell(
    duration: str, before: int, lags: list[int | None]
) -> None:
    about = {"auto_offset_reset": f"by_duration:{duration}", "log_start_offset": 40}
    rows = [
        _row(0, **about, log_end_offset=before),
        _row(0, **about, log_end_offset=100, snapshot_at=at(60)),
        _row(1, **about, log_end_offset=100, committed_offset=91),  # continues from there
    ]

    found = replay(table(rows), []).tables["partition_lag"]

    assert [row["lag"] for row in _where(found, partition=0)] == lags
    assert [row["lag"] for row in _where(found, partition=1)] == [9]


def test_lag_by_duration_is_known_if_any_snapshot_shows_the_end_at_that_time() -> None:
    about = {"auto_offset_reset": "by_duration:PT2M", "log_start_offset": 0}
    ends = [10, 25, 40, 40, 40, 30]  # a minute apart; then the topic was recreated
    rows = [_row(0, **about, log_end_offset=e, snapshot_at=at(60 * n)) for n, e in enumerate(ends)]
    rows.append(_row(0, **about, log_end_offset=40, snapshot_at=at(190)))  # τ is between snapshots

    found = replay(table(rows), []).tables["partition_lag"]

    # at 120: 40 - 10; at 180: 40 - 25; at 190 unknown; at 240: nothing since 120; at 300: less
    assert [row["lag"] for row in found.to_pylist()] == [None, None, 30, 15, None, 0, None]


def test_the_example_of_lags_in_the_documents_holds() -> None:
    text = (Path(__file__).parents[3] / "docs" / "pipeline.md").read_text()
    lines = text.partition("| snapshot_at | log_start |")[2].splitlines()
    cells = [[c.strip() for c in line.split("|")[1:-1]] for line in lines[2 : lines.index("", 2)]]
    rows = [
        _row(
            0,
            log_start_offset=int(start),
            log_end_offset=int(end),
            committed_offset=int(committed) if committed else None,
            auto_offset_reset=reset or None,
            snapshot_at=at(60 * int(moment[3:])),
        )
        for moment, start, end, committed, reset, *_ in cells
    ]

    found = replay(table(rows), []).tables["partition_lag"].to_pylist()

    assert len(cells) == 5
    shown = [[row["lag"], row["produce_rate"]] for row in found]
    assert shown == [[json.loads(c) if c else None for c in each[5:7]] for each in cells]


def test_a_partition_that_is_missing_stays_while_its_topic_does() -> None:
    rows = [
        _row(0, "c0", log_end_offset=5, committed_offset=1),
        _row(2, "c0", log_end_offset=5, committed_offset=1),  # 1 is not mentioned
        _row(0, "c0", log_end_offset=5, committed_offset=1, snapshot_at=at(60)),
        _row(0, "c0", topic="u", snapshot_at=at(120)),  # t has been deleted
        _row(0, "c0", snapshot_at=at(180)),  # and back, as a new topic
    ]

    found = replay(table(rows), []).tables

    shown = [(row["partitions"], row["unknown_lags"], row["unowned"]) for row in
             found["group_summary"].to_pylist()]  # fmt: skip
    assert shown == [(3, 1, 1), (3, 2, 2), (1, 1, 0), (1, 1, 0)]
    assert found["partition_lag"].num_rows == len(rows)


def test_a_strategy_starts_from_its_previous_result_not_from_the_recorded_owners() -> None:
    rows = [
        *(_row(p, "c0") for p in range(4)),
        _idle("c1"),
        *(_row(p, "c0", snapshot_at=at(60)) for p in range(4)),  # unchanged
        _idle("c1", snapshot_at=at(60)),
    ]

    found = replay(table(rows), [STICKY]).tables["group_summary"]

    shown = [
        (
            row["strategy"],
            row["moved_from_present"],
            row["moved_from_previous"],
            row["idle_members"],
        )
        for row in found.to_pylist()
    ]
    assert shown == [
        (AS_IT_WAS, 0, None, 1),
        (AS_IT_WAS, 0, 0, 1),
        ("sticky", 2, None, 0),
        ("sticky", 2, 0, 0),
    ]


def test_a_group_without_members_owns_nothing_and_is_not_judged() -> None:
    rows = [_row(0, log_end_offset=9, committed_offset=2), _row(1)]

    found = replay(table(rows), [RANGE]).tables

    summary = _where(found["group_summary"], strategy="range")[0]
    assert (summary["partitions"], summary["members"], summary["unowned"]) == (2, 0, 2)
    assert (summary["total_lag"], summary["max_lag"], summary["lower_bound"]) == (7, None, None)
    assert found["member_load"].num_rows == found["group_member"].num_rows == 0


def test_a_topic_only_subscribed_to_has_no_partitions_and_counts_for_nothing() -> None:
    rows = [_row(0, "c0", subscribed_topics=["t", "zz", "a"]), _idle("c1", subscribed_topics=["a"])]

    found = replay(table(rows), [RANGE]).tables

    assert {row["topics"] for row in found["group_summary"].to_pylist()} == {1}
    loads = _where(found["member_load"], strategy="range")
    assert [(row["member_id"], row["partitions"]) for row in loads] == [("c0", 1), ("c1", 0)]


def test_a_list_of_topics_may_hold_nulls_which_count_for_nothing() -> None:
    rows = [_row(0, "c0", subscribed_topics=["t", None]), _idle("c1", subscribed_topics=[None])]

    found = replay(table(rows), [RANGE]).tables

    assert found["group_member"]["subscribed_topics"].to_pylist() == [["t"], []]
    loads = _where(found["member_load"], strategy="range")
    assert [row["partitions"] for row in loads] == [1, 0]


def test_a_members_first_informative_row_describes_it() -> None:
    rows = [_row(1, "c0", host="/h1", rack="a"), _row(0, "c0", client_id="x", rack="b")]

    found = replay(table(rows), []).tables["group_member"].to_pylist()

    assert [(row["client_id"], row["host"], row["rack"]) for row in found] == [("x", "/h1", "b")]


def test_sums_of_lag_beyond_64_bits_stop_at_the_largest_number() -> None:
    most = 2**63 - 1
    rows = [_row(p, "c0", log_end_offset=most, committed_offset=0) for p in range(3)]
    rows += [_row(3, "c1", log_end_offset=2**53 + 1, committed_offset=0)]

    found = replay(table(rows), []).tables

    assert [row["lag"] for row in found["member_load"].to_pylist()] == [most, 2**53 + 1]
    summary = found["group_summary"].to_pylist()[0]
    assert (summary["max_lag"], summary["total_lag"], summary["lower_bound"]) == (most,) * 3


@pytest.mark.parametrize("reverse", [False, True])
def test_of_rival_rows_the_first_by_file_then_content_stays(reverse: bool) -> None:
    rows = [
        _row(0, "c1", log_end_offset=8, file="0"),
        _row(0, "c0", log_end_offset=9, file="0"),  # larger offsets come later
        _row(0, "c1", log_end_offset=8, file="1"),  # identical, from another file
        _row(0, "c0", log_end_offset=1, file="1"),
    ]

    found = replay(table(rows[::-1] if reverse else rows), []).tables

    assert [row["log_end_offset"] for row in found["partition_lag"].to_pylist()] == [8]
    unused = found["rejected"].to_pylist()
    assert [(row["file"], json.loads(row["raw"])["log_end_offset"]) for row in unused] == [
        ("0", 9),
        ("1", 1),
        ("1", 8),
    ]
    assert ["identical" in row["reason"] for row in unused] == [False, False, True]
    assert json.loads(unused[0]["raw"])["snapshot_at"] == "2026-03-01T23:58:00.000000Z"


@pytest.mark.parametrize(("number", "is_kept"), [(1_009, True), (1_010, False)])
def test_a_number_that_implies_too_many_others_sets_its_group_aside_at_that_snapshot(
    number: int, *, is_kept: bool
) -> None:
    rows = [
        _row(number, topic="far"),  # the only row of its topic: 1,000 + 9 others may be missing
        _row(0, "c0"),
        _row(0, "c0", snapshot_at=at(60)),
        _row(0, "c0", group_id="other"),
    ]

    found = replay(table(rows), [RANGE])

    lags = found.tables["partition_lag"].to_pylist()
    later = [("g", at(60)), ("other", at())]
    assert [(row["group_id"], row["snapshot_at"]) for row in lags if row["topic"] == "t"] == (
        [("g", at())] * is_kept + later
    )
    assert found.rejected.size == (0 if is_kept else 2)
    assert found.reasons == ({} if is_kept else {"absurd partition: group set aside": 2})


@pytest.mark.parametrize(("number", "is_kept"), [(9, True), (10, False)])
def test_topics_that_imply_too_many_partitions_together_set_their_group_aside(
    number: int, *, is_kept: bool
) -> None:
    rows = [
        # As many missing of each as may be; 11 topics with a row each may lack 10,000 + 9 * 11
        *(_row(1_009, "c0", topic=f"t{topic}") for topic in range(10)),
        _row(number, "c0"),
        _idle("c1"),  # no row of a partition, so it allows no further one
        _row(0, "c0", group_id="other"),
    ]

    found = replay(table(rows), [RANGE])

    sizes = {row["group_id"]: row["partitions"] for row in _where(found.tables["group_summary"])}
    assert sizes == ({"g": 10_110} if is_kept else {}) | {"other": 1}
    rejected = found.tables["rejected"].to_pylist()
    assert len(rejected) == len(expected(rows, [RANGE]).rejected) == (0 if is_kept else 12)
    for row in rejected:
        assert row["reason"] == (
            "expected at most 10,099 partitions without a row below the largest number of each "
            "topic, as the group has 11 rows of partitions at this snapshot, found 10,100; so the "
            "group is set aside at it"
        )
    assert found.reasons == ({} if is_kept else {"absurd partition: group set aside": 12})


def test_a_snapshot_before_the_checkpoint_is_late_and_one_after_goes_on() -> None:
    checkpoint = replay(table([_row(0, "c0", snapshot_at=at(60))]), [RANGE]).checkpoint
    rows = [
        _row(0, "c0", snapshot_at=at(30)),
        _row(0, "c0", snapshot_at=at(60)),
        _row(0, "c0", snapshot_at=at(90)),
        _row(0, "c0", group_id="other"),
    ]

    found = replay(table(rows), [RANGE], checkpoint)

    assert ["before it" in row["reason"] for row in found.tables["rejected"].to_pylist()] == [
        True
    ] * 2
    moved = _where(found.tables["group_summary"], strategy="range", group_id="g")
    assert [row["moved_from_previous"] for row in moved] == [0]
    assert found.checkpoint["group_id"].to_pylist() == ["g", "other"]


def test_figures_lie_by_group_so_that_readers_of_one_skip_the_others() -> None:
    rows = [
        _row(0, "c0", group_id=group, snapshot_at=at(second))
        for second in (0, 60)
        for group in ("b", "a")
    ]

    found = replay(table(rows), [RANGE, FAIR]).tables

    for name in ("partition_lag", "group_member", "member_load", "group_summary"):
        groups = found[name]["group_id"].to_pylist()
        assert groups == sorted(groups), name


def test_a_result_that_breaks_a_rule_is_left_out_and_reported() -> None:
    def forgetful(group: Group) -> Owners:
        return group.nobody() if len(group.members) == 1 else FAIR.assign(group)

    broken = replace(FAIR, name="forgetful", assign=forgetful)
    rows = [
        _row(0, "c0"),
        _row(0, "c0", snapshot_at=at(60)),
        _row(0, "c0", snapshot_at=at(120)),
        _idle("c1", snapshot_at=at(120)),
        _row(0, "c0", group_id="h"),
        _idle("c1", group_id="h"),
    ]

    replayed = replay(table(rows), [broken, RANGE])
    found = replayed.tables

    assert [(f["group_id"], f["snapshot_at"], f["strategy"]) for f in replayed.failures] == [
        ("g", at().isoformat(), "forgetful"),
        ("g", at(60).isoformat(), "forgetful"),
    ]
    assert "has subscribers but no owner" in replayed.failures[0]["reason"]
    assert len(_where(found["group_summary"], strategy="range")) == 4
    assert len(_where(found["group_summary"], strategy="forgetful")) == 2
    assert len(_where(found["member_load"], strategy="forgetful")) == 4


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_a_strategy_is_not_run_again_until_its_input_changes(name: str) -> None:
    asked: list[Owners] = []

    def noting(group: Group) -> Owners:
        asked.append(STRATEGIES[name].settle(group))
        return asked[-1]

    noted = replace(STRATEGIES[name], assign=noting, target=None)
    even = [_row(p, f"c{p % 2}", log_end_offset=0, committed_offset=0) for p in range(4)]
    rows = [{**row, "snapshot_at": at(s)} for row in even for s in range(0, 300, 60)]
    rows += [_row(4, snapshot_at=at(240))]  # new rows only from then on

    replay(table(rows), [noted])

    strategy = STRATEGIES[name]
    claimed = [0, 1, 0, 1] if strategy.protocol is Protocol.BROKER else [UNOWNED] * 4
    has_new_claims = Sees.OWNERS in strategy.sees and not np.array_equal(asked[0], claimed)
    assert len(asked) == 2 + has_new_claims


def test_what_others_own_meanwhile_changes_nothing_for_a_sticky_strategy() -> None:
    rows = [_row(p, f"c{p % 2}") for p in range(4)]
    rows += [_row(p, f"c{p // 2}", snapshot_at=at(60)) for p in range(4)]  # actually exchanged

    found = replay(table(rows), [STICKY]).tables["group_summary"]

    last = _where(found, strategy="sticky", snapshot_at=at(60))[0]
    assert (last["moved_from_previous"], last["moved_from_present"]) == (0, 2)

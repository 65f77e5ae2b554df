import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa

from pipeline.recommendation import WITH_EARLIER, ranked, recommended
from schemas.arrow import arrow_schema
from schemas.earlier import FORMER
from schemas.tables import AS_IT_WAS, GROUP_SUMMARY, RECOMMENDATION

_ORDER: Final = ("first", "second")
_LIKE_ANY: Final[dict[str, Any]] = {
    "cluster": "prod",
    "group_id": "orders",
    "topics": 1,
    "partitions": 12,
    "members": 3,
    "total_load": 400,
    "unknown_loads": 0,
    "max_over_mean_load": 1.5,
    "idle_members": 0,
    "unowned": 0,
    "lower_bound": 50,
    "moved_from_present": 2,
}


def _row(strategy: str, minute: int, max_load: int | None, **others: object) -> dict[str, Any]:
    """Return a row of group_summary; figures not given are equal under all strategies."""
    at = dt.datetime(2026, 3, 1, 12, minute, tzinfo=dt.UTC)
    largest = {"max_load": max_load, "max_lag": max_load}
    return _LIKE_ANY | {"strategy": strategy, "snapshot_at": at} | largest | others


def _recommended(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    summary = pa.Table.from_pylist(list(rows), arrow_schema(GROUP_SUMMARY))
    found = ranked(recommended(summary, _ORDER))
    assert found.schema == arrow_schema(RECOMMENDATION)
    listed: list[dict[str, Any]] = found.to_pylist()
    return listed


def test_the_smallest_mean_of_the_largest_lag_wins_and_its_figures_are_given() -> None:
    rows = [
        _row(AS_IT_WAS, 0, 300, max_lag=290, max_over_mean_load=3.0, idle_members=1),
        _row(AS_IT_WAS, 1, 100, max_over_mean_load=1.0, moved_from_previous=4),
        _row("first", 0, 100),  # better at first, worse over both
        _row("first", 1, 190, moved_from_previous=0),
        _row("second", 0, 140, max_over_mean_load=1.5),
        _row("second", 1, 100, max_over_mean_load=1.25, moved_from_previous=6),
    ]

    [found] = _recommended(rows)

    assert found == {
        "rank": 1,
        "cluster": "prod",
        "group_id": "orders",
        "window_start": dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC),
        "window_end": dt.datetime(2026, 3, 1, 12, 1, tzinfo=dt.UTC),
        "snapshots": 2,
        "partitions": 12,
        "members": 3,
        "strategy": "second",
        "max_load_as_it_was": 200.0,
        "max_load": 120.0,
        "max_lag_as_it_was": 195.0,
        "max_lag": 120.0,
        "lower_bound": 50.0,
        "gain_load": 80.0,
        "gain_share": 0.4,
        "moves_as_it_was": 4.0,
        "moves": 6.0,
        "max_over_mean_as_it_was": 2.0,
        "max_over_mean": 1.375,
        "idle_members": 0.5,
        "largest_partition_share": 0.125,
        "reason": "gains",
        "tested_strategy": "first",
        "promised_share": 2 / 3,
        "kept_share": -0.9,
    }


def test_rows_of_an_earlier_release_are_judged_by_what_their_columns_of_lag_hold() -> None:
    rows = [_row(AS_IT_WAS, 0, 300), _row("first", 0, 100)]
    schema = arrow_schema(WITH_EARLIER)
    now = pa.Table.from_pylist(rows, schema)
    former = {new: old for new, old in FORMER["group_summary"].items() if new in _LIKE_ANY}
    before = [
        {name: value for name, value in row.items() if name not in {*former, "max_load"}}
        | {former[name]: row[name] for name in former}
        | {"max_lag": row["max_load"]}
        for row in rows
    ]

    [expected] = recommended(now, _ORDER).to_pylist()
    [found] = recommended(pa.Table.from_pylist(before, schema), _ORDER).to_pylist()

    assert found == expected | {"max_lag": None, "max_lag_as_it_was": None}
    assert (found["max_load_as_it_was"], found["max_load"], found["lower_bound"]) == (300, 100, 50)


def test_of_two_equals_the_one_that_moves_less_is_recommended_then_the_first() -> None:
    rows = []
    for group, moves in (("few", 1), ("same", 5)):
        for strategy, max_load in ((AS_IT_WAS, 300), ("first", 100), ("second", 100)):
            moved = moves if strategy == "second" else 5
            rows += [
                _row(strategy, 0, max_load, group_id=group),
                _row(strategy, 1, max_load, group_id=group, moved_from_previous=moved),
            ]

    found = _recommended(rows)

    assert [(row["group_id"], row["strategy"]) for row in found] == [
        ("few", "second"),
        ("same", "first"),
    ]


def test_of_two_equals_in_a_single_snapshot_the_cheaper_switch_is_recommended() -> None:
    rows = [
        _row(AS_IT_WAS, 0, 300, moved_from_present=0),
        _row("first", 0, 100, moved_from_present=3),
        _row("second", 0, 100, moved_from_present=2),
    ]

    [found] = _recommended(rows)

    assert (found["strategy"], found["moves"]) == ("second", None)


def test_without_a_real_gain_the_group_stays_as_it_was() -> None:
    cases = {
        "at-best": (1000, 1000, 1000),
        "a-twentieth": (1000, 950, 500),  # just enough
        "less-than-a-twentieth": (1000, 951, 500),
        "half-a-record-less-each": (1, 1, 0),
        "no-lag": (0, 0, 0),
        "worse": (100, 110, 90),
    }
    rows = [
        _row(strategy, 0, max_load, group_id=group, lower_bound=best)
        for group, (before, after, best) in cases.items()
        for strategy, max_load in ((AS_IT_WAS, before), ("first", after))
    ]

    found = {row["group_id"]: row for row in _recommended(rows)}

    assert {
        group: (row["strategy"], row["reason"], row["gain_load"], row["gain_share"])
        for group, row in found.items()
    } == {
        "at-best": (AS_IT_WAS, "at-best", 0, 0),
        "a-twentieth": ("first", "gains", 50, 0.05),
        "less-than-a-twentieth": (AS_IT_WAS, "none-better", 0, 0),
        "half-a-record-less-each": (AS_IT_WAS, "none-better", 0, 0),
        "no-lag": (AS_IT_WAS, "no-lag", 0, None),
        "worse": (AS_IT_WAS, "none-better", 0, 0),
    }
    assert found["worse"]["max_load"] == 100


def test_snapshots_of_unknown_lag_are_not_judged_and_count_for_no_strategy() -> None:
    rows = [
        _row(AS_IT_WAS, 0, None),
        _row("first", 0, 10_000),  # known here only: would count for this strategy alone
        _row(AS_IT_WAS, 1, 300),
        _row("first", 1, 100),
    ]

    [found] = _recommended(rows)

    assert (found["snapshots"], found["strategy"], found["max_load"]) == (1, "first", 100.0)
    assert found["window_start"] == found["window_end"]


def test_an_unknown_lag_stays_unknown_and_ranks_last() -> None:
    rows = [
        _row(AS_IT_WAS, 0, None, group_id="a", total_load=None, lower_bound=None),
        _row("first", 0, None, group_id="a", total_load=None, lower_bound=None),
        _row(AS_IT_WAS, 0, 7, group_id="b"),
        _row("first", 0, 7, group_id="b"),
    ]

    _, found = _recommended(rows)

    unknown = ["max_load_as_it_was", "max_load", "lower_bound", "gain_load", "gain_share"]
    assert [found[name] for name in unknown] == [None] * 5
    assert (found["group_id"], found["rank"], found["snapshots"]) == ("a", 2, 0)
    assert (found["strategy"], found["reason"]) == (AS_IT_WAS, "unknown-lag")


def test_a_group_without_members_has_nothing_to_switch() -> None:
    rows = [
        _row(strategy, 0, None, members=0, unowned=12, lower_bound=None)
        for strategy in (AS_IT_WAS, "first")
    ]

    [found] = _recommended(rows)

    assert (found["strategy"], found["reason"], found["members"]) == (AS_IT_WAS, "no-members", 0)


def test_a_snapshot_with_unowned_partitions_does_not_flatter_the_group() -> None:
    rows = [
        _row(AS_IT_WAS, 0, 0, unowned=12),  # in the middle of a rebalance
        _row("first", 0, 120),
        _row(AS_IT_WAS, 1, 300),
        _row("first", 1, 100),
    ]

    [found] = _recommended(rows)

    assert (found["strategy"], found["gain_load"], found["snapshots"]) == ("first", 200.0, 1)


def test_where_partitions_never_had_an_owner_the_gain_is_unknown() -> None:
    rows = [
        _row(AS_IT_WAS, 0, 0, unowned=12),
        _row("first", 0, 120),
        _row("second", 0, 110),
    ]

    [found] = _recommended(rows)

    assert (found["strategy"], found["max_load"], found["reason"]) == ("second", 110.0, "unowned")
    assert (found["gain_load"], found["gain_share"]) == (None, None)


def test_partitions_that_no_strategy_can_place_do_not_stand_in_the_way() -> None:
    rows = [_row(AS_IT_WAS, 0, 300, unowned=2), _row("first", 0, 100, unowned=2)]

    [found] = _recommended(rows)

    assert (found["reason"], found["gain_load"]) == ("gains", 200.0)


def test_of_an_odd_number_of_snapshots_the_middle_one_is_of_the_first_half() -> None:
    rows = [_row(AS_IT_WAS, minute, 300) for minute in range(3)]
    rows += [_row("first", minute, lag) for minute, lag in enumerate((300, 0, 30))]

    [found] = _recommended(rows)

    names = ("tested_strategy", "promised_share", "kept_share")
    assert [found[name] for name in names] == ["first", 0.5, 0.9]


def test_groups_are_ranked_by_gain_then_by_what_they_have_then_by_name() -> None:
    lags = {"c": (900, 600), "a": (400, 100), "b": (400, 100), "d": (5000, 10)}
    rows = [
        _row(strategy, 0, max_load, group_id=group)
        for group, (before, after) in lags.items()
        for strategy, max_load in ((AS_IT_WAS, before), ("first", after))
    ]

    found = _recommended(rows)

    assert [row["group_id"] for row in found] == ["d", "c", "a", "b"]
    assert [row["rank"] for row in found] == [1, 2, 3, 4]


def test_lags_as_large_as_they_come_do_not_overflow() -> None:
    largest = 2**63 - 1
    rows = [
        _row(strategy, minute, max_load, total_load=largest, lower_bound=None)
        for minute in (0, 1)
        for strategy, max_load in ((AS_IT_WAS, largest), ("first", 1))
    ]

    [found] = _recommended(rows)

    assert (found["max_load_as_it_was"], found["lower_bound"]) == (float(largest), None)


def test_the_mean_of_equal_lags_is_that_lag_whatever_other_groups_have() -> None:
    lag = 3_002_399_751_580_345  # a float does not hold three times this
    groups = {
        name: [_row(AS_IT_WAS, minute, most, group_id=name) for minute in range(3)]
        for name, most in (("own", lag), ("huge", 2**63 - 1))
    }

    [alone] = _recommended(groups["own"])
    beside, own = _recommended([*groups["own"], *groups["huge"]])

    assert (alone["max_load_as_it_was"], own["max_load_as_it_was"]) == (lag, lag)
    assert beside["group_id"] == "huge"


def test_moves_that_are_not_known_are_those_of_the_switch() -> None:
    rows = [
        _row(AS_IT_WAS, 0, 300),
        _row("first", 0, 100, moved_from_present=9),  # no earlier snapshot to move from
        _row("second", 0, 100, moved_from_present=9, moved_from_previous=1),
    ]

    [found] = _recommended(rows)

    assert found["strategy"] == "second"


def test_a_group_that_had_members_is_not_one_without() -> None:
    rows = [
        _row(name, minute, lag, members=members)
        for minute, members in ((0, 3), (1, 0))
        for name, lag in ((AS_IT_WAS, 300), ("first", 100), ("second", 200))
    ]

    [found] = _recommended(rows)

    assert (found["members"], found["reason"]) == (0, "gains")


def test_a_strategy_without_an_answer_at_a_snapshot_is_no_candidate() -> None:
    rows = [
        _row(AS_IT_WAS, 0, 300),
        _row(AS_IT_WAS, 1, 300),
        _row("first", 0, 10),
        _row("second", 0, 200),
        _row("second", 1, 200),
    ]

    [found] = _recommended(rows)

    assert (found["strategy"], found["max_load"]) == ("second", 200.0)


def test_the_order_of_the_rows_makes_no_difference() -> None:
    rows = [
        _row(name, minute, lag, group_id=group, max_over_mean_load=share)
        for group in ("b", "a", "c")
        for name, lag in ((AS_IT_WAS, 300), ("first", 100), ("second", 200))
        for minute, share in ((0, 0.1), (1, 0.3), (2, 0.2))
    ]

    assert _recommended(rows) == _recommended(rows[::-1])
    assert [row["group_id"] for row in _recommended(rows)] == ["a", "b", "c"]


def test_groups_whose_owners_nobody_told_rank_by_what_the_busiest_has_at_least() -> None:
    rows = [
        _row(strategy, 0, load, group_id=group, lower_bound=bound, idle_members=idle)
        for group, bound in (("small", 20), ("large", 90))
        for strategy, load, idle in ((AS_IT_WAS, None, None), ("first", bound, 0))
    ]
    rows += [
        _row(AS_IT_WAS, 0, None, group_id="uncounted", members=None, lower_bound=None),
    ]

    found = _recommended(rows)

    assert [(row["group_id"], row["lower_bound"], row["members"]) for row in found] == [
        ("large", 90.0, 3), ("small", 20.0, 3), ("uncounted", None, None),
    ]  # fmt: skip
    assert {row["reason"] for row in found} == {"owners-unknown"}
    assert {row["gain_load"] for row in found} == {None}

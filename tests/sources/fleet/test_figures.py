"""Totals, ranking, distributions, maps and histories over the tables of a small fleet."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from schemas.tables import AS_IT_WAS
from sources.fleet.distributions import (
    AS_IT_WAS_SERIES,
    BEST_SERIES,
    evenness,
    gain_shares,
    idle_consumers,
)
from sources.fleet.heatmaps import MOST_CELLS, MOST_COLUMNS, group_heatmap, member_heatmap
from sources.fleet.history import by_strategy, history, history_rows, loads
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, rejected_by_reason, rejected_rows, totals, within
from tests.fleets import TIMES, recommendation, small, write


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return open_fleet(edition_of(write(tmp_path / "fleet", small())))


def with_summaries(
    folder: Path, changes: Mapping[tuple[str, str, int], Mapping[str, object]]
) -> Fleet:
    """Return the small fleet with some fields of (group, strategy, snapshot number) changed."""
    tables = small()
    rows = [dict(row) for row in tables["group_summary"]]
    for row in rows:
        at = (row["group_id"], row["strategy"], TIMES.index(row["snapshot_at"]))
        row.update(changes.get(at, {}))
    return open_fleet(edition_of(write(folder / "changed", {**tables, "group_summary": rows})))


def test_totals_are_those_of_each_groups_last_snapshot(fleet: Fleet) -> None:
    found = totals(as_it_was(fleet, Scope()))

    assert (found.groups, found.clusters, found.consumers, found.partitions) == (3, 2, 9, 12)
    assert (found.load, found.unknown_loads, found.idle) == (3600, 1, 3)
    assert (found.snapshots, found.first, found.last) == (9, TIMES[0], TIMES[-1])


def test_a_scope_leaves_out_other_clusters_and_times(fleet: Fleet) -> None:
    scope = Scope(cluster="prod", since=TIMES[1], until=TIMES[1])

    found = totals(as_it_was(fleet, scope))

    assert (found.groups, found.load, found.snapshots) == (2, 2200, 2)
    assert (found.first, found.last) == (TIMES[1], TIMES[1])


@pytest.mark.parametrize(
    "scope",
    [
        Scope(),
        Scope(cluster="prod"),
        Scope(since=TIMES[1]),
        Scope(until=TIMES[1]),
        Scope(cluster="test", since=TIMES[1], until=TIMES[1]),
        Scope(cluster="none"),
    ],
)
def test_a_part_of_the_cached_reading_equals_a_new_reading(fleet: Fleet, scope: Scope) -> None:
    held = within(as_it_was(fleet, Scope()), scope)

    pd.testing.assert_frame_equal(held, as_it_was(fleet, scope))


def test_a_fleet_of_which_no_lag_is_known_has_no_total(tmp_path: Path) -> None:
    unknown = {
        (group, AS_IT_WAS, 2): {"total_load": None} for group in ("orders", "audit", "mails")
    }

    found = totals(as_it_was(with_summaries(tmp_path, unknown), Scope()))

    assert found.load is None


def test_rejected_rows_are_listed_by_file_and_counted_by_reason(fleet: Fleet) -> None:
    assert rejected_rows(fleet, 10)["file"].tolist() == ["a.jsonl", "a.jsonl", "b.csv"]
    assert len(rejected_rows(fleet, 2)) == 2
    assert rejected_by_reason(fleet).to_dict("list") == {
        "reason": ["no group", "partition -1 is negative"],
        "rows": [2, 1],
    }


def of(table: pd.DataFrame, row: str, *columns: str) -> list[Any]:
    """Return some figures of one row."""
    found: Any = table.loc[row]
    return [found[column] for column in columns]


def ranked(fleet: Fleet, scope: Scope) -> pd.DataFrame:
    return ranking(fleet, scope).set_index("group_id")


def test_another_window_is_ranked_by_its_own_snapshots(fleet: Fleet) -> None:
    found = ranked(fleet, Scope(since=TIMES[1]))

    orders: Any = found.loc["orders"]
    assert found.index.tolist() == ["orders", "mails", "audit"]
    assert found["rank"].tolist() == [1, 2, 3]
    assert (orders["strategy"], orders["reason"]) == ("roundrobin", "gains")
    assert (orders["max_load_as_it_was"], orders["max_load"]) == (1035, 345)
    assert (orders["gain_load"], orders["gain_share"]) == (690, pytest.approx(2 / 3))
    assert (orders["snapshots"], orders["partitions"], orders["members"]) == (2, 4, 3)
    assert (orders["window_start"], orders["window_end"]) == (TIMES[1], TIMES[2])
    assert orders["largest_partition_share"] == pytest.approx(345 / 1150)
    assert of(found, "audit", "strategy", "reason") == [AS_IT_WAS, "at-best"]


def test_groups_of_one_name_in_two_clusters_are_ranked_apart(tmp_path: Path) -> None:
    rows = small()["group_summary"]
    same = [{**row, "group_id": row["group_id"].replace("mails", "orders")} for row in rows]
    fleet = open_fleet(edition_of(write(tmp_path, {**small(), "group_summary": same})))

    found = ranking(fleet, Scope(since=TIMES[0]))

    assert found[["cluster", "group_id", "gain_load"]].to_numpy().tolist() == [
        ["prod", "orders", 660],
        ["test", "orders", 22],
        ["prod", "audit", 0],
    ]


def test_fewer_strategies_to_choose_from_gain_what_they_gain(fleet: Fleet) -> None:
    found = ranked(fleet, Scope(strategies=("range",)))

    assert found["strategy"].to_dict() == {
        "mails": "range",
        "audit": AS_IT_WAS,
        "orders": AS_IT_WAS,
    }
    assert of(found, "orders", "reason")[0] == "none-better"


def test_of_equals_the_one_that_moves_least_is_taken_then_the_first_in_order(
    tmp_path: Path,
) -> None:
    equal = {
        ("mails", "roundrobin", k): {"max_load": most} for k, most in enumerate((100, 110, 120))
    }
    still = {("mails", "roundrobin", k): {"moved_from_previous": 0} for k in (1, 2)}
    both = {at: equal.get(at, {}) | still.get(at, {}) for at in equal}

    by_order = ranked(with_summaries(tmp_path / "1", equal), Scope(since=TIMES[0]))
    by_moves = ranked(with_summaries(tmp_path / "2", both), Scope(since=TIMES[0]))

    assert by_order.loc["mails", "strategy"] == "range"
    assert by_moves.loc["mails", "strategy"] == "roundrobin"


def test_without_later_moves_the_initial_ones_break_ties(tmp_path: Path) -> None:
    equal = {
        ("mails", "roundrobin", k): {
            "max_load": most,
            "moved_from_previous": None,
            "moved_from_present": 3,
        }
        for k, most in enumerate((100, 110, 120))
    }

    found = ranked(with_summaries(tmp_path, equal), Scope(since=TIMES[0]))

    assert found.loc["mails", "strategy"] == "range"


def test_of_equals_one_that_takes_nothing_from_anybody_is_taken(tmp_path: Path) -> None:
    equal = {
        ("mails", "roundrobin", k): {"max_load": most, "moved_from_present": None}
        for k, most in enumerate((100, 110, 120))
    }

    found = ranked(with_summaries(tmp_path, equal), Scope(since=TIMES[0]))

    assert found.loc["mails", "strategy"] == "roundrobin"


def test_moves_are_a_mean_over_all_snapshots_judged_or_not(tmp_path: Path) -> None:
    changes: dict[tuple[str, str, int], dict[str, object]] = {
        ("orders", "range", 2): {"max_load": None},
        ("orders", "roundrobin", 2): {"moved_from_previous": 5},
    }

    found = ranked(with_summaries(tmp_path, changes), Scope(since=TIMES[0]))

    assert of(found, "orders", "strategy", "snapshots", "moves") == ["roundrobin", 2, 3]


def test_a_group_that_no_snapshot_judges_stays_as_it_was(tmp_path: Path) -> None:
    unknown = {("orders", "range", k): {"max_load": None} for k in range(3)}

    found = ranked(with_summaries(tmp_path, unknown), Scope(since=TIMES[0]))

    assert of(found, "orders", "strategy", "reason") == [AS_IT_WAS, "unknown-lag"]


def test_a_gain_below_one_in_a_hundred_is_none(tmp_path: Path) -> None:
    little = {("orders", "roundrobin", k): {"max_load": 899 + 90 * k} for k in range(3)}

    found = ranked(with_summaries(tmp_path, little), Scope(since=TIMES[0]))

    assert of(found, "orders", "strategy", "gain_load") == [AS_IT_WAS, 0]


def test_a_snapshot_that_a_strategy_does_not_know_the_lag_of_is_not_judged(tmp_path: Path) -> None:
    unknown = {("orders", "range", 2): {"max_load": None}}

    found = ranked(with_summaries(tmp_path, unknown), Scope(since=TIMES[0]))

    assert of(found, "orders", "snapshots", "max_load") == [2, 315]
    assert of(found, "orders", "window_end")[0] == TIMES[1]


def test_partitions_without_a_reader_leave_the_gain_unknown_and_rank_last(tmp_path: Path) -> None:
    unowned = {("orders", AS_IT_WAS, k): {"unowned": 2} for k in range(3)}

    found = ranked(with_summaries(tmp_path, unowned), Scope(since=TIMES[0]))

    assert found.index[-1] == "orders"
    assert np.isnan(of(found, "orders", "gain_load")[0])
    assert of(found, "orders", "strategy", "reason") == ["roundrobin", "unowned"]


def test_a_snapshot_with_unowned_partitions_does_not_count_where_others_do(tmp_path: Path) -> None:
    unowned = {("orders", AS_IT_WAS, 0): {"unowned": 2, "max_load": 1}}

    found = ranked(with_summaries(tmp_path, unowned), Scope(since=TIMES[0]))

    assert of(found, "orders", "snapshots", "max_load_as_it_was") == [2, 1035]


def test_distributions_count_every_group_once() -> None:
    table = pd.DataFrame(
        [
            {**recommendation(1, "c", "a", "range", 100.0, 0.0), "idle_members": 2.6},
            {**recommendation(2, "c", "b", "range", 100.0, 95.0), "max_over_mean_as_it_was": 1.0},
            {**recommendation(3, "c", "d", AS_IT_WAS, 100.0, 100.0), "idle_members": 0.0},
            {
                **recommendation(4, "c", "e", AS_IT_WAS, 0.0, 0.0),
                "max_over_mean_as_it_was": None,
                "idle_members": 5000.0,
            },
        ]
    )

    even, gains, idle = evenness(table), gain_shares(table), idle_consumers(table)

    assert dict(zip(even.steps, even.groups[AS_IT_WAS_SERIES], strict=True))["1 to 1.05"] == 1
    assert (sum(even.groups[AS_IT_WAS_SERIES]), even.unknown, sum(even.groups[BEST_SERIES])) == (
        3,
        1,
        4,
    )
    named = dict(zip(gains.steps, gains.groups["groups"], strict=True))
    assert (named["nothing"], named["0 to 10"], named["90 to 100"], gains.unknown) == (1, 1, 1, 1)
    of_idle = dict(zip(idle.steps, idle.groups["groups"], strict=True))
    assert (of_idle["none"], of_idle["1"], of_idle["3 to 5"]) == (1, 1, 1)
    assert of_idle["101 and more"] == 1


def test_a_map_holds_the_groups_that_have_most_the_fullest_first(fleet: Fleet) -> None:
    grid = group_heatmap(as_it_was(fleet, Scope()), "max_load", 2)

    assert grid.names == ("orders", "mails")
    assert grid.cells.tolist() == [[900, 990, 1080], [120, 132, 144]]
    assert grid.moments.astype(str).tolist()[0] == "2026-03-02T23:50:00.000000"
    assert (grid.slot, grid.per_row) == (None, 1)


def test_groups_of_one_name_get_their_cluster_added(fleet: Fleet) -> None:
    rows = as_it_was(fleet, Scope()).assign(group_id="same")

    assert set(group_heatmap(rows, "total_load", 9).names) == {"same (prod)", "same (test)"}


def test_many_snapshots_share_slots_that_show_the_most() -> None:
    times = pd.date_range(TIMES[0], periods=5000, freq="1min")
    rows = pd.DataFrame(
        {"cluster": "c", "group_id": "g", "snapshot_at": times, "total_load": range(5000)}
    )

    grid = group_heatmap(rows, "total_load", 9)

    assert grid.cells.shape == (1, MOST_COLUMNS)
    assert grid.slot is not None
    assert timedelta(minutes=4.9) < grid.slot < timedelta(minutes=5.1)
    assert grid.cells[0, 0] == 4
    assert grid.cells[0, -1] == 4999


def test_many_consumers_share_rows_so_that_a_browser_can_draw_them() -> None:
    members = [f"c{m:04d}" for m in range(2000)]
    times = pd.date_range(TIMES[0], periods=300, freq="1min")
    rows = pd.DataFrame(
        {
            "snapshot_at": np.repeat(times, 2000),
            "member_id": members * 300,
            "load": np.tile(np.arange(2000), 300),
        }
    )

    grid = member_heatmap(rows, "load")

    assert grid.cells.size <= MOST_CELLS
    assert grid.per_row == 4
    assert grid.names[0] == "c0000 and 3 after it"
    assert grid.cells[0].tolist() == [3] * 300


def test_a_consumer_of_unknown_lag_has_empty_cells(fleet: Fleet) -> None:
    rows = loads(fleet, "prod", "orders", AS_IT_WAS, Scope(since=TIMES[1]))

    grid = member_heatmap(rows, "load")

    assert grid.names == ("c0", "c1", "c2")
    np.testing.assert_array_equal(grid.cells, [[900, 900], [np.nan] * 2, [0, 0]])


def test_an_unknown_figure_makes_an_empty_map(fleet: Fleet) -> None:
    rows = as_it_was(fleet, Scope())

    grid = group_heatmap(
        rows.assign(max_load=rows["max_load"].mask(rows["max_load"] > 0)), "max_load", 9
    )

    assert grid.names == ()
    assert grid.cells.size == 0


def test_groups_of_one_name_in_two_clusters_are_read_apart(tmp_path: Path) -> None:
    tables = small()
    same = [{**row, "group_id": "orders"} for row in tables["group_summary"]]
    loaded = [{**row, "cluster": "test"} for row in tables["member_load"]]
    doubled = {**tables, "group_summary": same, "member_load": [*tables["member_load"], *loaded]}
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", doubled)))

    rows = history_rows(fleet, "test", "orders", Scope())
    loaded_there = loads(fleet, "test", "orders", "roundrobin", Scope())

    assert rows["max_load"].max() == 144
    assert len(loaded_there) == len(TIMES) * 3


def test_a_history_has_each_strategy_with_as_it_was_first(fleet: Fleet) -> None:
    rows = history_rows(fleet, "prod", "orders", Scope())

    found = history(rows)

    assert [each.strategy for each in found.strategies] == [AS_IT_WAS, "range", "roundrobin"]
    assert found.strategies[2].max_load.tolist() == [300, 330, 360]
    assert found.strategies[2].moved.tolist() == [0, 1, 2]
    assert found.best.tolist() == [300, 330, 360]


def test_a_strategys_row_holds_its_means_and_all_its_moves(fleet: Fleet) -> None:
    table = by_strategy(history_rows(fleet, "prod", "orders", Scope())).set_index("strategy")

    assert table.index.tolist() == [AS_IT_WAS, "range", "roundrobin"]
    assert of(table, "roundrobin", "max_load", "moved", "snapshots") == [330, 2, 3]

"""How far groups are behind, from the offsets in the tables."""

from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest

from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.times import group_times
from tests.fleets import TIMES, Rows, small, write

HOUR = 3_600.0


def row(
    partition: int, minutes: int, start: int, end: int | None, committed: int | None
) -> dict[str, object]:
    return {
        "cluster": "prod",
        "group_id": "orders",
        "snapshot_at": TIMES[0] + timedelta(minutes=minutes),
        "topic": "o",
        "partition": partition,
        "log_start_offset": start,
        "log_end_offset": end,
        "committed_offset": committed,
    }


def times_of(folder: Path, rows: Rows, retention_s: float | None = None) -> pd.DataFrame:
    fleet = open_fleet(edition_of(write(folder / "fleet", {"partition_lag": rows})))
    return group_times(fleet, Scope(), retention_s)


def test_a_group_is_as_far_behind_as_its_slowest_partition(tmp_path: Path) -> None:
    rows = [
        *(row(0, 0, 0, 0, 0), row(0, 10, 0, 600, 600)),  # all records are read
        *(row(1, 0, 0, 0, 0), row(1, 10, 0, 600, 450)),  # the records of the last 150 s wait
        *(row(2, 0, 0, 0, 0), row(2, 10, 0, 600, None)),  # unknown
    ]

    found = times_of(tmp_path, rows).iloc[0]

    assert (found["time_lag_s"], found["is_at_least"]) == (150.0, False)
    assert found["slowest"] == "o-1"
    assert found["catch_up_s"] == float("inf")  # 1 record/s arrives, 0.75 are read


def test_partitions_of_one_consumer_catch_up_when_their_sum_does(tmp_path: Path) -> None:
    # Of o-0 187.5/s are read and of o-1 12.5/s, 20/s of each arrive: 5,600 / (200 - 40) = 35 s,
    # though o-1 alone only falls behind. Nobody reads o-2, which has all been read.
    rows = [
        *(row(0, 0, 0, 15_075, 0), row(0, 1, 0, 16_275, 11_250)),
        *(row(1, 0, 0, 125, 0), row(1, 1, 0, 1_325, 750)),
        *(row(2, 0, 0, 600, 600), row(2, 1, 0, 600, 600)),
    ]
    owned = [{**each, "member_id": None if each["partition"] == 2 else "c0"} for each in rows]

    assert times_of(tmp_path, owned).iloc[0]["catch_up_s"] == 35


def test_what_came_before_the_first_snapshot_is_at_least_so_old(tmp_path: Path) -> None:
    found = times_of(tmp_path, [row(0, 0, 0, 600, 100), row(0, 10, 0, 900, 200)]).iloc[0]

    assert (found["time_lag_s"], found["is_at_least"]) == (600.0, True)


def test_records_are_lost_where_the_start_of_the_log_catches_up(tmp_path: Path) -> None:
    rows = [row(0, 0, 0, 900, 600), row(0, 10, 300, 1_200, 720)]  # 420 left, 0.5/s against 0.2/s

    found = times_of(tmp_path, rows).iloc[0]

    assert (found["loss_s"], found["first_lost"]) == (pytest.approx(1_400.0), "o-0")


def test_a_stated_retention_loses_what_grows_too_old(tmp_path: Path) -> None:
    rows = [row(0, 0, 0, 0, 0), row(0, 10, 0, 600, 300)]  # read at half the speed, 300 s behind

    without, stated = (
        times_of(tmp_path / str(number), rows, retention_s).iloc[0]["loss_s"]
        for number, retention_s in enumerate((None, HOUR))
    )

    assert without == float("inf")
    assert stated == pytest.approx(2 * (HOUR - 300))


def test_a_partition_that_is_gone_or_unknown_at_the_last_snapshot_does_not_count(
    tmp_path: Path,
) -> None:
    rows = [
        *(row(0, 0, 0, 100, 0), row(0, 10, 0, 700, 100)),  # deleted since
        *(row(1, 0, 0, 100, 0), row(1, 20, 0, None, 100)),
        *(row(2, 0, 0, 100, 100), row(2, 20, 0, 100, 100)),
    ]

    found = times_of(tmp_path, rows).iloc[0]

    assert (found["time_lag_s"], found["slowest"]) == (0.0, "o-2")


def test_groups_of_one_name_in_two_clusters_are_two_groups(tmp_path: Path) -> None:
    here = [row(0, 0, 0, 0, 0), row(0, 10, 0, 600, 450)]
    there = [each | {"cluster": "test", "committed_offset": 0} for each in here]

    found = times_of(tmp_path, here + there)

    assert found["cluster"].tolist() == ["prod", "test"]
    assert found["time_lag_s"].tolist() == [150.0, 600.0]


def test_tables_without_a_snapshot_have_no_group(tmp_path: Path) -> None:
    assert times_of(tmp_path, []).empty
    assert times_of(tmp_path / "small", small()["partition_lag"])["group_id"].tolist() == ["orders"]

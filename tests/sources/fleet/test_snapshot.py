from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assignors.kinds import GroupKind
from assignors.model import UNKNOWN
from evaluation.measuring.offset_history import COMMITTED, END
from sources.errors import SourceError
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.snapshot import snapshot
from sources.fleet.tables import Fleet
from tests.fleets import TIMES, small, write


def opened(folder: Path, **changed: list[dict[str, Any]]) -> Fleet:
    return open_fleet(edition_of(write(folder / "fleet", {**small(), **changed})))


def test_a_snapshot_becomes_the_recorded_group(tmp_path: Path) -> None:
    reading = snapshot(opened(tmp_path), "prod", "orders", TIMES[1])

    group = reading.group
    assert (group.id, group.topics, group.members) == ("orders", ("o",), ("c0", "c1", "c2"))
    assert group.present_owners.tolist() == [0, 0, 1, 1]
    assert group.lags.tolist() == [UNKNOWN, 400, 400, 400]
    assert group.layout.instance_ids == (None, None, "static-2")
    assert [group.layout.racks[r] if r >= 0 else None for r in group.layout.member_racks] == [
        "r1",
        None,
        None,
    ]
    assert group.offsets.rates is not None
    assert group.offsets.rates.tolist() == [1.5] * 4
    assert group.offsets.end is not None
    assert group.offsets.end.tolist() == [UNKNOWN, 1100, 1100, 1100]
    assert group.offsets.reset == "earliest"
    assert group.subscribes.all()
    assert reading.rows == 4
    assert reading.notes == ("The lag of 1 of 4 partitions is unknown.",)


def test_a_streams_application_is_told_by_the_ids_of_its_threads(tmp_path: Path) -> None:
    rows = small()
    renamed = {
        table: [
            {**row, "member_id": f"{row['member_id']}-StreamThread-1-consumer"}
            if row.get("member_id")
            else {**row}
            for row in rows[table]
        ]
        for table in ("partition_lag", "group_member")
    }

    reading = snapshot(opened(tmp_path, **renamed), "prod", "orders", TIMES[1])
    plain = snapshot(opened(tmp_path / "plain"), "prod", "orders", TIMES[1])

    assert reading.kind is GroupKind.STREAMS
    assert reading.hindrance
    assert plain.kind is GroupKind.CONSUMER


def test_the_snapshots_before_are_its_history(tmp_path: Path) -> None:
    first, second = (snapshot(opened(tmp_path), "prod", "orders", at) for at in TIMES[:2])

    assert first.history is None
    assert second.history is not None
    assert second.history.span_s == (TIMES[1] - TIMES[0]).total_seconds()
    moment = second.history.moments[-1].topics["o"]
    assert moment[END].tolist() == second.group.offsets.end.tolist()  # type: ignore[union-attr]
    assert moment[COMMITTED].tolist()[1:] == [700, 700, 700]


def test_of_a_long_history_the_newest_snapshots_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sources.fleet.snapshot._MOST_MOMENTS", 2)

    history = snapshot(opened(tmp_path), "prod", "orders", TIMES[2]).history

    assert history is not None
    assert [moment.at_s for moment in history.moments] == [at.timestamp() for at in TIMES[1:3]]


def test_a_partition_left_out_of_a_snapshot_stays_with_an_unknown_lag(tmp_path: Path) -> None:
    group = snapshot(opened(tmp_path), "prod", "orders", TIMES[2]).group

    assert group.partition_count == 4
    assert group.lags[3] == UNKNOWN
    assert group.present_owners.tolist() == [0, 0, 1, -1]
    assert group.offsets.rates is not None
    assert np.isnan(group.offsets.rates[3])


def test_a_later_snapshots_partitions_are_not_there_yet(tmp_path: Path) -> None:
    rows = [dict(row) for row in small()["partition_lag"]]
    first = [row for row in rows if row["snapshot_at"] != TIMES[0] or row["partition"] < 2]

    group = snapshot(opened(tmp_path, partition_lag=first), "prod", "orders", TIMES[0]).group

    assert group.partition_count == 2


def test_a_moment_may_be_in_any_time_zone(tmp_path: Path) -> None:
    rows = [row for row in small()["partition_lag"] if row["snapshot_at"] != TIMES[0]]
    fleet = opened(tmp_path, partition_lag=[dict(row) for row in rows])
    where_it_is_still_the_day_before = timezone(timedelta(hours=-5))

    moment = TIMES[2].astimezone(where_it_is_still_the_day_before)

    assert snapshot(fleet, "prod", "orders", moment).group.partition_count == 4


def test_a_recreated_topic_starts_again(tmp_path: Path) -> None:
    rows = [dict(row) for row in small()["partition_lag"]]
    for row in rows:
        row["topic"] = "other" if row["snapshot_at"] == TIMES[1] else "o"

    group = snapshot(opened(tmp_path, partition_lag=rows), "prod", "orders", TIMES[2]).group

    assert (group.topics, group.partition_count) == (("o",), 3)


def test_consumers_subscribe_to_stated_topics_or_else_to_all(tmp_path: Path) -> None:
    rows = [dict(row) for row in small()["partition_lag"]]
    for row in rows:
        row["topic"] = f"t{row['partition'] % 2}"
    members = [dict(row) for row in small()["group_member"]]
    for row in members:
        row["subscribed_topics"] = ["t1"] if row["member_id"] == "c2" else None

    fleet = opened(tmp_path, partition_lag=rows, group_member=members)
    group = snapshot(fleet, "prod", "orders", TIMES[0]).group

    assert group.topics == ("t0", "t1")
    assert group.subscribes[group.layout.class_of_member].tolist() == [
        [True, True],
        [True, True],
        [False, True],
    ]


def test_an_owner_without_a_row_is_still_a_consumer(tmp_path: Path) -> None:
    group = snapshot(opened(tmp_path, group_member=[]), "prod", "orders", TIMES[0]).group

    assert group.members == ("c0", "c1")
    assert group.present_owners.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("cluster", "group", "late"),
    [("test", "orders", 0), ("prod", "nobody", 0), ("prod", "orders", 5)],
)
def test_a_snapshot_that_is_not_there_is_one_sentence(
    tmp_path: Path, cluster: str, group: str, late: int
) -> None:
    moment = TIMES[0] + timedelta(minutes=late)

    with pytest.raises(SourceError, match="choose another snapshot"):
        snapshot(opened(tmp_path), cluster, group, moment)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"partition": -1}, "a partition without a number, or with one below 0"),
        ({"partition": None}, "a partition without a number, or with one below 0"),
        ({"partition": 2**31 - 1}, "are more than the 1,000,000 that can be read at once"),
    ],
)
def test_a_partition_that_no_topic_has_is_one_sentence(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    rows = [dict(row) for row in small()["partition_lag"]]
    rows.append(next(row for row in rows if row["snapshot_at"] == TIMES[1]) | change)

    with pytest.raises(SourceError, match=sentence):
        snapshot(opened(tmp_path, partition_lag=rows), "prod", "orders", TIMES[1])


def test_an_infinite_rate_is_unknown(tmp_path: Path) -> None:
    rows = [row | {"produce_rate": float("inf")} for row in map(dict, small()["partition_lag"])]

    group = snapshot(opened(tmp_path, partition_lag=rows), "prod", "orders", TIMES[1]).group

    assert group.offsets.rates is None or np.isnan(group.offsets.rates).all()

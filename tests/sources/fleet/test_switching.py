"""The moves of switching a whole fleet, from the tables."""

from pathlib import Path

import pytest

from sources.fleet.ranking import switches
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.tables import Fleet
from tests.fleets import TIMES, small, write


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    tables = small()
    rows = [dict(row) for row in tables["group_summary"]]
    for row in rows:
        if row["snapshot_at"] == TIMES[0] and row["strategy"] == "roundrobin":
            row["moved_from_present"] = {"orders": 3, "audit": 0}.get(str(row["group_id"]))
    return open_fleet(edition_of(write(tmp_path / "fleet", {**tables, "group_summary": rows})))


def test_a_switch_is_that_of_each_groups_first_snapshot(fleet: Fleet) -> None:
    found = switches(fleet, Scope(since=TIMES[1], strategies=("range",)), "range", "roundrobin")

    shown = found[["group_id", "moved", "paused", "max_load_as_it_was", "max_load"]]
    assert shown.head(2).to_numpy().tolist() == [
        ["orders", 3, 4, 900, 300],  # eager: everything pauses
        ["audit", 0, 4, 50, 50],
    ]
    assert found.iloc[2][["moved", "paused"]].isna().all()  # without any owners


def test_a_cluster_switches_on_its_own(fleet: Fleet) -> None:
    assert switches(fleet, Scope(cluster="test"), "range", "roundrobin")["group_id"].tolist() == [
        "mails"
    ]


def test_only_what_moves_pauses_between_incremental_protocols(tmp_path: Path) -> None:
    tables = small()
    rows = [
        row | {"strategy": "librdkafka-cooperative-sticky"} if row["strategy"] == "range" else row
        for row in map(dict, tables["group_summary"])
    ]
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", {**tables, "group_summary": rows})))

    eager, cooperative = (
        switches(fleet, Scope(), before, "librdkafka-cooperative-sticky")["paused"].tolist()
        for before in ("range", "cooperative-sticky")
    )

    assert (eager, cooperative) == ([4, 4, 4], [2, 2, 2])

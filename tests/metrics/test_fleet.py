"""A fleet of which only metrics are known: lag is, owners are not, and nothing is made of that."""

from pathlib import Path

import pytest

from schemas.tables import AS_IT_WAS
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import last_snapshots, snapshot
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, latest, totals
from tests.fleets import TIMES, small, write
from ui.fleet.words import totals_words

_OF_OWNERS = dict.fromkeys(("max_load", "mean_load", "idle_members", "max_partitions"))


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    """The small fleet, as its tables are where no owner was told."""
    tables = dict(small())
    tables["group_summary"] = [
        {**row, **(_OF_OWNERS if row["strategy"] == AS_IT_WAS else {})}
        for row in tables["group_summary"]
    ]
    tables["partition_lag"] = [{**row, "member_id": None} for row in tables["partition_lag"]]
    return open_fleet(edition_of(write(tmp_path / "fleet", tables)))


def test_a_snapshot_has_its_consumers_and_unknown_owners(fleet: Fleet) -> None:
    reading = snapshot(fleet, "prod", "orders", TIMES[1])

    assert reading.group.member_count == 3
    assert reading.group.is_owner_unknown.all()
    assert reading.assumed.owners_unknown


def test_the_last_snapshots_of_a_fleet_have_unknown_owners_too(fleet: Fleet) -> None:
    rows = latest(as_it_was(fleet, Scope()))

    found = dict(last_snapshots(fleet, rows))

    assert found["prod", "orders"].group.is_owner_unknown.all()


def test_idle_consumers_are_not_counted_where_owners_are_unknown(fleet: Fleet) -> None:
    found = totals(as_it_was(fleet, Scope()))

    assert found.idle is None
    assert found.load is not None
    assert "owners unknown" in totals_words(found)
    assert "idle" not in totals_words(found)

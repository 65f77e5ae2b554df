"""The tables that ship: the page is full at once, and ranks them as the pipeline did."""

from typing import Final

import numpy as np
import pandas as pd

from schemas.tables import TABLES
from sources.fleet import open_fleet
from sources.fleet_folders import SAMPLE
from sources.fleet_place import place_of
from sources.fleet_ranking import ranking
from sources.fleet_scope import Scope, extent
from sources.fleet_snapshot import snapshot
from sources.fleet_totals import present

KEYS: Final = ["cluster", "group_id"]


def test_the_sample_opens_and_any_of_its_groups_becomes_a_group_to_edit() -> None:
    fleet = open_fleet(place_of(SAMPLE))
    last = extent(fleet).last
    rows = present(fleet, Scope())

    assert last is not None
    assert all(fleet.datasets[table].count_rows() for table in TABLES if table != "rejected")
    for row in rows[rows["snapshot_at"] == last].to_dict("records"):
        group = snapshot(fleet, str(row["cluster"]), str(row["group_id"]), last).group
        assert (group.partition_count, group.member_count) == (row["partitions"], row["members"])


def test_its_ranking_worked_out_here_is_the_pipelines() -> None:
    fleet = open_fleet(place_of(SAMPLE))
    rows = present(fleet, Scope())
    first = extent(fleet).first

    expected = ranking(fleet, Scope(), rows)
    found = ranking(fleet, Scope(since=first), rows)

    assert found[[*KEYS, "strategy", "reason"]].equals(expected[[*KEYS, "strategy", "reason"]])
    for name in ("gain_lag", "max_lag", "moves", "max_over_mean_as_it_was", "idle_members"):
        both = pd.concat([found[name], expected[name]], axis=1).to_numpy(np.float64)
        np.testing.assert_allclose(both[:, 0], both[:, 1])

"""The page ranks the sample's tables as the pipeline did."""

from typing import Final

import numpy as np
import pytest

from schemas.tables import RECOMMENDATION, columns
from sources.fleet.location import SAMPLE
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import snapshot
from sources.fleet.tables import to_frame
from sources.fleet.totals import as_it_was

KEYS: Final = ["cluster", "group_id"]
SHOWN: Final = ("partition_lag", "group_member", "member_load", "group_summary", "recommendation")


@pytest.mark.slow
def test_the_sample_opens_and_any_of_its_groups_becomes_a_group_to_edit() -> None:
    fleet = open_fleet(edition_of(str(SAMPLE)))
    rows = as_it_was(fleet, Scope())
    last = rows["snapshot_at"].iloc[-1]

    assert all(fleet.count(table) for table in SHOWN)
    for row in rows[rows["snapshot_at"] == last].to_dict("records"):
        group = snapshot(fleet, str(row["cluster"]), str(row["group_id"]), last).group
        assert (group.partition_count, group.member_count) == (row["partitions"], row["members"])


def test_its_ranking_worked_out_here_is_the_pipelines() -> None:
    fleet = open_fleet(edition_of(str(SAMPLE)))
    names = [*columns(RECOMMENDATION)]

    expected = to_frame(fleet.read("recommendation", names)).sort_values(KEYS)
    found = ranking(fleet, Scope()).sort_values(KEYS)

    same = [*KEYS, "strategy", "reason", "tested_strategy"]
    assert found[same].equals(expected[same].set_axis(found.index))
    for name in ("gain_load", "max_load", "moves", "max_over_mean_as_it_was", "idle_members"):
        here, there = (each[name].to_numpy(np.float64) for each in (found, expected))
        np.testing.assert_allclose(here, there)

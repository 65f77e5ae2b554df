import numpy as np
import pandas as pd
import pytest

from pipeline.generating.offsets import snapshots_of
from pipeline.generating.plan import FleetPlan
from pipeline.generating.traits import Traits, heavy_tailed, uniform
from tests.pipeline.generating.conftest import partitions_of

HOUR_S = 3600.0
TIMES_S = np.array([k * HOUR_S for k in range(6)])


def test_a_committed_offset_lies_within_the_log_unless_it_expired(fleet: pd.DataFrame) -> None:
    known = fleet.dropna(subset=["log_end_offset", "committed_offset"])

    assert (known["log_start_offset"] >= 0).all()
    assert (known["log_start_offset"] <= known["log_end_offset"]).all()
    assert (known["committed_offset"] <= known["log_end_offset"]).all()


def test_offsets_only_grow_unless_the_whole_topic_is_recreated(fleet: pd.DataFrame) -> None:
    rows = partitions_of(fleet)

    shrinks = rows[(rows["produced"] < 0) | (rows["read"] < 0)]
    topics = shrinks[["topic", "snapshot_at"]].drop_duplicates()

    assert len(topics)
    for topic, at in topics.itertuples(index=False):
        anew = rows[(rows["topic"] == topic) & (rows["snapshot_at"] == at)]
        assert (anew["log_start_offset"] == 0).all()
        assert (anew["produced"].dropna() < 0).all()


def test_production_follows_the_hour_of_each_cluster(fleet: pd.DataFrame) -> None:
    rows = partitions_of(fleet)
    rows = rows[rows["produced"] > 0]

    produced = rows.groupby(["cluster", "snapshot_at"])["produced"].sum()

    by_cluster = produced.groupby("cluster")
    assert (by_cluster.max() > 2 * by_cluster.min()).all()
    peaks = [at.hour for _, at in by_cluster.idxmax()]
    assert len(set(peaks)) == len(peaks)


def test_partitions_of_a_group_differ_in_what_is_produced(showcase: pd.DataFrame) -> None:
    rows = partitions_of(showcase)

    hot = rows[rows["group_id"] == "fraud-scorer"].groupby(["topic", "partition"])["produced"]

    assert hot.sum().max() > 3 * hot.sum().mean()


def test_unowned_partitions_are_not_read(fleet: pd.DataFrame) -> None:
    rows = partitions_of(fleet)

    unread = rows[rows["owner_before"].isna() & rows["read"].notna() & (rows["read"] >= 0)]

    assert len(unread)
    assert (unread["read"] == 0).all()


def test_a_stuck_partition_waits_while_its_end_offset_advances(showcase: pd.DataFrame) -> None:
    rows = partitions_of(showcase[showcase["group_id"] == "refund-processor"])
    stuck = rows[(rows["partition"] == 0) & (rows["snapshot_at"].dt.hour >= 9)]

    assert (stuck["read"] == 0).all()
    assert (stuck["produced"] > 0).all()
    assert (rows[rows["partition"] == 1]["read"].dropna() > 0).all()


def test_some_partitions_never_have_a_commit_and_some_ends_are_unknown(fleet: pd.DataFrame) -> None:
    rows = fleet[fleet["topic"].notna()]

    uncommitted = rows.groupby(["topic", "partition"])["committed_offset"].count() == 0

    assert 0 < uncommitted.mean() < 0.05
    assert 0 < rows["log_end_offset"].isna().mean() < 0.01
    assert (rows["log_end_offset"].isna() == rows["log_start_offset"].isna()).all()


@pytest.mark.parametrize("seed", range(3))
def test_an_owner_reads_no_more_than_its_throughput(seed: int) -> None:
    random = np.random.default_rng(seed)
    plan = FleetPlan(_overloaded(heavy_tailed(60, 1200, random)), 6, random)
    before = None

    for snapshot in snapshots_of(plan, TIMES_S, random):
        if before is not None:
            read = np.where(before.owner >= 0, snapshot.committed - before.committed, 0)
            read = np.where(plan.recreated_at[plan.topic] == snapshot.at, 0, read)
            per_member = np.bincount(before.owner.clip(0), read, plan.members["throughput"].size)
            assert (per_member <= plan.members["throughput"] * HOUR_S + 1).all()
        before = snapshot


def test_with_ample_throughput_lag_stays_within_seconds() -> None:
    random = np.random.default_rng(0)
    traits = uniform(20, 400, 2, random)
    plan = FleetPlan(_with(traits, headroom=50.0), 6, random)

    *_, last = snapshots_of(plan, TIMES_S, random)

    assert (last.end - last.committed <= 5 * 2.5 * plan.rate + 1).all()


def _overloaded(traits: Traits) -> Traits:
    return _with(traits, headroom=0.5)


def _with(traits: Traits, headroom: float) -> Traits:
    traits["headroom"][:] = headroom
    return traits

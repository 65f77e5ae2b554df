import numpy as np
import pandas as pd
import pytest

from pipeline.generating.offsets import FleetPlan, snapshots_of
from pipeline.generating.traits import Traits, heavy_tailed, uniform

HOUR_S = 3600.0
TIMES_S = np.array([k * HOUR_S for k in range(6)])


def test_a_committed_offset_lies_below_the_end_of_the_log(partitions: pd.DataFrame) -> None:
    known = partitions.dropna(subset=["committed_offset"])

    assert (known["log_start_offset"] >= 0).all()
    assert (known["log_start_offset"] <= known["log_end_offset"]).all()
    assert (known["committed_offset"] <= known["log_end_offset"]).all()


def test_offsets_only_grow(partitions: pd.DataFrame) -> None:
    assert (partitions["produced"].dropna() >= 0).all()
    assert (partitions["read"].dropna() >= 0).all()


def test_production_follows_the_hour_of_each_cluster(partitions: pd.DataFrame) -> None:
    produced = partitions.groupby(["cluster", "snapshot_at"])["produced"].sum()

    by_cluster = produced[produced > 0].groupby("cluster")

    assert (by_cluster.max() > 2 * by_cluster.min()).all()
    peaks = [at.hour for _, at in by_cluster.idxmax()]
    assert len(set(peaks)) == len(peaks)


def test_unowned_partitions_are_not_read(partitions: pd.DataFrame) -> None:
    unread = partitions[partitions["owner_before"].isna() & partitions["read"].notna()]

    assert len(unread)
    assert (unread["read"] == 0).all()


def test_some_partitions_never_have_a_commit(partitions: pd.DataFrame) -> None:
    uncommitted = partitions.groupby(["topic", "partition"])["committed_offset"].count() == 0

    assert 0 < uncommitted.mean() < 0.05


def test_a_stuck_partition_waits_while_its_end_offset_advances() -> None:
    random = np.random.default_rng(0)
    plan = FleetPlan(_with(uniform(20, 400, 2, random), stuck=0.1), len(TIMES_S), random)
    stuck = plan.stuck_from <= 3

    *_, third, _, last = snapshots_of(plan, TIMES_S, random)

    assert 0 < stuck.sum() < 400
    assert (last.committed == third.committed)[stuck].all()
    assert (last.end > third.end)[stuck].all()
    assert (last.committed > third.committed)[plan.stuck_from > 5].all()


@pytest.mark.parametrize("seed", range(3))
def test_an_owner_reads_no_more_than_its_throughput(seed: int) -> None:
    random = np.random.default_rng(seed)
    plan = FleetPlan(_with(heavy_tailed(60, 1200, random), headroom=0.5), 6, random)
    before = None

    for snapshot in snapshots_of(plan, TIMES_S, random):
        if before is not None:
            read = np.where(before.owner >= 0, snapshot.committed - before.committed, 0)
            per_member = np.bincount(before.owner.clip(0), read, plan.members["throughput"].size)
            assert (per_member <= plan.members["throughput"] * HOUR_S + 1).all()
        before = snapshot


def test_with_ample_throughput_lag_stays_within_seconds() -> None:
    random = np.random.default_rng(0)
    plan = FleetPlan(_with(uniform(20, 400, 2, random), headroom=50.0), 6, random)

    *_, last = snapshots_of(plan, TIMES_S, random)

    assert (last.end - last.committed <= 5 * 2.5 * plan.rate + 1).all()


def _with(traits: Traits, **columns: float) -> Traits:
    for name, value in columns.items():
        traits[name] = value
    return traits

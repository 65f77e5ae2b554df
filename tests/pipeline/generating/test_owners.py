import numpy as np
import pandas as pd

from assignors.registry import STRATEGIES
from assignors.strategy import Promise
from evaluation.consumer_labels import RANDOM_ID
from pipeline.generating.offsets import FleetPlan, snapshots_of
from pipeline.generating.traits import SHIPPED, uniform

SNAPSHOT = ["group_id", "snapshot_at"]


def test_a_group_with_members_owns_all_partitions_and_one_without_none(
    partitions: pd.DataFrame,
) -> None:
    owned = partitions.groupby(SNAPSHOT)["member_id"].agg(["count", "size"])

    assert ((owned["count"] == owned["size"]) | (owned["count"] == 0)).all()
    assert (owned["count"] == 0).any()


def test_owners_are_as_even_as_their_strategy_promises() -> None:
    random = np.random.default_rng(0)
    traits = uniform(len(SHIPPED), 50 * len(SHIPPED), 7, random)
    even = [Promise.BALANCED in STRATEGIES[name].promises for name in traits["strategy"]]
    plan = FleetPlan(traits, 1, random)

    (moment,) = snapshots_of(plan, np.zeros(1), random)

    counts = np.bincount(moment.owner).reshape(len(SHIPPED), 7)
    assert (np.ptp(counts, axis=1) <= 1)[even].all()
    assert not (np.ptp(counts, axis=1) <= 1).all()


def test_groups_use_only_strategies_that_kafka_ships() -> None:
    assert "range" in SHIPPED
    assert "lag-capped" not in SHIPPED


def test_ids_are_random_alone_where_a_broker_assigns() -> None:
    random = np.random.default_rng(0)
    plan = FleetPlan(uniform(len(SHIPPED), 1_000 * len(SHIPPED), 100, random), 1, random)

    ids = plan.members["member_id"].reshape(len(SHIPPED), 100)

    is_random = [{bool(RANDOM_ID.fullmatch(each)) for each in its} for its in ids]
    assert is_random == [{STRATEGIES[name].client_class is None} for name in SHIPPED]
    assert not any(each.startswith("-") for each in ids.flat)
    assert len({*ids.flat}) == ids.size


def test_owners_change_only_when_members_do(fleet: pd.DataFrame, partitions: pd.DataFrame) -> None:
    members = fleet.groupby(SNAPSHOT)["member_id"].agg(
        lambda members: " ".join(sorted(set(members.dropna())))
    )
    moved = partitions["member_id"] != partitions["owner_before"]

    changed = partitions[moved & partitions["owner_before"].notna()].groupby(SNAPSHOT).size().index

    assert len(changed)
    assert (members != members.groupby("group_id").shift())[changed].all()


def test_an_idle_member_has_one_row_and_owns_nothing(
    fleet: pd.DataFrame, partitions: pd.DataFrame
) -> None:
    idle = fleet[fleet["topic"].isna()]

    owners = partitions.groupby(SNAPSHOT)["member_id"].agg(set)

    assert len(idle)
    assert not idle.duplicated([*SNAPSHOT, "member_id"]).any()
    assert idle["partition"].isna().all()
    assert all(
        member not in owners[group, at]
        for group, at, member in idle[[*SNAPSHOT, "member_id"]].itertuples(index=False)
    )


def test_members_restart_under_new_ids_as_the_same_clients(fleet: pd.DataFrame) -> None:
    by_client = fleet.dropna(subset=["member_id"]).groupby(["group_id", "client_id"])

    seen = by_client.agg(
        {"member_id": "nunique", "host": "nunique", "group_instance_id": "nunique"}
    )

    assert (seen["member_id"] > 1).any()
    assert set(seen["host"]) == {1}
    assert set(seen["group_instance_id"]) == {0, 1}


def test_a_group_stops_and_comes_back(fleet: pd.DataFrame) -> None:
    members = fleet.groupby(SNAPSHOT)["member_id"].nunique()

    before = members.groupby("group_id").shift()

    assert ((members == 0) & (before > 0)).any()
    assert ((members > 0) & (before == 0)).any()


def test_racks_are_known_for_whole_groups(fleet: pd.DataFrame) -> None:
    known = fleet.dropna(subset=["member_id"]).groupby("group_id")["rack"].agg(["count", "size"])

    assert ((known["count"] == 0) | (known["count"] == known["size"])).all()
    assert (known["count"] == 0).any()
    assert (known["count"] > 0).any()

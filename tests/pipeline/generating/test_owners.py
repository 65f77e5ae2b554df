import pandas as pd

from assignors.registry import STRATEGIES
from assignors.strategy import Promise
from pipeline.generating.traits import SHIPPED, FleetEvent
from tests.pipeline.generating.conftest import partitions_of

SNAPSHOT = ["group_id", "snapshot_at"]


def test_whoever_owns_a_partition_subscribes_to_its_topic(showcase: pd.DataFrame) -> None:
    listed = showcase.dropna(subset=["subscribed_topics", "topic"])

    assert all(
        topic in set(topics)
        for topic, topics in zip(listed["topic"], listed["subscribed_topics"], strict=True)
    )
    assert len(set(listed["subscribed_topics"].map(len))) > 1


def test_a_group_with_members_owns_all_partitions_and_one_without_none(
    fleet: pd.DataFrame,
) -> None:
    equal = fleet[fleet.groupby("group_id")["subscribed_topics"].transform("count") == 0]

    owned = equal[equal["topic"].notna()].groupby(SNAPSHOT)["member_id"].agg(["count", "size"])

    assert ((owned["count"] == owned["size"]) | (owned["count"] == 0)).all()
    assert (owned["count"] == 0).any()


def test_owners_are_as_even_as_their_strategy_promises(showcase: pd.DataFrame) -> None:
    even = showcase[showcase["group_id"].isin(["checkout-orchestrator", "stock-levels"])]

    counts = even.groupby([*SNAPSHOT, "member_id"])["partition"].count()
    spread = counts.groupby(SNAPSHOT).agg(lambda sizes: sizes.max() - sizes.min())

    for name in ("cooperative-sticky", "uniform"):
        assert Promise.BALANCED in STRATEGIES[name].promises
    assert spread.max() <= 1


def test_groups_use_only_strategies_that_kafka_ships() -> None:
    assert "range" in SHIPPED
    assert "lag-capped" not in SHIPPED


def test_owners_change_only_when_members_or_partitions_do(fleet: pd.DataFrame) -> None:
    by_snapshot = fleet.groupby(SNAPSHOT)
    members_of_group = by_snapshot["member_id"].agg(
        lambda members: " ".join(sorted(set(members.dropna())))
    )
    sizes = by_snapshot["partition"].count()
    rows = partitions_of(fleet)
    moved = (rows["member_id"] != rows["owner_before"]) & rows["owner_before"].notna()

    changed = rows[moved].groupby(SNAPSHOT).size().index

    assert len(changed)
    is_new = (members_of_group != members_of_group.groupby("group_id").shift()) | (
        sizes != sizes.groupby("group_id").shift()
    )
    assert is_new.reindex(changed, fill_value=True).all()


def test_a_sticky_group_moves_only_what_a_newcomer_gets(showcase: pd.DataFrame) -> None:
    rows = partitions_of(showcase[showcase["group_id"] == "route-planner"])
    joined = rows[rows["snapshot_at"].dt.hour == 8]

    moved = joined[joined["member_id"] != joined["owner_before"]]

    assert len(joined) == 12
    assert len(moved) == 3
    assert not set(moved["member_id"]) & set(joined["owner_before"])


def test_an_idle_member_has_one_row_and_owns_nothing(showcase: pd.DataFrame) -> None:
    idle = showcase[showcase["topic"].isna()]

    owners = showcase[showcase["topic"].notna()].groupby(SNAPSHOT)["member_id"].agg(set)

    assert not idle.duplicated([*SNAPSHOT, "member_id"]).any()
    assert idle["partition"].isna().all()
    assert all(
        member not in owners[group, at]
        for group, at, member in idle[[*SNAPSHOT, "member_id"]].itertuples(index=False)
    )
    export = idle[idle["group_id"] == "settlement-export"]
    assert set(export.groupby("snapshot_at").size()) == {4}


def test_a_deployment_gives_every_member_a_new_id_and_keeps_its_client(
    showcase: pd.DataFrame,
) -> None:
    rows = showcase[showcase["group_id"] == "checkout-orchestrator"]

    def names(hour: int, column: str) -> set[str]:
        return set(rows[rows["snapshot_at"].dt.hour == hour][column])

    assert names(13, "member_id") == names(0, "member_id")
    assert not names(13, "member_id") & names(14, "member_id")
    assert names(13, "client_id") == names(14, "client_id")


def test_a_static_member_keeps_its_instance_id_and_partitions_over_a_restart(
    showcase: pd.DataFrame,
) -> None:
    rows = showcase[showcase["group_id"] == "warehouse-picks"]
    owned = ["topic", "partition", "group_instance_id"]

    before = rows[rows["snapshot_at"].dt.hour == 0]
    after = rows[rows["snapshot_at"].dt.hour == 23]

    assert set(before["member_id"]) != set(after["member_id"])
    assert sorted(before[owned].itertuples(index=False)) == sorted(
        after[owned].itertuples(index=False)
    )


def test_a_group_stops_and_comes_back(showcase: pd.DataFrame) -> None:
    rows = showcase[showcase["group_id"] == "customs-declarations"]

    members = rows.groupby(rows["snapshot_at"].dt.hour)["member_id"].nunique()

    assert [hour for hour, count in members.items() if count == 0] == list(range(6, 20))
    assert members[20] == members[5] == 3


def test_partitions_are_added_while_the_fleet_runs(fleet: pd.DataFrame) -> None:
    sizes = fleet.groupby(["topic", "snapshot_at"])["partition"].count()

    grown = sizes.groupby("topic").diff().dropna()

    assert (grown >= 0).all()
    assert (grown > 0).any()


def test_racks_are_known_for_whole_groups(fleet: pd.DataFrame) -> None:
    known = fleet.dropna(subset=["member_id"]).groupby("group_id")["rack"].agg(["count", "size"])

    assert ((known["count"] == 0) | (known["count"] == known["size"])).all()
    assert (known["count"] == 0).any()
    assert (known["count"] > 0).any()


def test_every_kind_of_event_is_one_that_chance_can_bring() -> None:
    assert [event.value for event in FleetEvent] == list(range(5))

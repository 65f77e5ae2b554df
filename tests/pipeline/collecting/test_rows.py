from datetime import UTC, datetime

from live.model import GroupDescription, GroupReading, LiveMember, LiveTopic, NamedPartition
from pipeline.collecting.rows import telemetry_rows
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ORDERS = LiveTopic("orders", ((), ()), (0, 5), (10, None))
LEFT_OVER = LiveTopic("left-over", ((),), (0,), (3,))


def reading(
    *members: LiveMember, committed: dict[NamedPartition, int] | None = None
) -> GroupReading:
    description = GroupDescription(
        id="g",
        state="Stable",
        protocol="classic",
        assignor="range",
        members=members,
    )
    topics = {topic.name: topic for topic in (LEFT_OVER, ORDERS)}
    return GroupReading(description=description, topics=topics, committed=committed or {})


def rows(
    *members: LiveMember, committed: dict[NamedPartition, int] | None = None
) -> list[dict[str, object]]:
    batch = telemetry_rows("eu", NOON, reading(*members, committed=committed))
    assert batch.schema == arrow_schema(TELEMETRY)
    return list(batch.to_pylist())


def member(
    name: str, *owned: NamedPartition, subscription: tuple[str, ...] | None = None
) -> LiveMember:
    return LiveMember(
        id=f"{name}-1",
        client_id=name,
        host="10.0.0.1",
        instance_id=f"static-{name}",
        owned=owned,
        subscription=subscription,
        rack="a",
    )


def test_every_partition_has_a_row_with_its_offsets_and_its_owner() -> None:
    written = rows(member("c0", ("orders", 0)), committed={("orders", 0): 7})

    assert [(row["topic"], row["partition"]) for row in written] == [
        ("left-over", 0),
        ("orders", 0),
        ("orders", 1),
    ]
    assert written[1] == {
        "cluster": "eu",
        "group_id": "g",
        "snapshot_at": NOON,
        "topic": "orders",
        "partition": 0,
        "log_start_offset": 0,
        "log_end_offset": 10,
        "committed_offset": 7,
        "member_id": "c0-1",
        "client_id": "c0",
        "host": "10.0.0.1",
        "group_instance_id": "static-c0",
        "rack": "a",
        "auto_offset_reset": None,
        "kind": "consumer",
        "ownership": None,
        "subscribed_topics": ["orders"],
    }


def test_what_is_not_known_is_null() -> None:
    written = rows(member("c0", ("orders", 0)))[2]

    assert written["log_end_offset"] is None
    assert written["committed_offset"] is None
    assert written["member_id"] is None
    assert written["subscribed_topics"] is None


def test_an_idle_member_has_a_row_without_a_partition() -> None:
    written = rows(member("c0", ("orders", 0)), member("c1"))

    idle = written[-1]
    assert (idle["member_id"], idle["topic"], idle["partition"]) == ("c1-1", None, None)
    assert idle["subscribed_topics"] == ["orders"]
    assert len(written) == 4


def test_a_known_subscription_goes_before_a_supposed_one() -> None:
    written = rows(member("c0", ("orders", 0), subscription=("orders", "payments")))

    assert written[1]["subscribed_topics"] == ["orders", "payments"]


def test_a_member_known_to_subscribe_to_nothing_gets_no_assumed_topics() -> None:
    written = rows(member("c0", ("orders", 0)), member("c1", subscription=()))

    assert written[-1]["subscribed_topics"] == []


def test_without_owners_all_topics_are_left_to_the_reader() -> None:
    written = rows(member("c0"))

    assert written[-1]["subscribed_topics"] is None


def test_a_group_without_members_still_has_its_partitions() -> None:
    written = rows(committed={("orders", 1): 6})

    assert [row["committed_offset"] for row in written] == [None, None, 6]

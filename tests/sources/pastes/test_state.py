"""``--state``: coordinator, strategy and number of members of a group."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import pytest

from tests.pasted import owned, the_group
from tests.said import lacks

NAMELESS = """\
COORDINATOR (ID)          ASSIGNMENT-STRATEGY       STATE                #MEMBERS
broker-2.example:9092 (2) roundrobin                Stable               3
"""
KAFKA_3 = """\

GROUP           COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS
depot           broker-2.example:9092 (2) cooperative-sticky   Stable          3
"""
KAFKA_4_VERBOSE = """\
GROUP           COORDINATOR (ID)           ASSIGNMENT-STRATEGY  STATE                GROUP-EPOCH     TARGET-ASSIGNMENT-EPOCH   #MEMBERS
depot           broker-2.example:9092  (2) uniform              Reconciling          17              16                        3
"""
KAFKA_4_STABLE = KAFKA_4_VERBOSE.replace("Reconciling          17 ", "Stable               16 ")


def test_epochs_that_differ_and_a_state_that_is_not_stable_are_a_rebalance_under_way() -> None:
    reading = the_group(KAFKA_4_VERBOSE)

    assert reading.state == "Reconciling"
    assert reading.rebalancing is not None
    assert reading.rebalancing.group_epoch == 17
    assert reading.rebalancing.target_epoch == 16
    assert the_group(KAFKA_4_STABLE).rebalancing is None
    assert the_group(KAFKA_4_STABLE).state == "Stable"


@pytest.mark.parametrize(
    ("text", "group", "strategy"),
    [
        (NAMELESS, "", "roundrobin"),
        (KAFKA_3, "depot", "cooperative-sticky"),
        (KAFKA_4_STABLE, "depot", "uniform-kafka-18688"),
    ],
)
def test_every_generation_gives_members_by_number_and_the_strategy(
    text: str, group: str, strategy: str
) -> None:
    reading = the_group(text)

    assert reading.format == "kafka-consumer-groups --describe --state"
    assert (reading.group.id, reading.strategy) == (group, strategy)
    assert list(owned(reading)) == ["member-1", "member-2", "member-3"]
    assert (reading.rows, reading.ignored) == (1, ())
    (note,) = reading.notes
    assert note.endswith("names none; they appear as member-1 to member-3.")


def test_an_empty_group_has_a_blank_strategy_and_no_members() -> None:
    text = KAFKA_3.replace(
        "cooperative-sticky   Stable          3", "                     Empty           0"
    )

    reading = the_group(text)

    assert (reading.group.id, reading.group.members, reading.strategy) == ("depot", (), None)


def test_an_unknown_strategy_is_left_out() -> None:
    assert the_group(KAFKA_3.replace("cooperative-sticky", "stream            ")).strategy is None


def test_beside_a_table_of_offsets_only_the_strategy_is_taken() -> None:
    offsets = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "depot crates 0 1 2 1 van-1-aa /10.3.0.1 van-1\n"
    )

    reading = the_group(offsets + NAMELESS)

    assert reading.format == "kafka-consumer-groups --describe"
    assert owned(reading) == {"van-1-aa": ["crates-0"]}
    assert (reading.strategy, reading.notes) == ("roundrobin", ())


def test_topics_kafka_keeps_for_itself_are_not_taken_for_the_groups() -> None:
    listed = "Topic: __consumer_offsets\tPartitionCount: 50\tReplicationFactor: 3\tConfigs:\n"

    reading = the_group(NAMELESS + listed)

    assert reading.group.topics == ()
    assert any(not lacks(note, "left out", "__consumer_offsets") for note in reading.notes)


@pytest.mark.parametrize(
    ("ids", "strategy"),
    [
        (("app-1-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07",), "range"),
        (("UxWM5AByH4RU0axr1xlhiQ", "nDCa2Zt4T8mOmP7cGq0b_w"), "server-range"),
    ],
)
def test_range_is_the_brokers_where_consumers_have_the_ids_of_a_broker_side_group(
    ids: tuple[str, ...], strategy: str
) -> None:
    rows = "".join(
        f"depot bins {number} 1 5 4 {id_} /10.0.0.{number} app-{number}\n"
        for number, id_ in enumerate(ids)
    )
    state = "GROUP COORDINATOR ASSIGNMENT-STRATEGY STATE #MEMBERS\ndepot b:1 range Stable 2\n\n"
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"

    assert the_group(state + head + rows).strategy == strategy

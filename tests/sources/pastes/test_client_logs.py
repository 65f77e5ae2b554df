"""Logs of clients in other languages: read where they name a member and what it has."""

import pytest

from evaluation.reading import Reading
from sources.errors import SourceError
from sources.text import read_text

_BOTH = "orders-0 and orders-1"
_FIRST = "sarama-5f3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a"
_SECOND = "sarama-7a3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a"


_SARAMAS = """\
[sarama] 2024/05/01 consumer/broker/1 added subscription to orders/0
[sarama] 2024/05/01 consumer/broker/1 added subscription to orders/3
[sarama] 2024/05/01 consumer/broker/1 closed dead subscription to orders/0
"""
_RUSTS = """\
INFO consumer > Pre rebalance Assign(TPL {orders/0: offset=Invalid; orders/1: offset=Invalid})
INFO consumer > Pre rebalance Revoke(TPL {orders/1: offset=Invalid metadata=""})
INFO consumer > Pre rebalance Assign(TPL {orders/2: offset=Invalid metadata=""})
"""


def _owned(reading: Reading) -> dict[str, tuple[str, ...]]:
    return dict(reading.group.named(reading.group.present_owners))


def _refusal(text: str) -> str:
    with pytest.raises(SourceError) as refused:
        read_text(text)
    return str(refused.value)


@pytest.mark.parametrize(
    ("line", "group"),
    [
        ("10:00:06 setup: member {id} generation 4 claims map[orders:[{numbers}]]", ""),
        ('msg="set up" group=pay member_id={id} claims="map[orders:[{numbers}]]"', "pay"),
        ("INFO joined group 'pay' member_id: {id}, assignment: {{'orders': [{commas}]}}", "pay"),
        ('INFO group: pay memberId={id} assigned {{"orders": [{commas}]}}', "pay"),
        ('{{"group":"pay","member_id":"{id}","claims":{{"orders":[{commas}]}}}}', "pay"),
    ],
)
def test_a_line_that_names_a_member_and_its_partitions_is_read(line: str, group: str) -> None:
    lines = [
        line.format(id=name, numbers=numbers, commas=numbers.replace(" ", ","))
        for name, numbers in ((_FIRST, "0 1"), (_SECOND, "2 3"))
    ]

    (reading,) = read_text("\n".join(lines))

    assert _owned(reading) == {_FIRST: ("orders-0", "orders-1"), _SECOND: ("orders-2", "orders-3")}
    assert reading.name == group
    assert reading.assumed.client == "sarama"
    assert reading.assumed.members_unknown  # others may log elsewhere


def test_the_leader_of_kafka_go_logs_the_whole_assignment() -> None:
    first, second, idle = (
        f"app@host-{n} (github.com/segmentio/kafka-go)-5f3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6{n}"
        for n in range(3)
    )
    text = "\n".join(
        f"kafka reader: {line}"
        for line in (
            f"joined group pay as member {first} in generation 3",
            "using 'range' balancer to assign group, pay",
            *(f"found member: {name}/[]byte(nil)" for name in (first, second, idle)),
            "found topic/partition: orders/0",
            f"assigned member/topic/partitions {first}/orders/[0 1]",
            f"assigned member/topic/partitions {second}/orders/[2]",
            f"assigned member/topic/partitions {second}/audit/[0]",
        )
    )

    (reading,) = read_text(text)

    assert reading.name == "pay"
    assert _owned(reading) == {
        first: ("orders-0", "orders-1"),
        second: ("audit-0", "orders-2"),
        idle: (),
    }
    assert (reading.strategy, reading.assumed.client) == ("range", "kafka-go")
    assert not reading.assumed.members_unknown


def test_a_log_of_ruby_kafka_names_its_member_above() -> None:
    (reading,) = read_text(
        "I, [2024-05-01] INFO -- : Joined group `pay` with member id "
        "`app-5f3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a`\n"
        "I, [2024-05-01] INFO -- : Partitions assigned for `orders`: 0, 1\n"
    )

    assert reading.name == "pay"
    assert list(_owned(reading).values()) == [("orders-0", "orders-1")]


def test_kafka_pythons_generation_names_its_member() -> None:
    (reading,) = read_text(
        "INFO:kafka.coordinator:Successfully joined group pay <Generation 3 (member_id: "
        "kafka-python-2.1.0-5f3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a, protocol: range)>\n"
        "INFO:kafka.coordinator.consumer:Setting newly assigned partitions "
        "{TopicPartition(topic='orders', partition=0)} for group pay\n"
    )

    assert list(_owned(reading).values()) == [("orders-0",)]
    assert reading.strategy == "range"


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (_SARAMAS, "orders-3"),
        (_RUSTS, "orders-0 and orders-2"),
        ("INFO] Post rebalance Assign(TPL {(orders, 0): Invalid, (orders, 1): Invalid})\n", _BOTH),
        ('assigned: [{"topic":"orders","partition":0},{"topic":"orders","partition":1}]\n', _BOTH),
        ('level=info msg="partitions assigned" claims="map[orders:[0 1]]" generation=4\n', _BOTH),
        ("subscribed to topics and partitions: map[{topic:orders partition:0}:-2]\n", "orders-0"),
        ("Assignment: [TopicPartition{topic=orders,partition=0,error=None}]\n", "orders-0"),
        ("Updated partition assignment: [('orders', 0), ('orders', 1)]\n", _BOTH),
        ("Partitions incrementally assigned: [orders [[0]], orders [[1]]], all: [0,1]\n", _BOTH),
    ],
)
def test_a_log_that_names_no_member_is_refused_with_what_it_says(text: str, ends: str) -> None:
    said = _refusal(text)

    assert "does not name the consumers" in said
    assert f"it ends with {ends};" in said
    assert "kafka-consumer-groups --describe" in said


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        (f"level=info msg=setup generation_id=4 member_id={_FIRST}\n", 4),
        (f"[sarama] 2024/05/01 consumergroup/session/{_FIRST}/16 heartbeat loop stopped\n", None),
        ('DEBUG librdkafka: ASSIGN [thrd:main]: Group "pay": new assignment of 2', None),
        ("Group member (pay,coor=#PID<0.5.0>,generation=7):\nassignments received:\n", 7),
        ("ERROR TimeoutException while polling\nINFO (Re-)joining group pay\n", None),
    ],
)
def test_a_log_of_a_rebalance_without_partitions_says_so(text: str, generation: int | None) -> None:
    said = _refusal(text)

    assert "a rebalance" in said
    assert (f"generation {generation}" in said) == (generation is not None)
    assert "kafka-consumer-groups --describe" in said


def test_a_follower_of_kafka_go_is_the_member_that_joined() -> None:
    member = "app@host (github.com/segmentio/kafka-go)-5f3c1c2e-6a6e-4a43-9d8e-1f2e3d4c5b6a"

    (reading,) = read_text(
        f"joined group pay as member {member} in generation 3\n"
        "subscribed to topics and partitions: map[{topic:orders partition:0}:7 {topic:orders "
        "partition:1}:9]\n"
    )

    assert reading.name == "pay"
    assert _owned(reading) == {member: ("orders-0", "orders-1")}
    assert reading.assumed.members_unknown

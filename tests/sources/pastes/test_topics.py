"""``kafka-topics --describe`` and ``kcat -L``, alone and beside a group."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import json

import pytest

from tests.pasted import lags, the_group
from tests.said import lacks

OLD = """\
Topic:bids\tPartitionCount:3\tReplicationFactor:2\tConfigs:retention.ms=60480000
\tTopic: bids\tPartition: 0\tLeader: 4\tReplicas: 4,2\tIsr: 4,2
\tTopic: bids\tPartition: 1\tLeader: none\tReplicas: 5,3\tIsr: 5,3
\tTopic: bids\tPartition: 2\tLeader: 1\tReplicas: 1,4\tIsr: 1,4
"""
NEW = "".join(
    [
        "Topic: bids\tTopicId: aB3dE5fG7hJ9kL1mN3pQ5r\tPartitionCount: 3\tConfigs: a.b=1073741824\n",
        *(
            f"\tTopic: bids\tPartition: {p}\tLeader: 4\tReplicas: 4,2\tIsr: 4,2\tElr: \tLastKnownElr: \n"
            for p in range(3)
        ),
    ]
)
KCAT = """\
Metadata for bids (from broker 1: 10.6.0.1:9092/1):
 2 brokers:
  broker 1 at 10.6.0.1:9092 (controller)
  broker 2 at 10.6.0.2:9092
 1 topics:
  topic "bids" with 3 partitions:
    partition 2, leader 1, replicas: 1,2, isrs: 1
    partition 0, leader -1, replicas: 2,1, isrs: 2,1, Broker: Leader not available
    partition 1, leader 2, replicas: 2,1, isrs: 2,1
"""
KCAT_JSON = json.dumps(
    {
        "query": {"topic": "bids"},
        "brokers": [{"id": 1, "name": "10.6.0.1:9092"}],
        "topics": [
            {"topic": "bids", "partitions": [{"partition": p, "leader": 1} for p in (2, 0, 1)]}
        ],
    }
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (OLD, "kafka-topics --describe"),
        (NEW, "kafka-topics --describe"),
        (OLD.expandtabs(4), "kafka-topics --describe"),
        (KCAT, "kcat -L"),
        (KCAT_JSON, "kcat -L"),
        ("\n".join(f"kafka-1bc7: {line}" for line in KCAT.splitlines()), "kcat -L"),
    ],
)
def test_topics_alone_are_a_group_without_members(text: str, name: str) -> None:
    reading = the_group(text)

    assert (reading.format, reading.rows) == (name, 3)
    assert lags(reading) == {"bids": [None] * 3}
    assert (reading.group.id, reading.group.members) == ("", ())


def test_the_count_of_partitions_holds_where_rows_are_missing() -> None:
    reading = the_group("\n".join(OLD.splitlines()[:2]))

    assert (reading.rows, reading.group.partition_count) == (1, 3)


def test_a_header_cut_at_its_start_is_listed_as_ignored() -> None:
    text = OLD[OLD.index("ReplicationFactor") :]

    reading = the_group(text)

    assert [number for number, _ in reading.ignored] == [1]
    assert reading.rows == 3


GROUP = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nbids 0 1 5 4\n"


@pytest.mark.parametrize("listed", [OLD, KCAT])
def test_beside_a_group_they_tell_how_many_partitions_there_are(listed: str) -> None:
    reading = the_group(GROUP + "\n" + listed)

    assert lags(reading) == {"bids": [4, None, None]}
    assert (reading.format, reading.rows) == ("kafka-consumer-groups --describe", 1)


def test_a_topic_no_group_consumes_is_left_out_with_a_note() -> None:
    reading = the_group(GROUP + OLD.replace("bids", "asks"))

    assert reading.group.topics == ("bids",)
    (note,) = reading.notes
    assert lacks(note, "left out", "asks") == []


def test_a_line_may_be_both_a_topic_and_a_row() -> None:
    reading = the_group("Topic:PartitionCount: 0 10 14 4")

    assert reading.format == "kafka-consumer-groups --describe"
    assert reading.rows == 1


def test_topic_ids_are_read_beside_the_partitions() -> None:
    group = the_group(NEW).group

    assert group.layout.topic_ids == ("aB3dE5fG7hJ9kL1mN3pQ5r",)
    assert the_group(OLD).group.layout.topic_ids == ()


def test_partitions_without_a_leader_are_named() -> None:
    text = (
        "Topic: t\tPartitionCount: 3\n"
        "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
        "\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 2\tIsr: \n"
        "\tTopic: t\tPartition: 2\tLeader: {}\tReplicas: 2\tIsr: 2\n"
    )

    one, two = (the_group(text.format(leader)) for leader in ("11", "-1"))

    assert [note.partition(" has")[0] for note in one.notes if "leader" in note] == ["t-1"]
    assert [note.partition(" have")[0] for note in two.notes if "leader" in note] == ["t-1 and t-2"]

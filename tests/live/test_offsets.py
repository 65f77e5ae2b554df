"""Brokers' responses on topics are validated."""

import pytest
from confluent_kafka import Node, TopicPartitionInfo, Uuid
from confluent_kafka.admin import TopicDescription

from live.errors import LiveError
from live.model import LiveTopic
from live.offsets import _topic


def _described(*numbers: int) -> TopicDescription:
    partitions = [TopicPartitionInfo(number, Node(1, "b1", 9092), [], []) for number in numbers]
    return TopicDescription("orders", Uuid(0, 0), False, partitions)  # noqa: FBT003 -- as they have it


@pytest.mark.parametrize("numbers", [(0, 2**31 - 1), (-1, 0), (1_500,)])
def test_a_broker_that_lies_about_its_partitions_fills_no_memory(numbers: tuple[int, ...]) -> None:
    found = _topic(_described(*numbers))

    assert isinstance(found, LiveError)
    assert f"from {min(numbers):,} to {max(numbers):,}" in str(found)


def test_a_partition_that_a_broker_leaves_out_is_one_without_racks() -> None:
    found = _topic(_described(0, 2))

    assert isinstance(found, LiveTopic)
    assert found.partitions == 3

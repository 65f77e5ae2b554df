"""Time lag and retention from a real broker."""

import math
import time
from typing import Final

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from evaluation.measuring.partition_times import Basis, partition_times
from live.cluster import connect
from live.errors import LiveError
from live.properties import Properties
from live.times import Retention, _retention, ages, retentions
from sources.live import config_of, read_group
from tests.broker.kafka_node import Cluster
from tests.live.on_a_broker import commit

pytestmark = pytest.mark.needs("broker")
_NOW_S: Final = time.time()
"""The reference time for ages, however long a test takes."""
_AGES_S: Final = (7_200, 600, 30)


@pytest.fixture(scope="module")
def servers(kafka: Cluster) -> str:
    """A broker with records that are two hours, ten minutes and 30 s old."""
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    kept = {"retention.ms": "86400000", "retention.bytes": "1000000"}
    topics = [
        NewTopic("aged", 1, 1, config=kept),
        NewTopic("compact", 1, 1, config={"cleanup.policy": "compact"}),
    ]
    for future in admin.create_topics(topics).values():
        future.result(60)
    producer = Producer({"bootstrap.servers": kafka.bootstrap})
    for age in _AGES_S:
        producer.produce("aged", b"record", timestamp=int((_NOW_S - age) * 1000))
    assert producer.flush(60) == 0
    return kafka.bootstrap


def test_the_age_of_the_next_record_is_its_timestamps(servers: str) -> None:
    with connect(Properties({"bootstrap.servers": servers})) as cluster:
        found = [ages(cluster, {("aged", 0): at}, _NOW_S) for at in (0, 1, 2)]

    for expected, age in zip(_AGES_S, found, strict=True):
        assert age[("aged", 0)] == pytest.approx(expected, rel=0.01)


def test_retention_is_the_topics_setting(servers: str) -> None:
    with connect(Properties({"bootstrap.servers": servers})) as cluster:
        found = retentions(cluster, ["aged", "compact"])

    assert found["aged"] == Retention(86_400, 1_000_000)
    assert found["compact"] == Retention(math.inf, math.inf)


def test_a_group_read_once_knows_its_time_lag(servers: str) -> None:
    commit(servers, "late", {("aged", 0): 1})

    earliest = 600 + time.time() - _NOW_S
    reading = read_group(config_of("", servers), "late", with_times=True)
    latest = 600 + time.time() - _NOW_S

    assert reading.history is not None
    times = partition_times(reading.group, reading.history)
    assert 0.99 * earliest < times.age_s[0] < 1.01 * latest
    assert times.basis.tolist() == [Basis.REPORTED]
    assert times.retention_s.tolist() == [86_400]


def test_a_retention_that_a_cluster_does_not_state_is_unknown() -> None:
    assert isinstance(_retention({}), LiveError)

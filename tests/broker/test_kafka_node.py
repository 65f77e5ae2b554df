"""The broker that other tests stand on: ready when it says so, and killed without loss."""

from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from tests.broker.kafka_node import Cluster, running_cluster

pytestmark = pytest.mark.needs("broker")


def test_each_node_stands_in_a_rack_of_its_own(kafka_with_racks: Cluster) -> None:
    admin = AdminClient({"bootstrap.servers": kafka_with_racks.bootstrap})

    nodes = admin.describe_cluster().result(60).nodes

    assert sorted((node.id, node.rack) for node in nodes) == [
        (1, "rack-a"),
        (2, "rack-b"),
        (3, "rack-c"),
    ]


def test_what_was_on_a_killed_broker_is_there_after_its_restart(tmp_path: Path) -> None:
    with running_cluster(tmp_path) as kafka:
        admin = AdminClient({"bootstrap.servers": kafka.bootstrap, "log_level": 0})
        admin.create_topics([NewTopic("orders", 3, 1)])["orders"].result(60)

        kafka.kill()
        kafka.restart()

        assert set(admin.list_topics(timeout=60).topics["orders"].partitions) == {0, 1, 2}

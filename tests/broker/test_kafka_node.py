"""The brokers that other tests use."""

import pytest
from confluent_kafka.admin import AdminClient

from tests.broker.kafka_node import Cluster

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]


def test_each_node_is_in_a_different_rack(kafka_with_racks: Cluster) -> None:
    admin = AdminClient({"bootstrap.servers": kafka_with_racks.bootstrap})

    nodes = admin.describe_cluster().result(60).nodes

    assert sorted((node.id, node.rack) for node in nodes) == [
        (1, "rack-a"),
        (2, "rack-b"),
        (3, "rack-c"),
    ]

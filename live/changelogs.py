"""The changelogs of a Streams application: how much state there is to restore."""

from typing import Final

from confluent_kafka import KafkaException

from live.cluster import Cluster
from live.model import LiveTopic
from live.offsets import read_topics

CHANGELOG: Final = "-changelog"
"""What Streams puts behind a store's name, and the application's id before it."""


def read_changelogs(cluster: Cluster, application: str) -> dict[str, LiveTopic]:
    """Return the changelog topics of an application by the names of their stores.

    Those that this user may not describe are left out. Of two groups whose ids begin alike the
    longer one has the topic: that of ``shop-eu`` is no store ``eu-…`` of ``shop``.
    """
    timeout_s = cluster.read_options.timeout_s
    try:
        topics = cluster.admin.list_topics(timeout=timeout_s).topics
        groups = [str(each.id) for each in cluster.admin.list_groups(timeout=timeout_s)]
    except KafkaException:
        return {}
    prefix = f"{application}-"
    longer = tuple(f"{each}-" for each in groups if each.startswith(prefix))
    names = [
        name
        for name in topics
        if name.startswith(prefix) and name.endswith(CHANGELOG) and not name.startswith(longer)
    ]
    found = read_topics(cluster, names) if names else {}
    return {
        name.removeprefix(prefix).removesuffix(CHANGELOG): topic
        for name, topic in found.items()
        if isinstance(topic, LiveTopic)
    }

"""Topics and offsets: where the logs end, and how far groups have read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from confluent_kafka import ConsumerGroupTopicPartitions, TopicCollection, TopicPartition, Uuid
from confluent_kafka.admin import ListOffsetsResultInfo, OffsetSpec, TopicDescription

from live.cluster import Cluster
from live.errors import LiveError
from live.model import LiveTopic, NamedPartition

_NO_ID: Final = "A" * 22
"""The id that brokers without topic ids return: 16 zero bytes."""
_Item = TypeVar("_Item")
_Offsets = dict[NamedPartition, int | None]
_GROUPS_PER_BATCH: Final = 50
"""The client's request for committed offsets takes one group; this many run concurrently."""
_TOPICS_PER_BATCH: Final = 200
_PARTITIONS_PER_BATCH: Final = 5_000
_MOST_MISSING: Final = 1_000
"""Partitions of a topic that a broker may leave out; one number more could fill the memory."""


def committed_offsets(
    cluster: Cluster, ids: Iterable[str]
) -> dict[str, dict[NamedPartition, int] | LiveError]:
    """Return the committed offsets of each group, or why they cannot be read.

    Partitions without a commit are absent.
    """
    committed: dict[str, dict[NamedPartition, int] | LiveError] = {}
    for names in batches(list(dict.fromkeys(ids)), _GROUPS_PER_BATCH):
        futures = {
            name: cluster.admin.list_consumer_group_offsets(
                [ConsumerGroupTopicPartitions(name)],
                request_timeout=cluster.read_options.client_timeout_s,
            )[name]
            for name in names
        }
        committed |= cluster.responses(futures, lambda name: f"the group {name!r}", _committed)
    return committed


def read_topics(cluster: Cluster, names: Iterable[str]) -> dict[str, LiveTopic | LiveError]:
    """Return each topic with its racks and offsets, or why it cannot be read.

    A topic that does not exist gives UnknownTopicError. A partition without a leader has
    unknown offsets.
    """
    topics: dict[str, LiveTopic | LiveError] = {}
    wanted = sorted(set(names))
    for batch in batches(wanted, _TOPICS_PER_BATCH):
        cluster.read_options.progress("topics", len(topics), len(wanted))
        futures = cluster.admin.describe_topics(
            TopicCollection(list(batch)), request_timeout=cluster.read_options.client_timeout_s
        )
        topics |= cluster.responses(futures, lambda name: f"the topic {name!r}", _topic)
    known = [topic for topic in topics.values() if isinstance(topic, LiveTopic)]
    partitions = [(topic.name, p) for topic in known for p in range(topic.partitions)]
    begin, end = _begin_and_end(cluster, partitions)
    for topic in known:
        own = [(topic.name, p) for p in range(topic.partitions)]
        topics[topic.name] = replace(
            topic, begin=tuple(map(begin.get, own)), end=tuple(map(end.get, own))
        )
    return topics


def _topic(described: TopicDescription) -> LiveTopic | LiveError:
    """Return the topic with its racks and without offsets."""
    partitions = described.partitions
    numbers = [p.id for p in partitions]
    count = max(numbers, default=-1) + 1
    if count > len(numbers) + _MOST_MISSING or min(numbers, default=0) < 0:
        return LiveError(
            f"The topic {described.name!r} has {len(numbers):,} partitions, but they are numbered "
            f"from {min(numbers):,} to {max(numbers):,}: no Kafka broker answers so."
        )
    racks: list[tuple[str, ...]] = [()] * count
    for partition in partitions:
        names = {node.rack for node in partition.replicas if node is not None and node.rack}
        racks[partition.id] = tuple(sorted(names))
    unknown = (None,) * len(racks)
    topic_id = topic_id_of(described.topic_id) if described.topic_id else _NO_ID
    return LiveTopic(
        described.name, tuple(racks), unknown, unknown, None if topic_id == _NO_ID else topic_id
    )


def topic_id_of(uuid: Uuid) -> str:
    """Return a topic id as Kafka's tools print it; librdkafka writes Base64 with + and /.

    >>> topic_id_of(Uuid(-1, -1))
    '_____________________w'
    """
    return str(uuid).translate({ord("+"): "-", ord("/"): "_"})


def _begin_and_end(
    cluster: Cluster, partitions: Sequence[NamedPartition]
) -> tuple[_Offsets, _Offsets]:
    """Return the begin and the end offsets, None for partitions without a leader."""
    begin: _Offsets = {}
    end: _Offsets = {}
    for batch in batches(partitions, _PARTITIONS_PER_BATCH):
        cluster.read_options.progress("partitions", len(end), len(partitions))
        begin |= listed_offsets(cluster, dict.fromkeys(batch, OffsetSpec.earliest()))
        end |= listed_offsets(cluster, dict.fromkeys(batch, OffsetSpec.latest()))
    cluster.read_options.progress("partitions", len(end), len(partitions))
    return begin, end


def listed_offsets(cluster: Cluster, specs: Mapping[NamedPartition, OffsetSpec]) -> _Offsets:
    """Return the response to ListOffsets, None where there is no such offset or no leader."""
    futures = cluster.admin.list_offsets(
        {TopicPartition(*partition): spec for partition, spec in specs.items()},
        request_timeout=cluster.read_options.client_timeout_s,
    )
    by_partition = {(each.topic, each.partition): future for each, future in futures.items()}
    offsets = cluster.responses(
        by_partition, lambda partition: f"the topic {partition[0]!r}", _offset
    )
    errors = [each for each in offsets.values() if isinstance(each, LiveError)]
    if errors and len(errors) == len(offsets):
        raise errors[0]
    return {p: None if isinstance(each, LiveError) else each for p, each in offsets.items()}


def _offset(listed: ListOffsetsResultInfo) -> int | None:
    return None if listed.offset < 0 else listed.offset


def _committed(listed: ConsumerGroupTopicPartitions) -> dict[NamedPartition, int]:
    return {
        (each.topic, each.partition): each.offset
        for each in listed.topic_partitions or ()
        if each.offset >= 0
    }


def batches(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    """Yield the items in order, ``size`` at a time."""
    for first in range(0, len(items), size):
        yield items[first : first + size]

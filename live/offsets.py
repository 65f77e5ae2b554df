"""Topics and offsets: where the logs end, and how far groups have read."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeVar

from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    KafkaError,
    TopicCollection,
    TopicPartition,
    Uuid,
)
from confluent_kafka.admin import AdminClient, ListOffsetsResultInfo, TopicDescription

from live.cluster import Cluster
from live.errors import LiveError
from live.model import LiveTopic, NamedPartition

EARLIEST: Final = -2
LATEST: Final = -1
"""In place of a time, as ListOffsets takes them."""
_NO_ID: Final = "A" * 22
"""The id that brokers without topic ids return: 16 zero bytes."""
_Item = TypeVar("_Item")
_Offsets = dict[NamedPartition, int | None]
_Listed = dict[TopicPartition, ListOffsetsResultInfo | KafkaError]
_GROUPS_PER_BATCH: Final = 50
"""The client's request for committed offsets takes one group; this many run concurrently."""
_TOPICS_PER_BATCH: Final = 200
_PARTITIONS_PER_BATCH: Final = 5_000
_PARTITIONS_PER_REQUEST: Final = 400
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


def read_topics(
    cluster: Cluster,
    names: Iterable[str],
    known: Mapping[str, LiveTopic] = MappingProxyType({}),
    late: Collection[str] = (),
) -> dict[str, LiveTopic | LiveError]:
    """Return each topic with its racks and offsets, or why it cannot be read.

    A topic that does not exist gives UnknownTopicError. A partition without a leader has
    unknown offsets. Of topics that are ``known`` from before only the end offsets are read, and the
    begin offsets of those that are ``late`` too.
    """
    topics: dict[str, LiveTopic | LiveError] = {}
    wanted = sorted(set(names))
    before = {name: known[name] for name in wanted if name in known}
    for batch in batches([name for name in wanted if name not in before], _TOPICS_PER_BATCH):
        cluster.read_options.progress("topics", len(topics), len(wanted))
        futures = cluster.admin.describe_topics(
            TopicCollection(list(batch)), request_timeout=cluster.read_options.client_timeout_s
        )
        topics |= cluster.responses(futures, lambda name: f"the topic {name!r}", _topic)
    new = [topic for topic in topics.values() if isinstance(topic, LiveTopic)]
    all_ = [*new, *before.values()]
    try:
        end = _listed(cluster, all_, LATEST)
        begin = _listed(
            cluster, (t for t in all_ if t.name not in before or t.name in late), EARLIEST
        )
    except LiveError:  # perhaps one that is known has been deleted: it has no leader
        if not before:
            raise
        return topics | read_topics(cluster, wanted)
    for topic in all_:
        own = [(topic.name, p) for p in range(topic.partitions)]
        begins = topic.begin if own and own[0] not in begin else tuple(map(begin.get, own))
        topics[topic.name] = replace(topic, begin=begins, end=tuple(map(end.get, own)))
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


def _listed(cluster: Cluster, topics: Iterable[LiveTopic], at: int) -> _Offsets:
    """Return an offset of each partition, None for those without a leader."""
    partitions = [(topic.name, p) for topic in topics for p in range(topic.partitions)]
    found: _Offsets = {}
    for batch in batches(partitions, _PARTITIONS_PER_BATCH):
        cluster.read_options.progress("partitions", len(found), len(partitions))
        found |= listed_offsets(cluster, dict.fromkeys(batch, at))
    cluster.read_options.progress("partitions", len(found), len(partitions))
    return found


def listed_offsets(cluster: Cluster, wanted: Mapping[NamedPartition, int]) -> _Offsets:
    """Return the response to ListOffsets, None where there is no such offset or no leader.

    ``wanted`` are times in milliseconds since the epoch, ``EARLIEST`` or ``LATEST``. The client's
    method of this name makes a future for each partition, which takes longer than the request; that
    of its base class takes one for all. Its time grows with the square of the partitions, hence
    several requests.
    """
    places = [TopicPartition(topic, number, at) for (topic, number), at in wanted.items()]
    futures: dict[str, Future[_Listed]] = {}
    for request in batches(places, _PARTITIONS_PER_REQUEST):
        future: Future[_Listed] = Future()
        future.set_running_or_notify_cancel()
        super(AdminClient, cluster.admin).list_offsets(
            list(request), future, request_timeout=cluster.read_options.client_timeout_s
        )
        futures[f"the topic {request[0].topic!r}, partition {request[0].partition}"] = future
    found: _Listed = {}
    failed: list[LiveError] = []
    for each in cluster.responses(futures, str, dict[TopicPartition, Any]).values():
        if isinstance(each, LiveError):
            failed.append(each)
        else:
            found |= each
    errors = {place: each for place, each in found.items() if isinstance(each, KafkaError)}
    if len(errors) == len(found):
        failed += [cluster.error(e, f"the topic {place.topic!r}") for place, e in errors.items()]
        if failed:
            raise failed[0]
    offsets: _Offsets = dict.fromkeys(wanted)
    for place, listed in found.items():
        if not isinstance(listed, KafkaError) and listed.offset >= 0:
            offsets[place.topic, place.partition] = listed.offset
    return offsets


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

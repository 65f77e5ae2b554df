"""Topics and offsets: how far logs reach, and how far groups have read them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, TypeVar

from confluent_kafka import ConsumerGroupTopicPartitions, TopicCollection, TopicPartition, Uuid
from confluent_kafka.admin import ListOffsetsResultInfo, OffsetSpec, TopicDescription

from live.cluster import Cluster
from live.errors import LiveError, UnknownTopicError
from live.model import Place, Topic

_NO_ID: Final = "A" * 22
"""What a broker older than topic ids answers: 16 bytes of 0."""
_Item = TypeVar("_Item")
_GROUPS_AT_ONCE: Final = 50
"""The client's request for committed offsets takes one group; so many are under way."""
_TOPICS_AT_ONCE: Final = 200
_PARTITIONS_AT_ONCE: Final = 5_000


def committed_offsets(
    cluster: Cluster, ids: Sequence[str]
) -> Iterator[tuple[str, dict[Place, int] | LiveError]]:
    """Yield what each group has committed, or why that cannot be read.

    Places without a commit are absent.
    """
    for names in _batches(dict.fromkeys(ids), _GROUPS_AT_ONCE):
        asked = {
            name: cluster.admin.list_consumer_group_offsets(
                [ConsumerGroupTopicPartitions(name)],
                request_timeout=cluster.read_options.client_timeout_s,
            )[name]
            for name in names
        }
        for name, found in cluster.answers(asked, lambda name: f"the group {name!r}").items():
            yield name, found if isinstance(found, LiveError) else _commits(found)


def read_topics(cluster: Cluster, names: Iterable[str]) -> dict[str, Topic | LiveError]:
    """Return the topics with their racks and offsets, or why one cannot be read.

    A topic that does not exist gives UnknownTopicError. A partition without a leader has
    unknown offsets.
    """
    found: dict[str, Topic | LiveError] = {}
    wanted = sorted(set(names))
    for batch in _batches(wanted, _TOPICS_AT_ONCE):
        cluster.read_options.progress("topics", len(found), len(wanted))
        found |= _described(cluster, batch)
    known = [topic for topic in found.values() if isinstance(topic, Topic)]
    places = [(topic.name, p) for topic in known for p in range(topic.partitions)]
    reached = _reached(cluster, places)
    for topic in known:
        pairs = [reached[topic.name, p] for p in range(topic.partitions)]
        begin, end = zip(*pairs, strict=True) if pairs else ((), ())
        found[topic.name] = replace(topic, begin=begin, end=end)
    return found


def _described(cluster: Cluster, names: list[str]) -> dict[str, Topic | LiveError]:
    asked = cluster.admin.describe_topics(
        TopicCollection(names), request_timeout=cluster.read_options.client_timeout_s
    )
    answers = cluster.answers(asked, lambda name: f"the topic {name!r}")
    return {
        name: each if isinstance(each, LiveError) else _topic(each)
        for name, each in answers.items()
    }


def _topic(found: TopicDescription) -> Topic:
    """Return the topic with its racks; its offsets are not known yet."""
    racks: list[tuple[str, ...]] = [()] * (max((p.id for p in found.partitions), default=-1) + 1)
    for partition in found.partitions:
        names = {node.rack for node in partition.replicas if node is not None and node.rack}
        racks[partition.id] = tuple(sorted(names))
    unknown = (None,) * len(racks)
    topic_id = topic_id_of(found.topic_id) if found.topic_id else None
    if topic_id == _NO_ID:
        topic_id = None
    return Topic(found.name, tuple(racks), unknown, unknown, topic_id)


def topic_id_of(uuid: Uuid) -> str:
    """Return a topic id as Kafka's tools print it; librdkafka writes Base64 with + and /.

    >>> topic_id_of(Uuid(-1, -1))
    '_____________________w'
    """
    return str(uuid).translate({ord("+"): "-", ord("/"): "_"})


def _reached(
    cluster: Cluster, places: Sequence[Place]
) -> dict[Place, tuple[int | None, int | None]]:
    """Return the begin and end offset of each place, None where no broker leads it."""
    found: dict[Place, tuple[int | None, int | None]] = {}
    for batch in _batches(places, _PARTITIONS_AT_ONCE):
        cluster.read_options.progress("partitions", len(found), len(places))
        begin = _offsets(cluster, batch, OffsetSpec.earliest())
        end = _offsets(cluster, batch, OffsetSpec.latest())
        found |= {place: (begin[place], end[place]) for place in batch}
    cluster.read_options.progress("partitions", len(found), len(places))
    return found


def _offsets(
    cluster: Cluster, places: Sequence[Place], spec: OffsetSpec
) -> dict[Place, int | None]:
    asked = cluster.admin.list_offsets(
        {TopicPartition(*place): spec for place in places},
        request_timeout=cluster.read_options.client_timeout_s,
    )
    by_place = {(each.topic, each.partition): future for each, future in asked.items()}
    answers = cluster.answers(by_place, lambda place: f"the topic {place[0]!r}")
    if answers and all(isinstance(each, LiveError) for each in answers.values()):
        raise next(iter(answers.values()))
    return {place: _offset(each) for place, each in answers.items()}


def _offset(found: ListOffsetsResultInfo | LiveError) -> int | None:
    return None if isinstance(found, LiveError) or found.offset < 0 else found.offset


def _commits(found: ConsumerGroupTopicPartitions) -> dict[Place, int]:
    return {
        (each.topic, each.partition): each.offset
        for each in found.topic_partitions or ()
        if each.offset >= 0
    }


def _batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def absent(topics: Mapping[str, Topic | LiveError]) -> tuple[str, ...]:
    """Return the names of those that do not exist."""
    return tuple(n for n, each in topics.items() if isinstance(each, UnknownTopicError))

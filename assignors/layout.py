"""``Layout``: the topics, the members and their subscriptions, without who owns what."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.arrays import (
    NO_RACK,
    UNOWNED,
    BoolArray,
    IntArray,
    InvalidGroupError,
    LongArray,
    Owners,
    make_read_only,
    or_filled,
    read_only,
    require_sizes,
)
from assignors.audiences import NO_AUDIENCE, Audiences, audiences_of
from assignors.java import hash_order, strings

_OF_TOPICS: Final = (
    *("partition_count", "topic_sizes", "topic_of_partition", "number_in_topic", "subscribes"),
)
"""Properties of a layout that its members do not change."""


class SubscriptionClasses(NamedTuple):
    """Who subscribes to what; members with equal subscriptions share a class."""

    of_member: npt.ArrayLike | None = None
    """(M,) the class of each member; None: all are of the first."""
    topics: Sequence[npt.ArrayLike] | None = None
    """C rows of topic numbers, ascending; None: one class that subscribes to every topic."""
    leader_topics: Sequence[str] = ()
    """As in ``Layout``."""
    lists_alike: bool = True
    """As in ``Layout``."""


class RackPlaces(NamedTuple):
    """R racks, and who stands where."""

    names: Sequence[str] = ()
    of_member: npt.ArrayLike | None = None
    """(M,) rack number or ``NO_RACK``; None: no member's is known."""
    of_replicas: npt.ArrayLike | None = None
    """(P, R) whether the rack holds a replica of the partition; None: none does."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """Topics, partitions, members, subscriptions and racks, numbered.

    P partitions, T topics, M members, C subscription classes, R racks. All else is computed once,
    when it is first asked for, and holds for every group with this layout.
    """

    topics: tuple[str, ...]
    """T names, ascending in Java's order; one without partitions may be unknown to the cluster."""
    members: tuple[str, ...]
    """M member ids, ascending in Java's string order."""
    topic_starts: LongArray
    """(T + 1,) topic t holds the partitions topic_starts[t] to topic_starts[t + 1] - 1."""
    class_of_member: IntArray
    """(M,) the subscription class of each member."""
    class_starts: LongArray
    """(C + 1,) class c subscribes to class_topics[class_starts[c]:class_starts[c + 1]]."""
    class_topics: IntArray
    """Topic numbers, ascending within a class; a topic that a member lists twice appears twice."""
    arrival: IntArray
    """(M,) member numbers in the order given, which is the order Kafka inserts them."""
    instance_ids: tuple[str | None, ...]
    """(M,) ``group.instance.id`` (KIP-345); None for dynamic members."""
    racks: tuple[str, ...]
    """R rack names."""
    member_racks: IntArray
    """(M,) rack number or ``NO_RACK``."""
    replica_racks: BoolArray
    """(P, R) whether the rack holds a replica of the partition."""
    leader_topics: tuple[str, ...] = ()
    """The topics of the first member, in the order in which it lists them, if known."""
    lists_alike: bool = True
    """Whether all members list the same topics with partitions, in the same order."""
    known_to_leader: tuple[str, ...] | None = None
    """Topics with partitions that the leader's metadata has, read or not; None if not known. With
    subscriptions by pattern those are all topics of the cluster."""
    topic_ids: tuple[str | None, ...] = ()
    """(T,) as Kafka's tools print them, None where unknown; () if none is known."""
    subscription_type: str | None = None
    """"Homogeneous" or "Heterogeneous" if a broker's verdict on the subscriptions is known."""
    client_ids: Mapping[str, str] = field(default_factory=dict)
    """``client.id`` by member id, where known; no strategy sees it."""

    def __post_init__(self) -> None:
        """Make every array read-only and check that the sizes agree."""
        make_read_only(self)
        topics, members = len(self.topics), self.member_count
        require_sizes(
            (
                ("topic_starts", self.topic_starts, topics + 1),
                ("class_of_member", self.class_of_member, members),
                ("arrival", self.arrival, members),
                ("instance_ids", self.instance_ids, members),
                ("member_racks", self.member_racks, members),
                ("replica_racks", self.replica_racks, self.partition_count),
                ("topic_ids", self.topic_ids, topics if self.topic_ids else 0),
            )
        )

    @classmethod
    def of(  # noqa: PLR0913 -- one argument a field; all but the first three have a default
        cls,
        topics: Sequence[str],
        partitions: npt.ArrayLike,
        members: Sequence[str],
        *,
        subscriptions: SubscriptionClasses | None = None,
        racks: RackPlaces | None = None,
        arrival: npt.ArrayLike | None = None,
        instance_ids: Sequence[str | None] | None = None,
        topic_ids: Sequence[str | None] = (),
        client_ids: Mapping[str, str] | None = None,
    ) -> Self:
        """Copy names, which must ascend in Java's order, and what is known of them.

        ``partitions`` (T,) counts the partitions of each topic. By default every member subscribes
        to every topic, joined in the order of its name, is dynamic, and no rack is known.

        Raises InvalidGroupError when names repeat or descend, or sizes disagree.
        """
        if not strings.is_sorted(topics) or not strings.is_sorted(members):
            message = "topics and members must be distinct and ascend in Java's string order"
            raise InvalidGroupError(message)
        starts = ragged.starts_of(np.asarray(partitions, np.int64))
        count = len(members)
        read = SubscriptionClasses() if subscriptions is None else subscriptions
        near = RackPlaces() if racks is None else racks
        if read.topics is None:
            class_starts = np.array([0, len(topics)], np.int64)
            class_topics = np.arange(len(topics), dtype=np.int32)
        else:
            class_starts, class_topics = ragged.flatten(read.topics)
        in_order = np.arange(count, dtype=np.int32)
        return cls(
            topics=tuple(topics),
            members=tuple(members),
            topic_starts=starts,
            class_of_member=or_filled(read.of_member, count, 0, np.int32),
            class_starts=class_starts,
            class_topics=class_topics,
            arrival=in_order if arrival is None else np.array(arrival, np.int32),
            instance_ids=(None,) * count if instance_ids is None else tuple(instance_ids),
            racks=tuple(near.names),
            member_racks=or_filled(near.of_member, count, NO_RACK, np.int32),
            replica_racks=or_filled(
                near.of_replicas, (int(starts[-1]), len(near.names)), 0, np.bool_
            ),
            leader_topics=tuple(read.leader_topics),
            lists_alike=read.lists_alike,
            topic_ids=tuple(topic_ids),
            client_ids={} if client_ids is None else dict(client_ids),
        )

    def seating(
        self, members: IntArray, ids: tuple[str, ...], arrival: IntArray, topics: tuple[str, ...]
    ) -> "Layout":
        """Return the layout of some members (S,) under other ids, which ascend in Java's order.

        ``arrival`` (S,) as in the result; ``topics`` are those of its first member, if known. What
        topics and subscription classes alone decide is passed on.
        """
        instance_ids = self.instance_ids
        seating = replace(
            self,
            members=ids,
            class_of_member=self.class_of_member[members],
            arrival=arrival,
            instance_ids=tuple([instance_ids[m] for m in members.tolist()]),
            member_racks=self.member_racks[members],
            leader_topics=topics,
        )
        for name in _OF_TOPICS:
            seating.__dict__[name] = getattr(self, name)
        if self.racks:
            seating.__dict__["racks_near"] = self.racks_near
        return seating

    @cached_property
    def partition_count(self) -> int:
        """P."""
        return int(self.topic_starts[-1])

    @cached_property
    def member_count(self) -> int:
        """M."""
        return len(self.members)

    @cached_property
    def topic_sizes(self) -> LongArray:
        """(T,) partitions of each topic."""
        return read_only(self.topic_starts[1:] - self.topic_starts[:-1])

    @cached_property
    def topic_of_partition(self) -> IntArray:
        """(P,) the topic of each partition."""
        return read_only(ragged.row_of_each(self.topic_starts))

    @cached_property
    def number_in_topic(self) -> IntArray:
        """(P,) each partition's number within its topic."""
        return read_only(ragged.place_in_row(self.topic_sizes).astype(np.int32))

    @cached_property
    def racks_near(self) -> tuple[tuple[int, ...], ...]:
        """The racks with a replica of each partition, ascending; P rows."""
        starts = ragged.starts_of(np.count_nonzero(self.replica_racks, axis=1)).tolist()
        racks = self.replica_racks.nonzero()[1].tolist()
        return tuple(tuple(racks[first:last]) for first, last in pairwise(starts))

    @cached_property
    def subscribes(self) -> BoolArray:
        """(C, T) whether a subscription class subscribes to a topic."""
        wanted = np.zeros((len(self.topics), self.class_starts.size - 1), np.bool_)
        wanted[self.class_topics, ragged.row_of_each(self.class_starts)] = True
        return read_only(wanted.T)

    @cached_property
    def has_equal_subscriptions(self) -> bool:
        """Whether all members subscribe to the same topics."""
        if len(self.subscribes) == 1:
            return True
        subscribes = self.subscribes[np.unique(self.class_of_member)]
        return bool((subscribes == subscribes[:1]).all())

    @cached_property
    def wants_everything(self) -> bool:
        """Whether there are members and all of them subscribe to every topic."""
        return bool(self.members) and bool(self.subscribes.all())

    @cached_property
    def audiences(self) -> Audiences:
        """The subscribers of every topic."""
        audiences = audiences_of(self.subscribes, self.class_of_member)
        for values in audiences:
            values.setflags(write=False)
        return audiences

    @cached_property
    def is_wanted(self) -> BoolArray:
        """(P,) whether the partition's topic has a subscriber."""
        return read_only((self.audiences.of_topic >= 0)[self.topic_of_partition])

    @cached_property
    def wanted(self) -> LongArray:
        """The partitions that have a subscriber, ascending."""
        return read_only(self.is_wanted.nonzero()[0])

    @cached_property
    def wanted_topics(self) -> LongArray:
        """The topics that have partitions and subscribers, ascending."""
        return read_only(np.flatnonzero((self.audiences.of_topic >= 0) & (self.topic_sizes > 0)))

    @cached_property
    def only_audience(self) -> IntArray | None:
        """The members that all subscribe to every partition; None if subscriptions differ."""
        audiences = set(self.audiences.of_topic[self.topic_sizes > 0].tolist()) - {NO_AUDIENCE}
        return self.audiences.members_of(audiences.pop()) if len(audiences) == 1 else None

    @cached_property
    def taking_part(self) -> IntArray:
        """The members that subscribe to a topic with partitions, ascending."""
        if self.only_audience is not None:
            return self.only_audience
        used = np.unique(self.audiences.of_topic[self.wanted_topics]).tolist()
        rows = [self.audiences.members_of(audience) for audience in used]
        return read_only(np.unique(np.concatenate(rows)) if rows else self.audiences.members[:0])

    @cached_property
    def subscribe_alike(self) -> bool:
        """Whether all members that take part subscribe to every topic that anybody reads."""
        return self.only_audience is not None or not self.wanted_topics.size

    @cached_property
    def static_first(self) -> IntArray:
        """(M,) member numbers: static members by instance id, then dynamic ones by member id."""
        if self.instance_ids.count(None) == self.member_count:
            return read_only(np.arange(self.member_count, dtype=np.int32))
        keys = [(name is None, strings.string_key(name or "")) for name in self.instance_ids]
        order = sorted(range(self.member_count), key=keys.__getitem__)
        return read_only(np.array(order, np.int32))

    @cached_property
    def hash_map_order(self) -> IntArray:
        """(M,) member numbers in the order in which Kafka's client iterates its subscriptions."""
        arrived = [self.members[m] for m in self.arrival.tolist()]
        return read_only(self.arrival.take(hash_order.hash_map_order(arrived)))

    def wanted_slices(self) -> Iterator[tuple[slice, IntArray]]:
        """Yield the partitions and the subscribers, ascending, of each wanted topic."""
        for topic in self.wanted_topics.tolist():
            yield self.topic_span(topic), self.subscribers(topic)

    def topic_span(self, topic: int) -> slice:
        """Return where a topic's partitions stand among all partitions."""
        return slice(*self.topic_starts[topic : topic + 2].tolist())

    def subscribers(self, topic: int) -> IntArray:
        """Return the members that subscribe to a topic that has any, ascending."""
        return self.audiences.members_of(self.audiences.of_topic[topic])

    def partitions_of(self, topics: LongArray | IntArray) -> LongArray:
        """Return the partitions of the topics, topic after topic in the given order."""
        return ragged.spans(self.topic_starts[topics], self.topic_starts[topics + 1])

    def runs(self, partitions: LongArray) -> Iterator[tuple[int, LongArray]]:
        """Yield consecutive partitions with the same subscribers, and their audience."""
        topics = self.topic_of_partition[partitions]
        starts = np.flatnonzero(ragged.changes(topics))
        audiences = self.audiences.of_topic[topics[starts]]
        is_new = ragged.changes(audiences)
        cuts = [*starts[is_new].tolist(), partitions.size]
        for audience, cut in zip(audiences[is_new].tolist(), pairwise(cuts), strict=True):
            yield audience, partitions[slice(*cut)]

    def may_own(self, members: IntArray, partitions: IntArray | LongArray) -> BoolArray:
        """Return for each pair whether the member subscribes to the partition's topic."""
        return self.subscribes[self.class_of_member[members], self.topic_of_partition[partitions]]

    def fit(self, owners: Owners) -> Owners:
        """Return the owners that subscribe, in a new array."""
        owners = owners.copy()
        if not self.wants_everything:
            held = np.flatnonzero(owners != UNOWNED)
            owners[held[~self.may_own(owners[held], held)]] = UNOWNED
        return owners

    def nobody(self) -> Owners:
        """Return a new assignment in which nobody owns anything."""
        owners = np.empty(self.partition_count, np.int32)
        owners.fill(UNOWNED)
        return owners

    def seated(self, seats: IntArray, subscribers: IntArray) -> Owners:
        """Return the assignment in which each partition goes to one subscriber of its topic.

        ``subscribers`` is laid out like ``audiences.members``; ``seats`` (P,) index each topic's
        own subscribers. Topics without subscribers have seat 0 and stay unowned.
        """
        audiences = self.audiences
        first = audiences.starts[audiences.of_topic].astype(np.int32)
        # Audience -1 starts at the entry appended here.
        index = first[self.topic_of_partition] + seats
        return np.append(subscribers, np.int32(UNOWNED)).take(index)

    def partition_name(self, partition: int) -> str:
        """Return ``topic-3``, as Kafka writes a partition."""
        topic = self.topics[self.topic_of_partition[partition]]
        return f"{topic}-{self.number_in_topic[partition]}"

    def named(self, owners: Owners) -> dict[str, tuple[str, ...]]:
        """Return every member's partitions by name; for examples and messages."""
        starts, partitions = ragged.rows_by_key(owners, self.member_count)
        return {
            member: tuple(self.partition_name(p) for p in partitions[starts[m] : starts[m + 1]])
            for m, member in enumerate(self.members)
        }

"""Range and round robin of aiokafka, franz-go, kafka-go, KafkaJS and Sarama.

Each is one of two algorithms with the client's own order of members and partitions. None
looks at racks: franz-go does so only with the option BalanceRacks, kafka-go only in its
rack-affinity balancer, which follows a Go map and is not repeatable. Sources:
aiokafka/coordinator/assignors of v0.14.0; kgo/group_balancer.go of franz-go v1.22.2;
groupbalancer.go of kafka-go v0.4.51; roundRobinAssigner of KafkaJS v2.2.4;
balance_strategy.go of Sarama v1.61.1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors import ragged
from assignors.clients.ordering import (
    as_the_leader_lists,
    by_id,
    by_java_id,
    by_partition_text,
    by_topic_bytes,
    static_first_by_bytes,
)
from assignors.model import Group, IntArray, LongArray, Owners
from assignors.roundrobin import in_turn
from assignors.trace.events import Trace
from assignors.trace.rules import Block, Division, TurnInTopic, Walk


@dataclass(frozen=True)
class RoundRobin:
    """Assign all partitions in turn with one cursor, skipping members that do not subscribe.

    >>> sarama_roundrobin(Group.fresh({"t": 11}, members=["c0", "c1"]))
    array([0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0], dtype=int32)
    """

    members: Callable[[Group], IntArray]
    """The order of all members."""
    partitions: Callable[[Group], LongArray]
    """The order of the wanted partitions."""
    walk: Walk = Walk.BY_TOPIC
    """That order in words."""

    def __call__(self, group: Group, *, trace: Trace | None = None) -> Owners:
        """Return the owners (P,)."""
        return in_turn(group, self.members(group), self.partitions(group), trace, self.walk)


@dataclass(frozen=True)
class PerTopic:
    """Divide each topic among its subscribers, topic by topic.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> [strategy(group).tolist() for strategy in (sarama_range, kafka_go_range)]
    [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    """

    members: Callable[[Group], IntArray]
    """The order of all members."""
    divide: Callable[[int, IntArray], Owners]
    """Assigns that many partitions to these subscribers."""
    counts_repeats: bool = True
    """Whether a member that lists a topic twice gets two shares of it."""

    def __call__(self, group: Group, *, trace: Trace | None = None) -> Owners:
        """Return the owners (P,)."""
        owners = group.nobody()
        for topic, members in self._subscribers(group):
            span = group.topic_span(topic)
            owners[span] = self.divide(span.stop - span.start, members)
            if trace:
                self._tell(trace, np.arange(span.start, span.stop), members)
        return owners

    def _tell(self, trace: Trace, partitions: LongArray, members: IntArray) -> None:
        places = self.divide(partitions.size, np.arange(members.size, dtype=np.int32))
        is_cut = self.divide is not from_the_first
        is_rounded_down = self.divide is rounded_down
        trace.note(Division(is_cut, is_rounded_down), partitions, members)
        rule = Block(places) if is_cut else TurnInTopic(members.size)
        trace.assigned(partitions, members[places], rule)

    def _subscribers(self, group: Group) -> Iterator[tuple[int, IntArray]]:
        """Yield each wanted topic with its subscribers in order."""
        order = self.members(group)
        place = np.argsort(order)
        times = _times_listed(group) if self.counts_repeats else None
        for topic in group.layout.wanted_topics.tolist():
            members = order[np.sort(place[group.subscribers(topic)])]
            if times is not None:
                members = members.repeat(times[group.layout.class_of_member[members], topic])
            yield topic, members


def first_larger(partitions: int, members: IntArray) -> Owners:
    """Cut a topic into contiguous blocks, the first ones larger by one."""
    quota, extras = divmod(partitions, members.size)
    sizes = np.full(members.size, quota)
    sizes[:extras] += 1
    return members.repeat(sizes)


def rounded_down(partitions: int, members: IntArray) -> Owners:
    """Cut a topic at the even shares rounded down, which spreads the larger blocks.

    >>> rounded_down(7, np.arange(5, dtype=np.int32)).tolist()
    [0, 1, 2, 2, 3, 4, 4]
    """
    return members.repeat(np.diff(np.arange(members.size + 1) * partitions // members.size))


def from_the_first(partitions: int, members: IntArray) -> Owners:
    """Assign a topic in turn, starting with its first subscriber."""
    return np.resize(members, partitions)


def _times_listed(group: Group) -> LongArray | None:
    """(C, T) how often a class lists each topic; None where no class lists one twice."""
    if group.layout.class_topics.size == np.count_nonzero(group.subscribes):
        return None
    times = np.zeros(group.subscribes.shape, np.int64)
    np.add.at(times, (ragged.row_of_each(group.layout.class_starts), group.layout.class_topics), 1)
    return times


aiokafka_roundrobin: Final = RoundRobin(by_id, by_topic_bytes)
franz_go_roundrobin: Final = RoundRobin(static_first_by_bytes, by_topic_bytes)
sarama_roundrobin: Final = RoundRobin(by_id, by_partition_text, Walk.BY_TEXT)
kafkajs_roundrobin: Final = RoundRobin(by_java_id, as_the_leader_lists, Walk.AS_LISTED)
"""The leader is taken to be the member listed first. With unequal subscriptions KafkaJS
assigns the leader's topics alone, also to members that do not read them; here every topic
with a subscriber is assigned, and to subscribers alone."""
sarama_range: Final = PerTopic(by_id, first_larger, counts_repeats=False)
aiokafka_range: Final = sarama_range
franz_go_range: Final = PerTopic(static_first_by_bytes, first_larger)
kafka_go_range: Final = PerTopic(by_id, rounded_down)
kafka_go_roundrobin: Final = PerTopic(by_id, from_the_first)

"""The topics that force the most load on their consumers."""

from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, Group, LongArray
from assignors.sums import exact_sums, exact_total
from evaluation.bounds.flow import Edges, cut


class Bottleneck(NamedTuple):
    """A set of topics and the average load that it forces on its consumers."""

    share: int
    """ceil(weight of the topics / consumers that subscribe to any of them)."""
    topics: BoolArray
    """(T,)"""
    consumers: int


def bottleneck(group: Group, weights: LongArray) -> Bottleneck | None:
    """Return the set of topics with the largest weight per consumer.

    ``weights`` (P,) are not negative: 1 per partition, or its lag. By Hall's theorem no assignment
    avoids this load, and one of single units reaches it: it is the value of the linear program
    over topics and consumers, rounded up. Topics with the same subscribers, and consumers with
    the same subscriptions, count as one.

    Newton's method: a flow at the current share either serves everything or is blocked by a set
    of topics with a larger share. None if nobody subscribes to anything.
    """
    if group.layout.wants_everything and len(group.topics):
        return _of_everything(group, weights)
    network = _Network(group, weights)
    if not network.weights:
        return None
    worst = network.shared(np.ones(len(network.weights), np.bool_))
    while (crowd := network.held_up(worst.share)) is not None:
        larger = network.shared(crowd)
        if larger.share <= worst.share:
            break
        worst = larger
    return worst


def least_max_count(group: Group) -> int:
    """Return the smallest possible partition count of the busiest consumer; exact.

    Some set of topics has that many partitions per consumer, and by Hall's theorem the count can be
    reached (the aim of KIP-49).

    >>> wanted = {"c0": ["a"], "c1": ["a", "b"]}
    >>> least_max_count(Group.fresh({"a": 1, "b": 5}, wanted))
    5
    """
    crowd = bottleneck(group, np.ones(group.partition_count, np.int64))
    return crowd.share if crowd else 0


def _of_everything(group: Group, weights: LongArray) -> Bottleneck:
    """Return all topics: if all members subscribe to all of them, no other set is worse."""
    consumers = group.member_count
    share = -(-exact_total(weights) // consumers)
    return Bottleneck(share, np.ones(len(group.topics), np.bool_), consumers)


class _Network:
    """From a source to audiences, from them to their subscription classes, and to a sink."""

    def __init__(self, group: Group, weights: LongArray) -> None:
        audiences = group.audiences
        self.of_topic = audiences.of_topic
        audience_of_partition = self.of_topic[group.topic_of_partition]
        totals = exact_sums(audience_of_partition + 1, weights, audiences.starts.size)
        self.weights: list[int] = totals[1:].tolist()  # the first has no subscribers
        self.sizes = np.bincount(
            group.layout.class_of_member, minlength=group.layout.class_starts.size - 1
        )
        _, first = np.unique(group.layout.class_of_member, return_index=True)
        is_first = np.zeros(group.member_count, np.bool_)
        is_first[first] = True
        entries = np.flatnonzero(is_first[audiences.members])
        self.audience = ragged.row_of_each(audiences.starts)[entries]
        self.class_ = group.layout.class_of_member[audiences.members[entries]]

    def shared(self, chosen: BoolArray) -> Bottleneck:
        """Return the load of these audiences' topics on each of their consumers."""
        total = sum(weight for weight, is_in in zip(self.weights, chosen, strict=True) if is_in)
        classes = np.unique(self.class_[chosen[self.audience]])
        consumers = int(self.sizes[classes].sum())
        return Bottleneck(
            -(-total // consumers), np.append(chosen, False)[self.of_topic], consumers
        )

    def held_up(self, share: int) -> BoolArray | None:
        """Return the audiences that a flow at this share cannot all serve; None if it can."""
        count, classes = len(self.weights), self.sizes.size
        source, sink = count + classes, count + classes + 1
        to_audiences = Edges(np.full(count, source), np.arange(count), self.weights)
        wanted = [self.weights[audience] for audience in self.audience.tolist()]
        to_classes = Edges(self.audience, self.class_ + count, wanted)
        room = [size * share for size in self.sizes.tolist()]
        out = Edges(np.arange(count, source), np.full(classes, sink), room)
        return cut([to_audiences, to_classes, out], source, sink)[1]

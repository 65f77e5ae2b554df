"""The moves of a topic's partitions between members, so that none moves back and forth."""

import numpy as np

from assignors.java import hash_order
from assignors.model import UNOWNED


class Moves:
    """The moves of one topic's partitions so far, each from its first owner to its last.

    Partitions are identified by their number within the topic.
    """

    def __init__(self, topic: str) -> None:
        """Start without moves."""
        self.has_replaced = False
        """Whether any move was replaced by the return of another partition."""
        self._topic = topic
        self._came_from: dict[int, int] = {}
        self._between: dict[tuple[int, int], _HashedPartitions] = {}

    def instead_of(self, partition: int, giver: int, taker: int) -> int:
        """Return which partition should move: one that came the other way, if there is one.

        Rather than send a partition to a member that gave another one of this topic to the same
        giver, Kafka returns that one; of several, the first of a Java HashSet.
        """
        first_giver = self._came_from.get(partition, giver)
        opposite = self._between.get((taker, first_giver))
        if opposite is None:
            return partition
        self.has_replaced = True
        return opposite.first()

    def record(self, partition: int, giver: int, taker: int) -> None:
        """Record a move; moving back to the first owner undoes what was recorded."""
        first_giver = self._came_from.pop(partition, UNOWNED)
        if first_giver == UNOWNED:
            first_giver = giver
        else:
            moved = self._between[first_giver, giver]
            moved.remove(partition)
            if not moved:
                del self._between[first_giver, giver]
        if first_giver != taker:
            self._came_from[partition] = first_giver
            key = first_giver, taker
            if key not in self._between:
                self._between[key] = _HashedPartitions(self._topic)
            self._between[key].add(partition)


class _HashedPartitions:
    """A Java ``HashSet`` of one topic's partitions, for the element it iterates first.

    It starts with 16 buckets, doubles above three quarters, and never shrinks. Limit: buckets of
    more than eight do not become trees; the hashes of one topic's partitions are 31 apart,
    which spreads them too evenly for that.
    """

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._partitions: dict[int, None] = {}
        self._buckets = hash_order.FEWEST_BUCKETS

    def __len__(self) -> int:
        return len(self._partitions)

    def add(self, partition: int) -> None:
        self._partitions[partition] = None
        if len(self._partitions) > self._buckets * 3 // 4:
            self._buckets *= 2

    def remove(self, partition: int) -> None:
        del self._partitions[partition]

    def first(self) -> int:
        partitions = np.array(list(self._partitions), np.uint32)
        hashes = hash_order.partition_hashes(self._topic, partitions)
        return int(partitions[np.argmin(hash_order.bucket_of(hashes, self._buckets))])

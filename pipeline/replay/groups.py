"""Each snapshot of a batch as a ``Group``."""

import numpy as np

from assignors.java import strings
from assignors.layout import Layout, SubscriptionClasses
from assignors.model import Group, IntArray, LongArray
from pipeline.encoding import NOBODY
from pipeline.replay.layout import NONE, BatchLayout
from pipeline.replay.membership import Membership
from pipeline.replay.offsets import BatchOffsets
from pipeline.replay.ordering import Numbers


class Groups:
    """Builds the group of any snapshot of a batch, without claims, with lags and weights.

    Racks are omitted: telemetry lacks the replicas' racks, and without those no strategy considers
    a member's rack.
    """

    def __init__(
        self, numbers: Numbers, layout: BatchLayout, membership: Membership, offsets: BatchOffsets
    ) -> None:
        self._layout, self._membership, self._offsets = layout, membership, offsets
        self._sizes = np.diff(layout.segment_starts)
        self._topic_names: list[str] = membership.list_topics.to_pylist()
        self._member_names: list[str] = numbers.members.to_pylist()
        self._instance_names: list[str | None] = [*membership.instance_names.to_pylist(), None]
        self._segments: list[int] = layout.segments_of_snapshot.tolist()
        self._members: list[int] = membership.starts.tolist()
        self._partitions: list[int] = layout.snapshot_starts.tolist()
        self._topics_known = len(numbers.topics)

    def with_lags(self, snapshot: int, group: Group) -> Group:
        """Return an earlier snapshot's group with the lags and weights of this one."""
        span = slice(*self._partitions[snapshot : snapshot + 2])
        group, weights = group.with_lags(self._offsets.lag[span]), self._offsets.weight
        return group if weights is None else group.with_weights(weights[span])

    def group(self, snapshot: int) -> Group:
        """Return the group at a snapshot; members without a list subscribe to all topics."""
        members = slice(*self._members[snapshot : snapshot + 2])
        segments = slice(*self._segments[snapshot : snapshot + 2])
        seen = self._layout.segment_topic[segments]
        topics: LongArray | IntArray = seen
        sizes = self._sizes[segments]
        classes, class_topics = None, None
        lists = self._membership.list_of_member[members]
        if self._membership.lists and (lists != NONE).any():
            topics, sizes, classes, class_topics = self._subscribed(lists, seen, sizes)
        instances = self._membership.instance[members].tolist()
        has_static = max(instances, default=NOBODY) != NOBODY
        span, weights = slice(*self._partitions[snapshot : snapshot + 2]), self._offsets.weight
        layout = Layout.of(
            [self._topic_names[topic] for topic in topics.tolist()],
            sizes,
            [self._member_names[name] for name in self._membership.name[members].tolist()],
            subscriptions=SubscriptionClasses(classes, class_topics),
            instance_ids=[self._instance_names[i] for i in instances] if has_static else None,
        )
        group = Group.with_layout(layout, lags=self._offsets.lag[span])
        return group if weights is None else group.with_weights(weights[span])

    def _subscribed(
        self, lists: LongArray, seen: IntArray, sizes: LongArray
    ) -> tuple[LongArray, LongArray, IntArray, list[LongArray]]:
        """Return topics and sizes, including topics only subscribed to, and subscriptions."""
        distinct, class_of_member = np.unique(lists, return_inverse=True)
        wanted = [
            seen.astype(np.int64) if each == NONE else self._membership.lists[each]
            for each in distinct.tolist()
        ]
        topics = np.unique(np.concatenate([seen, *wanted]))
        if topics.size and topics[-1] >= self._topics_known:
            # Topics without rows are numbered in no order.
            topics = topics[strings.string_order([self._topic_names[t] for t in topics.tolist()])]
        size_of = dict(zip(seen.tolist(), sizes.tolist(), strict=True))
        all_sizes = np.array([size_of.get(topic, 0) for topic in topics.tolist()], np.int64)
        place_of = {topic: place for place, topic in enumerate(topics.tolist())}
        # Members that list all topics and members without a list are equal.
        classes: dict[tuple[int, ...], int] = {}
        class_of_list = [
            classes.setdefault(tuple(sorted(place_of[t] for t in each.tolist())), len(classes))
            for each in wanted
        ]
        return (
            topics,
            all_sizes,
            np.array(class_of_list, np.int32)[class_of_member],
            [np.array(each, np.int64) for each in classes],
        )

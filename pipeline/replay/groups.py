"""Each snapshot of a batch as a ``Group``."""

from dataclasses import replace

import numpy as np

from assignors.java import strings
from assignors.model import Group, IntArray, LongArray
from pipeline.replay.encoding import NOBODY
from pipeline.replay.layout import NONE, Layout
from pipeline.replay.membership import Membership
from pipeline.replay.offsets import Offsets
from pipeline.replay.ordering import Numbers


class Groups:
    """Builds the group of any snapshot of a batch, without claims.

    Racks are left out: telemetry does not know the replicas' racks, and without those no
    strategy takes a member's into account.
    """

    def __init__(
        self, numbers: Numbers, layout: Layout, membership: Membership, offsets: Offsets
    ) -> None:
        self._layout, self._membership, self._lags = layout, membership, offsets.lag
        self._sizes = np.diff(layout.segment_starts)
        self._topic_names: list[str] = membership.list_topics.to_pylist()
        self._member_names: list[str] = numbers.members.to_pylist()
        self._instance_names: list[str | None] = [*membership.instance_names.to_pylist(), None]
        self._segments: list[int] = layout.segments_of_snapshot.tolist()
        self._members: list[int] = membership.starts.tolist()
        self._partitions: list[int] = layout.snapshot_starts.tolist()
        self._topics_known = len(numbers.topics)

    def with_lags(self, snapshot: int, group: Group) -> Group:
        """Return a group of an earlier snapshot as it is now, if only its lags have changed."""
        return replace(group, lags=self._lags[slice(*self._partitions[snapshot : snapshot + 2])])

    def group(self, snapshot: int) -> Group:
        """Return the group at a snapshot; every member subscribes to all topics unless listed."""
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
        return Group.of(
            [self._topic_names[topic] for topic in topics.tolist()],
            sizes,
            [self._member_names[name] for name in self._membership.name[members].tolist()],
            class_of_member=classes,
            class_topics=class_topics,
            lags=self._lags[slice(*self._partitions[snapshot : snapshot + 2])],
            instance_ids=[self._instance_names[i] for i in instances] if has_static else None,
        )

    def _subscribed(
        self, lists: LongArray, seen: IntArray, sizes: LongArray
    ) -> tuple[LongArray, LongArray, IntArray, list[LongArray]]:
        """Return topics and sizes, also of topics only subscribed to, and who wants which."""
        distinct, class_of_member = np.unique(lists, return_inverse=True)
        wanted = [
            seen.astype(np.int64) if each == NONE else self._membership.lists[each]
            for each in distinct.tolist()
        ]
        topics = np.unique(np.concatenate([seen, *wanted]))
        if topics.size and topics[-1] >= self._topics_known:
            # Topics without rows have numbers in no order.
            topics = topics[strings.string_order([self._topic_names[t] for t in topics.tolist()])]
        size_of = dict(zip(seen.tolist(), sizes.tolist(), strict=True))
        all_sizes = np.array([size_of.get(topic, 0) for topic in topics.tolist()], np.int64)
        place_of = {topic: place for place, topic in enumerate(topics.tolist())}
        # Members that list all topics and members that list none are alike.
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

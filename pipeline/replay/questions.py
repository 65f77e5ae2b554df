"""One snapshot of a group as the strategies are asked about it."""

from dataclasses import replace

import numpy as np

from assignors.java import strings
from assignors.model import Group, IntArray, LongArray
from pipeline.replay.layout import NONE, Layout
from pipeline.replay.membership import Membership
from pipeline.replay.names import NOBODY
from pipeline.replay.offsets import Offsets
from pipeline.replay.sorting import Numbers


class Questions:
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
        self._instance_names: list[str] = membership.instance_names.to_pylist()
        self._segments: list[int] = layout.segments_of_unit.tolist()
        self._members: list[int] = membership.starts.tolist()
        self._partitions: list[int] = layout.unit_starts.tolist()
        self._topics_known = len(numbers.topics)

    def with_lags(self, unit: int, group: Group) -> Group:
        """Return a group of an earlier snapshot as it is now, if only its lags have changed."""
        return replace(group, lags=self._lags[slice(*self._partitions[unit : unit + 2])])

    def group(self, unit: int) -> Group:
        """Return the group at a snapshot; everybody subscribes to all topics unless listed."""
        members = slice(*self._members[unit : unit + 2])
        segments = slice(*self._segments[unit : unit + 2])
        seen = self._layout.segment_topic[segments]
        topics: LongArray | IntArray = seen
        sizes = self._sizes[segments]
        classes, class_topics = None, None
        lists = self._membership.list_of_member[members]
        if self._membership.lists and (lists != NONE).any():
            topics, sizes, classes, class_topics = self._subscribed(lists, seen, sizes)
        instances = self._membership.instance[members]
        has_static = instances.size and instances.max() != NOBODY
        return Group.of(
            [self._topic_names[topic] for topic in topics.tolist()],
            sizes,
            [self._member_names[name] for name in self._membership.name[members].tolist()],
            class_of_member=classes,
            class_topics=class_topics,
            lags=self._lags[slice(*self._partitions[unit : unit + 2])],
            instance_ids=self._instances(instances) if has_static else None,
        )

    def _instances(self, instances: IntArray) -> list[str | None]:
        return [
            None if instance == NOBODY else self._instance_names[instance]
            for instance in instances.tolist()
        ]

    def _subscribed(
        self, lists: LongArray, seen: IntArray, sizes: LongArray
    ) -> tuple[LongArray, LongArray, IntArray, list[LongArray]]:
        """Return topics and sizes, also of topics only subscribed to, and who wants which."""
        distinct, class_of_member = np.unique(lists, return_inverse=True)
        wanted = [
            seen.astype(np.int64) if each == NONE else self._membership.lists[each]
            for each in distinct.tolist()
        ]
        topics = self._in_java_order(np.unique(np.concatenate([seen, *wanted])))
        size_of = dict(zip(seen.tolist(), sizes.tolist(), strict=True))
        place_of = {topic: place for place, topic in enumerate(topics.tolist())}
        classes = [np.sort([place_of[t] for t in each.tolist()]) for each in wanted]
        all_sizes = np.array([size_of.get(topic, 0) for topic in topics.tolist()], np.int64)
        return topics, all_sizes, *_shared(class_of_member.astype(np.int32), classes)

    def _in_java_order(self, topics: LongArray) -> LongArray:
        """Order topics by name; those that telemetry has no rows of are numbered at random."""
        if not topics.size or topics[-1] < self._topics_known:
            return topics
        return topics[strings.string_order([self._topic_names[t] for t in topics.tolist()])]


def _shared(
    class_of_member: IntArray, classes: list[LongArray]
) -> tuple[IntArray, list[LongArray]]:
    """Let classes that want the same be one, as where all of a group's topics are listed."""
    number: dict[bytes, int] = {}
    merged = [number.setdefault(each.tobytes(), len(number)) for each in classes]
    first = [merged.index(each) for each in range(len(number))]
    return np.array(merged, np.int32)[class_of_member], [classes[each] for each in first]

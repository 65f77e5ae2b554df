"""Why range and server-range cut a topic as they do."""

from typing import NamedTuple

import numpy as np

from assignors.model import Group, IntArray, LongArray
from assignors.range_ import room_beside, seats_by_rack, sets_with_racks, subscribers_in_order
from evaluation.explain.reasoning import Reasoning, Step, Words, place_of
from evaluation.wording import listed, ordinal, plural


class _Topic(NamedTuple):
    """What is known about a partition's topic before anybody gets anything."""

    number: int
    """Of the partition within the topic."""
    size: int
    members: IntArray
    """The subscribers in order; a seat is a place among them."""

    @property
    def quota(self) -> int:
        return self.size // self.members.size

    @property
    def extras(self) -> int:
        return self.size % self.members.size


class Range:
    """Cuts each topic into blocks, after a pass that matches racks where there are any."""

    def __init__(self, group: Group, *, sees_racks: bool = True) -> None:
        self._group, self._words = group, Words(group)
        sets = sets_with_racks(group) if sees_racks else []
        self._assigned_together = {int(topic): topics for topics in sets for topic in topics}
        self.order = np.flatnonzero(group.is_wanted)

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        group = self._group
        number = int(group.topic_of_partition[partition])
        members = subscribers_in_order(group, int(group.audiences.of_topic[number]))
        topic = _Topic(
            int(group.number_in_topic[partition]), int(group.topic_sizes[number]), members
        )
        if number in self._assigned_together:
            seat, steps = self._by_racks(topic, self._assigned_together[number], partition)
        else:
            seat, step = self._block(topic)
            steps = [step]
        start = (self._member_order(members), self._quota(topic, group.topics[number]))
        return Reasoning(int(members[seat]), (*start, *steps))

    def _member_order(self, members: IntArray) -> Step:
        static = sum(self._group.instance_ids[member] is not None for member in members)
        by = "by consumer id"
        if static:
            by = f"the {plural(static, 'static consumer')} first by instance id, others by id"
        return Step("Order", f"In order they are {self._words.members(members)} ({by}).")

    def _quota(self, topic: _Topic, name: str) -> Step:
        first = self._words.member(topic.members[0])
        more = {0: "with none left over", 1: f"and {first} one more"}
        extra = more.get(topic.extras, f"and the first {topic.extras:,} one more")
        subscribers = plural(topic.members.size, "subscriber")
        division = f"{plural(topic.size, 'partition')} ÷ {subscribers} = {topic.quota:,} each"
        return Step("Quota", f"{name} is cut alone: {division}, {extra}.")

    def _block(self, topic: _Topic) -> tuple[int, Step]:
        """Find the block by counting from the left; the first blocks are the larger ones."""
        seats = np.arange(topic.members.size)
        starts = seats * topic.quota + np.minimum(seats, topic.extras)
        seat = int(np.searchsorted(starts, topic.number, side="right")) - 1
        size, first = topic.quota + (seat < topic.extras), int(starts[seat])
        block = f"partitions {first:,} to {first + size - 1:,}"
        if size == 1:
            block = f"partition {first:,}"
        text = (
            f"The {ordinal(seat + 1)} block, {block}, holds number {topic.number:,}, and "
            f"{self._words.member(topic.members[seat])} is {ordinal(seat + 1)} in order."
        )
        return seat, Step("Block", text)

    def _by_racks(
        self, topic: _Topic, together: LongArray, partition: int
    ) -> tuple[int, list[Step]]:
        """Match racks first, then cut what that leaves; some topics get the same cut."""
        group, words, members = self._group, self._words, topic.members
        partitions = group.topic_starts[together][:, None] + np.arange(topic.size)
        seats = seats_by_rack(group, partitions, members)
        steps, common = [], ""
        if together.size > 1:
            common = f" in all of {listed([group.topics[number] for number in together])}"
            text = (
                f"{plural(together.size, 'topic')} with the same subscribers and as many "
                "partitions get the same cut, and a rack counts only if it matches in all of them."
            )
            steps.append(Step("Co-partitioned", text))
        seat = int(seats[topic.number])
        if seat >= 0:
            return seat, [*steps, self._near(topic, seats, common, partition)]
        rest, room = np.flatnonzero(seats < 0), room_beside(seats, members.size)
        place = place_of(topic.number, rest)
        seat = int(np.searchsorted(np.cumsum(room), place, side="right"))
        has_room = np.flatnonzero(room)
        where = words.replica_racks(partition)
        waits = f"Nobody with room matched it: its replicas stand in {where}{common}."
        text = (
            f"Racks left {plural(rest.size, 'partition')}, cut as blocks among those with room, "
            f"{words.each(members[has_room], room[has_room])}: this is the {ordinal(place + 1)}, "
            f"so {words.member(members[seat])} takes it."
        )
        return seat, [*steps, Step("Racks, first pass", waits), Step("Second pass", text)]

    def _near(self, topic: _Topic, seats: IntArray, common: str, partition: int) -> Step:
        words, seat = self._words, seats[topic.number]
        member = topic.members[seat]
        owner = f"{words.member(member)}, in {words.rack(member)}, where a replica stands{common},"
        if self._group.member_racks[member] < 0:
            owner = f"{words.member(member)}, which has no rack and so matches any,"
        before = int(np.count_nonzero(seats[: topic.number] == seat))
        if common:
            text = (
                "Number by number, the first consumer in order that matches and has room takes "
                f"it: {owner} has {before:,} so far."
            )
        else:
            text = (
                f"Its replicas stand in {words.replica_racks(partition)}. In order, each consumer "
                f"takes the free partitions that match its rack, up to its quota; {owner} takes "
                f"{np.count_nonzero(seats == seat):,}, this one as its {ordinal(before + 1)}."
            )
        return Step("Racks, first pass", text)

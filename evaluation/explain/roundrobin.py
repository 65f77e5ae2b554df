"""Why round robin gives a partition to its owner."""

import numpy as np

from assignors.model import Group
from assignors.roundrobin import roundrobin
from evaluation.explain.reasoning import Reasoning, Step, Words, place_of
from evaluation.wording import ordinal, plural


class RoundRobin:
    """Goes on from the owner of the partition before, past members that do not subscribe."""

    def __init__(self, group: Group) -> None:
        self._group, self._words = group, Words(group)
        self._owners = roundrobin(group)
        self.order = np.flatnonzero(group.is_wanted)

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        group, words, circle = self._group, self._words, self._group.static_first
        place = place_of(partition, self.order)
        ahead, cursor = circle, f"The circle starts with {words.member(circle[0])}"
        if place:
            before = int(self.order[place - 1])
            last = self._owners[before]
            ahead = np.roll(circle, -1 - place_of(last, circle))
            cursor = f"{words.partition(before)} went to {words.member(last)}, so "
            cursor += f"{words.member(ahead[0])} is next on the circle"
        topic = group.topic_of_partition[partition]
        passed = int(np.argmax(group.subscribes[group.class_of_member[ahead], topic]))
        taker = words.member(ahead[passed])
        if passed:
            do_not, are = ("does not", "is") if passed == 1 else ("do not", "are")
            cursor += (
                f"; {words.members(ahead[:passed])} {do_not} subscribe to {words.topic(partition)} "
                f"and {are} passed over: {taker} takes it."
            )
        else:
            cursor += f", and subscribes to {words.topic(partition)}: it takes it."
        by = "static ones first by instance id" if any(group.instance_ids) else "by consumer id"
        members = f"All {plural(circle.size, 'consumer')} sit in a circle, {by}: "
        number = f"this is the {ordinal(place + 1)} of {self.order.size:,}."
        steps = (
            Step("Circle", f"{members}{words.members(circle)}."),
            Step("Position", f"Partitions are assigned topic by topic: {number}"),
            Step("Cursor", cursor),
        )
        return Reasoning(int(ahead[passed]), steps)

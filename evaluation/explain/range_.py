"""Why range and server-range cut a topic as they do."""

from functools import partial
from typing import NamedTuple

import numpy as np

from assignors.model import Group, IntArray, LongArray
from assignors.range_ import room_beside, seats_by_rack, sets_with_racks, subscribers_in_order
from evaluation.explain.reasoning import Account, Reasoning, Step, Words
from evaluation.wording import ordinal, plural


class _Cut(NamedTuple):
    """What is known about one partition before anybody gets it."""

    partition: int
    number: int
    """Within the topic."""
    size: int
    """Partitions of the topic."""
    members: IntArray
    """The subscribers in order; a seat is a place among them."""

    @property
    def quota(self) -> int:
        return self.size // self.members.size

    @property
    def extras(self) -> int:
        return self.size % self.members.size


def range_account(group: Group) -> Account:
    """Explain range: blocks, and in front of them the pass that matches racks."""
    alike = {int(topic): topics for topics in sets_with_racks(group) for topic in topics}
    return Account(np.flatnonzero(group.is_wanted), partial(_reason, group, Words(group), alike))


def server_range_account(group: Group) -> Account:
    """Explain the broker's range, which looks at no racks."""
    return Account(np.flatnonzero(group.is_wanted), partial(_reason, group, Words(group), {}))


def _reason(group: Group, words: Words, alike: dict[int, LongArray], partition: int) -> Reasoning:
    topic = int(group.topic_of_partition[partition])
    cut = _Cut(
        partition,
        int(group.number_in_topic[partition]),
        int(group.topic_sizes[topic]),
        subscribers_in_order(group, int(group.audiences.of_topic[topic])),
    )
    start = (_order(group, words, cut), _quota(words, cut))
    if topic in alike:
        seat, steps = _beside_racks(group, words, cut, alike[topic])
    else:
        seat, steps = _block(words, cut)
    return Reasoning(int(cut.members[seat]), (*start, *steps))


def _order(group: Group, words: Words, cut: _Cut) -> Step:
    static = [group.instance_ids[m] for m in cut.members.tolist() if group.instance_ids[m]]
    why = "by consumer id"
    if static:
        why = f"the {plural(len(static), 'static consumer')} first by instance id, others by id"
    return Step("Order", f"In order they are {words.members(cut.members.tolist())} ({why}).")


def _quota(words: Words, cut: _Cut) -> Step:
    more = {0: "with none left over", 1: f"and {words.member(int(cut.members[0]))} one more"}
    extra = more.get(cut.extras, f"and the first {cut.extras:,} one more")
    division = f"{plural(cut.size, 'partition')} ÷ {plural(cut.members.size, 'subscriber')}"
    topic = words.topic(cut.partition)
    return Step("Quota", f"{topic} is cut alone: {division} = {cut.quota:,} each, {extra}.")


def _block(words: Words, cut: _Cut) -> tuple[int, list[Step]]:
    """Find the block by counting from the left; the first blocks are the larger ones."""
    larger = cut.quota + 1
    if cut.number < cut.extras * larger:
        seat, size = cut.number // larger, larger
        first = seat * larger
    else:
        seat, size = cut.extras + (cut.number - cut.extras * larger) // cut.quota, cut.quota
        first = cut.extras + seat * cut.quota
    block = f"partition {first:,}" if size == 1 else f"partitions {first:,} to {first + size - 1:,}"
    owner = words.member(int(cut.members[seat]))
    text = (
        f"The {ordinal(seat + 1)} block, {block}, holds number {cut.number:,}, and {owner} "
        f"is {ordinal(seat + 1)} in order."
    )
    return seat, [Step("Block", text)]


def _beside_racks(
    group: Group, words: Words, cut: _Cut, topics: LongArray
) -> tuple[int, list[Step]]:
    partitions = group.topic_starts[topics][:, None] + np.arange(cut.size)
    seats = seats_by_rack(group, partitions, cut.members)
    names = [group.topics[topic] for topic in topics.tolist()]
    common = f" in all of {', '.join(names[:6])}" if topics.size > 1 else ""
    steps = []
    if topics.size > 1:
        text = (
            f"{plural(topics.size, 'topic')} with the same subscribers and as many partitions "
            "get the same cut, and a rack counts only if it matches in all of them."
        )
        steps.append(Step("Co-partitioned", text))
    seat = int(seats[cut.number])
    if seat >= 0:
        return seat, [*steps, _first_pass(words, cut, seats, common, one_topic=topics.size == 1)]
    rest = np.flatnonzero(seats < 0)
    room = room_beside(seats, cut.members.size)
    place = int(np.searchsorted(rest, cut.number))
    seat = int(np.searchsorted(np.cumsum(room), place, side="right"))
    has_room = np.flatnonzero(room)
    text = (
        f"Racks left {plural(rest.size, 'partition')}, cut as blocks among those with room, "
        f"{words.each(cut.members[has_room].tolist(), room[has_room].tolist())}: this is the "
        f"{ordinal(place + 1)}, so {words.member(int(cut.members[seat]))} takes it."
    )
    where = words.replica_racks(cut.partition)
    waits = f"Nobody with room matched it: its replicas stand in {where}{common}."
    return seat, [*steps, Step("Racks, first pass", waits), Step("Second pass", text)]


def _first_pass(words: Words, cut: _Cut, seats: IntArray, common: str, *, one_topic: bool) -> Step:
    seat = int(seats[cut.number])
    member = int(cut.members[seat])
    before = int(np.count_nonzero(seats[: cut.number] == seat))
    took = int(np.count_nonzero(seats == seat))
    owner = f"{words.member(member)}, in {words.rack(member)}, where a replica stands{common},"
    if words.rack(member) == "no rack":
        owner = f"{words.member(member)}, which has no rack and so matches any,"
    if one_topic:
        text = (
            f"Its replicas stand in {words.replica_racks(cut.partition)}. In order, each consumer "
            f"takes the free partitions that match its rack, up to its quota; {owner} takes "
            f"{took:,}, this one as its {ordinal(before + 1)}."
        )
    else:
        text = (
            f"Number by number, the first consumer in order that matches and has room takes it: "
            f"{owner} has {before:,} so far."
        )
    return Step("Racks, first pass", text)

"""Why Kafka's range and those of other clients cut each topic as they do."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from assignors.clients.librdkafka import co_partitioned, seats_near
from assignors.clients.ordering import static_first_by_bytes
from assignors.clients.range_roundrobin import PerTopic, first_larger, from_the_first, rounded_down
from assignors.model import Group, IntArray, Layout, LongArray
from assignors.range_ import room_beside, seats_by_rack, sets_with_racks, subscribers_in_order
from evaluation.explain.reasoning import Derivation, Reasoning, Step, Words, position_of
from evaluation.wording import listed, ordinal, plural

_Near: TypeAlias = Callable[[Layout, LongArray, IntArray], IntArray]
_NONE: Final[Mapping[int, LongArray]] = MappingProxyType({})


class _Topic(NamedTuple):
    """A partition's topic before anything is assigned."""

    number: int
    """Of the partition within the topic."""
    size: int
    members: IntArray
    """The subscribers in order; seats index them."""
    name: str

    @property
    def extras(self) -> int:
        return self.size % self.members.size

    @property
    def division(self) -> str:
        subscribers = plural(self.members.size, "subscriber")
        each = self.size // self.members.size
        return f"{plural(self.size, 'partition')} ÷ {subscribers} = {each:,} each"


_Cut: TypeAlias = Callable[[_Topic, Words], tuple[int, list[Step]]]


def _by_topic(  # noqa: PLR0913 -- what differs between clients
    group: Group,
    members_of: Callable[[int], IntArray],
    cut: _Cut,
    together: Mapping[int, LongArray] = _NONE,
    near: _Near = seats_by_rack,
    *,
    static: str = "",
) -> Derivation:
    """Cut each topic, after a pass that matches racks if there are any.

    ``members_of`` returns the subscribers of a topic in order; ``together`` holds the topics
    that are cut with it once racks count, and ``near`` returns their seats by rack.
    """
    words = Words(group)

    def reason(partition: int) -> Reasoning:
        number = int(group.topic_of_partition[partition])
        place, size = int(group.number_in_topic[partition]), int(group.topic_sizes[number])
        topic = _Topic(place, size, members_of(number), group.topics[number])
        seat, steps = cut(topic, words)
        if number in together:
            seat, rest = _by_racks(words, topic, together[number], near, partition)
            steps = [steps[0], *rest]
        by, fixed = (
            "by consumer id",
            sum(group.layout.instance_ids[m] is not None for m in topic.members),
        )
        if fixed and static:
            by = static.format(plural(fixed, "static consumer"))
        order = Step("Order", f"In order they are {words.members(topic.members)} ({by}).")
        return Reasoning(int(topic.members[seat]), (order, *steps))

    return Derivation(np.flatnonzero(group.is_wanted), reason)


def _by_racks(
    words: Words, topic: _Topic, together: LongArray, near: _Near, partition: int
) -> tuple[int, list[Step]]:
    """Match racks first, then cut the rest; co-partitioned topics get the same cut."""
    group, members, steps, common = words.group, topic.members, [], ""
    partitions = group.layout.topic_starts[together][:, None] + np.arange(topic.size)
    seats = near(group.layout, partitions, members)
    if together.size > 1:
        common = f" in all of {listed([group.topics[number] for number in together])}"
        text = (
            f"{plural(together.size, 'topic')} with the same subscribers and as many "
            "partitions get the same cut, and a rack counts only if it matches in all of them."
        )
        steps.append(Step("Co-partitioned", text))
    seat, where = int(seats[topic.number]), words.replica_racks(partition)
    if seat >= 0:
        text = _matched(words, topic, seats, common, where)
        return seat, [*steps, Step("Racks, first pass", text)]
    rest, room = np.flatnonzero(seats < 0), room_beside(seats, members.size)
    place = position_of(topic.number, rest)
    seat = int(np.searchsorted(np.cumsum(room), place, side="right"))
    has_room = np.flatnonzero(room)
    waits = f"Nobody with room matched it: its replicas are in {where}{common}."
    text = (
        f"The rack pass left {plural(rest.size, 'partition')}, cut in blocks for those with room, "
        f"{words.each(members[has_room], room[has_room])}: this is the {ordinal(place + 1)}, "
        f"so {words.member(members[seat])} takes it."
    )
    return seat, [*steps, Step("Racks, first pass", waits), Step("Second pass", text)]


def _matched(words: Words, topic: _Topic, seats: IntArray, common: str, where: str) -> str:
    seat = seats[topic.number]
    member = topic.members[seat]
    owner = f"{words.member(member)}, in {words.rack(member)}, where a replica is{common},"
    if words.group.layout.member_racks[member] < 0:
        owner = f"{words.member(member)}, which has no rack and so matches any,"
    before = int(np.count_nonzero(seats[: topic.number] == seat))
    if common:
        return (
            "Number by number, the first consumer in order that matches and has room takes "
            f"it: {owner} has {before:,} so far."
        )
    return (
        f"Its replicas are in {where}. In order, each consumer takes the free partitions that "
        f"match its rack, up to its quota; {owner} takes {np.count_nonzero(seats == seat):,}, this "
        f"one as its {ordinal(before + 1)}."
    )


def _first_larger(topic: _Topic, words: Words) -> tuple[int, list[Step]]:
    """Return the block if the first blocks are the larger ones."""
    more = {0: "with none left over", 1: f"one more for {words.member(topic.members[0])}"}
    extra = more.get(topic.extras, f"one more for the first {topic.extras:,}")
    places = np.arange(topic.members.size + 1)
    starts = places * (topic.size // topic.members.size) + np.minimum(places, topic.extras)
    return _block(topic, words, starts, f"{topic.division}, {extra}")


def _rounded_down(topic: _Topic, words: Words) -> tuple[int, list[Step]]:
    """Return the block if cuts are at the even shares rounded down, as in kafka-go."""
    extra = f"one more for {topic.extras:,}" if topic.extras else "with none left over"
    starts = np.arange(topic.members.size + 1) * topic.size // topic.members.size
    how = f"{topic.division}, {extra}, as the cuts are at the even shares rounded down"
    return _block(topic, words, starts, how)


def _block(topic: _Topic, words: Words, starts: LongArray, how: str) -> tuple[int, list[Step]]:
    seat = int(np.searchsorted(starts, topic.number, side="right")) - 1
    first, end = starts[seat : seat + 2].tolist()
    block = f"{first:,} alone" if end - first == 1 else f"{first:,} to {end - 1:,}"
    text = (
        f"Partition {topic.number:,} is in the {ordinal(seat + 1)} block, {block}, which goes to "
        f"{words.member(topic.members[seat])}, {ordinal(seat + 1)} in order."
    )
    return seat, [Step("Quota", f"{topic.name} is cut on its own: {how}."), Step("Block", text)]


def _in_turn(topic: _Topic, words: Words) -> tuple[int, list[Step]]:
    """Return the turn of a topic that starts with its first subscriber, as in kafka-go."""
    seat = topic.number % topic.members.size
    text = (
        f"Every topic starts with the first subscriber again: number {topic.number:,} of "
        f"{topic.name} goes to {words.member(topic.members[seat])}, {ordinal(seat + 1)} of "
        f"{topic.members.size:,} in order."
    )
    return seat, [Step("Turn", text)]


_STATIC_FIRST: Final = "the {} first by instance id, others by id"
_STATIC_AMONG_THEMSELVES: Final = (
    "the {} by instance id among themselves, others by id; where both kinds meet, as librdkafka's "
    "sort leaves them"
)


def derive_range(group: Group, *, sees_racks: bool = True) -> Derivation:
    """Return why Kafka's range, on clients and on brokers, decides as it does."""
    together = {t: topics for topics in sets_with_racks(group.layout) for t in topics.tolist()}
    return _by_topic(
        group,
        lambda topic: subscribers_in_order(group.layout, int(group.audiences.of_topic[topic])),
        _first_larger,
        together if sees_racks else _NONE,
        static=_STATIC_FIRST,
    )


def derive_librdkafka_range(group: Group) -> Derivation:
    """Return the same for librdkafka, which considers racks in other cases."""
    sets = co_partitioned(group)
    return _by_topic(
        group,
        {t: members for topics, members in sets for t in topics.tolist()}.__getitem__,
        _first_larger,
        {t: topics for topics, _ in sets for t in topics.tolist()} if group.layout.racks else _NONE,
        seats_near,
        static=_STATIC_AMONG_THEMSELVES,
    )


_CUTS: Final[Mapping[Callable[..., Any], _Cut]] = MappingProxyType(
    {first_larger: _first_larger, rounded_down: _rounded_down, from_the_first: _in_turn}
)


def derive_per_topic(group: Group, strategy: PerTopic) -> Derivation:
    """Return the same for clients that divide every topic without considering racks."""
    members = dict(strategy.subscribers(group)).__getitem__
    static = _STATIC_FIRST if strategy.members is static_first_by_bytes else ""
    return _by_topic(group, members, _CUTS[strategy.divide], static=static)

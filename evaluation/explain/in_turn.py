"""Why strategies that decide one partition after another choose its owner.

A decision of fair or lag-based is derived anew from what the candidates held when its turn
came, which is what the decisions before it gave them.
"""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.clients import librdkafka
from assignors.clients.kafkajs import as_the_leader_lists
from assignors.clients.sarama import by_text
from assignors.clients.subscribers import (
    by_id,
    by_topic_bytes,
    in_one_circle,
    static_first_by_bytes,
)
from assignors.fair import fair, scarce_first
from assignors.lag.based import lag_based, most_lag_first
from assignors.model import Group, IntArray, LongArray
from assignors.quotas import held_by_each
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    exact_lags,
    position_of,
    smallest_id,
    subscribers_of,
    to_emptiest,
)
from evaluation.wording import ordinal, plural

_BY_TOPIC: Final = "topic by topic"
_STATIC_FIRST: Final = "static ones first by instance id"


def _round_robin(
    group: Group, circle: IntArray, order: LongArray, walk: str, *, static: str = ""
) -> Derivation:
    """Go on from the owner of the partition before, past members that do not subscribe.

    ``order`` has the wanted partitions as they are assigned, and ``walk`` says how that is.
    """
    words, owners = Words(group), in_one_circle(group, circle, order)
    by = static if static and any(group.instance_ids) else "by consumer id"
    members = f"All {plural(circle.size, 'consumer')} sit in a circle, {by}: "

    def reason(partition: int) -> Reasoning:
        place = position_of(partition, order)
        ahead, cursor = circle, f"The circle starts with {words.member(circle[0])}"
        if place:
            before = int(order[place - 1])
            ahead = np.roll(circle, -1 - position_of(owners[before], circle))
            cursor = f"{words.partition(before)} went to {words.member(owners[before])}, so "
            cursor += f"{words.member(ahead[0])} is next on the circle"
        topic = group.topic_of_partition[partition]
        passed = int(np.argmax(group.subscribes[group.class_of_member[ahead], topic]))
        end = f", and subscribes to {words.topic(partition)}: it takes it."
        if passed:
            do_not, are = ("does not", "is") if passed == 1 else ("do not", "are")
            end = (
                f"; {words.members(ahead[:passed])} {do_not} subscribe to {words.topic(partition)} "
                f"and {are} passed over: {words.member(ahead[passed])} takes it."
            )
        number = f"this is the {ordinal(place + 1)} of {order.size:,}."
        steps = (
            Step("Circle", f"{members}{words.members(circle)}."),
            Step("Position", f"Partitions are assigned {walk}: {number}"),
            Step("Cursor", cursor + end),
        )
        return Reasoning(int(ahead[passed]), steps)

    return Derivation(order, reason)


def derive_roundrobin(group: Group) -> Derivation:
    """Return why Kafka's round robin decides as it does."""
    order = np.flatnonzero(group.is_wanted)
    return _round_robin(group, group.static_first, order, _BY_TOPIC, static=_STATIC_FIRST)


def derive_librdkafka_roundrobin(group: Group) -> Derivation:
    """Return the same for librdkafka."""
    static = "static ones by instance id among themselves, others by consumer id"
    order = by_topic_bytes(group)
    return _round_robin(group, librdkafka.circle(group), order, _BY_TOPIC, static=static)


def derive_franz_go_roundrobin(group: Group) -> Derivation:
    """Return the same for franz-go."""
    circle, order = static_first_by_bytes(group), by_topic_bytes(group)
    return _round_robin(group, circle, order, _BY_TOPIC, static=_STATIC_FIRST)


def derive_aiokafka_roundrobin(group: Group) -> Derivation:
    """Return the same for aiokafka."""
    return _round_robin(group, by_id(group), by_topic_bytes(group), _BY_TOPIC)


def derive_sarama_roundrobin(group: Group) -> Derivation:
    """Return the same for Sarama."""
    walk = "in the order of their names as text, 10 before 2"
    return _round_robin(group, by_id(group), by_text(group), walk)


def derive_kafkajs_roundrobin(group: Group) -> Derivation:
    """Return the same for KafkaJS."""
    walk = "topic by topic, as the leader lists the topics"
    circle = np.arange(group.member_count, dtype=np.int32)
    return _round_robin(group, circle, as_the_leader_lists(group), walk)


def derive_fair(group: Group) -> Derivation:
    """Return why fair gives to the subscriber with the fewest partitions, over all topics."""
    words, owners, topics = Words(group), fair(group), scarce_first(group)
    order = ragged.spans(group.topic_starts[topics], group.topic_starts[topics + 1])

    def reason(partition: int) -> Reasoning:
        place = position_of(partition, order)
        counts = held_by_each(owners[order[:place]], group.member_count)
        subscribers = subscribers_of(group, partition)
        size = int(group.topic_sizes[group.topic_of_partition[partition]])
        position = (
            "Topics with the fewest subscribers come first, then the largest: "
            f"{words.topic(partition)} has {plural(subscribers.size, 'subscriber')} and "
            f"{plural(size, 'partition')}, so this is the "
            f"{ordinal(place + 1)} of {order.size:,} decisions."
        )
        held = "Of all topics, the subscribers hold {}."
        taker, decision = to_emptiest(words, subscribers, counts, held)
        return Reasoning(taker, (Step("Position", position), *decision))

    return Derivation(order, reason)


def derive_lag_based(group: Group) -> Derivation:
    """Return why lag-based gives to the fewest partitions, then the least lag, of each topic."""
    words, owners, topics = Words(group), lag_based(group), group.topic_of_partition
    order = most_lag_first(group)
    order = order[group.is_wanted[order]]

    def reason(partition: int) -> Reasoning:
        of_topic = order[topics[order] == topics[partition]]
        place = position_of(partition, of_topic)
        counts = held_by_each(owners[of_topic[:place]], group.member_count)
        lags = exact_lags(group, owners, of_topic[:place])
        subscribers = subscribers_of(group, partition).tolist()
        standing = sorted(subscribers, key=lambda member: (counts[member], lags[member], member))
        taker = standing[0]
        fewest, least = int(counts[taker]), lags[taker]
        position = (
            f"{words.topic(partition)} is assigned alone, most lag first: with a lag of "
            f"{words.lag(partition)}, this is the {ordinal(place + 1)} of "
            f"{plural(of_topic.size, 'partition')}."
        )
        held = f"Of this topic, the subscribers hold {words.each(standing, counts[standing])}."
        steps = (Step("Position", position), Step("Held so far", held))
        candidates = [member for member in standing if counts[member] == fewest]
        if len(candidates) == 1:
            what = f"the fewest of this topic so far, {fewest:,}"
            return Reasoning(taker, (*steps, smallest_id(words, candidates, what)))
        carried = words.each(candidates, [lags[member] for member in candidates])
        so_far = f"Those with the fewest carry this lag of the topic: {carried}."
        equal = [member for member in candidates if lags[member] == least]
        what = f"{plural(fewest, 'partition')} of this topic and the least lag, {least:,}"
        decision = smallest_id(words, equal, what)
        return Reasoning(taker, (*steps, Step("Lag so far", so_far), decision))

    return Derivation(order, reason)

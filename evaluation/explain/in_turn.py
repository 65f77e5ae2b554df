"""Why strategies that assign one partition after another choose each owner.

Decisions of fair and lag-based are derived again from what the candidates held at that point.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from assignors.batch.lag_rounds import most_lag_first
from assignors.clients.librdkafka import librdkafka_order
from assignors.clients.ordering import (
    as_the_leader_lists,
    by_partition_text,
    static_first_by_bytes,
)
from assignors.clients.range_roundrobin import RoundRobin
from assignors.fair import fair, scarce_first
from assignors.lag.based import lag_based
from assignors.model import Group
from assignors.quotas import held_by_each
from evaluation.explain.reasoning import (
    Derivation,
    Pass,
    Step,
    Words,
    exact_lags,
    in_passes,
    position_of,
)
from evaluation.wording import ordinal, plural

KAFKA_ROUND_ROBIN: Final = RoundRobin(
    lambda group: group.layout.static_first, lambda group: group.wanted
)
_STATIC_FIRST: Final = "static ones first by instance id"
_MEMBER_ORDERS: Final[Mapping[Callable[[Group], Any], str]] = MappingProxyType(
    {
        KAFKA_ROUND_ROBIN.members: _STATIC_FIRST,
        static_first_by_bytes: _STATIC_FIRST,
        librdkafka_order: "static ones by instance id among themselves, others by consumer id",
    }
)
"""The orders that sort static members by instance id; others sort by consumer id."""
_PARTITION_ORDERS: Final[Mapping[Callable[[Group], Any], str]] = MappingProxyType(
    {
        by_partition_text: "in the order of their names as text, 10 before 2",
        as_the_leader_lists: "topic by topic, as the leader lists the topics",
    }
)
"""The orders of partitions other than by topic."""


def derive_round_robin(group: Group, strategy: RoundRobin) -> Derivation:
    """Continue from the owner of the previous partition, skipping members that do not subscribe."""
    words, owners = Words(group), strategy(group)
    circle, order = strategy.members(group), strategy.partitions(group)
    static = _MEMBER_ORDERS.get(strategy.members) if any(group.layout.instance_ids) else None
    members = (
        f"All {plural(circle.size, 'consumer')} take turns, {static or 'by consumer id'}: "
        f"{words.members(circle)}."
    )
    walk = _PARTITION_ORDERS.get(strategy.partitions, "topic by topic")

    def assign(place: int) -> tuple[int, list[Step]]:
        partition, ahead = int(order[place]), circle
        cursor = f"The first turn is {words.member(circle[0])}'s"
        if place:
            before = int(order[place - 1])
            ahead = np.roll(circle, -1 - position_of(owners[before], circle))
            cursor = f"{words.partition(before)} went to {words.member(owners[before])}, so "
            cursor += f"the next turn is {words.member(ahead[0])}'s"
        topic = group.topic_of_partition[partition]
        skipped = int(np.argmax(group.subscribes[group.layout.class_of_member[ahead], topic]))
        end = f", which subscribes to {words.topic(partition)} and takes it."
        if skipped:
            do_not, are = ("does not", "is") if skipped == 1 else ("do not", "are")
            end = (
                f"; {words.members(ahead[:skipped])} {do_not} subscribe to "
                f"{words.topic(partition)} and {are} skipped: {words.member(ahead[skipped])} "
                "takes it."
            )
        number = f"this is the {ordinal(place + 1)} of {order.size:,}."
        return int(ahead[skipped]), [
            Step("Order", members),
            Step("Position", f"Partitions are assigned {walk}: {number}"),
            Step("Turn", cursor + end),
        ]

    return in_passes(Pass(order, assign))


def derive_fair(group: Group) -> Derivation:
    """Return why fair gives to the subscriber with the fewest partitions over all topics."""
    words, owners = Words(group), fair(group)
    order = group.layout.partitions_of(scarce_first(group))

    def assign(place: int) -> tuple[int, list[Step]]:
        partition = int(order[place])
        counts = held_by_each(owners[order[:place]], group.member_count)
        subscribers = words.subscribers(partition)
        size = int(group.topic_sizes[group.topic_of_partition[partition]])
        position = (
            "Topics with the fewest subscribers come first, then the largest: "
            f"{words.topic(partition)} has {plural(subscribers.size, 'subscriber')} and "
            f"{plural(size, 'partition')}, so this is the "
            f"{ordinal(place + 1)} of {order.size:,} decisions."
        )
        held = "Of all topics, the subscribers hold"
        taker, decision = words.to_emptiest(subscribers, counts, held)
        return taker, [Step("Position", position), *decision]

    return in_passes(Pass(order, assign))


def derive_lag_based(group: Group) -> Derivation:
    """Return why lag-based gives to the fewest partitions, then the least lag, of each topic."""
    words, owners, topics = Words(group), lag_based(group), group.topic_of_partition
    order = most_lag_first(group)
    order = order[group.is_wanted[order]]

    def assign(number: int) -> tuple[int, list[Step]]:
        partition = int(order[number])
        of_topic = order[topics[order] == topics[partition]]
        place = position_of(partition, of_topic)
        counts = held_by_each(owners[of_topic[:place]], group.member_count)
        lags = exact_lags(group, owners, of_topic[:place])
        position = (
            f"{words.topic(partition)} is assigned alone, most lag first: with a lag of "
            f"{words.lag(partition)}, this is the {ordinal(place + 1)} of "
            f"{plural(of_topic.size, 'partition')}."
        )
        subscribers = words.subscribers(partition).tolist()
        standing = sorted(subscribers, key=lambda member: (counts[member], lags[member], member))
        taker = standing[0]
        fewest, least = int(counts[taker]), lags[taker]
        held = f"Of this topic, the subscribers hold {words.each(standing, counts[standing])}."
        steps = [Step("Position", position), Step("Held so far", held)]
        candidates = [member for member in standing if counts[member] == fewest]
        if len(candidates) == 1:
            what = f"the fewest of this topic so far, {fewest:,}"
            return taker, [*steps, words.smallest_id(candidates, what)]
        carried = words.each(candidates, [lags[member] for member in candidates])
        so_far = f"Those with the fewest carry this lag of the topic: {carried}."
        equal = [member for member in candidates if lags[member] == least]
        what = f"{plural(fewest, 'partition')} of this topic and the least lag, {least:,}"
        return taker, [*steps, Step("Lag so far", so_far), words.smallest_id(equal, what)]

    return in_passes(Pass(order, assign))

"""franz-go: its range, round-robin and sticky balancers.

Static members come first, by instance id, then the others by member id, compared as bytes.
Racks count only with the option BalanceRacks, which is off by default. Sources:
kgo/group_balancer.go and kgo/internal/sticky of v1.22.2.

The sticky balancer walks the topics in the order of a Go map. With equal subscriptions that
decides only in which order partitions that nobody claims are given away: the answer is certain
where they are of one topic, and one of two where they are of two.
"""

from itertools import permutations
from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.clients.go_sticky import go_sticky
from assignors.clients.kip_54 import are_claims_clear
from assignors.clients.subscribers import (
    blocks_first_larger,
    by_topic_bytes,
    in_one_circle,
    per_topic,
    static_first_by_bytes,
    text_bytes,
)
from assignors.model import UNOWNED, Group, IntArray, Owners

FRANZ_GO: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "franz-go follows Go maps, and the same rebalance can come out differently. Certain is how "
    "many consumers get how many partitions, unless several claim one partition.",
)
_FRANZ_GO_OF_2: Final = FRANZ_GO._replace(
    why="franz-go gives away the free partitions of two topics in the order of a Go map, and "
    "either may come first. This is one of the two answers.",
    answers=2,
)
_MOST_TOPICS: Final = 2


def franz_go_range(group: Group) -> Owners:
    """Cut every topic on its own into near-equal blocks, in member order.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> franz_go_range(group)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    for partitions, members in per_topic(group, static_first_by_bytes(group), repeats=True):
        owners[partitions] = blocks_first_larger(partitions.stop - partitions.start, members)
    return owners


def franz_go_roundrobin(group: Group) -> Owners:
    """Give all partitions in turn, topic by topic, passing over members that do not subscribe.

    >>> group = Group.fresh({"a": 1, "b": 1}, members=["c0", "c1"])
    >>> franz_go_roundrobin(group)
    array([0, 1], dtype=int32)
    """
    return in_one_circle(group, static_first_by_bytes(group), by_topic_bytes(group))


def franz_go_sticky(group: Group) -> Owners:
    """Balance the counts over all topics, and let members keep what they own.

    With equal subscriptions and clear claims, the answer in which topics come by name.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> franz_go_sticky(group)
    array([0, 0, 1], dtype=int32)
    """
    if not _is_uniform(group):
        return go_sticky(group)
    free = by_topic_bytes(group)
    return _filled_and_leveled(group, free[group.last_claimants[free] == UNOWNED])


def franz_go_cooperative_sticky(group: Group) -> Owners:
    """Return the coming round's answer: the target, less what another member still claims."""
    owners, last = franz_go_sticky(group), group.last_claimants
    owners[(last != UNOWNED) & (last != owners)] = UNOWNED
    return owners


def franz_go_answers(group: Group) -> list[Owners]:
    """Return the one or two targets that franz-go can answer, the one for topics by name first.

    Empty where that is not known: with unequal subscriptions, with partitions claimed twice,
    and with free partitions in more than two topics.
    """
    if not _is_uniform(group):
        return []
    free = by_topic_bytes(group)
    free = free[group.last_claimants[free] == UNOWNED]
    ends = 1 + np.flatnonzero(np.diff(group.topic_of_partition[free]))
    by_topic = np.split(free, ends)
    if len(by_topic) > _MOST_TOPICS:
        return []
    every = [_filled_and_leveled(group, np.concatenate(order)) for order in permutations(by_topic)]
    return list({owners.tobytes(): owners for owners in every}.values())


def of_franz_go_sticky(group: Group) -> Certainty:
    """Tell what is known of franz-go's answer for this group."""
    return (FRANZ_GO, EXACT, _FRANZ_GO_OF_2)[len(franz_go_answers(group))]


def _is_uniform(group: Group) -> bool:
    return group.has_equal_subscriptions and are_claims_clear(group)


def _filled_and_leveled(group: Group, free: IntArray) -> Owners:
    """Give the free partitions, in this order, to the emptiest; then take from the fullest."""
    members = static_first_by_bytes(group).tolist()
    last = group.last_claimants
    plan: list[list[int]] = [np.flatnonzero(last == member).tolist() for member in members]
    heap = list(range(len(plan)))
    for node in reversed(range(len(heap) // 2)):
        _sink(heap, plan, node)
    for partition in free.tolist():
        plan[heap[0]].append(partition)
        _sink(heap, plan, 0)
    _level(plan, _by_number_then_name(group))
    owners = group.nobody()
    for member, own in zip(members, plan, strict=True):
        owners[own] = member
    return owners


def _sink(heap: list[int], plan: list[list[int]], node: int) -> None:
    """Let an entry of a heap by count sink below smaller ones; equal ones stay, left goes first."""
    while (child := 2 * node + 1) < len(heap):
        right = child + 1
        if right < len(heap) and len(plan[heap[right]]) < len(plan[heap[child]]):
            child = right
        if len(plan[heap[node]]) <= len(plan[heap[child]]):
            return
        heap[node], heap[child] = heap[child], heap[node]
        node = child


def _by_number_then_name(group: Group) -> list[int]:
    """(P,) the rank of each partition by its number, then by the bytes of its topic."""
    topics = [text_bytes(name) for name in group.topics]
    topic, number = group.topic_of_partition.tolist(), group.number_in_topic.tolist()
    order = sorted(range(len(topic)), key=lambda p: (number[p], topics[topic[p]]))
    rank: list[int] = np.argsort(order).tolist()
    return rank


def _level(plan: list[list[int]], rank: list[int]) -> None:
    """Move the last partitions of the fullest members to the emptiest until counts are even."""
    levels: dict[int, list[int]] = {}
    for member, own in enumerate(plan):
        levels.setdefault(len(own), []).append(member)
    least, most = min(levels, default=0), max(levels, default=0)
    for own in plan:
        if len(own) > least + 1:
            own.sort(key=rank.__getitem__)
    while most > least + 1:
        takers, givers = levels[least], levels[most]
        count = min(len(takers), len(givers))
        for taker, giver in zip(takers[:count], givers[:count], strict=True):
            plan[taker].append(plan[giver].pop())
        levels.setdefault(least + 1, []).extend(takers[:count])
        levels.setdefault(most - 1, []).extend(givers[:count])
        del takers[:count], givers[:count]
        levels = {level: members for level, members in levels.items() if members}
        least, most = min(levels), max(levels)

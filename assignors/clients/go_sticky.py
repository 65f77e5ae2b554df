"""The sticky strategies of Sarama and franz-go, which depend on the iteration order of Go maps.

Sarama's result differs from call to call; ``go_sticky`` returns one that it could give as far
as the distribution of counts goes: with equal subscriptions always, otherwise nearly always; the
same holds for franz-go.

franz-go numbers topics, and visits doubly claimed partitions, in the order of Go maps. Go
iterates a map of up to seven entries from a random entry on, in insertion order (one of eight, as
observed, in more orders than that), and kgo inserts by topic name. So there are at most as many
possible results as there are such starts. Larger maps and unequal subscriptions are not followed;
they get the result of ``go_sticky``.

Sources: balance_strategy.go of Sarama v1.61.1; kgo/group_balancer.go and kgo/internal/sticky
of franz-go v1.22.2; internal/runtime/maps of Go 1.26.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.clients.kip_54 import (
    Claimed,
    are_claims_clear,
    claimed_in_order,
    rarest_first,
    rebalanced,
)
from assignors.clients.ordering import by_topic_bytes, static_first_by_bytes
from assignors.memo import memo
from assignors.model import UNOWNED, Group, LongArray, Owners

SARAMA: Final = Certainty(
    Known.DISTRIBUTION,
    "Sarama iterates Go maps, so the same rebalance comes out differently each time. How many "
    "consumers get how many partitions is certain, not which consumers.",
)
SARAMA_UNEQUAL: Final = SARAMA._replace(
    why="Sarama iterates Go maps, so the same rebalance comes out differently each time. With "
    "unequal subscriptions 95 of 100 random groups got the distribution shown.",
    share=0.95,
)
SARAMA_UNCLEAR: Final = SARAMA._replace(
    why="Sarama iterates Go maps, so the same rebalance comes out differently each time. With "
    "unequal subscriptions, and claims that are doubled or no longer subscribed to, 80 of 100 "
    "random groups got the distribution shown.",
    share=0.8,
)
FRANZ_GO: Final = Certainty(
    Known.DISTRIBUTION,
    "franz-go iterates Go maps and, with unequal subscriptions, searches a graph that is not "
    "followed here. 93 of 100 random groups got the distribution shown, of consumers per number of "
    "partitions.",
    share=0.93,
)
FRANZ_GO_EVEN: Final = Certainty(
    Known.DISTRIBUTION,
    "franz-go iterates Go maps, and here too many results are possible to list. How many consumers "
    "get how many partitions is certain, not which consumers.",
)
_ONE_OF: Final = (
    "franz-go starts with a random topic, and each start gives another assignment; this is one "
    "of them."
)
_SMALL_MAP: Final = 7
_MOST_STEPS: Final = 200_000
"""The most partitions times results to compute in order to count the possible results."""


def go_sticky(group: Group) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> go_sticky(group)
    array([1, 0, 0], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    claimed = claimed_in_order(group, np.arange(group.claims.size), group.generations)
    return rebalanced(group, claimed, rarest_first(group)).owners


def of_sarama_sticky(group: Group) -> Certainty:
    """Return how certain Sarama's result for this group is."""
    if group.has_equal_subscriptions:
        return SARAMA
    return SARAMA_UNEQUAL if are_claims_clear(group) else SARAMA_UNCLEAR


def franz_go_sticky(group: Group) -> Owners:
    """Keep, give the rest to the emptiest, then even out by single moves.

    Of several possible results it returns that of topics visited by name.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> franz_go_sticky(group)
    array([0, 0, 1], dtype=int32)
    """
    if not group.wanted.size or not group.has_equal_subscriptions:
        return go_sticky(group)
    return next(_results(group))


def franz_go_cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member must revoke."""
    return less_what_others_claim(group, franz_go_sticky(group))


def less_what_others_claim(group: Group, target: Owners) -> Owners:
    """Withhold what others claim, unless its owner's claim is of the newest generation."""
    owners = target.copy()
    owners[group.claims] = UNOWNED
    keeps = (target[group.claims] == group.member_of_claim) & group.is_newest_claim
    owners[group.claims[keeps]] = target[group.claims[keeps]]
    return owners


def of_franz_go_sticky(group: Group) -> Certainty:
    """Return how many results are possible, where they can be counted."""
    count = len(possible_answers(group))
    if count == 1:
        return EXACT
    if count:
        return Certainty(Known.ONE_OF_SEVERAL, _ONE_OF, answers=count)
    return FRANZ_GO_EVEN if group.has_equal_subscriptions else FRANZ_GO


@memo
def possible_answers(group: Group) -> tuple[Owners, ...]:
    """Return all possible results; () where they are not known."""
    if not group.has_equal_subscriptions:
        return ()
    topics = group.wanted_topics.size
    doubly = int(np.count_nonzero(_claimed(group).previous[group.wanted] != UNOWNED))
    if topics <= 1 and doubly <= 1:
        return (franz_go_sticky(group),)
    steps = group.partition_count * max(topics, 1) * max(doubly, 1)
    is_small = max(int(group.subscribes.any(axis=0).sum()), doubly) <= _SMALL_MAP
    if not is_small or steps > _MOST_STEPS:
        return ()
    return tuple({owners.tobytes(): owners for owners in _results(group)}.values())


@memo
def _claimed(group: Group) -> Claimed:
    """Return the two newest claimants of each partition; ties go to the first member."""
    place = np.argsort(static_first_by_bytes(group))
    order = np.argsort(place[group.member_of_claim], kind="stable")
    return claimed_in_order(group, order, np.maximum(group.generations, 0), strictly=False)


def _results(group: Group) -> Iterator[Owners]:
    """Yield the result for each order of topics and of doubly claimed partitions."""
    claimed, walk = _claimed(group), by_topic_bytes(group)
    order = static_first_by_bytes(group)
    place = np.append(np.argsort(order), UNOWNED)  # UNOWNED stays UNOWNED
    held = np.where(group.is_wanted, place[claimed.holder], UNOWNED)
    topic_of = group.topic_of_partition[walk]
    for start in np.flatnonzero(np.diff(topic_of, prepend=-1)).tolist():
        turned = np.roll(walk, -start)
        doubly = turned[claimed.previous[turned] != UNOWNED].tolist()
        for first in range(max(len(doubly), 1)):
            places = held.copy()
            for partition in doubly[first:] + doubly[:first]:
                _give_back(places, partition, int(place[claimed.previous[partition]]))
            _assign_free(places, turned[places[turned] == UNOWNED], order.size)
            _even_out(group, places, turned, order.size)
            owners = group.nobody()
            owners[walk] = order[places[walk]]
            yield owners


def _give_back(places: LongArray, partition: int, before: int) -> None:
    """Return a partition to its older claimant if that holds at least two fewer."""
    now = places[partition]
    if np.count_nonzero(places == before) + 1 < np.count_nonzero(places == now):
        places[partition] = before


def _assign_free(places: LongArray, free: LongArray, member_count: int) -> None:
    """Give each to a member with the fewest partitions; a binary heap breaks the ties."""
    counts = np.bincount(places[places != UNOWNED], minlength=member_count).tolist()
    heap = list(range(member_count))
    for node in range(member_count // 2 - 1, -1, -1):
        _sift_down(heap, counts, node)
    for partition in free.tolist():
        places[partition] = heap[0]
        counts[heap[0]] += 1
        _sift_down(heap, counts, 0)


def _sift_down(heap: list[int], counts: Sequence[int], node: int) -> None:
    while (child := 2 * node + 1) < len(heap):
        if child + 1 < len(heap) and counts[heap[child + 1]] < counts[heap[child]]:
            child += 1
        if counts[heap[node]] <= counts[heap[child]]:
            return
        heap[node], heap[child] = heap[child], heap[node]
        node = child


def _even_out(group: Group, places: LongArray, walk: LongArray, member_count: int) -> None:
    """Move from the fullest members to the emptiest, pair by pair, highest numbers first."""
    counts = np.bincount(places[walk], minlength=member_count).tolist()
    by_count: defaultdict[int, list[int]] = defaultdict(list)
    for member, count in enumerate(counts):
        by_count[count].append(member)
    low, high = min(by_count), max(by_count)
    listed: defaultdict[int, list[int]] = defaultdict(list)
    if high > low + 1:
        named = by_topic_bytes(group)
        for p in named[np.argsort(group.number_in_topic[named], kind="stable")].tolist():
            listed[int(places[p])].append(p)
    while high > low + 1:
        pairs = list(zip(by_count[low], by_count[high], strict=False))
        for taker, giver in pairs:
            places[listed[giver].pop()] = taker
        for count, onwards in ((low, low + 1), (high, high - 1)):
            by_count[onwards] += by_count[count][: len(pairs)]
            del by_count[count][: len(pairs)]
        low, high = low + (not by_count[low]), high - (not by_count[high])

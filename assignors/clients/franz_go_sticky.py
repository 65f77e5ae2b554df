"""franz-go's sticky balancers: every answer that can come where subscriptions are equal.

The balancer numbers topics, and looks at doubly claimed partitions, in the order of Go maps. Go
walks a map of up to eight entries from a random one of them, in the order in which they came;
kgo fills it by topic name. So there are at most as many answers as there are such starts. Larger
maps, and unequal subscriptions, are not followed: what ``go_sticky`` says of them holds.
Sources: kgo/group_balancer.go and kgo/internal/sticky of v1.22.2; internal/runtime/maps of Go 1.26.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.clients.go_sticky import go_sticky
from assignors.clients.kip_54 import Claimed, claimed_in_order
from assignors.clients.subscribers import by_topic_bytes, static_first_by_bytes
from assignors.memo import memo
from assignors.model import UNOWNED, Group, LongArray, Owners

FRANZ_GO: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "franz-go follows Go maps, and the same rebalance can come out differently. Certain is how "
    "many consumers get how many partitions, unless several claim one partition.",
)
_ONE_OF: Final = (
    "franz-go starts with a random topic, and each gives another answer; this is one of them."
)
_SMALL_MAP: Final = 8
_MOST_STEPS: Final = 200_000
"""Partitions times answers: so much is worked out to count the answers."""


def franz_go_sticky(group: Group) -> Owners:
    """Keep, give the rest to the emptiest, level by single moves.

    Of several possible answers it is that of topics taken by name.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> franz_go_sticky(group)
    array([0, 0, 1], dtype=int32)
    """
    if not group.wanted.size or not group.has_equal_subscriptions:
        return go_sticky(group)
    return next(_answers(group))


def franz_go_cooperative_sticky(group: Group) -> Owners:
    """Return the coming round's answer: the target, less what another member must give up."""
    return less_what_others_claim(group, franz_go_sticky(group))


def less_what_others_claim(group: Group, target: Owners) -> Owners:
    """Withhold what others claim, unless its owner's claim is of the newest generation."""
    newest, owners = np.full(target.size, -2), target.copy()
    generations = group.generations[group.member_of_claim]
    np.maximum.at(newest, group.claims, generations)
    owners[group.claims] = UNOWNED
    keeps = (target[group.claims] == group.member_of_claim) & (generations == newest[group.claims])
    owners[group.claims[keeps]] = target[group.claims[keeps]]
    return owners


def of_franz_go_sticky(group: Group) -> Certainty:
    """Tell how many answers are possible, where they can be counted."""
    count = len(possible_answers(group))
    if count == 1:
        return EXACT
    return FRANZ_GO._replace(why=_ONE_OF, answers=count) if count else FRANZ_GO


@memo
def possible_answers(group: Group) -> tuple[Owners, ...]:
    """Return all answers that are possible; none where they are not known."""
    topics = np.unique(group.topic_of_partition[group.wanted]).size
    doubly = int(np.count_nonzero(_claimed(group).previous[group.wanted] != UNOWNED))
    if topics <= 1 and doubly <= 1 and group.has_equal_subscriptions:
        return (franz_go_sticky(group),)
    steps = group.partition_count * max(topics, 1) * max(doubly, 1)
    is_small = max(int(group.subscribes.any(axis=0).sum()), doubly) <= _SMALL_MAP
    if not is_small or steps > _MOST_STEPS or not group.has_equal_subscriptions:
        return ()
    return tuple({owners.tobytes(): owners for owners in _answers(group)}.values())


@memo
def _claimed(group: Group) -> Claimed:
    """Return the two newest claimants of each partition, of equal ones the first members."""
    place = np.argsort(static_first_by_bytes(group))
    order = np.argsort(place[group.member_of_claim], kind="stable")
    return claimed_in_order(group, order, np.maximum(group.generations, 0), strictly=False)


def _answers(group: Group) -> Iterator[Owners]:
    """Yield the answer for each order of topics and of doubly claimed partitions."""
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
            _share_out(places, turned[places[turned] == UNOWNED], order.size)
            _level(group, places, turned, order.size)
            owners = group.nobody()
            owners[walk] = order[places[walk]]
            yield owners


def _give_back(places: LongArray, partition: int, before: int) -> None:
    """Return a partition to the older of its claimants, if that holds two fewer at least."""
    now = places[partition]
    if np.count_nonzero(places == before) + 1 < np.count_nonzero(places == now):
        places[partition] = before


def _share_out(places: LongArray, free: LongArray, member_count: int) -> None:
    """Give each to a member that holds fewest; which, is up to a binary heap."""
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


def _level(group: Group, places: LongArray, walk: LongArray, member_count: int) -> None:
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

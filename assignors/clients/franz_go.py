"""franz-go's sticky strategies, which depend on the iteration order of Go maps.

franz-go numbers topics, and visits doubly claimed partitions, in the order of Go maps. Go
iterates a map of up to seven entries from a random entry on, in insertion order (one of eight, as
observed, in more orders than that). kgo inserts the topics that its leader reads by name; those
of others come from the broker, in any order. So there are at most as many possible results as
there are such orders. Larger maps are not followed, but that the counts are as even as they can
be holds there, too.

Sources: kgo/group_balancer.go and kgo/internal/sticky of franz-go v1.22.2; internal/runtime/maps
of Go 1.26.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Final

import numpy as np

from assignors.certainty import EXACT, VANISHED, Certainty, Known
from assignors.clients.franz_go_unequal import Wishes, owners_of, to_the_emptiest
from assignors.clients.kip_54 import TwoClaims, claimed_in_order
from assignors.clients.ordering import by_topic_bytes, static_first_by_bytes, text_bytes
from assignors.clients.sarama_sticky import sarama_sticky
from assignors.memo import memo
from assignors.model import UNOWNED, Group, LongArray, Owners

FRANZ_GO: Final = Certainty(
    Known.DISTRIBUTION,
    "franz-go iterates Go maps and, with unequal subscriptions, searches a graph, which is not "
    "followed in a group this large. 93 of 100 random groups got the distribution shown, of "
    "consumers per number of partitions.",
    share=0.93,
)
FRANZ_GO_EVEN: Final = Certainty(
    Known.DISTRIBUTION,
    "franz-go iterates Go maps, and here too many results are possible to list. How many consumers "
    "get how many partitions is certain, not which consumers.",
)
_ONE_OF: Final = (
    "franz-go visits topics in an order that differs each time, and not every order gives the same "
    "assignment; this is one of them."
)
_SMALL_MAP: Final = 7
_MOST_PERMUTED: Final = 5
"""The most topics whose orders are all tried, where each is possible."""
_MOST_STEPS: Final = 200_000
"""The most partitions times results to compute in order to count the possible results."""
_MOST_SEARCHED: Final = 300_000_000
"""The most partitions times cells (of a topic and a subscriber) of a graph that is followed."""


def franz_go_sticky(group: Group) -> Owners:
    """Keep, give the rest to the emptiest, then even out by single moves.

    Of several possible results it returns that of topics visited by name.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> franz_go_sticky(group)
    array([0, 0, 1], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    if not _is_followed(group):
        return sarama_sticky(group)
    return next(_results(group, _by_name(group, group.layout.wanted_topics)))


def franz_go_cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member must revoke."""
    return less_what_others_claim(group, franz_go_sticky(group))


def less_what_others_claim(group: Group, target: Owners) -> Owners:
    """Withhold what others claim, unless its owner's claim is of the newest generation."""
    owners = target.copy()
    owners[group.claims.partitions] = UNOWNED
    keeps = (target[group.claims.partitions] == group.claims.members) & group.claims.is_newest
    owners[group.claims.partitions[keeps]] = target[group.claims.partitions[keeps]]
    return owners


def of_franz_go_sticky(group: Group) -> Certainty:
    """Return how many results are possible, where they can be counted."""
    if group.claims.vanished:
        return VANISHED
    number = len(possible_answers(group))
    if number == 1:
        return EXACT
    if number:
        return Certainty(Known.ONE_OF_SEVERAL, _ONE_OF, answers=number)
    return FRANZ_GO_EVEN if _is_followed(group) else FRANZ_GO


@memo
def possible_answers(group: Group) -> tuple[Owners, ...]:
    """Return all possible results; () where they are not known."""
    doubly = int(np.count_nonzero(_claimed(group).previous[group.wanted] != UNOWNED))
    orders = list(_topic_orders(group))
    steps = group.partition_count * len(orders) * max(doubly, 1)
    is_single = len(orders) == 1 and doubly <= 1
    if not orders or not _is_followed(group) or doubly > _SMALL_MAP:
        return ()
    if steps > _MOST_STEPS and not is_single:
        return ()
    found = (owners for order in orders for owners in _results(group, order))
    return tuple({owners.tobytes(): owners for owners in found}.values())


def _by_name(group: Group, topics: Sequence[int] | LongArray) -> tuple[int, ...]:
    return tuple(sorted(map(int, topics), key=lambda topic: text_bytes(group.topics[topic])))


def _is_equal(group: Group, topics: Sequence[int] | LongArray) -> bool:
    """Return whether every member reads all of these topics."""
    return bool((group.audiences.sizes[np.array(topics, int)] == group.member_count).all())


def _is_followed(group: Group) -> bool:
    if _is_equal(group, group.layout.wanted_topics):
        return True
    cells = int(group.audiences.sizes[group.layout.wanted_topics].sum())
    return group.partition_count * cells <= _MOST_SEARCHED


def _topic_orders(group: Group) -> Iterator[tuple[int, ...]]:
    """Yield the orders in which topics may be visited, that of their names first; none if unknown.

    A topic without partitions may be known to the leader or not, which can make subscriptions
    unequal.
    """
    read = np.flatnonzero(group.audiences.of_topic >= 0)
    names = _by_name(group, group.layout.wanted_topics)
    if group.layout.has_equal_subscriptions:
        if len(names) <= 1 or read.size <= _SMALL_MAP:
            yield from _rotations(names)
        return
    if read.size > _MOST_PERMUTED:
        return
    empty = [topic for topic in read.tolist() if not group.topic_sizes[topic]]
    for number in range(len(empty) + 1):
        for known in combinations(empty, number):
            topics = _by_name(group, (*names, *known))
            is_equal = _is_equal(group, topics)
            yield from _rotations(names) if is_equal else permutations(topics)


def _rotations(topics: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for start in range(max(len(topics), 1)):
        yield topics[start:] + topics[:start]


@memo
def _claimed(group: Group) -> TwoClaims:
    """Return the two newest claimants of each partition; ties go to the first member."""
    place = np.argsort(static_first_by_bytes(group))
    order = np.argsort(place[group.claims.members], kind="stable")
    return claimed_in_order(group, order, np.maximum(group.claims.generations, 0), strictly=False)


def _results(group: Group, topics: tuple[int, ...]) -> Iterator[Owners]:
    """Yield the result for these topics in this order, for each order of what is claimed twice."""
    walk = group.layout.partitions_of(np.array(topics, np.int64))
    order = static_first_by_bytes(group)
    doubly = np.flatnonzero(_claimed(group).previous[walk] != UNOWNED).tolist()
    assigned = _equally if _is_equal(group, topics) else _unequally
    for first in range(max(len(doubly), 1)):
        owners = group.nobody()
        places = assigned(group, topics, walk, doubly[first:] + doubly[:first])
        owners[walk] = np.append(order, UNOWNED)[places]
        yield owners


def _places(group: Group, members: Owners) -> LongArray:
    """Return the places of members in franz-go's order; UNOWNED stays UNOWNED."""
    return np.append(np.argsort(static_first_by_bytes(group)), UNOWNED)[members]


def _unequally(
    group: Group, topics: Sequence[int], walk: LongArray, doubly: Sequence[int]
) -> list[int]:
    held = _places(group, _claimed(group).holder[walk]).tolist()
    before = _places(group, _claimed(group).previous[walk]).tolist()
    readers = [tuple(sorted(_places(group, group.subscribers(t)).tolist())) for t in topics]
    sizes = group.topic_sizes[np.array(topics, np.int64)]
    return owners_of(
        Wishes(
            readers=readers,
            topic_at=np.repeat(np.arange(len(topics)), sizes).tolist(),
            claimed=held,
            outdated=[(position, before[position]) for position in doubly],
            member_count=group.member_count,
        )
    )


def _equally(group: Group, _: Sequence[int], walk: LongArray, doubly: Sequence[int]) -> LongArray:
    places = _places(group, _claimed(group).holder[walk])
    before = _places(group, _claimed(group).previous[walk])
    for position in doubly:
        _give_back(places, position, int(before[position]))
    free = np.flatnonzero(places == UNOWNED)
    counts = np.bincount(places[places != UNOWNED], minlength=group.member_count).tolist()
    places[free] = list(to_the_emptiest(counts, list(range(group.member_count)), free.size))
    _even_out(group, places, walk)
    return places


def _give_back(places: LongArray, position: int, before: int) -> None:
    """Return a partition to its older claimant if that holds at least two fewer."""
    now = places[position]
    if np.count_nonzero(places == before) + 1 < np.count_nonzero(places == now):
        places[position] = before


def _even_out(group: Group, places: LongArray, walk: LongArray) -> None:
    """Move from the fullest members to the emptiest, pair by pair, highest numbers first."""
    counts = np.bincount(places, minlength=group.member_count).tolist()
    by_count: defaultdict[int, list[int]] = defaultdict(list)
    for member, count in enumerate(counts):
        by_count[count].append(member)
    low, high = min(by_count), max(by_count)
    listed: defaultdict[int, list[int]] = defaultdict(list)
    if high > low + 1:
        at = np.empty(group.partition_count, np.int64)
        at[walk] = np.arange(walk.size)
        named = by_topic_bytes(group)
        for p in at[named[np.argsort(group.number_in_topic[named], kind="stable")]].tolist():
            listed[int(places[p])].append(p)
    while high > low + 1:
        pairs = list(zip(by_count[low], by_count[high], strict=False))
        for taker, giver in pairs:
            places[listed[giver].pop()] = taker
        for count, onwards in ((low, low + 1), (high, high - 1)):
            by_count[onwards] += by_count[count][: len(pairs)]
            del by_count[count][: len(pairs)]
        low, high = low + (not by_count[low]), high - (not by_count[high])

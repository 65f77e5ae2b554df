"""librdkafka's sticky assignor, after KIP-54 and KIP-341, for ``cooperative-sticky``.

Source: rdkafka_sticky_assignor.c and rdkafka_cgrp.c of v2.16.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np

from assignors.certainty import EXACT, VANISHED, Certainty, Known
from assignors.clients.kip_54 import (
    TwoClaims,
    are_claims_clear,
    from_the_busiest,
    last_to_claim,
    less_claimed,
    rarest_first,
    rebalanced,
)
from assignors.clients.ordering import by_topic_bytes
from assignors.java import strings
from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.sticky.racks import Racks

OUTDATED_CLAIMS: Final = Certainty(
    Known.LIKELY,
    "If several consumers claim one partition, or one claims what it no longer reads, "
    "librdkafka can assign it wrongly or crash: about 1 such rebalance in 200 crashes.",
)

RACKS_WITH_CLAIMS: Final = Certainty(
    Known.LIKELY,
    "Where racks count and consumers own partitions, librdkafka may take the next partition of a "
    "list instead: about 1 prediction in 750 names another owner.",
)

BROKERS_ORDER: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "Who gets what nobody holds depends on the order in which the broker lists more than four "
    "topics; the one assumed is Kafka 4.4's. State known_to_leader in group JSON, in the broker's "
    "order, to settle it.",
)

_LARGEST_SMALL_SET: Final = 4
_LEVELS: Final = 7
"""Of the tree: 32 bits, five per level."""
_32_BITS: Final = 0xFFFFFFFF


def librdkafka_cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member still claims.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> librdkafka_cooperative_sticky(group)
    array([-1,  0], dtype=int32)
    """
    return _balanced(group, partial(less_claimed, last_to_claim(group, _claims(group))))


def librdkafka_cooperative_target(group: Group) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> librdkafka_cooperative_target(group)
    array([1, 0], dtype=int32)
    """
    return _balanced(group, np.copy)


def _balanced(group: Group, answered: Callable[[Owners], Owners]) -> Owners:
    if not group.wanted.size:
        return group.nobody()
    claimed = _claimed(group)
    racks = Racks.that_matter(group)
    if racks is not None:  # a consumer without client.rack sends "", which no broker has
        racks = racks._replace(rackless_match=False)
    return rebalanced(group, claimed, _walk(group, claimed), racks, answered).owners


def _claims(group: Group) -> LongArray:
    """Return the indices of the claims as read, less those of members without subscriptions."""
    joined = np.argsort(group.layout.arrival)
    subscribes = np.any(group.subscribes, axis=1)[group.layout.class_of_member]
    claims = np.flatnonzero(subscribes[group.claims.members])
    return claims[np.argsort(joined[group.claims.members[claims]], kind="stable")]


def _claimed(group: Group) -> TwoClaims:
    """Let the newest generation hold each partition; nobody holds one that two equals claim."""
    claims = _claims(group)
    partitions, members = group.claims.partitions[claims], group.claims.members[claims]
    order = np.lexsort((group.claims.generations[members], partitions))
    partitions, members = partitions[order], members[order]
    is_same = partitions[1:] == partitions[:-1]
    is_tie = is_same & (np.diff(group.claims.generations[members]) == 0)
    holder, previous = group.nobody(), group.nobody()
    holder[partitions] = members
    is_second = is_same & ~np.append(is_same[1:], False)
    previous[partitions[:-1][is_second]] = members[:-1][is_second]
    holder[partitions[1:][is_tie]] = previous[partitions[1:][is_tie]] = UNOWNED
    return TwoClaims(holder, previous, last_to_claim(group, claims))


def _walk(group: Group, claimed: TwoClaims) -> LongArray:
    """Return the wanted partitions in the order of assignments and moves.

    With equal subscriptions held partitions come first, from the busiest member; the rest in the
    reverse of the order in which a broker lists the topics.
    """
    held = by_topic_bytes(group)
    held = held[claimed.holder[held] != UNOWNED]
    subscribes = np.any(group.subscribes, axis=1)[group.layout.class_of_member]
    wants = group.subscribes[group.layout.class_of_member[subscribes]] & (group.topic_sizes > 0)
    if not held.size or (wants != wants[:1]).any():
        return rarest_first(group)
    turn = np.zeros(len(group.topics), np.int64)
    named = _in_the_brokers_order(group)
    turn[named] = np.arange(len(named))
    free = np.flatnonzero(group.is_wanted & (claimed.holder == UNOWNED))
    free = free[np.lexsort((group.number_in_topic[free], turn[group.topic_of_partition[free]]))]
    return np.concatenate([from_the_busiest(group, claimed, held), free[::-1]])


def _in_the_brokers_order(group: Group) -> list[int]:
    """Return the topics that anybody lists, in the order of the leader's metadata."""
    listed = [group.topics[topic] for topic in np.flatnonzero(np.any(group.subscribes, axis=0))]
    if group.layout.known_to_leader is None:
        return named_by_a_broker([*group.layout.leader_topics, *listed], group.topics)
    number = {name: place for place, name in enumerate(group.topics)}
    names = dict.fromkeys([*group.layout.known_to_leader, *listed])
    return [number[name] for name in names if name in number]


def named_by_a_broker(names: Iterable[str], topics: Sequence[str]) -> list[int]:
    """Return the topics, as indices into ``topics``, in the order of a broker's metadata response.

    Up to four keep the order of the request. More are in the iteration order of Scala's
    immutable HashSet: a tree of 32-way nodes by five bits of the hash per level, single entries
    before subtrees. Observed on Kafka 4.4.0, whose broker collects requested names in such a set.
    """
    number = {name: place for place, name in enumerate(topics)}
    places = [number[name] for name in dict.fromkeys(names) if name in number]
    if len(places) <= _LARGEST_SMALL_SET:
        return places
    hashes = strings.string_hashes(topics).astype(np.uint64).tolist()
    return _in_tree(places, [_spread(hashed) for hashed in hashes])


def _spread(hashed: int) -> int:
    """Return Scala's improved hash; 32 bits."""
    hashed = (hashed + ~(hashed << 9)) & _32_BITS
    hashed ^= hashed >> 14
    hashed = (hashed + (hashed << 4)) & _32_BITS
    return hashed ^ hashed >> 10


def _in_tree(places: list[int], hashes: list[int], level: int = 0) -> list[int]:
    if level >= _LEVELS:
        return places
    nodes: dict[int, list[int]] = {}
    for place in places:
        nodes.setdefault(hashes[place] >> 5 * level & 31, []).append(place)
    rows = [nodes[key] for key in sorted(nodes)]
    ordered = [row[0] for row in rows if len(row) == 1]
    for row in rows:
        if len(row) > 1:
            ordered += _in_tree(row, hashes, level + 1)
    return ordered


def of_librdkafka_sticky(group: Group) -> Certainty:
    """Return how certain librdkafka's result for this group is."""
    if group.claims.vanished:
        return VANISHED
    if not are_claims_clear(group):
        return OUTDATED_CLAIMS
    free = np.flatnonzero(group.is_wanted & (group.claims.last_claimants == UNOWNED))
    is_open = (
        group.layout.known_to_leader is None
        and np.count_nonzero(np.any(group.subscribes, axis=0)) > _LARGEST_SMALL_SET
    )
    of_topics = np.unique(group.topic_of_partition[free]).size
    if is_open and group.has_claims and of_topics > 1:
        return BROKERS_ORDER
    has_racks = group.has_claims and Racks.that_matter(group) is not None
    return RACKS_WITH_CLAIMS if has_racks else EXACT

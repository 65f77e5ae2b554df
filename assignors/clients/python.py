"""The clients written in Python: aiokafka 0.14 and kafka-python 3.

Both follow KIP-54 where they are sticky. aiokafka's members never send a generation
(aiokafka#1176), nor do kafka-python's under ``cooperative-sticky``.
"""

from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.clients.kip_54 import (
    claimed_in_order,
    from_the_busiest,
    last_to_claim,
    less_claimed,
    rarest_first,
    rebalanced,
)
from assignors.clients.ordering import by_topic_bytes, static_first_by_bytes
from assignors.clients.range_roundrobin import first_larger
from assignors.model import NO_GENERATION, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.roundrobin import in_turn

ONE_OF_TWO: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "Python sets iterate differently in every process, and what moves first depends on whether all "
    "consumers happen to list their topics alike.",
    answers=2,
)
LATE_CHOICE: Final = Certainty(
    Known.LIKELY,
    "Where one partition moves instead of another, the iteration order of a Python set, different "
    "in every process, decides which: about 1 prediction in 400 for large groups.",
)
HASHED_SET: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "If several consumers claim one partition, the iteration order of a Python set, different in "
    "every process, decides what goes back to an earlier owner.",
)


def kafka_python_range(group: Group) -> Owners:
    """Cut each topic into near-equal blocks, static members first.

    kafka-python groups the listed members into runs of static and of dynamic ones and keeps
    only the last run of each kind: the others get nothing.

    >>> group = Group.fresh({"t": 5}, members=["c0", "c1"])
    >>> kafka_python_range(group)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    owners = group.nobody()
    for partitions, subscribers in group.wanted_slices():
        members = _last_runs(group, group.arrival[np.isin(group.arrival, subscribers)])
        owners[partitions] = first_larger(partitions.stop - partitions.start, members)
    return owners


def kafka_python_roundrobin(group: Group) -> Owners:
    """Assign all partitions in turn, topic by topic, to the members that get any under range.

    Where one of them does not subscribe, kafka-python 3.0 raises KeyError; here it is skipped.

    >>> group = Group.fresh({"a": 1, "b": 1}, members=["c0", "c1"])
    >>> kafka_python_roundrobin(group)
    array([0, 1], dtype=int32)
    """
    partitions = by_topic_bytes(group)
    takers = np.resize(_last_runs(group, group.arrival), partitions.size)
    if not group.may_own(takers, partitions).all():
        return in_turn(group, static_first_by_bytes(group), partitions)
    owners = group.nobody()
    owners[partitions] = takers
    return owners


def _last_runs(group: Group, members: IntArray) -> IntArray:
    """Return the last run of static members, then that of dynamic ones, each ordered by id."""
    is_static = np.array([group.instance_ids[m] is not None for m in members.tolist()], np.bool_)
    run = np.cumsum(np.append(True, is_static[1:] != is_static[:-1])[: members.size])
    last = [run == np.max(run[is_static == kind], initial=0) for kind in (True, False)]
    kept = members[last[0] | last[1]]
    order = static_first_by_bytes(group)
    return order[np.isin(order, kept)]


def aiokafka_sticky(group: Group) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    Of several claims on a partition the first one listed wins, since members send no generation.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> aiokafka_sticky(group)
    array([0, 1], dtype=int32)
    """
    claims, generations = _claims(group), np.full(group.member_count, NO_GENERATION)
    return _sticky(group, claims, generations, alike=group.lists_alike, undoes=False)


def kafka_python_sticky(group: Group) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> kafka_python_sticky(group)
    array([0, 1], dtype=int32)
    """
    claims = _claims(group)
    return _sticky(group, claims, group.generations, alike=group.lists_alike, undoes=True)


def kafka_python_cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member still claims.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> kafka_python_cooperative_sticky(group)
    array([ 0, -1], dtype=int32)
    """
    last = last_to_claim(group, _claims(group))
    return less_claimed(last, kafka_python_cooperative_target(group))


def kafka_python_cooperative_target(group: Group) -> Owners:
    """Return where the cooperative rounds end if nothing else changes."""
    wants = group.subscribes[group.class_of_member] & (group.topic_sizes > 0)
    alike = bool((wants == wants[:1]).all())
    claims, generations = _claims(group, by_number=True), np.full(group.member_count, NO_GENERATION)
    return _sticky(group, claims, generations, alike=alike, undoes=True)


def of_python_sticky(group: Group) -> Certainty:
    """Return how certain the result is if members send topics in the order of Python sets."""
    if not group.has_claims or group.wanted_topics.size <= 1:
        return EXACT
    return ONE_OF_TWO if group.has_equal_subscriptions else LATE_CHOICE


def of_kafka_python_cooperative(group: Group) -> Certainty:
    """Return the same for members that send their topics sorted."""
    is_open = group.has_claims and not group.has_equal_subscriptions
    return LATE_CHOICE if is_open and group.wanted_topics.size > 1 else EXACT


def of_kafka_python_sticky(group: Group) -> Certainty:
    """Return the same, also considering partitions with an earlier owner."""
    return HASHED_SET if group.is_contested else of_python_sticky(group)


def _sticky(
    group: Group, claims: LongArray, generations: LongArray, *, alike: bool, undoes: bool
) -> Owners:
    if not group.wanted.size:
        return group.nobody()
    claimed = claimed_in_order(group, claims, generations)
    walk = rarest_first(group)
    if alike and claims.size:
        held = group.claims[claims]
        held = held[np.sort(np.unique(held, return_index=True)[1])]
        held = held[group.is_wanted[held]][::-1]
        free = walk[claimed.holder[walk] == UNOWNED]
        walk = np.concatenate([from_the_busiest(group, claimed, held), free])
    return rebalanced(group, claimed, walk, undoes=undoes)


def _claims(group: Group, *, by_number: bool = False) -> LongArray:
    """Return the indices of the claims as read: by listed member, topic by topic.

    Within a topic as listed, or by number.
    """
    joined = np.argsort(group.arrival)
    topics = group.topic_of_partition[group.claims]
    row = group.member_of_claim * np.int64(len(group.topics)) + topics
    _, first, of_row = np.unique(row, return_index=True, return_inverse=True)
    within = group.claims if by_number else np.zeros_like(group.claims)
    order: LongArray = np.lexsort((within, first[of_row], joined[group.member_of_claim]))
    return order

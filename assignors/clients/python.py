"""The clients written in Python: aiokafka 0.14 and kafka-python 3.

Both follow KIP-54 where they are sticky. aiokafka's members never send a generation
(aiokafka#1176), nor do kafka-python's under ``cooperative-sticky``.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.clients.kip_54 import (
    TwoClaims,
    claimed_in_order,
    from_the_busiest,
    last_to_claim,
    less_claimed,
    rarest_first,
    rebalanced,
)
from assignors.clients.ordering import by_topic_bytes, static_first_by_bytes
from assignors.clients.range_roundrobin import first_larger
from assignors.memo import memo
from assignors.model import NO_GENERATION, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.roundrobin import in_turn
from assignors.sticky.general import Found
from assignors.trace.events import Trace

ONE_OF_TWO: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "One holds if all consumers list their topics in the same order, which Python sets decide anew "
    "in every process, and the leader knows no topic that nobody reads, as it does where consumers "
    "subscribe by pattern; the other holds if not. State known_to_leader in group JSON to settle "
    "the second.",
    answers=2,
)
SORTED: Final = ONE_OF_TWO._replace(
    why="Where consumers subscribe by pattern, the leader knows every topic of the cluster, and "
    "one that nobody reads changes what moves first. State known_to_leader in group JSON to settle "
    "it."
)
LATE_CHOICE: Final = Certainty(
    Known.LIKELY,
    "Where one partition moves instead of another, the iteration order of a Python set, different "
    "in every process, decides which: about 1 prediction in 30 for large groups.",
)
HASHED_SET: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "If several consumers claim one partition, the iteration order of a Python set, different in "
    "every process, decides what goes back to an earlier owner.",
)
UNRULY: Final = Certainty(
    Known.BREAKS_THE_RULES,
    "kafka-python gives a partition back to an earlier owner that no longer subscribes, or fails "
    "where that consumer takes part in no move. Shown is an assignment that follows the protocol.",
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
        members = _last_runs(
            group, group.layout.arrival[np.isin(group.layout.arrival, subscribers)]
        )
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
    takers = np.resize(_last_runs(group, group.layout.arrival), partitions.size)
    if not group.layout.may_own(takers, partitions).all():
        return in_turn(group, static_first_by_bytes(group), partitions)
    owners = group.nobody()
    owners[partitions] = takers
    return owners


def _last_runs(group: Group, members: IntArray) -> IntArray:
    """Return the last run of static members, then that of dynamic ones, each ordered by id."""
    is_static = np.array(
        [group.layout.instance_ids[m] is not None for m in members.tolist()], np.bool_
    )
    run = np.cumsum(np.append(True, is_static[1:] != is_static[:-1])[: members.size])
    last = [run == np.max(run[is_static == kind], initial=0) for kind in (True, False)]
    kept = members[last[0] | last[1]]
    order = static_first_by_bytes(group)
    return order[np.isin(order, kept)]


def aiokafka_sticky(group: Group, *, trace: Trace | None = None) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    Of several claims on a partition the first one listed wins, since members send no generation.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> aiokafka_sticky(group)
    array([0, 1], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    return _aiokafka(group, alike=group.layout.lists_alike, trace=trace).owners


def kafka_python_sticky(group: Group, *, trace: Trace | None = None) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> kafka_python_sticky(group)
    array([0, 1], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    return _kafka_python(group, alike=group.layout.lists_alike, trace=trace).owners


def kafka_python_cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member still claims.

    >>> group = Group.fresh({"t": 2}, ["c0", "c1"]).owned_by(np.array([0, 0], np.int32))
    >>> kafka_python_cooperative_sticky(group)
    array([ 0, -1], dtype=int32)
    """
    last = last_to_claim(group, _claims(group))
    return less_claimed(last, kafka_python_cooperative_target(group))


def kafka_python_cooperative_target(group: Group, *, trace: Trace | None = None) -> Owners:
    """Return where the cooperative rounds end if nothing else changes."""
    if not group.wanted.size:
        return group.nobody()
    wants = group.subscribes[group.layout.class_of_member] & (group.topic_sizes > 0)
    alike = bool((wants == wants[:1]).all())
    return _kafka_python_cooperative(group, alike=alike, trace=trace).owners


def of_aiokafka_sticky(group: Group) -> Certainty:
    """Return how certain aiokafka's result is."""
    return _of_two(group, aiokafka_answers(group), ONE_OF_TWO)


def of_kafka_python_sticky(group: Group) -> Certainty:
    """Return how certain kafka-python's result is."""
    if not group.claims.is_contested:
        return _of_two(group, kafka_python_answers(group), ONE_OF_TWO)
    found = _kafka_python(group, alike=group.layout.lists_alike)
    return UNRULY if found.fails or found.unruly is not None else HASHED_SET


def of_kafka_python_cooperative(group: Group) -> Certainty:
    """Return how certain kafka-python's cooperative result is: members send topics sorted."""
    return _of_two(group, kafka_python_cooperative_answers(group), SORTED)


@memo
def aiokafka_answers(group: Group) -> tuple[Owners, ...]:
    """Return the possible results; () where they are not known."""
    return _answers(group, _aiokafka, group.layout.lists_alike)


@memo
def kafka_python_answers(group: Group) -> tuple[Owners, ...]:
    """Return the possible results; () where they are not known."""
    return (
        ()
        if group.claims.is_contested
        else _answers(group, _kafka_python, group.layout.lists_alike)
    )


@memo
def kafka_python_cooperative_answers(group: Group) -> tuple[Owners, ...]:
    """Return the possible targets; () where they are not known."""
    if group.layout.known_to_leader is not None and group.layout.has_equal_subscriptions:
        return (kafka_python_cooperative_target(group),)
    return _answers(group, _kafka_python_cooperative, group.layout.has_equal_subscriptions)


def _answers(
    group: Group, assign: Callable[..., Found], is_shown_alike: bool
) -> tuple[Owners, ...]:
    """Return the results for lists that are alike and not, those shown first."""
    if not (group.layout.has_equal_subscriptions and group.wanted.size):
        return ()
    both = (is_shown_alike, not is_shown_alike)
    found = [assign(group, alike=alike).owners for alike in both]
    return tuple({owners.tobytes(): owners for owners in found}.values())


def _of_two(group: Group, answers: tuple[Owners, ...], certainty: Certainty) -> Certainty:
    if not group.has_claims or len(answers) == 1 or not group.wanted.size:
        return EXACT
    if answers:
        return certainty
    return LATE_CHOICE if group.layout.wanted_topics.size > 1 else EXACT


def _aiokafka(group: Group, *, alike: bool, trace: Trace | None = None) -> Found:
    claims, nobodys = _claims(group), np.full(group.member_count, NO_GENERATION)
    claimed = claimed_in_order(group, claims, nobodys)
    return rebalanced(group, claimed, _walk(group, claims, claimed, alike=alike), trace=trace)


def _kafka_python(group: Group, *, alike: bool, trace: Trace | None = None) -> Found:
    claims = _claims(group)
    claimed = claimed_in_order(group, claims, group.claims.generations)
    walk = _walk(group, claims, claimed, alike=alike)
    return rebalanced(group, claimed, walk, undoes=True, trace=trace)


def _kafka_python_cooperative(group: Group, *, alike: bool, trace: Trace | None = None) -> Found:
    claims, nobodys = _claims(group, by_number=True), np.full(group.member_count, NO_GENERATION)
    claimed = claimed_in_order(group, claims, nobodys)
    walk = _walk(group, claims, claimed, alike=alike)
    return rebalanced(group, claimed, walk, undoes=True, trace=trace)


def _walk(group: Group, claims: LongArray, claimed: TwoClaims, *, alike: bool) -> LongArray:
    """Return the wanted partitions in the order of assignments and moves."""
    walk = rarest_first(group)
    if alike and claims.size and not _knows_unread(group):
        held = group.claims.partitions[claims]
        held = held[np.sort(np.unique(held, return_index=True)[1])]
        held = held[group.is_wanted[held]][::-1]
        free = walk[claimed.holder[walk] == UNOWNED]
        return np.concatenate([from_the_busiest(group, claimed, held), free])
    return walk


def _knows_unread(group: Group) -> bool:
    """Return whether the leader is known to know a topic that nobody reads."""
    read = {group.topics[t] for t in np.flatnonzero(np.any(group.subscribes, axis=0))}
    return not read.issuperset(group.layout.known_to_leader or ())


def _claims(group: Group, *, by_number: bool = False) -> LongArray:
    """Return the indices of the claims as read: by listed member, topic by topic.

    Within a topic as listed, or by number.
    """
    joined = np.argsort(group.layout.arrival)
    topics = group.topic_of_partition[group.claims.partitions]
    row = group.claims.members * np.int64(len(group.topics)) + topics
    _, first, of_row = np.unique(row, return_index=True, return_inverse=True)
    within = group.claims.partitions if by_number else np.zeros_like(group.claims.partitions)
    order: LongArray = np.lexsort((within, first[of_row], joined[group.claims.members]))
    return order

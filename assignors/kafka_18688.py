"""Uniform as of KAFKA-18688: an extra partition moves no more than balance demands."""

from dataclasses import replace

import numpy as np

from assignors import ragged
from assignors.alone import unless_alone
from assignors.dealing import Quota, held_by_each, is_even_now
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.uniform import filled, has_quotas, still_held
from assignors.uniform_general import uniform_general


@unless_alone
def uniform_kafka_18688(group: Group) -> Owners:
    """Balance the counts over all topics; whoever cannot fill an extra passes it on.

    Members come in the order in which a broker iterates the hash map of their ids, so
    that with one topic the answer is that of a real broker, member for member. Limit: a
    broker takes topics in the order of their random ids, which the group does not know;
    here they come by name. Racks are not looked at. Source: UniformAssignor of the group
    coordinator since Kafka 4.1.

    >>> uniform_kafka_18688(Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1]))
    array([0, 1, 1], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    if has_quotas(group) and is_even_now(group):
        return group.fit_owners.copy()
    if has_quotas(group) and not group.is_contested:
        held = _numbers_as_heard(group)[group.fit_owners]
        owners = _filled(group, held)
    else:
        heard = as_heard(group)
        held = still_held(heard)
        owners = _filled(heard, held) if has_quotas(heard) else uniform_general(heard, held)
    return np.append(group.hash_map_order, np.int32(UNOWNED))[owners]


def _filled(group: Group, held: Owners) -> Owners:
    """Fill members that hold so much up to ``stable_quotas``; both numbered as heard."""
    owners, dealt, takers = filled(group, held, stable_quotas(group, held))
    owners[dealt] = takers
    return owners


def _numbers_as_heard(group: Group) -> IntArray:
    """(M + 1,) the number of each member in ``as_heard``; the last one: ``UNOWNED``."""
    numbers = np.full(group.member_count + 1, UNOWNED, np.int32)
    numbers[group.hash_map_order] = np.arange(group.member_count)
    return numbers


def stable_quotas(group: Group, held: Owners) -> LongArray:
    """Return how many partitions each member is to hold.

    Heard in turn, each may hold an extra while there are any; one that does not own so many
    passes it on, as long as enough members come after it.
    """
    quota = Quota.of(group)
    quotas = np.full(group.member_count, quota.least)
    extras, after = quota.extras, group.member_count
    for member, count in enumerate(held_by_each(held, group.member_count).tolist()):
        after -= 1
        if extras and (count > quota.least or after < extras):
            quotas[member] += 1
            extras -= 1
    return quotas


def as_heard(group: Group) -> Group:
    """Return the group with its members numbered as ``hash_map_order`` has them."""
    order = group.hash_map_order
    numbers = order.tolist()
    rows = [group.claims[group.claim_starts[m] : group.claim_starts[m + 1]] for m in numbers]
    claim_starts, claims = ragged.flatten(rows)
    return replace(
        group,
        members=tuple(group.members[m] for m in numbers),
        class_of_member=group.class_of_member[order],
        arrival=np.arange(group.member_count, dtype=np.int32),
        instance_ids=tuple(group.instance_ids[m] for m in numbers),
        member_racks=group.member_racks[order],
        claim_starts=claim_starts,
        claims=claims,
        generations=group.generations[order],
        throughput=None if group.throughput is None else group.throughput[order],
    )

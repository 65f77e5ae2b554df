"""Uniform: the group coordinator's sticky assignment (KIP-848)."""

from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, counts_now, give_up_beyond, held_by_each
from assignors.single_member import unless_alone
from assignors.uniform.general import uniform_general


@unless_alone
def uniform(group: Group) -> Owners:
    """Balance the counts over all topics, and let members keep what they own.

    With equal subscriptions the first members get the partitions beyond the least count,
    even if others hold them now (KAFKA-18688). Members come in the order of their ids
    here; a real broker iterates a hash map of members, and topics by random ids, so that
    who gets the extra partition is not predictable. Racks are not looked at. Source:
    KIP-848, UniformAssignor of the group coordinator before Kafka 4.1.

    >>> before = np.array([0, 1, 1], np.int32)
    >>> uniform(Group.of(["t"], [3], ["A", "B"], owners=before))
    array([0, 1, 0], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    held = still_held(group)
    if not has_quotas(group):
        return uniform_general(group, held)
    quotas = first_quotas(group)
    if np.array_equal(counts_now(group), quotas):
        return held
    _, listed = ragged.rows_by_key(held, group.member_count)
    owners, dealt, takers = filled(group, held, quotas, listed)
    owners[dealt] = takers
    return owners


def has_quotas(group: Group) -> bool:
    """Tell whether the broker takes the subscriptions for equal."""
    return group.has_equal_subscriptions and group.subscription_type != "Heterogeneous"


def still_held(group: Group) -> Owners:
    """Return who owns each partition now and still subscribes to it."""
    return group.fit_owners.copy()


class Filling(NamedTuple):
    """How members are filled up to their quotas."""

    kept: Owners
    """(P,) what members keep of their own."""
    dealt: LongArray
    """All other wanted partitions, in the order in which they are dealt."""
    takers: LongArray
    """Who takes each of them."""


def first_quotas(group: Group) -> LongArray:
    """Return how many partitions each member is to hold: the first ones one more."""
    quota = Quota.of(group)
    quotas = np.full(group.member_count, quota.least)
    quotas[: quota.extras] += 1
    return quotas


def filled(group: Group, held: Owners, quotas: LongArray, listed: IntArray) -> Filling:
    """Cut every member down to its quota, then fill the members one after the other.

    ``listed`` holds what each member holds in a row, what it keeps first in front. What
    nobody owned is given first, then what was given up, owner by owner as listed.
    """
    owners = held.copy()
    free = group.wanted[owners[group.wanted] == UNOWNED]
    give_up_beyond(owners, quotas, listed)
    given_up = listed[owners[listed] == UNOWNED]
    lacks = quotas - held_by_each(owners, group.member_count)
    takers = np.repeat(np.arange(group.member_count), lacks)
    return Filling(owners, np.concatenate([free, given_up]), takers)

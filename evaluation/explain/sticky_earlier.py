"""Why the sticky algorithms of KAFKA-12464 and KAFKA-9987 keep or deal a partition."""

from functools import partial
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, give_up_beyond, held_by_each
from assignors.sticky.claims import Claims, of_newest_generation
from assignors.sticky.kafka_9987 import fill_to_least, last_of_full
from assignors.sticky.kafka_12464 import held_as_read, takers_in_one_circle
from evaluation.explain.claims import claim_in_newest, spread
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, dealt
from evaluation.wording import ordinal


class _Kept(NamedTuple):
    """What both do first."""

    claims: Claims
    quota: Quota
    allowed: LongArray
    """(M,) how many partitions each member may keep."""
    owners: Owners
    """(P,) what they keep."""


class _Circle(NamedTuple):
    """Phase two of KAFKA-12464."""

    unassigned: LongArray
    takers: IntArray


class _Phases(NamedTuple):
    """Phases two to four of KAFKA-9987."""

    filled: Owners
    """After phase two."""
    free: LongArray
    """What it deals, in order."""
    robbed: IntArray
    """What phase three takes from the full, in order."""
    short: LongArray
    """Who gets it."""
    left: IntArray
    """What phase four deals, in order."""
    below: LongArray
    """Who gets it."""


def kafka_12464_account(group: Group) -> Account:
    """Explain the two phases: keep, then one circle of all who may take more."""
    quota, claims = Quota.of(group), of_newest_generation(group)
    counts = held_by_each(claims.holder, group.member_count)
    keepers = quota.keepers_of_extras(group, counts)
    allowed = np.full(group.member_count, quota.least)
    allowed[keepers] = quota.most
    kept = _kept(group, claims, quota, allowed)
    unassigned = np.flatnonzero(group.is_wanted & (kept.owners == UNOWNED))
    takers = takers_in_one_circle(quota, np.minimum(counts, allowed), keepers)
    circle = _Circle(unassigned, takers)
    order = np.concatenate([np.flatnonzero(kept.owners != UNOWNED), unassigned])
    return Account(order, partial(_by_circle, group, Words(group), kept, circle))


def kafka_9987_account(group: Group) -> Account:
    """Explain the four phases: keep, fill, take from the full, hand out the rest."""
    quota, claims = Quota.of(group), of_newest_generation(group)
    kept = _kept(group, claims, quota, np.full(group.member_count, quota.most))
    filled, last = kept.owners.copy(), last_of_full(group, kept.owners, quota)
    left, short = fill_to_least(group, filled, quota)
    free = np.flatnonzero(group.is_wanted & (kept.owners == UNOWNED))
    free = free[np.argsort(group.number_in_topic[free], kind="stable")]
    robbed, after = last[: short.size], filled.copy()
    after[robbed] = short
    below = np.flatnonzero(held_by_each(after, group.member_count) < quota.most)
    phases = _Phases(filled, free, robbed, short, left, below)
    stays = np.flatnonzero(kept.owners != UNOWNED)
    order = np.concatenate([stays[~np.isin(stays, robbed)], free[: free.size - left.size]])
    return Account(
        np.concatenate([order, robbed, left]),
        partial(_by_phases, group, Words(group), kept, phases),
    )


def _kept(group: Group, claims: Claims, quota: Quota, allowed: LongArray) -> _Kept:
    owners = claims.holder.copy()
    overfull = np.flatnonzero(held_by_each(owners, group.member_count) > allowed)
    give_up_beyond(owners, allowed, held_as_read(group, owners, overfull.astype(np.int32)))
    return _Kept(claims, quota, allowed, owners)


def _start(group: Group, words: Words, kept: _Kept, partition: int) -> list[Step]:
    """Say what the claims and the quota came to."""
    steps = [
        spread(words, kept.quota, group),
        claim_in_newest(group, words, kept.claims, partition),
    ]
    holder = int(kept.claims.holder[partition])
    if holder == UNOWNED:
        return steps
    held = held_as_read(group, kept.claims.holder, np.array([holder], np.int32))
    allowed, name = int(kept.allowed[holder]), words.member(holder)
    place = int(np.flatnonzero(held == partition)[0])
    text = f"{name} holds {held.size:,} and may keep {allowed:,}"
    if held.size > allowed:
        text += f", the first in the order it lists them; this is the {ordinal(place + 1)}"
    if place < allowed:
        return [*steps, Step("Kept", f"{text}: it keeps it.")]
    return [*steps, Step("Given up", f"{text}: it gives it up.")]


def _by_circle(
    group: Group, words: Words, kept: _Kept, circle: _Circle, partition: int
) -> Reasoning:
    steps = _start(group, words, kept, partition)
    owner = int(kept.owners[partition])
    if owner == UNOWNED:
        place = int(np.searchsorted(circle.unassigned, partition))
        owner = int(circle.takers[place])
        counts = held_by_each(kept.owners, group.member_count)
        may_take = np.unique(circle.takers)
        text = (
            f"{dealt(circle.unassigned.size)}, by topic, then partition, "
            f"around one circle of those below their share, by id, "
            f"{words.each(may_take.tolist(), counts[may_take].tolist(), ' kept')}: the "
            f"{ordinal(place + 1)} goes to {words.member(owner)}."
        )
        steps.append(Step("Dealt", text))
    return Reasoning(owner, tuple(steps))


def _by_phases(
    group: Group, words: Words, kept: _Kept, phases: _Phases, partition: int
) -> Reasoning:
    steps = _start(group, words, kept, partition)
    owner = int(phases.filled[partition])
    least = kept.quota.least
    if kept.owners[partition] == UNOWNED and owner != UNOWNED:
        place = int(np.flatnonzero(phases.free == partition)[0])
        text = (
            f"Consumers with fewer than {least:,} are filled one after the other, by id, from what "
            f"is free, by partition, then topic: the {ordinal(place + 1)} goes to "
            f"{words.member(owner)}."
        )
        steps.append(Step("Phase 2", text))
    if partition in phases.robbed:
        turn = int(np.flatnonzero(phases.robbed == partition)[0])
        giver, owner = owner, int(phases.short[turn])
        text = (
            f"Nothing is free any more and {words.member(owner)} has fewer than {least:,}: it "
            f"takes the last partition of {words.member(giver)}, the next full consumer."
        )
        steps.append(Step("Phase 3", text))
    if owner == UNOWNED:
        turn = int(np.flatnonzero(phases.left == partition)[0])
        owner = int(phases.below[turn])
        text = (
            f"All hold at least {least:,}; what is left goes one each to those with fewer than "
            f"{kept.quota.most:,}, by id: the {ordinal(turn + 1)} is {words.member(owner)}."
        )
        steps.append(Step("Phase 4", text))
    return Reasoning(owner, tuple(steps))

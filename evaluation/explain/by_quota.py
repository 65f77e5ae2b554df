"""Why sticky, its predecessors and the broker's uniform keep or assign a partition by quota.

All members subscribe alike: each keeps its first partitions up to its quota, and the rest is
assigned to those below it.
"""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, LongArray
from assignors.quotas import Quota, held_by_each
from assignors.sticky.claims import resolved_claims
from assignors.sticky.constrained import ConstrainedStages, constrained
from assignors.sticky.kafka_9987 import four_phases
from assignors.sticky.kafka_12464 import Kept, held_as_read, two_phases
from assignors.sticky.racks import Racks
from assignors.uniform.uniform import ByQuota
from evaluation.explain.reasoning import (
    Derivation,
    KeptShare,
    Reasoning,
    Step,
    Words,
    assigned,
    claim_of,
    even_quota,
    kept_or_given_up,
    position_of,
    present_owner,
)
from evaluation.wording import ordinal, plural

_BY_BUCKET: Final = "the first ones in the order of the broker's hash set of their numbers"


def derive_sticky(group: Group) -> Derivation:
    """Return why sticky keeps what the quota allows, then fills members that have too few."""
    words, stages = Words(group), constrained(group, resolved_claims(group))

    def reason(partition: int) -> Reasoning:
        claim = claim_of(words, stages.claims, partition)
        steps = [even_quota(words, stages.quota), claim, *_held(words, stages, partition)]
        owner = int(stages.kept[partition])
        if owner == UNOWNED:
            owner, more = _assigned(words, stages, partition)
            steps += more
        return Reasoning(owner, tuple(steps))

    kept = np.flatnonzero(stages.kept != UNOWNED)
    near = stages.unassigned[stages.near[stages.unassigned] != UNOWNED]
    return Derivation(np.concatenate([kept, near, stages.waiting]), reason)


def _held(words: Words, stages: ConstrainedStages, partition: int) -> list[Step]:
    """Say what became of the claim on a partition, if there is any."""
    holder, quota = int(stages.claims.holder[partition]), stages.quota
    if partition in stages.claims.disputed:
        text = "Claims of the same generation cancel out, so it is reassigned."
        return [Step("Doubly claimed", text)]
    if holder == UNOWNED:
        return []
    if stages.held[partition] == UNOWNED:
        text = f"{words.member(holder)} is in {words.rack(holder)}, the replicas are in "
        return [Step("Racks", f"{text}{words.replica_racks(partition)}: it gives it up.")]
    held = np.flatnonzero(stages.held == holder)
    held = held[np.lexsort((held, words.group.number_in_topic[held]))]
    allowed, by = quota.least, "the first by partition, then topic"
    if holder in stages.keepers:
        allowed = quota.most
        by = f"one of {stages.keepers.size:,} with a larger share, by partition, then topic"
    elif quota.extras:
        by = f"since others keep the {plural(quota.extras, 'larger share')}: {by}"
    return [kept_or_given_up(words, partition, KeptShare(holder, held, allowed, by))]


def _assigned(words: Words, stages: ConstrainedStages, partition: int) -> tuple[int, list[Step]]:
    place, near = position_of(partition, stages.unassigned), int(stages.near[partition])
    by = "topic, then partition"
    if stages.racks is not None:
        by = f"fewest consumers in a rack with a replica, then {by}"
    text = f"{assigned(stages.unassigned.size)}, by {by}: this is the {ordinal(place + 1)}."
    steps = [Step("Assigned", text)]
    if stages.racks is not None and near != UNOWNED:
        return near, [*steps, _near(words, stages, stages.racks, place)]
    if stages.racks is not None:
        where = words.replica_racks(partition)
        text = f"Nobody with room is in a rack with a replica ({where}): it waits."
        steps.append(Step("Racks, first pass", text))
    turn = position_of(partition, stages.waiting)
    return int(stages.takers[turn]), [*steps, _filled(words, stages, turn)]


def _near(words: Words, stages: ConstrainedStages, racks: Racks, place: int) -> Step:
    """Say why this member takes what the rack pass assigns at this place."""
    partition, count = int(stages.unassigned[place]), words.group.member_count
    taker, least = stages.near[partition], stages.quota.least
    counts = held_by_each(stages.kept, count)
    counts += held_by_each(stages.near[stages.unassigned[:place]], count)
    members = np.arange(count, dtype=np.int32)
    is_near = (racks.of_member >= 0) & ~racks.mismatch(members, np.full_like(members, partition))
    needy = np.flatnonzero(is_near & (counts < least))
    text = (
        f"Nobody with fewer than {least:,} is in a rack with a replica; the first in the queue for "
        f"one more that is, is {words.member(taker)}, in {words.rack(taker)}."
    )
    if counts[taker] < least:
        text = (
            f"With fewer than {least:,}, and in a rack with a replica: "
            f"{words.each(needy, counts[needy])}. In turn, {words.member(taker)} is next."
        )
    return Step("Racks, first pass", text)


def _filled(words: Words, stages: ConstrainedStages, turn: int) -> Step:
    """Say why this member takes what the last pass assigns on this turn, from 0."""
    least, unfilled, name = stages.quota.least, stages.unfilled, words.member(stages.takers[turn])
    lacking = int(unfilled.needs.sum())
    if turn < lacking:
        text = (
            f"Consumers with fewer than {least:,} take one each in turn, by id, "
            f"{words.each(unfilled.needy, unfilled.needs, ' to go')}: the {ordinal(turn + 1)} goes "
            f"to {name}."
        )
        return Step("Filled", text)
    filled = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
    queue: LongArray = np.concatenate([unfilled.even, filled]).astype(np.int64)
    text = (
        f"All hold at least {least:,}; the rest goes one each to those that may hold one more, "
        f"first those that had {least:,} already, by id, then as they were filled: "
        f"{words.members(queue)}. The {ordinal(turn - lacking + 1)} is {name}."
    )
    return Step("Extra", text)


def derive_kafka_12464(group: Group) -> Derivation:
    """Return why two phases decide: keep, then assign in turn to all that may take more."""
    words, phases = Words(group), two_phases(group)
    kept, members = phases.kept, np.unique(phases.takers)
    counts = held_by_each(kept.owners, group.member_count)[members]

    def reason(partition: int) -> Reasoning:
        steps, owner = _kept(words, kept, partition), int(kept.owners[partition])
        if owner == UNOWNED:
            place = position_of(partition, phases.unassigned)
            owner = int(phases.takers[place])
            text = (
                f"{assigned(phases.unassigned.size)}, by topic, then partition, in turn to those "
                f"below their share, by id, {words.each(members, counts, ' kept')}: the "
                f"{ordinal(place + 1)} goes to {words.member(owner)}."
            )
            steps.append(Step("Assigned", text))
        return Reasoning(owner, tuple(steps))

    order = np.concatenate([np.flatnonzero(kept.owners != UNOWNED), phases.unassigned])
    return Derivation(order, reason)


def derive_kafka_9987(group: Group) -> Derivation:
    """Return why four phases decide: keep, fill, take from full members, hand out the rest."""
    words, phases = Words(group), four_phases(group)
    kept, least, most = phases.kept, phases.kept.quota.least, phases.kept.quota.most

    def reason(partition: int) -> Reasoning:
        steps, owner = _kept(words, kept, partition), int(phases.filled[partition])
        if kept.owners[partition] == UNOWNED and owner != UNOWNED:
            nth = ordinal(position_of(partition, phases.free) + 1)
            text = (
                f"Consumers with fewer than {least:,} are filled one after another, by id, with "
                f"free partitions by number, then topic: the {nth} goes to {words.member(owner)}."
            )
            steps.append(Step("Phase 2", text))
        if partition in phases.taken:
            giver, owner = owner, int(phases.short[position_of(partition, phases.taken)])
            text = (
                f"Nothing is free any more and {words.member(owner)} has fewer than {least:,}: it "
                f"takes the last partition of {words.member(giver)}, the next full consumer."
            )
            steps.append(Step("Phase 3", text))
        if owner == UNOWNED:
            place = position_of(partition, phases.left)
            owner = int(phases.below[place])
            text = (
                f"All hold at least {least:,}; the rest goes one each to those with fewer than "
                f"{most:,}, by id: the {ordinal(place + 1)} is {words.member(owner)}."
            )
            steps.append(Step("Phase 4", text))
        return Reasoning(owner, tuple(steps))

    stays = np.flatnonzero(kept.owners != UNOWNED)
    free = phases.free[: phases.free.size - phases.left.size]
    parts = (stays[~np.isin(stays, phases.taken)], free, phases.taken, phases.left)
    return Derivation(np.concatenate(parts), reason)


def _kept(words: Words, kept: Kept, partition: int) -> list[Step]:
    """Say what the claims and the quota of an earlier algorithm lead to."""
    claim = claim_of(words, kept.claims, partition, newest_only=True)
    steps = [even_quota(words, kept.quota), claim]
    holder = int(kept.claims.holder[partition])
    if holder == UNOWNED:
        return steps
    held = held_as_read(words.group, kept.claims.holder, np.array([holder], np.int32))
    by = "the first in the order it lists them"
    share = KeptShare(holder, held, int(kept.allowed[holder]), by)
    return [*steps, kept_or_given_up(words, partition, share)]


def derive_uniform_equal(group: Group, stages: ByQuota, extras: str) -> Derivation:
    """Return why uniform fills members up to their quotas.

    ``extras`` is a sentence with room for the members that hold one more.
    """
    words, quota = Words(group), Quota.of(group)
    _, by_number = ragged.rows_by_key(stages.held, group.member_count)
    by = "the first ones" if np.array_equal(stages.listed, by_number) else _BY_BUCKET
    members, lacks = np.unique(stages.takers, return_counts=True)

    def reason(partition: int) -> Reasoning:
        steps, owner = [even_quota(words, quota)], int(stages.held[partition])
        if quota.extras:
            more = words.members(np.flatnonzero(stages.quotas > quota.least))
            steps.append(Step("Extras", extras.format(more)))
        steps.append(present_owner(words, stages.held, partition))
        if owner != UNOWNED:
            own = stages.listed[stages.held[stages.listed] == owner]
            share = KeptShare(owner, own, int(stages.quotas[owner]), by)
            steps.append(kept_or_given_up(words, partition, share))
        if stages.kept[partition] == UNOWNED:
            place = position_of(partition, stages.unassigned)
            owner = int(stages.takers[place])
            text = (
                f"{assigned(stages.unassigned.size)}, unowned ones first; consumers are filled one "
                f"after another, {words.each(members, lacks)}: the {ordinal(place + 1)} goes to "
                f"{words.member(owner)}."
            )
            steps.append(Step("Assigned", text))
        return Reasoning(owner, tuple(steps))

    order = np.concatenate([np.flatnonzero(stages.kept != UNOWNED), stages.unassigned])
    return Derivation(order, reason)

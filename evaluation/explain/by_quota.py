"""Why sticky, its predecessors and the broker's uniform keep or assign a partition by quota.

All members subscribe alike: each keeps its first partitions up to its quota, and the rest is
assigned to those below it.
"""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, IntArray, LongArray
from assignors.quotas import Quota, held_by_each
from assignors.sticky.claims import resolved_claims
from assignors.sticky.constrained import ConstrainedStages, constrained
from assignors.sticky.kafka_9987 import four_phases
from assignors.sticky.kafka_12464 import Kept, held_as_read, two_phases
from assignors.sticky.racks import Racks
from assignors.uniform.uniform import ByQuota
from evaluation.explain.reasoning import Derivation, Pass, Step, Words, in_passes, position_of
from evaluation.wording import ordinal, plural

_BY_BUCKET: Final = "the first ones in the order of the broker's hash set of their numbers"


def derive_sticky(group: Group) -> Derivation:
    """Return why sticky keeps what the quota allows, then fills members that have too few."""
    words, stages = Words(group), constrained(group, resolved_claims(group))
    free, by = stages.unassigned, "topic, then partition"
    near = free[stages.near[free] != UNOWNED]
    if stages.racks is not None:
        by = f"fewest consumers in a rack with a replica, then {by}"

    def begin(partition: int) -> list[Step]:
        claim = words.claim(stages.claims, partition)
        steps = [_quota(words, stages.quota), claim, *_held(words, stages, partition)]
        if stages.kept[partition] != UNOWNED:
            return steps
        text = f"{_assigned(free.size)}, by {by}: this is the {_nth(position_of(partition, free))}."
        return [*steps, Step("Assigned", text)]

    def to_near(place: int) -> tuple[int, list[Step]]:
        step = _near(words, stages, stages.racks, position_of(near[place], free))
        return int(stages.near[near[place]]), [step]

    def to_waiting(turn: int) -> tuple[int, list[Step]]:
        steps = [_filled(words, stages, turn)]
        if stages.racks is not None:
            where = words.replica_racks(int(stages.waiting[turn]))
            text = f"No consumer with room is in a rack with a replica ({where}): it waits."
            steps.insert(0, Step("Racks, first pass", text))
        return int(stages.takers[turn]), steps

    passes = (Pass(near, to_near), Pass(stages.waiting, to_waiting))
    return in_passes(*passes, kept=stages.kept, begin=begin)


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
    return [
        _kept_or_given_up(words.member(holder), position_of(partition, held), held, allowed, by)
    ]


def _near(words: Words, stages: ConstrainedStages, racks: Racks | None, place: int) -> Step:
    """Say why this member takes what the rack pass assigns at this place."""
    partition, count = int(stages.unassigned[place]), words.group.member_count
    taker, least = stages.near[partition], stages.quota.least
    counts = held_by_each(stages.kept, count)
    counts += held_by_each(stages.near[stages.unassigned[:place]], count)
    text = (
        f"No consumer with fewer than {least:,} is in a rack with a replica. In the queue for one "
        f"more, the first in such a rack is {words.member(taker)}, in {words.rack(taker)}."
    )
    if racks is not None and counts[taker] < least:
        members = np.arange(count, dtype=np.int32)
        mismatch = racks.mismatch(members, np.full_like(members, partition))
        needy = np.flatnonzero((racks.of_member >= 0) & ~mismatch & (counts < least))
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
            f"{words.each(unfilled.needy, unfilled.needs, ' to go')}: the {_nth(turn)} goes "
            f"to {name}."
        )
        return Step("Filled", text)
    filled = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
    queue: LongArray = np.concatenate([unfilled.even, filled]).astype(np.int64)
    text = (
        f"All hold at least {least:,}; the rest goes one each to those that may hold one more, "
        f"first those that had {least:,} already, by id, then as they were filled: "
        f"{words.members(queue)}. The {_nth(turn - lacking)} is {name}."
    )
    return Step("Extra", text)


def derive_kafka_12464(group: Group) -> Derivation:
    """Return why two phases decide: keep, then assign in turn to all that may take more."""
    words, phases = Words(group), two_phases(group)
    members = np.unique(phases.takers)
    counts = held_by_each(phases.kept.owners, group.member_count)[members]

    def assign(place: int) -> tuple[int, list[Step]]:
        taker = int(phases.takers[place])
        text = (
            f"{_assigned(phases.unassigned.size)}, by topic, then partition, in turn to those "
            f"below their share, by id, {words.each(members, counts, ' kept')}: the "
            f"{_nth(place)} goes to {words.member(taker)}."
        )
        return taker, [Step("Assigned", text)]

    return in_passes(
        Pass(phases.unassigned, assign),
        kept=phases.kept.owners,
        begin=lambda partition: _claimed(words, phases.kept, partition),
    )


def derive_kafka_9987(group: Group) -> Derivation:
    """Return why four phases decide: keep, fill, take from full members, hand out the rest."""
    words, phases = Words(group), four_phases(group)
    kept, least, most = phases.kept, phases.kept.quota.least, phases.kept.quota.most
    free = phases.free[: phases.free.size - phases.left.size]

    def fill(place: int) -> tuple[int, list[Step]]:
        taker = int(phases.filled[free[place]])
        text = (
            f"Consumers with fewer than {least:,} are filled one after another, by id, with "
            f"free partitions by number, then topic: the {_nth(place)} goes to "
            f"{words.member(taker)}."
        )
        return taker, [Step("Phase 2", text)]

    def take(place: int) -> tuple[int, list[Step]]:
        taker, giver = int(phases.short[place]), phases.filled[phases.taken[place]]
        text = (
            f"No partition is free any more and {words.member(taker)} has fewer than {least:,}: it "
            f"takes the last partition of {words.member(giver)}, the next full consumer."
        )
        return taker, [Step("Phase 3", text)]

    def hand_out(place: int) -> tuple[int, list[Step]]:
        taker = int(phases.below[place])
        text = (
            f"All hold at least {least:,}; the rest goes one each to those with fewer than "
            f"{most:,}, by id: the {_nth(place)} is {words.member(taker)}."
        )
        return taker, [Step("Phase 4", text)]

    passes = (Pass(free, fill), Pass(phases.taken, take), Pass(phases.left, hand_out))
    return in_passes(
        *passes, kept=kept.owners, begin=lambda partition: _claimed(words, kept, partition)
    )


def _claimed(words: Words, kept: Kept, partition: int) -> list[Step]:
    """Say what the claims and the quota of an earlier algorithm lead to."""
    holder, claim = kept.claims.holder, words.claim(kept.claims, partition, newest_only=True)
    steps, member = [_quota(words, kept.quota), claim], int(holder[partition])
    if member == UNOWNED:
        return steps
    held = held_as_read(words.group, holder, np.array([member], np.int32))
    place, by = position_of(partition, held), "the first in the order it lists them"
    name, allowed = words.member(member), int(kept.allowed[member])
    return [*steps, _kept_or_given_up(name, place, held, allowed, by)]


def derive_uniform_equal(group: Group, stages: ByQuota, extras: str) -> Derivation:
    """Return why uniform fills members up to their quotas.

    ``extras`` is a sentence with room for the members that hold one more.
    """
    words, quota = Words(group), Quota.of(group)
    _, by_number = ragged.rows_by_key(stages.held, group.member_count)
    by = "the first ones" if np.array_equal(stages.listed, by_number) else _BY_BUCKET
    members, lacks = np.unique(stages.takers, return_counts=True)

    def begin(partition: int) -> list[Step]:
        steps, owner = [_quota(words, quota)], int(stages.held[partition])
        if quota.extras:
            more = words.members(np.flatnonzero(stages.quotas > quota.least))
            steps.append(Step("Extras", extras.format(more)))
        steps.append(words.present_owner(stages.held, partition))
        if owner == UNOWNED:
            return steps
        own = stages.listed[stages.held[stages.listed] == owner]
        place, allowed = position_of(partition, own), int(stages.quotas[owner])
        return [*steps, _kept_or_given_up(words.member(owner), place, own, allowed, by)]

    def assign(place: int) -> tuple[int, list[Step]]:
        taker = int(stages.takers[place])
        text = (
            f"{_assigned(stages.unassigned.size)}, unowned ones first; consumers are filled one "
            f"after another, {words.each(members, lacks)}: the {_nth(place)} goes to "
            f"{words.member(taker)}."
        )
        return taker, [Step("Assigned", text)]

    return in_passes(Pass(stages.unassigned, assign), kept=stages.kept, begin=begin)


def _quota(words: Words, quota: Quota) -> Step:
    """Say how many partitions each member may hold if all subscribe alike."""
    group = words.group
    more = f"and {quota.extras:,} of them one more" if quota.extras else "with none left over"
    division = (
        f"{plural(group.wanted.size, 'partition')} ÷ {plural(group.member_count, 'consumer')}"
    )
    alike = f"All {group.member_count:,} list the same topics"
    if group.member_count == 1:
        alike = f"{words.member(0)} is alone"
    return Step("Quota", f"{alike}: {division} = {quota.least:,} each, {more}.")


def _kept_or_given_up(
    holder: str, place: int, held: IntArray | LongArray, allowed: int, by: str
) -> Step:
    """Say whether the holder keeps the partition at this place of those it holds, from 0.

    ``by`` says which ones it may keep: ``the first ones``.
    """
    text = f"{holder} holds {held.size:,} and may keep {allowed:,}"
    if held.size > allowed:
        text += f", {by}; this is the {_nth(place)}"
    if place < allowed:
        return Step("Kept", f"{text}: it keeps it.")
    return Step("Given up", f"{text}: it gives it up.")


def _assigned(number: int) -> str:
    return f"{plural(number, 'partition')} {'is' if number == 1 else 'are'} assigned"


def _nth(place: int) -> str:
    return ordinal(place + 1)

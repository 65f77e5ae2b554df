"""Why sticky, and its earlier algorithms, keep or assign a partition where all subscribe alike."""

import numpy as np

from assignors.model import UNOWNED, Group, LongArray
from assignors.quotas import held_by_each
from assignors.sticky.claims import resolved_claims
from assignors.sticky.constrained import constrained
from assignors.sticky.kafka_9987 import four_phases
from assignors.sticky.kafka_12464 import Kept, held_as_read, two_phases
from assignors.sticky.racks import Racks
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    assigned,
    claim_in_newest,
    claim_of,
    even_quota,
    kept_or_given_up,
    position_of,
)
from evaluation.wording import ordinal, plural


def derive_sticky(group: Group) -> Derivation:
    """Return why sticky keeps what the quota allows, then fills members that have too few."""
    derivation = _Sticky(group)
    return Derivation(derivation.order, derivation.reason)


class _Sticky:
    def __init__(self, group: Group) -> None:
        self._group, self._words = group, Words(group)
        self._stages = stages = constrained(group, resolved_claims(group))
        kept = np.flatnonzero(stages.kept != UNOWNED)
        near = stages.unassigned[stages.near[stages.unassigned] != UNOWNED]
        self.order = np.concatenate([kept, near, stages.waiting])

    def reason(self, partition: int) -> Reasoning:
        group, words, stages = self._group, self._words, self._stages
        claims, holder = stages.claims, stages.claims.holder[partition]
        steps = [even_quota(group, words, stages.quota), claim_of(group, words, claims, partition)]
        if partition in claims.disputed:
            text = "Claims of one generation compete, so it is assigned anew."
            steps.append(Step("Doubly claimed", text))
        elif holder != stages.held[partition]:
            text = f"{words.member(holder)} stands in {words.rack(holder)}, its replicas in "
            text += f"{words.replica_racks(partition)}: it is given up."
            steps.append(Step("Racks", text))
        elif holder != UNOWNED:
            steps.append(self._kept_or_given_up(holder, partition))
        owner = int(stages.kept[partition])
        if owner == UNOWNED:
            owner, more = self._assigned(partition)
            steps += more
        return Reasoning(owner, tuple(steps))

    def _kept_or_given_up(self, holder: int, partition: int) -> Step:
        stages, quota = self._stages, self._stages.quota
        held = np.flatnonzero(stages.held == holder)
        held = held[np.lexsort((held, self._group.number_in_topic[held]))]
        is_keeper = holder in stages.keepers
        allowed = quota.most if is_keeper else quota.least
        text = f"{self._words.member(holder)} has {plural(held.size, 'valid claim')} and may keep "
        text += f"{allowed:,}"
        place = position_of(partition, held)
        if held.size > allowed:
            if is_keeper:
                text += f", one of the {stages.keepers.size:,} that keep a larger share"
            elif quota.extras:
                text += f", for the {plural(quota.extras, 'larger share')} went to others before it"
            text += f": the first, by partition, then topic. This is the {ordinal(place + 1)}"
        return kept_or_given_up(text, place, allowed)

    def _assigned(self, partition: int) -> tuple[int, list[Step]]:
        stages, racks = self._stages, self._stages.racks
        place, near = position_of(partition, stages.unassigned), int(stages.near[partition])
        by = "topic, then partition"
        if racks is not None:
            by = f"fewest consumers in a rack with a replica, then {by}"
        text = f"{assigned(stages.unassigned.size)}, by {by}: this is the {ordinal(place + 1)}."
        steps = [Step("Assigned", text)]
        if racks is not None and near != UNOWNED:
            return near, [*steps, self._near(racks, place)]
        if racks is not None:
            where = self._words.replica_racks(partition)
            text = f"Nobody with room stands in a rack with a replica ({where}): it waits."
            steps.append(Step("Racks, first pass", text))
        turn = position_of(partition, stages.waiting)
        return int(stages.takers[turn]), [*steps, self._filled(turn)]

    def _near(self, racks: Racks, place: int) -> Step:
        stages, words, count = self._stages, self._words, self._group.member_count
        partition = int(stages.unassigned[place])
        taker, least = stages.near[partition], stages.quota.least
        counts = held_by_each(stages.kept, count)
        counts += held_by_each(stages.near[stages.unassigned[:place]], count)
        members = np.arange(count, dtype=np.int32)
        is_far = racks.mismatch(members, np.full_like(members, partition))
        is_near = (racks.of_member >= 0) & ~is_far
        needy = np.flatnonzero(is_near & (counts < least))
        if counts[taker] < least:
            text = (
                f"With fewer than {least:,}, and in a rack with a replica: "
                f"{words.each(needy, counts[needy])}. Going round, {words.member(taker)} is next."
            )
        else:
            text = (
                f"Nobody with fewer than {least:,} stands in a rack with a replica; of those that "
                f"wait for one more, {words.member(taker)}, in {words.rack(taker)}, is the first "
                "that does."
            )
        return Step("Racks, first pass", text)

    def _filled(self, turn: int) -> Step:
        """Say why this member takes what the last pass assigns on this turn, from 0."""
        stages, words, unfilled = self._stages, self._words, self._stages.unfilled
        least, lacking = stages.quota.least, int(unfilled.needs.sum())
        name = words.member(stages.takers[turn])
        if turn < lacking:
            needs = words.each(unfilled.needy, unfilled.needs, " to go")
            text = (
                f"Consumers with fewer than {least:,} take one each in turn, by id, {needs}: "
                f"the {ordinal(turn + 1)} goes to {name}."
            )
            return Step("Filled", text)
        ceased = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
        queue: LongArray = np.concatenate([unfilled.even, ceased]).astype(np.int64)
        text = (
            f"All hold at least {least:,}; what is left goes one each to those that may hold one "
            f"more, first those that had {least:,} already, by id, then as they were filled: "
            f"{words.members(queue)}. The {ordinal(turn - lacking + 1)} is {name}."
        )
        return Step("Extra", text)


def derive_kafka_12464(group: Group) -> Derivation:
    """Return why two phases decide: keep, then one circle of all members that may take more."""
    words, phases = Words(group), two_phases(group)
    kept = phases.kept
    members = np.unique(phases.takers)
    counts = held_by_each(kept.owners, group.member_count)[members]

    def reason(partition: int) -> Reasoning:
        steps, owner = _kept(group, words, kept, partition), int(kept.owners[partition])
        if owner == UNOWNED:
            place = position_of(partition, phases.unassigned)
            owner = int(phases.takers[place])
            text = (
                f"{assigned(phases.unassigned.size)}, by topic, then partition, "
                f"around one circle of those below their share, by id, "
                f"{words.each(members, counts, ' kept')}: the "
                f"{ordinal(place + 1)} goes to {words.member(owner)}."
            )
            steps.append(Step("Assigned", text))
        return Reasoning(owner, tuple(steps))

    order = np.concatenate([np.flatnonzero(kept.owners != UNOWNED), phases.unassigned])
    return Derivation(order, reason)


def derive_kafka_9987(group: Group) -> Derivation:
    """Return why four phases decide: keep, fill, take from full members, hand out the rest."""
    words, phases = Words(group), four_phases(group)
    kept = phases.kept

    def reason(partition: int) -> Reasoning:
        steps = _kept(group, words, kept, partition)
        owner, least = int(phases.filled[partition]), kept.quota.least
        if kept.owners[partition] == UNOWNED and owner != UNOWNED:
            text = (
                f"Consumers with fewer than {least:,} are filled one after the other, by id, from "
                "what is free, by partition, then topic: the "
                f"{ordinal(position_of(partition, phases.free) + 1)} goes to {words.member(owner)}."
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
                f"All hold at least {least:,}; what is left goes one each to those with fewer than "
                f"{kept.quota.most:,}, by id: the {ordinal(place + 1)} is {words.member(owner)}."
            )
            steps.append(Step("Phase 4", text))
        return Reasoning(owner, tuple(steps))

    stays = np.flatnonzero(kept.owners != UNOWNED)
    free = phases.free[: phases.free.size - phases.left.size]
    parts = (stays[~np.isin(stays, phases.taken)], free, phases.taken, phases.left)
    return Derivation(np.concatenate(parts), reason)


def _kept(group: Group, words: Words, kept: Kept, partition: int) -> list[Step]:
    """Say what the claims and the quota came to."""
    claim = claim_in_newest(group, words, kept.claims, partition)
    steps = [even_quota(group, words, kept.quota), claim]
    holder = int(kept.claims.holder[partition])
    if holder == UNOWNED:
        return steps
    held = held_as_read(group, kept.claims.holder, np.array([holder], np.int32))
    place, allowed = position_of(partition, held), kept.allowed[holder]
    text = f"{words.member(holder)} holds {held.size:,} and may keep {allowed:,}"
    if held.size > allowed:
        text += f", the first in the order it lists them; this is the {ordinal(place + 1)}"
    return [*steps, kept_or_given_up(text, place, allowed)]

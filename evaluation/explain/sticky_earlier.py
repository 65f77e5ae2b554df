"""Why the sticky algorithms of KAFKA-12464 and KAFKA-9987 keep or assign a partition."""

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.quotas import held_by_each
from assignors.sticky.kafka_9987 import four_phases
from assignors.sticky.kafka_12464 import Kept, held_as_read, two_phases
from evaluation.explain.claims import claim_in_newest, even_quota
from evaluation.explain.reasoning import Reasoning, Step, Words, assigned, place_of
from evaluation.wording import ordinal


class Kafka12464:
    """Two phases: keep, then one circle of all members that may take more."""

    def __init__(self, group: Group) -> None:
        self._group, self._words = group, Words(group)
        self._phases = phases = two_phases(group)
        kept = np.flatnonzero(phases.kept.owners != UNOWNED)
        self.order = np.concatenate([kept, phases.unassigned])

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        group, words, phases, kept = self._group, self._words, self._phases, self._phases.kept
        steps = _kept(group, words, kept, partition)
        owner = int(kept.owners[partition])
        if owner == UNOWNED:
            place = place_of(partition, phases.unassigned)
            owner = int(phases.takers[place])
            members = np.unique(phases.takers)
            counts = held_by_each(kept.owners, group.member_count)[members]
            text = (
                f"{assigned(phases.unassigned.size)}, by topic, then partition, "
                f"around one circle of those below their share, by id, "
                f"{words.each(members, counts, ' kept')}: the "
                f"{ordinal(place + 1)} goes to {words.member(owner)}."
            )
            steps.append(Step("Assigned", text))
        return Reasoning(owner, tuple(steps))


class Kafka9987:
    """Four phases: keep, fill, take from full members, hand out the rest."""

    def __init__(self, group: Group) -> None:
        self._group, self._words = group, Words(group)
        self._phases = phases = four_phases(group)
        kept = np.flatnonzero(phases.kept.owners != UNOWNED)
        kept = kept[~np.isin(kept, phases.taken)]
        free = phases.free[: phases.free.size - phases.left.size]
        self.order = np.concatenate([kept, free, phases.taken, phases.left])

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        words, phases, kept = self._words, self._phases, self._phases.kept
        steps = _kept(self._group, words, kept, partition)
        owner, least = int(phases.filled[partition]), kept.quota.least
        if kept.owners[partition] == UNOWNED and owner != UNOWNED:
            text = (
                f"Consumers with fewer than {least:,} are filled one after the other, by id, from "
                "what is free, by partition, then topic: the "
                f"{ordinal(place_of(partition, phases.free) + 1)} goes to {words.member(owner)}."
            )
            steps.append(Step("Phase 2", text))
        if partition in phases.taken:
            giver, owner = owner, int(phases.short[place_of(partition, phases.taken)])
            text = (
                f"Nothing is free any more and {words.member(owner)} has fewer than {least:,}: it "
                f"takes the last partition of {words.member(giver)}, the next full consumer."
            )
            steps.append(Step("Phase 3", text))
        if owner == UNOWNED:
            place = place_of(partition, phases.left)
            owner = int(phases.below[place])
            text = (
                f"All hold at least {least:,}; what is left goes one each to those with fewer than "
                f"{kept.quota.most:,}, by id: the {ordinal(place + 1)} is {words.member(owner)}."
            )
            steps.append(Step("Phase 4", text))
        return Reasoning(owner, tuple(steps))


def _kept(group: Group, words: Words, kept: Kept, partition: int) -> list[Step]:
    """Say what the claims and the quota came to."""
    claim = claim_in_newest(group, words, kept.claims, partition)
    steps = [even_quota(group, words, kept.quota), claim]
    holder = int(kept.claims.holder[partition])
    if holder == UNOWNED:
        return steps
    held = held_as_read(group, kept.claims.holder, np.array([holder], np.int32))
    place, allowed = place_of(partition, held), kept.allowed[holder]
    text = f"{words.member(holder)} holds {held.size:,} and may keep {allowed:,}"
    if held.size > allowed:
        text += f", the first in the order it lists them; this is the {ordinal(place + 1)}"
    if place < allowed:
        return [*steps, Step("Kept", f"{text}: it keeps it.")]
    return [*steps, Step("Given up", f"{text}: it gives it up.")]

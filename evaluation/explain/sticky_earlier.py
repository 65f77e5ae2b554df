"""Why the sticky algorithms of KAFKA-12464 and KAFKA-9987 keep or deal a partition."""

from functools import partial

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.quotas import held_by_each
from assignors.sticky.kafka_9987 import FourPhases, four_phases
from assignors.sticky.kafka_12464 import Kept, TwoPhases, held_as_read, two_phases
from evaluation.explain.claims import claim_in_newest, spread
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, dealt
from evaluation.wording import ordinal


def kafka_12464_account(group: Group) -> Account:
    """Explain the two phases: keep, then one circle of all who may take more."""
    phases = two_phases(group)
    order = np.concatenate([np.flatnonzero(phases.kept.owners != UNOWNED), phases.unassigned])
    return Account(order, partial(_by_circle, group, Words(group), phases))


def kafka_9987_account(group: Group) -> Account:
    """Explain the four phases: keep, fill, take from the full, hand out the rest."""
    phases = four_phases(group)
    stays = np.flatnonzero(phases.kept.owners != UNOWNED)
    order = [
        stays[~np.isin(stays, phases.taken)],
        phases.free[: phases.free.size - phases.left.size],
        phases.taken,
        phases.left,
    ]
    return Account(np.concatenate(order), partial(_by_phases, group, Words(group), phases))


def _start(group: Group, words: Words, kept: Kept, partition: int) -> list[Step]:
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


def _by_circle(group: Group, words: Words, phases: TwoPhases, partition: int) -> Reasoning:
    kept = phases.kept
    steps = _start(group, words, kept, partition)
    owner = int(kept.owners[partition])
    if owner == UNOWNED:
        place = int(np.searchsorted(phases.unassigned, partition))
        owner = int(phases.takers[place])
        counts = held_by_each(kept.owners, group.member_count)
        may_take = np.unique(phases.takers)
        text = (
            f"{dealt(phases.unassigned.size)}, by topic, then partition, "
            f"around one circle of those below their share, by id, "
            f"{words.each(may_take.tolist(), counts[may_take].tolist(), ' kept')}: the "
            f"{ordinal(place + 1)} goes to {words.member(owner)}."
        )
        steps.append(Step("Dealt", text))
    return Reasoning(owner, tuple(steps))


def _by_phases(group: Group, words: Words, phases: FourPhases, partition: int) -> Reasoning:
    kept = phases.kept
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
    if partition in phases.taken:
        turn = int(np.flatnonzero(phases.taken == partition)[0])
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

"""Why sticky keeps, assigns or moves a partition where subscriptions differ."""

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.quotas import held_by_each
from assignors.sticky.claims import resolved_claims
from assignors.sticky.general import GeneralStages, general
from assignors.sticky.moves import Move
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    claim_of,
    position_of,
    subscribers_of,
    to_emptiest,
)
from evaluation.wording import ordinal


def derive_sticky_unequal(group: Group, stages: GeneralStages | None = None) -> Derivation:
    """Return why sticky keeps what it can, gives the rest to the emptiest, then moves."""
    derivation = _Unequal(group, stages or general(group, resolved_claims(group), traced=True))
    return Derivation(derivation.order, derivation.reason)


class _Unequal:
    def __init__(self, group: Group, stages: GeneralStages) -> None:
        self._group, self._words, self._stages = group, Words(group), stages
        wanted = group.partitions_of(stages.topics)
        is_kept, has_near = stages.kept[wanted] != UNOWNED, stages.near[wanted] != UNOWNED
        parts = (is_kept, has_near & ~is_kept, ~has_near)
        self.order = np.concatenate([wanted[part] for part in parts])

    def reason(self, partition: int) -> Reasoning:
        group, words, stages = self._group, self._words, self._stages
        steps = [Step("Path", "The subscriptions differ, so sticky takes its general path.")]
        if stages.is_reverted:
            text = "Moves were tried, but left the counts no more even: all are taken back."
            steps.append(Step("Improvement", text))
        steps.append(claim_of(group, words, stages.claims, partition))
        moves = [move for move in stages.moves if move.partition == partition]
        holder, owner = stages.claims.holder[partition], int(stages.kept[partition])
        if owner != UNOWNED:
            at_first = " at first" if moves else ""
            text = f"{words.member(owner)} still subscribes and keeps it{at_first}."
            steps.append(Step("Kept", text))
        else:
            if holder != UNOWNED:
                steps.append(self._given_up(holder, partition))
            owner, more = self._assigned(partition)
            steps += more
        for move in moves:
            owner = move.taker
            steps.append(self._moved(move))
        return Reasoning(owner, tuple(steps))

    def _given_up(self, holder: int, partition: int) -> Step:
        group, words, name = self._group, self._words, self._words.member(holder)
        topic = group.topic_of_partition[partition]
        if not group.subscribes[group.class_of_member[holder], topic]:
            return Step("Given up", f"{name} no longer subscribes to {words.topic(partition)}.")
        racks = words.replica_racks(partition)
        return Step("Given up", f"{name} stands in {words.rack(holder)}, its replicas in {racks}.")

    def _assigned(self, partition: int) -> tuple[int, list[Step]]:
        """Give it to the emptiest candidate, as the candidates stood when its turn came."""
        group, words, stages = self._group, self._words, self._stages
        is_near = stages.near[partition] != UNOWNED
        before, after = (stages.kept, stages.near) if is_near else (stages.near, stages.assigned)
        in_pass = self.order[(before[self.order] == UNOWNED) & (after[self.order] != UNOWNED)]
        place = position_of(partition, in_pass)
        counts = held_by_each(before, group.member_count)
        counts += held_by_each(after[in_pass[:place]], group.member_count)
        candidates, matching, steps = subscribers_of(group, partition), "", []
        if stages.racks is not None and is_near:
            same = np.full(candidates.size, partition, np.int32)
            candidates = candidates[~stages.racks.mismatch(candidates, same)]
            matching = " whose rack matches"
        elif stages.racks is not None:
            text = f"Nobody's rack matched its replicas ({words.replica_racks(partition)})."
            steps.append(Step("Racks", text))
        text = (
            f"Partitions without owner go to the emptiest subscriber{matching}, topics with the "
            f"fewest subscribers first: this is the {ordinal(place + 1)} of {in_pass.size:,}."
        )
        first = Step("Racks, first pass" if is_near else "Assigned", text)
        held = f"Subscribers{matching}, by what they hold: {{}}."
        owner, decision = to_emptiest(words, candidates, counts, held)
        return owner, [first, *steps, *decision]

    def _moved(self, move: Move) -> Step:
        giver, taker = self._words.member(move.giver), self._words.member(move.taker)
        why = "its owner of an older generation" if move.is_return else "the emptiest subscriber"
        text = (
            f"{giver} holds {move.had[0]:,}, {taker} {move.had[1]:,}, so it moves to {taker}, "
            f"{why}."
        )
        if move.instead_of != move.partition:
            text = (
                f"{self._words.partition(move.instead_of)} was to move to {taker}; this one, which "
                f"had moved from {taker} to {giver}, goes back instead."
            )
        return Step("Improvement", f"Walk {move.walk:,}: {text}")

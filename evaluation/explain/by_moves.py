"""Why sticky and the broker's uniform keep, assign or move a partition if subscriptions differ."""

from typing import Final

import numpy as np

from assignors.model import UNOWNED, Group, LongArray
from assignors.quotas import held_by_each
from assignors.sticky.claims import resolved_claims
from assignors.sticky.general import GeneralStages, general
from assignors.sticky.moves import Move
from assignors.uniform import kafka_18688, uniform
from assignors.uniform.general import ByRounds
from assignors.uniform.kafka_18688 import in_hash_map_order
from assignors.uniform.uniform import ByQuota
from evaluation.explain.by_quota import derive_uniform_equal
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    claim_of,
    position_of,
    present_owner,
    subscribers_of,
    to_emptiest,
)
from evaluation.wording import ordinal

_FIRST: Final = (
    "The first by id get one more, whatever they own now: {}. A real broker may choose others, "
    "because it iterates a hash map."
)
_STABLE: Final = (
    "One more goes to {}: a broker visits consumers in the order of its hash map, and one that "
    "owns fewer passes it on while enough follow."
)


def derive_sticky_unequal(group: Group, stages: GeneralStages | None = None) -> Derivation:
    """Return why sticky keeps what it can, gives the rest to the emptiest, then moves."""
    words, stages = Words(group), stages or general(group, resolved_claims(group))

    def reason(partition: int) -> Reasoning:
        steps = [Step("Path", "The subscriptions differ, so sticky takes its general path.")]
        if stages.is_reverted:
            text = "Moves were tried, but left the counts no more even: all are undone."
            steps.append(Step("Improvement", text))
        steps.append(claim_of(words, resolved_claims(group), partition))
        moves = [move for move in stages.moves if move.partition == partition]
        owner = int(stages.kept[partition])
        if owner != UNOWNED:
            at_first = " at first" if moves else ""
            text = f"{words.member(owner)} still subscribes and keeps it{at_first}."
            steps.append(Step("Kept", text))
        else:
            owner, more = _assigned(words, stages, order, partition)
            steps += more
        owner = moves[-1].taker if moves else owner
        return Reasoning(owner, (*steps, *(_improved(words, move) for move in moves)))

    wanted = stages.walk
    is_kept, has_near = stages.kept[wanted] != UNOWNED, stages.near[wanted] != UNOWNED
    parts = (is_kept, has_near & ~is_kept, ~has_near)
    order = np.concatenate([wanted[part] for part in parts])
    return Derivation(order, reason)


def _assigned(
    words: Words, stages: GeneralStages, order: LongArray, partition: int
) -> tuple[int, list[Step]]:
    """Give it to the emptiest candidate at that point."""
    group, steps, matching = words.group, list(_given_up(words, partition)), ""
    is_near = stages.near[partition] != UNOWNED
    before, after = (stages.kept, stages.near) if is_near else (stages.near, stages.assigned)
    in_pass = order[(before[order] == UNOWNED) & (after[order] != UNOWNED)]
    place = position_of(partition, in_pass)
    counts = held_by_each(before, group.member_count)
    counts += held_by_each(after[in_pass[:place]], group.member_count)
    candidates = subscribers_of(group, partition)
    if stages.racks is not None and is_near:
        same = np.full(candidates.size, partition, np.int32)
        candidates = candidates[~stages.racks.mismatch(candidates, same)]
        matching = " whose rack matches"
    text = (
        f"Partitions without owner go to the emptiest subscriber{matching}, topics with the "
        f"fewest subscribers first: this is the {ordinal(place + 1)} of {in_pass.size:,}."
    )
    first = Step("Racks, first pass" if is_near else "Assigned", text)
    held = f"Subscribers{matching}, by what they hold: {{}}."
    owner, decision = to_emptiest(words, candidates, counts, held)
    if stages.racks is not None and not is_near:
        text = f"Nobody's rack matched its replicas ({words.replica_racks(partition)})."
        decision = [Step("Racks", text), *decision]
    return owner, [*steps, first, *decision]


def _given_up(words: Words, partition: int) -> list[Step]:
    holder = int(resolved_claims(words.group).holder[partition])
    if holder == UNOWNED:
        return []
    text = f"{words.member(holder)} no longer subscribes to {words.topic(partition)}."
    if words.group.may_own(np.array([holder]), np.array([partition])).all():
        text = f"{words.member(holder)} is in {words.rack(holder)}, the replicas are in "
        text += f"{words.replica_racks(partition)}."
    return [Step("Given up", text)]


def _improved(words: Words, move: Move) -> Step:
    giver, taker = words.member(move.giver), words.member(move.taker)
    why = "its owner of an older generation" if move.is_return else "the emptiest subscriber"
    text = f"{giver} holds {move.had[0]:,}, {taker} {move.had[1]:,}, so it moves to {taker}, {why}."
    if move.instead_of != move.partition:
        text = (
            f"{words.partition(move.instead_of)} was to move to {taker}; this one, which had moved "
            f"from {taker} to {giver}, goes back instead."
        )
    return Step("Improvement", f"Walk {move.walk:,}: {text}")


def derive_uniform(group: Group) -> Derivation:
    """Return why uniform, in Kafka 4.0.0, decides as it does."""
    return _uniform(group, uniform.uniform_stages(group), _FIRST)


def derive_uniform_kafka_18688(group: Group) -> Derivation:
    """Return the same since KAFKA-18688, which numbers members in the broker's order."""
    stages, members = kafka_18688.uniform_kafka_18688_stages(group), group.hash_map_order
    derivation = _uniform(in_hash_map_order(group), stages, _STABLE)

    def reason(partition: int) -> Reasoning:
        reasoning = derivation.reason(partition)
        return reasoning._replace(owner=int(members[reasoning.owner]))

    return Derivation(derivation.order, reason)


def _uniform(group: Group, stages: ByQuota | ByRounds, extras: str) -> Derivation:
    if isinstance(stages, ByQuota):
        return derive_uniform_equal(group, stages, extras)
    words, wanted = Words(group), group.partitions_of(np.array(stages.topics))
    is_kept = stages.held[wanted] != UNOWNED
    path = Step("Path", "The broker considers the subscriptions unequal: it evens out in rounds.")

    def reason(partition: int) -> Reasoning:
        steps = [path, present_owner(words, stages.held, partition)]
        owner = int(stages.held[partition])
        if owner == UNOWNED:
            owner, more = _given(words, stages, wanted[~is_kept], partition)
            steps += more
        else:
            steps.append(Step("Kept", f"{words.member(owner)} subscribes to it and keeps it."))
        moves = [move for move in stages.moves if move.partition == partition]
        owner = moves[-1].taker if moves else owner
        return Reasoning(owner, (*steps, *(_evened_out(words, move) for move in moves)))

    return Derivation(np.concatenate([wanted[is_kept], wanted[~is_kept]]), reason)


def _given(
    words: Words, stages: ByRounds, free: LongArray, partition: int
) -> tuple[int, list[Step]]:
    """Give it to the emptiest subscriber; ties keep the order at the start of the topic."""
    group, place = words.group, position_of(partition, free)
    topics = group.topic_of_partition[free]
    first = position_of(topics[place], topics)
    counts = held_by_each(stages.held, group.member_count)
    counts += held_by_each(stages.assigned[free[:first]], group.member_count)
    subscribers = subscribers_of(group, partition)
    subscribers = subscribers[np.argsort(counts[subscribers], kind="stable")]
    counts += held_by_each(stages.assigned[free[first:place]], group.member_count)
    position = (
        f"Free partitions go to the emptiest subscriber, topics with the most partitions per "
        f"subscriber first: this is the {ordinal(place + 1)} of {free.size:,}."
    )
    taker, (held, decision) = to_emptiest(words, subscribers, counts, "The subscribers hold {}.")
    equal = subscribers[counts[subscribers] == counts[taker]]
    if equal.size > 1:
        text = (
            f"{words.member(taker)} takes it, the first of {words.members(equal)}, all with the "
            f"fewest so far, {counts[taker]:,}: in order of what they held at the start of "
            f"{words.topic(partition)}, then of id."
        )
        decision = Step("Tie-break", text)
    return taker, [Step("Assigned", position), held, decision]


def _evened_out(words: Words, move: Move) -> Step:
    giver, taker = words.member(move.giver), words.member(move.taker)
    text = (
        f"Round {move.walk:,}: of {words.topic(move.partition)}'s subscribers, {giver} holds "
        f"{move.had[0]:,} and {taker} {move.had[1]:,}, so {giver} gives its last partition of the "
        f"topic to {taker}."
    )
    return Step("Evened out", text)

"""Why sticky and the broker's uniform keep, assign or move a partition if subscriptions differ."""

from collections.abc import Callable, Sequence
from functools import partial
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
    Pass,
    Reasoning,
    Step,
    Words,
    in_passes,
    position_of,
)
from evaluation.wording import ordinal

_UNEQUAL: Final = "The subscriptions differ, so sticky takes its general path."
_FIRST: Final = (
    "The first by id get one more, whatever they own now: {}. A real broker may choose others, "
    "because it iterates a hash map."
)
_STABLE: Final = (
    "One more goes to {}: the broker offers it to consumers in the order of its hash map, and "
    "skips those that do not own one more already, as long as enough others follow."
)


def derive_sticky_unequal(group: Group, stages: GeneralStages | None = None) -> Derivation:
    """Return why sticky keeps what it can, gives the rest to the emptiest, then moves."""
    words, claims = Words(group), resolved_claims(group)
    stages = stages or general(group, claims)
    moved = {move.partition for move in stages.moves}

    def begin(partition: int) -> list[Step]:
        steps, owner = [Step("Path", _UNEQUAL)], int(stages.kept[partition])
        if stages.is_reverted:
            text = "Moves were tried, but all are undone: they did not make the counts more even."
            steps.append(Step("Improvement", text))
        steps.append(words.claim(claims, partition))
        if owner == UNOWNED:
            return [*steps, *_given_up(words, int(claims.holder[partition]), partition)]
        at_first = " at first" if partition in moved else ""
        text = f"{words.member(owner)} still subscribes and keeps it{at_first}."
        return [*steps, Step("Kept", text)]

    near = _to_emptiest(words, stages, is_near=True)
    rest = _to_emptiest(words, stages, is_near=False)
    moves = _moves(stages.moves, partial(_improved, words))
    return in_passes(near, rest, moves, kept=stages.kept, begin=begin)


def _to_emptiest(words: Words, stages: GeneralStages, *, is_near: bool) -> Pass:
    """Return the pass that gives to the emptiest subscriber, with racks that match or without."""
    before, after = (stages.kept, stages.near) if is_near else (stages.near, stages.assigned)
    walk = stages.walk[(before[stages.walk] == UNOWNED) & (after[stages.walk] != UNOWNED)]
    matching = " whose rack matches" if is_near and stages.racks is not None else ""

    def assign(place: int) -> tuple[int, list[Step]]:
        partition, count = int(walk[place]), words.group.member_count
        counts = held_by_each(before, count) + held_by_each(after[walk[:place]], count)
        candidates, steps = words.subscribers(partition), []
        if stages.racks is not None and is_near:
            same = np.full(candidates.size, partition, np.int32)
            candidates = candidates[~stages.racks.mismatch(candidates, same)]
        elif stages.racks is not None:
            text = f"Nobody's rack matched its replicas ({words.replica_racks(partition)})."
            steps = [Step("Racks", text)]
        text = (
            f"Unowned partitions go to the emptiest subscriber{matching}, topics with the "
            f"fewest subscribers first: this is the {ordinal(place + 1)} of {walk.size:,}."
        )
        first = Step("Racks, first pass" if is_near else "Assigned", text)
        held = f"Subscribers{matching}, by what they hold:"
        taker, decision = words.to_emptiest(candidates, counts, held)
        return taker, [first, *steps, *decision]

    return Pass(walk, assign)


def _given_up(words: Words, holder: int, partition: int) -> list[Step]:
    if holder == UNOWNED:
        return []
    text = f"{words.member(holder)} no longer subscribes to {words.topic(partition)}."
    if words.group.layout.may_own(np.array([holder]), np.array([partition])).all():
        text = f"{words.member(holder)} is in {words.rack(holder)}, the replicas are in "
        text += f"{words.replica_racks(partition)}."
    return [Step("Given up", text)]


def _moves(moves: Sequence[Move], say: Callable[[Move], Step]) -> Pass:
    """Return the moves after all partitions have owners as a pass."""
    partitions = np.array([move.partition for move in moves], np.int64)
    return Pass(partitions, lambda place: (moves[place].taker, [say(moves[place])]))


def _improved(words: Words, move: Move) -> Step:
    giver, taker = words.member(move.giver), words.member(move.taker)
    why = "its owner of an older generation" if move.is_return else "the emptiest subscriber"
    text = f"{giver} holds {move.had[0]:,}, {taker} {move.had[1]:,}, so it moves to {taker}, {why}."
    if move.instead_of != move.partition:
        text = (
            f"{words.partition(move.instead_of)} was to move to {taker}; this one, which had moved "
            f"from {taker} to {giver}, goes back instead."
        )
    return Step("Improvement", f"Pass {move.walk:,}: {text}")


def derive_uniform(group: Group) -> Derivation:
    """Return why uniform, in Kafka 4.0.0, decides as it does."""
    return _uniform(group, uniform.uniform_stages(group), _FIRST)


def derive_uniform_kafka_18688(group: Group) -> Derivation:
    """Return the same since KAFKA-18688, which numbers members in the broker's order."""
    stages, members = kafka_18688.uniform_kafka_18688_stages(group), group.layout.hash_map_order
    derivation = _uniform(in_hash_map_order(group), stages, _STABLE)

    def reason(partition: int) -> Reasoning:
        reasoning = derivation.reason(partition)
        return reasoning._replace(owner=int(members[reasoning.owner]))

    return derivation._replace(reason=reason)


def _uniform(group: Group, stages: ByQuota | ByRounds, extras: str) -> Derivation:
    if isinstance(stages, ByQuota):
        return derive_uniform_equal(group, stages, extras)
    words, wanted = Words(group), group.layout.partitions_of(np.array(stages.topics))
    free = wanted[stages.held[wanted] == UNOWNED]
    path = Step("Path", "The broker considers the subscriptions unequal: it evens out in rounds.")

    def begin(partition: int) -> list[Step]:
        steps, owner = [path, words.present_owner(stages.held, partition)], stages.held[partition]
        if owner == UNOWNED:
            return steps
        return [*steps, Step("Kept", f"{words.member(owner)} subscribes to it and keeps it.")]

    given = Pass(free, partial(_given, words, stages, free))
    moves = _moves(stages.moves, partial(_evened_out, words))
    return in_passes(given, moves, kept=stages.held, begin=begin)


def _given(words: Words, stages: ByRounds, free: LongArray, place: int) -> tuple[int, list[Step]]:
    """Give it to the emptiest subscriber; ties keep the order at the start of the topic."""
    group, partition = words.group, int(free[place])
    topics = group.topic_of_partition[free]
    first = position_of(topics[place], topics)
    counts = held_by_each(stages.held, group.member_count)
    counts += held_by_each(stages.assigned[free[:first]], group.member_count)
    subscribers = words.subscribers(partition)
    subscribers = subscribers[np.argsort(counts[subscribers], kind="stable")]
    counts += held_by_each(stages.assigned[free[first:place]], group.member_count)
    position = (
        f"Free partitions go to the emptiest subscriber, topics with the most partitions per "
        f"subscriber first: this is the {ordinal(place + 1)} of {free.size:,}."
    )
    taker, (held, decision) = words.to_emptiest(subscribers, counts, "The subscribers hold")
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

"""Why sticky keeps, deals or moves a partition where subscriptions differ.

The stages are those of ``assignors.sticky.general``; its search for a better balance is run once
more and leaves a trace of its moves.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray, Owners
from assignors.quotas import held_by_each
from assignors.sticky.claims import Claims, settled
from assignors.sticky.general import Start, general, rarest_first, start_of
from assignors.sticky.moves import Move
from assignors.sticky.rack_matching import assign_to_emptiest_near
from assignors.sticky.racks import Racks
from evaluation.explain.claims import claim_of
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, smallest_id
from evaluation.wording import ordinal


class Stages(NamedTuple):
    """What stands after each stage."""

    claims: Claims
    racks: Racks | None
    kept: Owners
    near: Owners
    """After the pass of racks."""
    start: Start
    """After all is dealt."""
    order: LongArray
    """The wanted partitions, topics listed least often first."""
    moves: dict[int, list[Move]]
    """The moves of each partition that stand, in order."""
    is_reverted: bool
    """Whether moves were tried and taken back."""


def unequal_account(group: Group) -> Account:
    """Explain the sticky strategies, also the earlier ones, where subscriptions differ."""
    stages = stages_of(group)
    is_kept = stages.kept[stages.order] != UNOWNED
    is_near = (stages.near[stages.order] != UNOWNED) & ~is_kept
    parts = (is_kept, is_near, ~is_kept & ~is_near)
    order = np.concatenate([stages.order[part] for part in parts])
    return Account(order, partial(reason, group, Words(group), stages))


def stages_of(group: Group) -> Stages:
    """Call the algorithm's stages one by one, and replay its moves."""
    claims, racks = settled(group), Racks.that_matter(group)
    start = start_of(group, claims)
    kept = np.where(start.was_free, np.int32(UNOWNED), start.owners)
    near, topics = kept.copy(), rarest_first(group)
    if racks is not None:
        assign_to_emptiest_near(group, racks, near, topics)
    trace: list[Move] = []
    owners = general(group, claims, trace)
    moved = start.owners.copy()
    for move in trace:
        moved[move.partition] = move.taker
    stands = np.array_equal(moved, owners)
    moves: dict[int, list[Move]] = {}
    for move in trace if stands else []:
        moves.setdefault(move.partition, []).append(move)
    order = ragged.spans(group.topic_starts[topics], group.topic_starts[topics + 1])
    return Stages(claims, racks, kept, near, start, order, moves, not stands)


def reason(group: Group, words: Words, stages: Stages, partition: int) -> Reasoning:
    """Derive the owner of one wanted partition."""
    steps = [
        Step("Path", "The subscriptions differ, so sticky takes its general path."),
        claim_of(group, words, stages.claims, partition),
    ]
    moves = stages.moves.get(partition, [])
    holder, owner = int(stages.claims.holder[partition]), int(stages.kept[partition])
    if stages.is_reverted:
        text = "Moves were tried, but left the counts no more even: all are taken back."
        steps.insert(1, Step("Improvement", text))
    if owner != UNOWNED:
        kept = f"{words.member(owner)} still subscribes and keeps it at first."
        steps.append(Step("Kept", kept if moves else kept.replace(" at first", "")))
    else:
        if holder != UNOWNED:
            steps.append(_given_up(group, words, holder, partition))
        owner, dealt = _dealt(group, words, stages, partition)
        steps += dealt
    for move in moves:
        owner = move.taker
        steps.append(_moved(words, move))
    return Reasoning(owner, tuple(steps))


def _given_up(group: Group, words: Words, holder: int, partition: int) -> Step:
    name = words.member(holder)
    if not group.subscribes[group.class_of_member[holder], group.topic_of_partition[partition]]:
        return Step("Given up", f"{name} no longer subscribes to {words.topic(partition)}.")
    where = words.replica_racks(partition)
    return Step("Given up", f"{name} stands in {words.rack(holder)}, its replicas in {where}.")


def _dealt(group: Group, words: Words, stages: Stages, partition: int) -> tuple[int, list[Step]]:
    """Give it to the emptiest candidate, as the candidates stood when its turn came."""
    is_near = stages.near[partition] != UNOWNED
    before, after = (stages.kept, stages.near) if is_near else (stages.near, stages.start.owners)
    dealt = stages.order[(before[stages.order] == UNOWNED) & (after[stages.order] != UNOWNED)]
    place = int(np.flatnonzero(dealt == partition)[0])
    counts = held_by_each(before, group.member_count)
    counts += held_by_each(after[dealt[:place]], group.member_count)
    audience = group.audiences.of_topic[group.topic_of_partition[partition]]
    candidates = group.audiences.heard_by(audience)
    if is_near and stages.racks is not None:
        candidates = candidates[_matches(stages.racks, candidates, partition)]
    held = counts[candidates]
    fewest = candidates[held == held.min()].tolist()
    by_need = candidates[np.argsort(held, kind="stable")]
    matching = " whose rack matches" if is_near else ""
    text = (
        f"Partitions without owner go to the emptiest subscriber{matching}, topics with the "
        f"fewest subscribers first: this is the {ordinal(place + 1)} of {dealt.size:,}."
    )
    steps = [Step("Racks, first pass" if is_near else "Dealt", text)]
    if stages.racks is not None and not is_near:
        text = f"Nobody's rack matched its replicas ({words.replica_racks(partition)})."
        steps.append(Step("Racks", text))
    so_far = words.each(by_need.tolist(), counts[by_need].tolist())
    steps.append(Step("Held so far", f"Subscribers{matching}, by what they hold: {so_far}."))
    steps.append(smallest_id(words, fewest, f"the fewest so far, {int(held.min()):,}"))
    return fewest[0], steps


def _matches(racks: Racks, members: IntArray, partition: int) -> BoolArray:
    matches: BoolArray = ~racks.mismatch(members, np.full(members.size, partition, np.int32))
    return matches


def _moved(words: Words, move: Move) -> Step:
    giver, taker = words.member(move.giver), words.member(move.taker)
    why = "its owner of an older generation" if move.is_return else "the emptiest subscriber"
    text = (
        f"Walk {move.walk:,}: {giver} holds {move.had[0]:,}, {taker} {move.had[1]:,}, so it moves "
        f"to {taker}, {why}."
    )
    if move.instead_of != move.partition:
        text = (
            f"Walk {move.walk:,}: {words.partition(move.instead_of)} was to move to {taker}; this "
            f"one, which had moved from {taker} to {giver}, goes back instead."
        )
    return Step("Improvement", text)

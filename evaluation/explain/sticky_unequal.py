"""Why sticky keeps, assigns or moves a partition where subscriptions differ."""

from functools import partial

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, BoolArray, Group, IntArray, LongArray
from assignors.quotas import held_by_each
from assignors.sticky.claims import settled
from assignors.sticky.general import Stages, general
from assignors.sticky.moves import Move
from assignors.sticky.racks import Racks
from evaluation.explain.claims import claim_of
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, smallest_id
from evaluation.wording import ordinal


def unequal_account(group: Group) -> Account:
    """Explain the sticky strategies, also the earlier ones, where subscriptions differ."""
    stages = general(group, settled(group), traced=True)
    order = _order(group, stages)
    is_kept = stages.kept[order] != UNOWNED
    is_near = (stages.near[order] != UNOWNED) & ~is_kept
    parts = (is_kept, is_near, ~is_kept & ~is_near)
    in_order = np.concatenate([order[part] for part in parts])
    return Account(in_order, partial(reason, group, Words(group), stages))


def _order(group: Group, stages: Stages) -> LongArray:
    """Return the wanted partitions, topics listed least often first."""
    return ragged.spans(group.topic_starts[stages.topics], group.topic_starts[stages.topics + 1])


def reason(group: Group, words: Words, stages: Stages, partition: int) -> Reasoning:
    """Derive the owner of one wanted partition."""
    steps = [
        Step("Path", "The subscriptions differ, so sticky takes its general path."),
        claim_of(group, words, stages.claims, partition),
    ]
    moves = [move for move in stages.moves if move.partition == partition]
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
    before, after = (stages.kept, stages.near) if is_near else (stages.near, stages.assigned)
    order = _order(group, stages)
    dealt = order[(before[order] == UNOWNED) & (after[order] != UNOWNED)]
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

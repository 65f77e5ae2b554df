"""Why sticky keeps or deals a partition where all members subscribe to the same topics.

The stages are those of ``assignors.sticky.constrained``, called one by one.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.quotas import Quota, Unfilled, held_by_each
from assignors.racks import Racks
from assignors.sticky.claims import Claims, settled
from assignors.sticky.constrained import even_members, give_up_excess, kept_at_most, takers
from assignors.sticky.rack_matching import deal_near
from evaluation.explain.claims import claim_of, spread
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, dealt
from evaluation.wording import ordinal, plural


class _Stages(NamedTuple):
    """What stands after each stage."""

    claims: Claims
    quota: Quota
    racks: Racks | None
    held: Owners
    """After claims and racks are judged."""
    keepers: IntArray
    """Who may keep one more than the least."""
    kept: Owners
    """After the excess is given up."""
    unassigned: IntArray
    """In the order in which it is dealt."""
    near: Owners
    """After the pass of racks."""
    waiting: IntArray
    """What that pass left, in order."""
    unfilled: Unfilled
    """Who takes that."""
    takers: IntArray
    """One for each of ``waiting``."""


def equal_account(group: Group) -> Account:
    """Explain sticky and cooperative-sticky where the constrained path is taken."""
    stages = _stages_of(group)
    kept = np.flatnonzero(stages.kept != UNOWNED)
    near = stages.unassigned[stages.near[stages.unassigned] != UNOWNED]
    order = np.concatenate([kept, near, stages.waiting])
    return Account(order, partial(_reason, group, Words(group), stages))


def _stages_of(group: Group) -> _Stages:
    claims, quota, racks = settled(group), Quota.of(group), Racks.that_matter(group)
    held = kept_at_most(claims, racks)
    counts = held_by_each(held, group.member_count)
    keepers = quota.keepers_of_extras(group, counts)
    kept = held.copy()
    give_up_excess(group, kept, counts, quota, keepers)
    extras_left = quota.extras - keepers.size
    needy = np.flatnonzero(counts < quota.least).astype(np.int32)
    even = even_members(counts, quota, keepers, extras_left)
    unfilled = Unfilled(needy, quota.least - counts[needy], even)
    unassigned = np.flatnonzero(group.is_wanted & (kept == UNOWNED)).astype(np.int32)
    near, waiting = kept.copy(), unassigned
    if racks is not None:
        unassigned = unassigned[np.argsort(racks.members_near(unassigned), kind="stable")]
        waiting, unfilled = deal_near(racks, near, unassigned, unfilled, extras_left)
    return _Stages(
        claims, quota, racks, held, keepers, kept, unassigned, near, waiting, unfilled,
        takers(unfilled)[: waiting.size],
    )  # fmt: skip


def _reason(group: Group, words: Words, stages: _Stages, partition: int) -> Reasoning:
    quota, claims = stages.quota, stages.claims
    steps = [spread(words, quota, group), claim_of(group, words, claims, partition)]
    if partition in claims.disputed:
        steps.append(
            Step("Doubly claimed", "Claims of one generation compete, so it is dealt anew.")
        )
    elif claims.holder[partition] != stages.held[partition]:
        holder = int(claims.holder[partition])
        where = words.replica_racks(partition)
        text = (
            f"{words.member(holder)} stands in {words.rack(holder)}, its replicas in {where}: "
            "it is given up."
        )
        steps.append(Step("Racks", text))
    elif stages.held[partition] != UNOWNED:
        steps.append(_kept_or_given_up(group, words, stages, partition))
    owner = int(stages.kept[partition])
    if owner == UNOWNED:
        owner, more = _dealt(group, words, stages, partition)
        steps += more
    return Reasoning(owner, tuple(steps))


def _kept_or_given_up(group: Group, words: Words, stages: _Stages, partition: int) -> Step:
    holder = int(stages.held[partition])
    held = np.flatnonzero(stages.held == holder)
    held = held[np.lexsort((held, group.number_in_topic[held]))]
    place = int(np.flatnonzero(held == partition)[0])
    quota, name = stages.quota, words.member(holder)
    allowed = quota.most if holder in stages.keepers else quota.least
    if held.size <= allowed:
        text = f"{name} has {plural(held.size, 'valid claim')} and may keep {allowed:,}"
        return Step("Kept", f"{text}: it keeps it.")
    which = ""
    if holder in stages.keepers:
        which = f", one of the {stages.keepers.size:,} that keep a larger share"
    elif quota.extras and held.size > quota.least:
        which = f", for the {plural(quota.extras, 'larger share')} went to others before it"
    text = (
        f"{name} has {plural(held.size, 'valid claim')} and may keep {allowed:,}{which}: the "
        f"first, by partition, then topic. This is the {ordinal(place + 1)}: "
    )
    if place < allowed:
        return Step("Kept", f"{text}it keeps it.")
    return Step("Given up", f"{text}it gives it up.")


def _dealt(group: Group, words: Words, stages: _Stages, partition: int) -> tuple[int, list[Step]]:
    place = int(np.flatnonzero(stages.unassigned == partition)[0])
    by = "topic, then partition"
    if stages.racks is not None:
        by = f"fewest consumers in a rack with a replica, then {by}"
    text = f"{dealt(stages.unassigned.size)}, by {by}: this is the {ordinal(place + 1)}."
    steps = [Step("Dealt", text)]
    near = int(stages.near[partition])
    if near != UNOWNED and stages.racks is not None:
        return near, [*steps, _near(group, words, stages, stages.racks, place)]
    if stages.racks is not None:
        where = words.replica_racks(partition)
        text = f"Nobody with room stands in a rack with a replica ({where}): it waits."
        steps.append(Step("Racks, first pass", text))
    turn = int(np.flatnonzero(stages.waiting == partition)[0])
    owner = int(stages.takers[turn])
    return owner, [*steps, taken_in_turn(words, stages.quota, stages.unfilled, turn, owner)]


def _near(group: Group, words: Words, stages: _Stages, racks: Racks, place: int) -> Step:
    partition = int(stages.unassigned[place])
    taker = int(stages.near[partition])
    counts = held_by_each(stages.kept, group.member_count)
    counts += held_by_each(stages.near[stages.unassigned[:place]], group.member_count)
    members = np.arange(group.member_count, dtype=np.int32)
    mismatch = racks.mismatch(members, np.full(members.size, partition, np.int32))
    is_near = (racks.of_member >= 0) & ~mismatch
    least, name = stages.quota.least, words.member(taker)
    needy = np.flatnonzero(is_near & (counts < least))
    if counts[taker] < least:
        text = (
            f"With fewer than {least:,}, and in a rack with a replica: "
            f"{words.each(needy.tolist(), counts[needy].tolist())}. Going round, {name} is next."
        )
    else:
        text = (
            f"Nobody with fewer than {least:,} stands in a rack with a replica; of those that "
            f"wait for one more, {name}, in {words.rack(taker)}, is the first that does."
        )
    return Step("Racks, first pass", text)


def taken_in_turn(words: Words, quota: Quota, unfilled: Unfilled, turn: int, owner: int) -> Step:
    """Say why this member takes what is dealt on this turn, from 0, of the last pass."""
    lacking, name = int(unfilled.needs.sum()), words.member(owner)
    if turn < lacking:
        who = words.each(unfilled.needy.tolist(), unfilled.needs.tolist(), " to go")
        text = (
            f"Consumers with fewer than {quota.least:,} take one each in turn, by id, {who}: "
            f"the {ordinal(turn + 1)} goes to {name}."
        )
        return Step("Filled", text)
    ceased = unfilled.needy[np.argsort(unfilled.needs, kind="stable")]
    queue: LongArray = np.concatenate([unfilled.even, ceased]).astype(np.int64)
    text = (
        f"All hold at least {quota.least:,}; what is left goes one each to those that may hold "
        f"one more, first those that had {quota.least:,} already, by id, then as they were filled: "
        f"{words.members(queue.tolist())}. The {ordinal(turn - lacking + 1)} is {name}."
    )
    return Step("Extra", text)

"""Why sticky keeps or assigns a partition where all members subscribe to the same topics."""

from functools import partial

import numpy as np

from assignors.model import UNOWNED, Group, LongArray
from assignors.quotas import Quota, Unfilled, held_by_each
from assignors.sticky.claims import settled
from assignors.sticky.constrained import Stages, constrained
from assignors.sticky.racks import Racks
from evaluation.explain.claims import claim_of, spread
from evaluation.explain.reasoning import Account, Reasoning, Step, Words, dealt
from evaluation.wording import ordinal, plural


def equal_account(group: Group) -> Account:
    """Explain sticky and cooperative-sticky where the constrained path is taken."""
    stages = constrained(group, settled(group))
    kept = np.flatnonzero(stages.kept != UNOWNED)
    near = stages.unassigned[stages.near[stages.unassigned] != UNOWNED]
    order = np.concatenate([kept, near, stages.waiting])
    return Account(order, partial(_reason, group, Words(group), stages))


def _reason(group: Group, words: Words, stages: Stages, partition: int) -> Reasoning:
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


def _kept_or_given_up(group: Group, words: Words, stages: Stages, partition: int) -> Step:
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


def _dealt(group: Group, words: Words, stages: Stages, partition: int) -> tuple[int, list[Step]]:
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


def _near(group: Group, words: Words, stages: Stages, racks: Racks, place: int) -> Step:
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

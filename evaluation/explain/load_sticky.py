"""Why load-sticky gives a partition to its owner.

Placing is derived again from what the candidates carried at that point; the steps towards even
load run once more, and each is explained with the loads it changed.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from assignors.lag.load_sticky import counted_steps, default_moves, placed_owners
from assignors.lag.weights import slack, tolerance_of, weights_of
from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.quotas import held_by_each
from assignors.sums import exact_sums
from evaluation.explain.reasoning import Derivation, Pass, Reasoning, Step, Words, in_passes
from evaluation.wording import ordinal, percent, plural


class _Turn(NamedTuple):
    """One step towards even load, with the loads of the two members that it is about."""

    number: int
    """From 1."""
    takers: dict[int, int]
    """The new owner of each partition: first of the one that the fuller member gives."""
    giver: int
    taker: int
    before: tuple[int, int]
    after: tuple[int, int]
    is_gift: bool
    """Whether it serves a consumer that held nothing."""
    moved: int
    """How many moves count against the budget so far."""


def derive_load_sticky(group: Group) -> Derivation:
    """Return why it keeps or places each partition, then moves as the budget allows."""
    words, home, owners, budget = (
        Words(group),
        group.fit_owners,
        placed_owners(group),
        default_moves(group),
    )
    turns = list(_turns(group, owners.copy()))
    reach = next((n for n, turn in enumerate(turns) if turn.moved > budget), len(turns))
    taken, missed = turns[:reach], turns[reach:]
    start = _placed(group, owners, {p for turn in taken for p in turn.takers})
    kept = np.count_nonzero(home != UNOWNED)
    share = percent(group.load_settings.moves_permille / 1000)

    def reason(partition: int) -> Reasoning:
        owner, steps = start.reason(partition)
        own = [turn for turn in taken if partition in turn.takers]
        owner = own[-1].takers[partition] if own else owner
        steps = (*_outline(group, turns), *steps, *(_told(words, turn, partition) for turn in own))
        later = next((turn for turn in missed if partition in turn.takers), None)
        if later is not None:
            text = (
                f"Step {later.number:,} would still have moved it to "
                f"{words.member(later.takers[partition])}, but the budget is "
                f"{plural(budget, 'move')}, {share} of the {kept:,} that could stay, and step "
                f"{reach + 1:,} would have made it {turns[reach].moved:,}. "
                f"{words.member(owner)} keeps it."
            )
            steps = (*steps, Step("Budget", text))
        return Reasoning(owner, steps)

    return Derivation(start.order, reason)


def _placed(group: Group, owners: Owners, later: set[int]) -> Derivation:
    """Keep present owners that subscribe, and place the free partitions.

    ``later`` has the partitions that move afterwards.
    """
    words, present, kept = Words(group), group.present_owners, group.fit_owners
    weights, free = weights_of(group), group.wanted[kept[group.wanted] == UNOWNED]
    free = free[(-weights.of[free]).argsort(kind="stable")]

    def begin(partition: int) -> list[Step]:
        if kept[partition] == UNOWNED:
            return []
        at_first = " at first" if partition in later else ""
        owner = words.member(kept[partition])
        text = f"{owner} owns it now and still subscribes: it keeps it{at_first}."
        return [Step("Kept", text)]

    def assign(place: int) -> tuple[int, list[Step]]:
        partition, text = int(free[place]), "Nobody owns it now"
        if present[partition] != UNOWNED:
            text = f"{words.member(present[partition])} owns it now, but no longer subscribes"
        before = np.concatenate([np.flatnonzero(kept != UNOWNED), free[:place]])
        position = (
            f"{_weighed(group, partition)} Heaviest first, it is the {ordinal(place + 1)} of "
            f"{free.size:,} to place."
        )
        taker, decision = _to_least(words, owners, before, partition)
        first = Step("Placed", f"{text}: it is placed, which does not count as a move.")
        return taker, [first, Step("Position", position), *decision]

    return in_passes(Pass(free, assign), kept=kept, begin=begin)


def _weighed(group: Group, partition: int) -> str:
    """Say what the partition weighs, and why."""
    weights = weights_of(group)
    weight = f"{weights.of[partition]:,}"
    if weights.are_counts:
        return "All partitions weigh the same, 1."
    if not group.is_lag_known[partition]:
        return f"Its lag is unknown: it weighs {weight}, the median."
    if int(group.counted_lags[partition]) + 1 != int(weights.of[partition]):
        return f"It weighs {weight}, its lag plus 1 in a coarser unit, as lags are beyond 2^62."
    return f"It weighs {weight}, its lag plus 1."


def _to_least(
    words: Words, owners: Owners, before: LongArray, partition: int
) -> tuple[int, list[Step]]:
    """Give it to the least loaded in a rack nearby if there is room, else to the least loaded."""
    group, weights = words.group, weights_of(words.group)
    even = int(weights.of.sum()) // group.layout.taking_part.size
    most = even + slack(even, tolerance_of(group)) - int(weights.of[partition])
    loads = exact_sums(owners[before], weights.of[before], group.member_count).tolist()
    counts = held_by_each(owners[before], group.member_count).tolist()
    candidates = words.subscribers(partition).tolist()
    racks = np.flatnonzero(group.layout.replica_racks[partition]).tolist()
    near = [member for member in candidates if group.layout.member_racks[member] in racks]
    with_room = [member for member in near if loads[member] <= most]
    of_rack = Step(
        "Rack",
        f"Of those, {words.members(near)} are in a rack with a replica, "
        + ("and have room up to an even share." if with_room else "but have no room for it."),
    )
    chosen = with_room or candidates
    standing = sorted(chosen, key=lambda member: (loads[member], counts[member], member))
    taker = standing[0]
    equal = [member for member in standing if loads[member] == loads[taker]]
    what = f"the least load so far, {loads[taker]:,}"
    if len(equal) > 1:
        equal = [member for member in equal if counts[member] == counts[taker]]
        what = f"{what}, and of those the fewest partitions, {counts[taker]:,}"
    each = words.each(standing, [loads[member] for member in standing])
    carried = Step("Load so far", f"The candidates carry {each}.")
    return taker, [*([of_rack] if near else []), carried, words.smallest_id(equal, what)]


def _turns(group: Group, owners: Owners) -> Iterable[_Turn]:
    """Yield every step from these owners, and the loads that it changes."""
    weights = weights_of(group).of
    loads = exact_sums(owners + 1, weights, group.member_count + 1)[1:].tolist()
    for number, step in enumerate(counted_steps(group, owners.copy()), 1):
        given, taker = step.moves[0]
        giver = int(owners[given])
        before = loads[giver], loads[taker]
        for partition, member in step.moves:
            loads[owners[partition]] -= int(weights[partition])
            loads[member] += int(weights[partition])
            owners[partition] = member
        yield _Turn(
            number=number,
            takers=dict(step.moves),
            giver=giver,
            taker=taker,
            before=before,
            after=(loads[giver], loads[taker]),
            is_gift=step.is_gift,
            moved=step.moved,
        )


def _outline(group: Group, turns: list[_Turn]) -> list[Step]:
    """Say what decides whether anything moves by choice."""
    is_owned = bool((group.fit_owners != UNOWNED).any())
    if weights_of(group).is_partial and is_owned:
        text = "The lag of some partitions is unknown, so nothing moves by choice."
        return [Step("Unknown", text)]
    if turns:
        return []
    near = percent(group.load_settings.tolerance / 1_000_000)
    text = f"The busiest consumer is within {near} of an even share, or no step relieves it."
    return [Step("Rest", text)] if is_owned else []


def _told(words: Words, turn: _Turn, partition: int) -> Step:
    """Say where a step moves the partition, and what load that takes off whom."""
    giver, taker = words.member(turn.giver), words.member(turn.taker)
    target = words.member(turn.takers[partition])
    if len(turn.takers) > 2 or turn.before == turn.after:  # noqa: PLR2004 -- more than a swap
        text = (
            f"Step {turn.number:,}: {plural(len(turn.takers), 'partition')} change hands in a "
            "chain, which makes counts more even, or matches more racks, or moves fewer: it goes "
            f"to {target}."
        )
        return Step("Chain", text)
    ends = f"which leaves {giver} with {turn.after[0]:,} and {taker} with {turn.after[1]:,}"
    carries = f"{giver} carries {turn.before[0]:,} and {taker} {turn.before[1]:,}"
    if turn.is_gift:
        text = (
            f"Step {turn.number:,}: {taker} held nothing before and is below an even share; "
            f"{carries}. It goes to {target}, {ends}. This does not count against the budget."
        )
        return Step("Joined", text)
    if len(turn.takers) > 1:
        (returned,) = turn.takers.keys() - {partition}
        target += f" in exchange for {words.partition(returned)}"
    text = f"Step {turn.number:,}: {carries}. It goes to {target}, {ends}."
    return Step("Swapped" if len(turn.takers) > 1 else "Moved", text)

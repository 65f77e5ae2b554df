"""Load with few moves, in words."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

import numpy as np

from assignors.lag.weights import weights_of
from assignors.model import UNOWNED
from assignors.trace import rules
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words.decisions import WordsOf, decision, goes_to, loads_of_step
from evaluation.wording import ordinal, percent, plural


def _nothing_by_choice(_: rules.NothingByChoice, __: ReplayMoment, ___: Names) -> Iterator[Step]:
    text = "The lag of some partitions is unknown, so nothing moves by choice."
    yield Step("Unknown", text)


def _at_rest(_: rules.AtRest, at: ReplayMoment, __: Names) -> Iterator[Step]:
    near = percent(at.group.load_settings.tolerance / 1_000_000)
    text = f"The busiest consumer is within {near} of an even share, or no step relieves it."
    yield Step("Rest", text)


def _placed(rule: rules.Placed, at: ReplayMoment, names: Names) -> Iterator[Step]:
    yield Step("Placed", "It is placed, which does not count as a move.")
    position = (
        f"{_weighed(at)} Heaviest first, it is the {ordinal(at.place + 1)} of "
        f"{at.partitions.size:,} to place."
    )
    yield Step("Position", position)
    loads, counts = at.sums(at.owners, weights_of(at.group).of), at.counts.tolist()
    candidates = names.subscribers(at.partition)
    racks = np.append(at.group.layout.replica_racks[at.partition], False)
    near = candidates[racks[at.group.layout.member_racks[candidates]]]
    if near.size:
        is_near = rule.is_near[at.place]
        room = "has room up to an even share" if is_near else "has no room for it"
        are = "is" if near.size == 1 else "are"
        of_those = f"Of those, {names.members(near)} {are} in a rack with a replica"
        yield Step("Rack", f"{of_those}; the least loaded {room}.")
    standing = (near if rule.is_near[at.place] else candidates).tolist()
    standing.sort(key=lambda member: (loads[member], counts[member]))
    carried = names.each(standing, [loads[member] for member in standing])
    yield Step("Load so far", f"The candidates carry {carried}.")
    criteria = ("the least load so far", loads), ("of those the fewest partitions", counts)
    yield decision(at, names, standing, *criteria)


def _weighed(at: ReplayMoment) -> str:
    """Say what the partition weighs, and why."""
    weights = weights_of(at.group)
    weight = f"{weights.of[at.partition]:,}"
    noun = "lag" if at.group.offsets.weights is None else "load"
    if weights.are_counts:
        return "All partitions weigh the same, 1."
    if not at.group.is_weight_known[at.partition]:
        return f"Its {noun} is unknown: it weighs {weight}, the median."
    if int(at.group.counted_weights[at.partition]) + 1 != int(weights.of[at.partition]):
        return (
            f"It weighs {weight}, its {noun} plus 1 in a coarser unit, as {noun}s are beyond 2^62."
        )
    return f"It weighs {weight}, its {noun} plus 1."


def _relief(rule: rules.Relief, at: ReplayMoment, names: Names) -> Iterator[Step]:
    giver, taker, before, after = loads_of_step(at, weights_of(at.group).of)
    loads = [each[member] for each in (before, after) for member in (giver, taker)]
    owners = at.replay.owners_before(at.index)[at.partitions].tolist()
    is_between_two = set(owners) | set(at.event.members.tolist()) == {giver, taker}
    if not is_between_two or loads[:2] == loads[2:]:
        text = (
            f"Step {rule.number:,}: {plural(at.partitions.size, 'partition')} move in a "
            "chain, which makes counts more even, or matches more racks, or moves fewer: it goes "
            f"to {names.member(at.member)}."
        )
        yield Step("Chain", text)
        return
    gives, takes = names.member(giver), names.member(taker)
    carries = f"{gives} carries {loads[0]:,} and {takes} {loads[1]:,}"
    ends = f"which leaves {gives} with {loads[2]:,} and {takes} with {loads[3]:,}"
    if rule.is_gift:
        text = (
            f"Step {rule.number:,}: {takes} held nothing before and is below an even share; "
            f"{carries}. It goes to {takes}, {ends}. This does not count against the budget."
        )
        yield Step("Joined", text)
        return
    text = f"Step {rule.number:,}: {carries}. It goes to {goes_to(at, names)}, {ends}."
    yield Step("Swapped" if at.partitions.size > 1 else "Moved", text)


def _over_budget(rule: rules.OverBudget, at: ReplayMoment, names: Names) -> Iterator[Step]:
    share = percent(at.group.load_settings.moves_permille / 1000)
    could_stay = int(np.count_nonzero(at.group.fit_owners != UNOWNED))
    text = (
        f"Step {rule.number:,} would still have moved it to {names.member(at.member)}, but the "
        f"budget is {plural(rule.budget, 'move')}, {share} of the {could_stay:,} that could stay, "
        f"and step {rule.first:,} would have made it {rule.moved:,}. "
        f"{names.member(int(at.owners[at.partition]))} keeps it."
    )
    yield Step("Budget", text)


WORDS: Final[WordsOf] = MappingProxyType(
    {
        rules.NothingByChoice: _nothing_by_choice,
        rules.AtRest: _at_rest,
        rules.Placed: _placed,
        rules.Relief: _relief,
        rules.OverBudget: _over_budget,
    }
)

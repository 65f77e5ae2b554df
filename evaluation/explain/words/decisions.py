"""Sentences that several rules share: who has least, and what a step changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from assignors.model import LongArray
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment

RACKS: Final = "Racks, first pass"
WordsOf: TypeAlias = Mapping[type, Callable[[Any, ReplayMoment, Names], Iterator[Step]]]
"""The steps that an event adds to the explanation of one partition, by the event's rule."""


def tied(
    at: ReplayMoment, candidates: Sequence[int], *keys: Sequence[int] | LongArray
) -> list[int]:
    """Return the candidates that equal the member in every key, ascending."""
    key = [each[at.member] for each in keys]
    return sorted(m for m in candidates if [each[m] for each in keys] == key)


def to_emptiest(
    at: ReplayMoment, names: Names, candidates: list[int], held: str, rule: str = "Held so far"
) -> Iterator[Step]:
    """Say that the candidate with the fewest partitions gets it, equals by id."""
    standing = sorted(candidates, key=lambda member: int(at.counts[member]))
    yield Step(rule, f"{held} {names.each(standing, at.counts[standing])}.")
    yield decision(at, names, standing, ("the fewest so far", at.counts))


def decision(
    at: ReplayMoment,
    names: Names,
    candidates: Sequence[int],
    *criteria: tuple[str, Sequence[int] | LongArray],
) -> Step:
    """Say that the member is the best by these criteria, one after another, and then by id."""
    equal: list[int] = list(candidates)
    said: list[str] = []
    for number, (text, values) in enumerate(criteria, 1):
        if len(equal) > 1 or not said:
            equal = tied(at, candidates, *(each for _, each in criteria[:number]))
            said.append(f"{text}, {values[at.member]:,}")
    taker, what = names.member(at.member), ", and ".join(said)
    if len(equal) == 1:
        return Step("Decision", f"{taker} takes it, the only one with {what}.")
    text = f"{taker} takes it, the smallest id of {names.members(equal)}, all with {what}."
    return Step("Tie-break", text)


def loads_of_step(at: ReplayMoment, weights: LongArray) -> tuple[int, int, list[int], list[int]]:
    """Return the giver and the taker of a step, and what each member carries before and after."""
    owners = at.replay.owners_before(at.index)
    before, after = (
        at.sums(each, weights) for each in (owners, at.replay.owners_before(at.index + 1))
    )
    return int(owners[at.partitions[0]]), int(at.event.members[0]), before, after


def goes_to(at: ReplayMoment, names: Names) -> str:
    """Name the member that gets the partition, and what is swapped for it."""
    target = names.member(at.member)
    if at.partitions.size > 1:
        (returned,) = set(at.partitions.tolist()) - {at.partition}
        target += f" in exchange for {names.partition(returned)}"
    return target

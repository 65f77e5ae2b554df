"""Which strategy explains the present owners.

Every strategy runs from scratch and, if it considers present owners, from these too. That a
sticky strategy leaves the assignment unchanged explains little: it leaves any even one.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from assignors.catalogue import strategies
from assignors.certainty import Certainty, Known
from assignors.model import UNOWNED, BoolArray, Group, LongArray, Owners
from assignors.strategy import Sees, Strategy, StrategyKind
from evaluation.wording import listed, plural

_NAMED: Final = 3
"""A sentence names up to this many differing partitions."""
_TOO_FAR: Final = 0.5
"""If more than this share of partitions differs, the nearest strategy explains nothing."""


_UNKNOWN_OWNERS: Final = {Known.ONE_OF_SEVERAL, Known.COUNTS_ONLY, Known.DISTRIBUTION}


class Start(Enum):
    """What a strategy starts from."""

    AFRESH = "no owners"
    KEPT = "the present owners"


@dataclass(frozen=True, eq=False, kw_only=True)
class Match:
    """How closely one strategy matches the present owners."""

    strategy: Strategy
    start: Start
    differing: LongArray
    """The owned partitions that the strategy gives to another member, ascending."""
    is_same_split: bool
    """Whether only the names differ: other consumers hold the same sets of partitions."""
    certainty: Certainty
    is_possible: bool
    """Whether equally many consumers hold each number of partitions, and nothing more is known."""

    @property
    def is_exact(self) -> bool:
        """Whether the strategy gives every owned partition to its present owner."""
        return not self.differing.size


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement:
    """Which strategies agree with the present owners."""

    matches: tuple[Match, ...]
    """Every strategy and start, nearest first, ties in display order."""
    sentence: str
    judged: int
    """The partitions that have an owner now; the others are not compared."""


def which_explains(group: Group) -> Agreement | None:
    """Compare the present owners with every strategy; None if nobody owns anything now."""
    present = group.present_owners
    judged = np.flatnonzero(present != UNOWNED)
    if not judged.size:
        return None
    fresh = group.owned_by(group.nobody())
    matches = []
    for strategy in strategies().values():
        matches.append(_match(strategy, Start.AFRESH, fresh, present))
        if Sees.OWNERS in strategy.sees:
            matches.append(_match(strategy, Start.KEPT, group, present))
    matches.sort(key=lambda match: match.differing.size)
    sentence = _sentence(group, matches, judged.size)
    return Agreement(matches=tuple(matches), sentence=sentence, judged=judged.size)


def _match(strategy: Strategy, start: Start, group: Group, present: Owners) -> Match:
    is_judged = np.not_equal(present, UNOWNED)
    listed_answers = strategy.possible(group) if strategy.possible else ()
    answers = listed_answers or (strategy.settle(group),)
    owners = min(answers, key=lambda each: np.count_nonzero(is_judged & (present != each)))
    here, there = (np.unique_counts(held[is_judged]).counts for held in (present, owners))
    certainty = strategy.certainty_for(group)
    is_open = not listed_answers and certainty.known in _UNKNOWN_OWNERS
    return Match(
        strategy=strategy,
        start=start,
        differing=np.flatnonzero(is_judged & (present != owners)),
        is_same_split=_is_same_split(present[is_judged], owners[is_judged]),
        certainty=certainty,
        is_possible=is_open and np.array_equal(np.sort(here), np.sort(there)),
    )


def _is_same_split(first: Owners, second: Owners) -> bool:
    """Return whether both split the partitions into the same sets, whatever the owners."""
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    return len(pairs) == np.unique(first).size == np.unique(second).size


def _sentence(group: Group, matches: list[Match], judged: int) -> str:
    afresh = [match for match in matches if match.start is Start.AFRESH]
    exact = [match for match in afresh if match.is_exact]
    keepers = [m for m in matches if m.start is Start.KEPT and m.is_exact]
    text = _exactly(exact) if exact else _roughly(group, afresh, judged)
    named_already = {match.strategy for match in exact}
    only_kept = [match for match in keepers if match.strategy not in named_already]
    if only_kept:
        verb = "leaves it" if len(only_kept) == 1 else "leave it"
        text += (
            f" {_labels(only_kept)} {verb} as it is, however it came about: that fits, but proves "
            "nothing."
        )
    by_counts = [m for m in afresh if not m.is_exact and m.is_possible]
    if by_counts:
        whose = "its" if len(by_counts) == 1 else "their"
        text += (
            f" {_labels(by_counts)} may be behind it too: {whose} counts agree, and {whose} owners "
            "cannot be predicted."
        )
    is_unowned: BoolArray = group.is_wanted & (group.present_owners == UNOWNED)
    unowned = int(np.count_nonzero(is_unowned))
    if unowned:
        lack = "has no owner now and is" if unowned == 1 else "have no owner now and are"
        text += f" {plural(unowned, 'partition')} {lack} left out."
    return text


def _exactly(exact: list[Match]) -> str:
    if len(exact) == 1:
        return (
            f"{_labels(exact)}, run from scratch, gives exactly what is there now; no other does."
        )
    return (
        f"{len(exact)} strategies, run from scratch, give exactly what is there now, and this "
        f"group cannot tell them apart: {_labels(exact, most=len(exact))}."
    )


def _roughly(group: Group, afresh: list[Match], judged: int) -> str:
    alike = [match for match in afresh if match.is_same_split]
    if alike:
        verb = "gives" if len(alike) == 1 else "give"
        return (
            f"No strategy, run from scratch, gives exactly what is there now. {_labels(alike)} "
            f"{verb} the same sets of partitions to other consumers, as if their ids had changed."
        )
    fewest = afresh[0].differing
    nearest = [match for match in afresh if match.differing.size == fewest.size]
    names = [group.partition_name(p) for p in fewest.tolist()]
    which = f", all but {listed(names, most=_NAMED + 1)}" if len(nearest) == 1 else ""
    verb = "comes" if len(nearest) == 1 else "come"
    return (
        f"No strategy, run from scratch, gives exactly what is there now. {_labels(nearest)} "
        f"{verb} nearest, with the owner of {judged - fewest.size:,} of "
        f"{plural(judged, 'owned partition')}"
        f"{', too few to explain it' if fewest.size > _TOO_FAR * judged else which}."
    )


def _labels(matches: list[Match], most: int = 6) -> str:
    """Name client and strategy; labels of brokers' and other clients' name both already."""
    whose = {StrategyKind.KAFKA_CLIENT: " (Java)", StrategyKind.CUSTOM: " (jar)"}
    return listed([m.strategy.label + whose.get(m.strategy.kind, "") for m in matches], most)

"""What a rebalance comes to, in sentences."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assignors.registry import Sees, Strategy
from evaluation.events import ComeBack, Event, Rejoin
from evaluation.metrics import count_per_member, off_rack
from evaluation.rebalance import Rebalance
from ui.words import plural

_NAMED = 3


class Result(NamedTuple):
    """One strategy and what it made of a step."""

    strategy: Strategy
    found: Rebalance


def conclusion(event: Event | None, results: Sequence[Result]) -> str:
    """Return what to take home from one step: who moves least, who most, and what stops."""
    found = results[0].found
    if event is None:
        if found.rounds:
            return "The start: each strategy's own assignment of a group that owned nothing."
        owned = plural(found.kept, "partition")
        return f"The start: {owned} with their present owners, the same for every strategy."
    if not found.rounds:
        return (
            "**Nothing moves and nobody rebalances**, whatever the strategy: the coordinator "
            "knows the consumer again by its static id."
        )
    sentences = (
        _moves(results),
        _surprise(event, results),
        _uneven(results),
        _off_rack(results),
        _stops(results),
    )
    return " ".join(filter(None, sentences))


def named(names: Sequence[str]) -> str:
    """Return ``Range, Fair and 3 others``.

    >>> named(["Range"]), named(["Range", "Fair"]), named(list("abcdef"))
    ('Range', 'Range and Fair', 'a, b and 4 others')
    """
    shown = list(names)
    if len(shown) > _NAMED:
        shown = [*shown[: _NAMED - 1], f"{len(shown) - _NAMED + 1} others"]
    *most, last = shown
    return f"{', '.join(most)} and {last}" if most else last


def _moves(results: Sequence[Result]) -> str:
    owned = results[0].found.moved + results[0].found.kept
    even = _even(results)
    least = min(result.found.moved for result in even)
    most = max(result.found.moved for result in results)
    of_all = f"of {plural(owned, 'partition')}"
    best = [result for result in even if result.found.moved == least]
    mark = _mark(best)
    if all(result.found.moved == least for result in results):
        who = "All strategies chosen move" if len(results) > 1 else f"{_label(results[0])} moves"
        return f"{who} **{least:,}** {of_all}{mark}."
    start = f"{_labels(best)} {_verb(best)} **{least:,}** {of_all}{mark}"
    if most == least:
        return f"{start}."
    worst = [result for result in results if result.found.moved == most]
    return f"{start}; {_labels(worst)} {_verb(worst)} **{most:,}**."


def _even(results: Sequence[Result]) -> Sequence[Result]:
    """Return the results with even counts, where that can be asked; few moves alone are easy."""
    return [result for result in results if not _is_uneven(result)] or results


def _is_uneven(result: Result) -> bool:
    if result.found.fewest is None:
        return False
    counts = count_per_member(result.found.group, result.found.after)
    return bool(counts.size and np.ptp(counts) > 1)


def _mark(best: Sequence[Result]) -> str:
    """Return how the least moves stand to the fewest possible, if that is one answer for all."""
    beyond = {result.found.unneeded for result in best}
    fewest = {result.found.fewest for result in best}
    if beyond == {0} and fewest == {best[0].found.moved}:
        return ", the fewest possible"
    more = beyond.pop() if len(beyond) == 1 else None
    return f", {more:,} more than the fewest possible" if more else ""


def _surprise(event: Event, results: Sequence[Result]) -> str:
    """Return why what moved need not have, where the event tells."""
    wasteful = [result for result in results if result.found.unneeded]
    if isinstance(event, ComeBack) and wasteful:
        return (
            "A dynamic consumer sorts elsewhere under its new id; "
            "a static id (group.instance.id) would keep everything where it is."
        )
    if isinstance(event, Rejoin) and wasteful:
        return f"Nothing had changed: {_labels(wasteful)} moved more than balance asked for."
    blind = [r for r in wasteful if Sees.OWNERS not in r.strategy.sees]
    return f"{_labels(blind)} {_verb(blind, 'ignore')} present owners." if blind else ""


def _uneven(results: Sequence[Result]) -> str:
    """Return who moves no more than the best, but pays with uneven counts."""
    least = min(result.found.moved for result in _even(results))
    for result in results:
        moved = result.found.moved
        if moved <= least and _is_uneven(result):
            counts = count_per_member(result.found.group, result.found.after)
            return (
                f"{_label(result)} moves {moved:,}, but leaves counts uneven, "
                f"from {int(counts.min()):,} to {int(counts.max()):,} a consumer."
            )
    return ""


def _off_rack(results: Sequence[Result]) -> str:
    """Return who reads how much from another rack, where the group uses racks."""
    counts = [off_rack(result.found.group, result.found.after) for result in results]
    known = [count for count in counts if count is not None]
    if not known:
        return ""
    least, most = min(known), max(known)
    if least == most:
        return f"Afterwards {plural(most, 'partition')} are read from another rack."
    near = [result for result, count in zip(results, counts, strict=True) if count == least]
    far = [result for result, count in zip(results, counts, strict=True) if count == most]
    return (
        f"Afterwards {plural(most, 'partition')} are read from another rack under "
        f"{_labels(far)}, {least:,} under {_labels(near)}."
    )


def _stops(results: Sequence[Result]) -> str:
    least = min(result.found.stopped for result in results)
    most = max(result.found.stopped for result in results)
    if most == least:
        return f"Meanwhile {plural(most, 'partition')} stood still." if most else ""
    calm = [result for result in results if result.found.stopped == least]
    loud = [result for result in results if result.found.stopped == most]
    return (
        f"Meanwhile {plural(most, 'partition')} stood still under {_labels(loud)}, "
        f"{least:,} under {_labels(calm)}."
    )


def _label(result: Result) -> str:
    return f"**{result.strategy.label}**"


def _labels(results: Sequence[Result]) -> str:
    return named([_label(result) for result in results])


def _verb(results: Sequence[Result], verb: str = "move") -> str:
    return f"{verb}s" if len(results) == 1 else verb

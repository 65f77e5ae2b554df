"""Caveats of an answer: unknown lag, simplifications, numbers not tried, idle consumers."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np

from assignors.strategy import Promise, Strategy
from evaluation.capacity.partitions import useful_counts
from evaluation.wording import listed, plural
from ui.capacity.findings import Findings

_MOST_COUNTS: Final = 40
"""Numbers that are all listed; of more than these, those near the answer."""
_NEAR: Final = 6
SIMPLIFIED: Final = (
    "With fewer consumers, the first by id stay; additional ones are named like the others and own "
    "nothing at first. A strategy that runs already keeps what it can; with today's consumers, any "
    "other is shown after its switch, as on Group. All pause at the start, then read at their full "
    "rate."
)
"""Holds for every answer."""


def idle_words(findings: Findings) -> list[str]:
    """Return which strategies leave consumers of today idle, and what would change that."""
    at: dict[tuple[int, str], list[str]] = {}
    for curve in findings.curves:
        tried = curve.at(findings.today) if findings.today else None
        if tried and tried.idle:
            takes = partitions_to_busy(curve.strategy, findings.today)
            at.setdefault((tried.idle, takes), []).append(curve.strategy.label)
    sentences = [
        f"With {listed(labels)}, {idle:,} of today's {plural(findings.today, 'consumer')} "
        f"{'is' if idle == 1 else 'are'} idle; it takes {takes} to give each of them one."
        for (idle, takes), labels in at.items()
    ]
    if sentences:
        sentences.append(
            "New partitions receive new records only: the backlog stays where it is, and keys "
            "move to other partitions."
        )
    return sentences


def even_words(findings: Findings) -> str:
    """Return the numbers of consumers at which the fullest has fewer partitions."""
    partitions = int(np.count_nonzero(findings.planned.is_wanted))
    useful = useful_counts(partitions)
    plan = findings.plan
    near = findings.today if plan is None or plan.consumers is None else plan.consumers
    at = bisect_left(useful, near)
    shown = useful if len(useful) <= _MOST_COUNTS else useful[max(at - _NEAR, 0) : at + _NEAR]
    among = "" if shown is useful else f", near {near:,}"
    return (
        f"Nearly even counts of {plural(partitions, 'partition')}{among}: {ranges(shown)} "
        "consumers. A number between two of them leaves the fullest consumer as many partitions as "
        "the smaller one."
    )


def caveats(findings: Findings) -> list[str]:
    """Return what is unknown or simplified, a sentence each, the most serious first."""
    group, planned = findings.group, findings.planned
    unknown = int(np.count_nonzero(planned.is_wanted & ~group.is_lag_known))
    left_out = int(np.count_nonzero(~planned.is_wanted))
    own = (
        0
        if group.offsets.throughput is None
        else int(np.count_nonzero(~np.isnan(group.offsets.throughput)))
    )
    lag = (
        f"The lag of {plural(unknown, 'partition')} is unknown and counts as 0: it may take longer "
        "and more consumers."
    )
    if unknown == group.partition_count:
        lag = (
            "No lag is known, so this counts only arrivals. Paste or upload the output of "
            "kafka-consumer-groups.sh --describe on the Group page to include the backlog."
        )
    sentences = {
        lag: unknown > 0,
        "Consumers subscribe to different topics; here all of them subscribe to what most "
        "do.": not group.layout.has_equal_subscriptions,
        f"{plural(left_out, 'partition')} of topics that nobody then subscribes to "
        f"{'is' if left_out == 1 else 'are'} left out.": left_out > 0,
        f"{plural(own, 'consumer')} {'keeps its' if own == 1 else 'keep their'} own stated "
        "processing rate.": own > 0,
    }
    return [sentence for sentence, is_said in sentences.items() if is_said]


def tried_words(findings: Findings) -> str:
    """Return which numbers of consumers were tried: all of them, or how many of how many."""
    scope = findings.scope
    numbers = scope.most - scope.fewest + 1
    proof = (
        f"Fewer than {scope.fewest:,} are too few for any assignment. " if scope.fewest > 1 else ""
    )
    tried = np.unique(np.concatenate([curve.consumers for curve in findings.curves]))
    inside = tried[(tried >= scope.fewest) & (tried <= scope.most)]
    if inside.size == numbers and all(
        np.isin(inside, curve.consumers).all() for curve in findings.curves
    ):
        return f"{proof}Every number from {scope.fewest:,} to {scope.most:,} was tried."
    return (
        f"{proof}Of the {numbers:,} numbers from {scope.fewest:,} to {scope.most:,}, "
        f"{inside.size:,} were tried with at least one strategy: {ranges(inside.tolist())}. "
        "The others were not tried."
    )


def ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers with runs drawn together.

    >>> ranges([3, 4, 5, 8, 1000, 1001])
    '3-5, 8, 1,000-1,001'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{a:,}" if a == b else f"{a:,}-{b:,}" for a, b in runs)


def partitions_to_busy(strategy: Strategy, consumers: int) -> str:
    """Return what gives each of these equally subscribed consumers a partition."""
    if Promise.BALANCED in strategy.promises:
        return f"{consumers:,} partitions in all"
    return f"a topic of {consumers:,} partitions"

"""The report's tables: what could be done, and the group itself."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from assignors.model import NO_RACK, Group
from assignors.sums import exact_total
from charts.report import Part, ReportTable
from evaluation import metrics
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.options import Option
from evaluation.answering.why_not_words import why_not_words
from evaluation.comparing.changes import size_of
from evaluation.consumer_labels import labels_of
from evaluation.wording import amount, duration, listed, percent, plural

_NAMED_TOPICS: Final = 9
"""The most topics named of a subscription; of more, one fewer is named and the rest counted."""


def group_parts(group: Group) -> Iterator[Part]:
    """Yield the group's size and lag, its topics, consumers and subscriptions."""
    total = metrics.total_lag(group)
    yield (
        f"{size_of(group)}. Known lag in all: {amount(total.known)} records; "
        f"{plural(total.unknown_partitions, 'lag')} unknown."
    )
    yield _topics(group)
    yield _consumers(group)
    yield from _subscriptions(group)


def _topics(group: Group) -> ReportTable:
    rows = []
    for name, first, end in zip(
        group.topics, group.layout.topic_starts[:-1], group.layout.topic_starts[1:], strict=True
    ):
        lags, is_known = group.counted_lags[first:end], group.is_lag_known[first:end]
        total = largest = "unknown"
        if is_known.any():
            total, largest = f"{exact_total(lags):,}", f"{lags.max():,}"
        unknown = np.count_nonzero(~is_known)
        rows.append([name, f"{end - first:,}", total, largest, f"{unknown:,}"])
    columns = ("Topic", "Partitions", "Known lag", "Largest partition", "Unknown lags")
    return ReportTable("Topics and their lag, in records", columns, rows)


def _consumers(group: Group) -> ReportTable:
    counts = metrics.count_per_member(group, group.present_owners)
    lags = metrics.lag_per_member(group, group.present_owners)
    labels = labels_of(group)
    rows = [
        [
            name if name.startswith(labels[m]) else f"{labels[m]} ({name})",
            group.layout.instance_ids[m] or "",
            ""
            if group.layout.member_racks[m] == NO_RACK
            else group.layout.racks[group.layout.member_racks[m]],
            f"{counts[m]:,}",
            f"{lags[m]:,}",
        ]
        for m, name in enumerate(group.members)
    ]
    columns = ("Consumer", "Static id", "Rack", "Owns now", "Known lag now")
    return ReportTable("Consumers, as they are now", columns, rows, texts=3)


def _subscriptions(group: Group) -> Iterator[str]:
    """Return a sentence per distinct subscription with its number of consumers."""
    classes, sizes = np.unique(group.layout.class_of_member, return_counts=True)
    for number, size in zip(classes, sizes, strict=True):
        topics = [group.topics[t] for t in np.flatnonzero(group.subscribes[number])]
        yield (
            f"{plural(int(size), 'consumer')} {'subscribes' if size == 1 else 'subscribe'} to "
            f"{listed(topics or ['nothing'], _NAMED_TOPICS)}."
        )


def options_table(answer: Answer) -> ReportTable | None:
    """Return everything that could be done, in the order of every screen; None without figures."""
    found = [o for o in (answer.keep, *answer.strategies, answer.few_moves) if o is not None]
    if not found:
        return None
    rows = [
        [
            _named(option),
            option.takes.value,
            amount(option.busiest),
            "" if option.low is None else f"{amount(option.low)} to {amount(option.high)}",
            _change(option),
            "" if option.moves is None else f"{option.moves:,}",
            "" if option.pauses is None else f"{option.pauses:,}",
            "" if option.ends_s is None else duration(option.ends_s),
            _remark(option, answer),
        ]
        for option in found
    ]
    load = answer.load
    columns = [
        "Option",
        "Takes",
        f"Busiest {load.noun}",
        "5th to 95th percentile",
        "Change",
        "Moves",
        "Pauses",
        "Time to clear",
        "Proposed",
    ]
    return ReportTable(f"In {load.unit}", columns, rows, texts=2, remarks=1)


def _named(option: Option) -> str:
    if option.action is Action.MOVE:
        return "Fewest moves"
    return (
        "As it is now"
        if option.action is Action.KEEP or option.outcome is None
        else (option.outcome.label)
    )


def _change(option: Option) -> str:
    if not option.gain:
        return ""
    sign = "\N{MINUS SIGN}" if option.gain > 0 else "+"
    return f"{sign}{percent(abs(option.gain))}"


def _remark(option: Option, answer: Answer) -> str:
    """Return whether it is proposed, or why not."""
    if option is answer.proposal:
        return "yes"
    why_not = why_not_words(option, answer)
    return f"no: {why_not}" if why_not else ""

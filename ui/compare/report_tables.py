"""The report's tables: figures of every strategy, and the group itself."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import pandas as pd

from assignors.model import NO_RACK, Group
from assignors.sums import exact_total
from charts.report import Part, ReportTable
from evaluation import metrics
from evaluation.changes import size_of
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.consumer_labels import labels_of
from evaluation.wording import amount, listed, plural
from ui.compare.figures import figures_frame, formats

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


def figures_of_each(comparison: Comparison, outcomes: Sequence[Outcome]) -> ReportTable:
    """Return the figures of every outcome, as in the page's table."""
    table = figures_frame(comparison, outcomes)
    names, forms = list(map(str, table)), formats(comparison.load)
    rows = [
        [_cell(value, forms.get(name)) for name, value in zip(names, row, strict=True)]
        for row in table.itertuples(index=False)
    ]
    return ReportTable(f"In {comparison.measure.unit}", names, rows)


def _cell(value: str | float | None, form: str | None) -> str:
    if isinstance(value, str):
        return value
    if pd.isna(value):
        return "unknown"
    return form % value if form else f"{value:,}"

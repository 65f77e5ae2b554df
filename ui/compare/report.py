"""What goes into the report on a comparison: everything the Compare page shows, in words."""

import platform
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import plotly
import streamlit as st

from assignors.model import NO_RACK, Group
from assignors.registry import KAFKA_RULES, STRATEGIES, Strategy
from charts.bars import count_bars, lag_bars
from charts.heatmaps import consumer_by_strategy
from charts.report import Heading, Listing, Part, Picture, Section, Table, Terms, report
from evaluation import metrics
from evaluation.compare import Outcome
from evaluation.configuration import configuration
from evaluation.reasons import why
from ui.compare.figures import figures_frame
from ui.scenario import Scenario
from ui.words import amount, plural

_PROJECT: Final = Path(__file__).parents[2] / "pyproject.toml"
_NAMED_TOPICS: Final = 8
"""Of one subscription; the rest are counted."""


def report_button(current: Scenario, outcomes: Sequence[Outcome], bound: int | None) -> None:
    """Offer the report on what is on screen, made when it is asked for."""
    st.download_button(
        "Report",
        lambda: written(
            current.title, current.group, outcomes, bound, datetime.now(UTC).date()
        ).encode(),
        file_name=f"{current.group.id or 'group'}-report.html",
        mime="text/html",
        icon=":material/summarize:",
        on_click="ignore",
        help="Inputs, figures, reasons and charts in one file that opens offline",
    )


def written(
    title: str, group: Group, outcomes: Sequence[Outcome], bound: int | None, made_on: date
) -> str:
    """Return the report as HTML; the day it was made is the only thing that changes by itself."""
    strategies = [STRATEGIES[o.name] for o in outcomes if o.name in STRATEGIES]
    sections = (
        Section("The group", list(_group(group, bound))),
        Section("Figures", [_figures(outcomes, bound)]),
        Section("Why each comes out so", [Terms([(o.label, why(group, o)) for o in outcomes])]),
        Section("Charts", _charts(group, outcomes, bound)),
        Section("The strategies", [part for s in strategies for part in _strategy(s)]),
        Section("Versions", [Terms(list(_versions()))]),
    )
    return report(title, f"Who would own which partitions? Made on {made_on:%d %B %Y}.", sections)


def _group(group: Group, bound: int | None) -> Iterator[Part]:
    total = metrics.exact_total(group.counted_lags) if group.is_lag_known.any() else None
    unknown = int(np.count_nonzero(~group.is_lag_known))
    yield (
        f"{plural(group.member_count, 'consumer')}, {plural(len(group.topics), 'topic')}, "
        f"{plural(group.partition_count, 'partition')}. Known lag in all: {amount(total)} records; "
        f"{'no' if not unknown else f'{unknown:,}'} lags unknown. No strategy brings the fullest "
        f"consumer below {amount(bound)} records."
    )
    yield _topics(group)
    yield _consumers(group)
    yield from _subscriptions(group)


def _topics(group: Group) -> Table:
    starts = group.topic_starts[:-1][group.topic_sizes > 0]
    known = np.zeros(len(group.topics), np.int64)
    lags, largest = [], known.copy()
    if starts.size:
        largest[group.topic_sizes > 0] = np.maximum.reduceat(group.counted_lags, starts)
        known[group.topic_sizes > 0] = np.add.reduceat(group.is_lag_known.astype(np.int64), starts)
    for first, last in zip(group.topic_starts[:-1], group.topic_starts[1:], strict=True):
        lags.append(metrics.exact_total(group.counted_lags[first:last]))
    rows = [
        [
            name,
            f"{group.topic_sizes[t]:,}",
            f"{lags[t]:,}" if known[t] else "unknown",
            f"{largest[t]:,}" if known[t] else "unknown",
            f"{group.topic_sizes[t] - known[t]:,}",
        ]
        for t, name in enumerate(group.topics)
    ]
    columns = ("Topic", "Partitions", "Known lag", "Largest partition", "Unknown lags")
    return Table("Topics and their lag, in records", columns, rows)


def _consumers(group: Group) -> Table:
    counts = metrics.count_per_member(group, group.present_owners)
    lags = metrics.lag_per_member(group, group.present_owners)
    rows = [
        [
            name,
            group.instance_ids[m] or "",
            "" if group.member_racks[m] == NO_RACK else group.racks[group.member_racks[m]],
            f"{counts[m]:,}",
            f"{lags[m]:,}",
        ]
        for m, name in enumerate(group.members)
    ]
    columns = ("Consumer", "Static id", "Rack", "Owns now", "Known lag now")
    return Table("Consumers, as they are now", columns, rows, texts=3)


def _subscriptions(group: Group) -> Iterator[str]:
    """Say how many consumers subscribe to which topics, one sentence for each kind."""
    classes, sizes = np.unique(group.class_of_member, return_counts=True)
    for number, size in zip(classes, sizes, strict=True):
        topics = [group.topics[t] for t in np.flatnonzero(group.subscribes[number])]
        named = ", ".join(topics[:_NAMED_TOPICS]) or "nothing"
        more = len(topics) - _NAMED_TOPICS
        yield (
            f"{plural(int(size), 'consumer')} {'subscribes' if size == 1 else 'subscribe'} to "
            f"{named}{f' and {more:,} more' if more > 0 else ''}."
        )


def _figures(outcomes: Sequence[Outcome], bound: int | None) -> Table:
    table = figures_frame(outcomes, bound)
    rows = [
        [_cell(name, value) for name, value in zip(table.columns, row, strict=True)]
        for row in table.itertuples(index=False)
    ]
    return Table("One row for each strategy; lag in records", list(table.columns), rows)


def _cell(column: str, value: str | float | None) -> str:
    if isinstance(value, str):
        return value
    if pd.isna(value):
        return "unknown"
    if column == "Above best":
        return f"{value:.0f} %"
    return f"{value:.2f}" if column == "Max/mean lag" else f"{value:,}"


def _charts(group: Group, outcomes: Sequence[Outcome], bound: int | None) -> list[Part]:
    return [
        Picture(lag_bars(group, outcomes, bound), "Lag of every consumer"),
        Picture(count_bars(group, outcomes), "Partitions of every consumer"),
        Picture(consumer_by_strategy(group, outcomes, lag=True), "Lag, consumer by strategy"),
    ]


def _strategy(strategy: Strategy) -> Iterator[Part]:
    promises = sorted(promise.value for promise in strategy.promises)
    found = configuration(strategy)
    yield Heading(strategy.label)
    yield Terms(
        [
            ("Protocol", strategy.protocol.value),
            ("Goals, in order", "; ".join(strategy.goals)),
            ("Promises", " ".join(promises) or "none"),
            ("Weakness", strategy.weakness),
            ("Sources", ", ".join(strategy.sources)),
        ]
    )
    for step in found.steps:
        yield step.text
        yield Listing(step.properties)
    yield from found.notes


def _versions() -> Iterator[tuple[str, str]]:
    project = tomllib.loads(_PROJECT.read_text())["project"]
    yield project["name"], project["version"]
    yield "Rules", KAFKA_RULES
    yield "Python", platform.python_version()
    yield "numpy", np.__version__
    yield "plotly", plotly.__version__

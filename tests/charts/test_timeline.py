"""Lag over time and the loss by a rolling restart: the figures' data, not their pixels."""

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.bars import loss_bars
from charts.palette import STROKES
from charts.timeline import MOST_LINES, lag_over_time
from evaluation.rebalance.events import Event, Join
from evaluation.rebalance.lag_over_time import LagTimeline, lag_timeline, load_of
from evaluation.rebalance.ownership import ownership_of
from evaluation.rebalance.schedule import planned
from evaluation.rebalance.simulation import simulate_history
from evaluation.rebalance.timing import Timing, rolling_restart_losses

TIMING = Timing(pause_s=3)


def _panel(name: str, members: int, timing: Timing = TIMING) -> dict[str, LagTimeline]:
    events: list[Event] = [Join(("new",))]
    ids = [f"c{k:02d}" for k in range(members)]
    owners = np.arange(4 * members) % members
    group = Group.of(
        ["t"], [4 * members], ids, owners=owners, lags=owners * 10, rates=[2.0] * 4 * members
    )
    strategy = STRATEGIES[name]
    plan = planned(group, events, timing, apart_s=10)
    steps = simulate_history(group, events, strategy)
    ownership = ownership_of(steps, plan, strategy.protocol, timing, calm_s=10)
    load = load_of(group, steps[-1].group, ownership.consumers, throughput_per_consumer=20)
    return {strategy.label: lag_timeline(ownership, load)}


def _named(figure: go.Figure, name: str) -> list[Any]:
    return [trace for trace in figure.data if trace.name == name]


def test_each_of_a_few_consumers_has_a_line_of_its_own_colour_and_dashes() -> None:
    figure = lag_over_time(_panel("sticky", 2))

    lines = {name: _named(figure, name)[0] for name in ("c00", "c01", "new")}
    assert [(line.line.color, line.line.dash) for line in lines.values()] == list(STROKES[:3])
    assert len(set(STROKES)) == MOST_LINES
    assert lines["c01"].y[0] == 40
    at_ten = np.flatnonzero(lines["c01"].x == 10)[-1]
    assert lines["c01"].y[at_ten] == 0
    assert lines["c01"].y[at_ten + 1] == 4 * 2 * 3


def test_of_many_consumers_the_busiest_the_least_busy_and_an_even_share_are_drawn() -> None:
    figure = lag_over_time(_panel("sticky", MOST_LINES))

    names = ("busiest", "even share", "least busy")
    busiest, mean, least = (_named(figure, name)[0] for name in names)
    assert busiest.y[0] == 4 * 10 * (MOST_LINES - 1)
    assert mean.y[0] == 4 * 10 * (MOST_LINES - 1) / 2
    assert least.y[0] == 0
    assert len({trace.line.dash for trace in (busiest, mean, least)}) == 3


@pytest.mark.parametrize(
    ("name", "count", "span"),
    [("sticky", "8", [10, 13]), ("cooperative-sticky", "2", [13, 16])],
)
def test_pauses_are_hatched_and_counted(name: str, count: str, span: list[int]) -> None:
    figure = lag_over_time(_panel(name, 2))

    (shading,) = _named(figure, "paused")
    assert [min(shading.x[:4]), max(shading.x[:4])] == span
    assert shading.fillpattern.shape == "/"
    (counts,) = [trace for trace in figure.data if trace.mode == "text"]
    assert [text.strip() for text in counts.text] == [count]
    assert list(counts.customdata[0]) == span


def test_pauses_that_touch_share_a_label_with_both_counts() -> None:
    figure = lag_over_time(_panel("sticky", 2, Timing(pause_s=3, warm_up_s=1)))

    (counts,) = [trace for trace in figure.data if trace.mode == "text"]
    assert [text.strip() for text in counts.text] == ["8 → 2"]
    assert counts.customdata.tolist() == [[10, 14]]


def test_all_panels_have_the_same_axes_and_one_legend() -> None:
    figure = lag_over_time(_panel("sticky", 2) | _panel("cooperative-sticky", 2))

    assert figure.layout.xaxis.range == figure.layout.xaxis2.range == (0, 26)
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    assert figure.layout.yaxis.range[1] > 40
    shown = [trace.name for trace in figure.data if trace.showlegend]
    assert sorted(shown) == ["c00", "c01", "event", "new", "paused"]


def test_consumer_names_never_become_markup() -> None:
    ((label, line),) = _panel("sticky", 2).items()
    ownership = replace(line.ownership, consumers=("<b>x</b>", "c01", "new"))

    figure = lag_over_time({label: replace(line, ownership=ownership)})

    assert _named(figure, "&lt;b&gt;x&lt;/b&gt;")
    assert not _named(figure, "<b>x</b>")


def test_with_nothing_to_show_axes_are_still_drawn() -> None:
    figure = lag_over_time({})

    assert figure.layout.xaxis.range == (0, 1)


def test_losses_are_shown_side_by_side_with_their_figures() -> None:
    figure = loss_bars(rolling_restart_losses(12, 120, TIMING))

    without, with_ids = figure.data
    assert list(without.text) == ["8,640", "720", "600"]
    assert list(with_ids.text) == ["2,400"] * 3
    assert without.marker.pattern.shape != with_ids.marker.pattern.shape
    assert list(without.x) == ["eager", "cooperative", "broker-side"]
    assert figure.layout.yaxis.range[1] > 8_640

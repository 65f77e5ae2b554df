import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from charts.capacity import drain_curves
from evaluation.sweep import Curve


def curve(label: str, seconds: Sequence[float]) -> Curve:
    size = len(seconds)
    return Curve(
        name=label,
        label=label,
        consumers=np.arange(1, size + 1),
        seconds=np.array(seconds, np.float64),
        loads=np.ones(size),
        idle=np.zeros(size, np.int64),
        is_exact=np.ones(size, np.bool_),
    )


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(found for found in figure.data if found.name.startswith(name))


def test_a_line_a_strategy_shows_seconds_over_consumers_and_gaps_where_it_never_ends() -> None:
    figure = drain_curves([curve("Range", [math.inf, 40, 20])], 30, None, 0)

    line = trace(figure, "Range")
    assert line.x.tolist() == [1, 2, 3]
    assert np.isnan(line.y[0])
    assert line.y[1:].tolist() == [40, 20]
    assert line.connectgaps is False


def test_strategies_that_agree_share_a_line_named_for_both() -> None:
    curves = [curve("Range", [40, 20]), curve("Fair", [30, 20]), curve("Sticky", [40, 20])]

    figure = drain_curves(curves, 30, None, 0)

    assert [found.name for found in figure.data] == ["Range, Sticky", "Fair", "time allowed"]


def test_lines_differ_in_colour_dash_and_marker() -> None:
    figure = drain_curves([curve(str(k), [k + 1, 1]) for k in range(10)], 30, None, 0)

    lines = figure.data[:10]
    assert len({line.line.color for line in lines}) == 10
    assert len({(line.line.dash, line.marker.symbol) for line in lines}) == 10


def test_the_allowed_time_the_minimum_and_today_are_straight_lines() -> None:
    figure = drain_curves([curve("Range", [40, 20, 10])], 30, 2, 3)

    assert list(trace(figure, "time allowed").y) == [30, 30]
    assert list(trace(figure, "proved minimum: 2").x) == [2, 2]
    assert list(trace(figure, "consumers today: 3").x) == [3, 3]


def test_both_axes_have_a_range_with_room_for_everything() -> None:
    figure = drain_curves([curve("Range", [math.inf, 4000, 20, 0])], 30, 2, 1)

    low, high = figure.layout.yaxis.range
    assert figure.layout.yaxis.type == "log"
    assert 10**low < 20
    assert 10**high > 4000
    assert tuple(figure.layout.xaxis.range) == (0.5, 4.5)
    assert list(figure.layout.yaxis.ticktext) == [
        "30 s",
        "1 min",
        "3 min",
        "10 min",
        "30 min",
        "1 h",
    ]
    assert trace(figure, "Range").y[3] >= 10**low * 0.999


def test_a_time_as_good_as_never_does_not_flatten_the_others() -> None:
    figure = drain_curves([curve("Range", [1e15, 40, 20])], 30, None, 0)

    assert 10 ** figure.layout.yaxis.range[1] < 100
    assert trace(figure, "Range").y[0] == 1e15


def test_where_there_is_no_backlog_at_all_the_picture_still_has_a_range() -> None:
    figure = drain_curves([curve("Range", [0, 0])], 30, 1, 0)

    assert all(map(math.isfinite, figure.layout.yaxis.range))


def test_of_many_numbers_only_some_are_marked_but_all_that_stand_alone() -> None:
    seconds = [math.inf] * 100 + [5.0] + [math.inf] * 99 + [3.0] * 200

    figure = drain_curves([curve("Range", seconds)], 30, 1, 0)

    line, alone, *_ = figure.data
    assert 0 < line.marker.maxdisplayed <= 60
    assert alone.mode == "markers"
    assert alone.x.tolist() == [101]
    assert not alone.showlegend

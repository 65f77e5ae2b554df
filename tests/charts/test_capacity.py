import math
from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
import pytest

from assignors.catalogue import strategy_called
from charts.capacity import CapacityCurves, PlanCurves, drain_curves, needs, verdict_grid
from charts.palette import ALARM, BAR, BUSIEST
from evaluation.capacity.draining import Drained
from evaluation.capacity.trials import Curve

ALLOWED = 30


def curve(name: str, seconds: Mapping[int, float]) -> Curve:
    tried = {m: Drained(s, s / ALLOWED, 0) for m, s in seconds.items()}
    return Curve(strategy_called(name), tried)


def picture(*curves: Curve, today: int = 0, recommended: int | None = None) -> CapacityCurves:
    numbers = sorted({m for each in curves for m in each.consumers.tolist()})
    return CapacityCurves(
        curves=curves,
        allowed_s=ALLOWED,
        today=today,
        recommended=recommended,
        columns=numbers,
    )


def plan(*lines: Mapping[int, float], today: int = 0, planned: int | None = None) -> PlanCurves:
    """Return lines named a, b, c of seconds by consumers."""
    return PlanCurves(
        lines=tuple(zip("abc", lines, strict=False)),
        allowed_s=ALLOWED,
        today=today,
        planned=planned,
        points=sorted({m for line in lines for m in line}),
    )


def lines(figure: go.Figure) -> dict[str, go.Scatter]:
    return {trace.name: trace for trace in figure.data}


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_grid_tells_in_time_late_never_and_not_tried_apart_by_symbol() -> None:
    found = picture(
        curve("range", {2: math.inf, 3: 45.0, 4: 30.0}), curve("sticky", {3: 31.0, 4: 29.0})
    )

    cells = verdict_grid(found).data[0]

    assert [list(row) for row in cells.text] == [["✗", "!", "✓"], ["", "!", "✓"]]
    assert list(cells.z[0]) == [2, 1, 0]
    assert cells.z[1][0] is None
    assert cells.customdata[0][1] == "Range, 3 consumers: late by 15 s, 45 s in all"
    assert cells.customdata[0][0] == "Range, 2 consumers: the backlog never clears"


def test_the_grid_frames_the_minimum_of_each_strategy_and_prints_todays_number_bold() -> None:
    found = picture(
        curve("range", {2: 50.0, 3: 20.0}),
        curve("sticky", {2: 20.0, 3: 20.0}),
        curve("fair", {2: 50.0, 3: 50.0}),
        today=3,
    )

    layout = verdict_grid(found).layout

    frames = [(round(s.x0 + 0.44), round(s.y0 + 0.41)) for s in layout.shapes]
    assert frames == [(1, 0), (0, 1)]
    assert list(layout.xaxis.ticktext) == ["2", "<b>3</b>"]
    assert list(layout.yaxis.ticktext) == ["Range", "Sticky", "Fair"]


def test_text_in_the_grid_is_large_and_dark_enough_on_every_ground() -> None:
    cells = verdict_grid(picture(curve("range", {2: 1.0}))).data[0]

    assert cells.textfont.size >= 12
    for _, ground in cells.colorscale:
        contrast = (luminance(ground) + 0.05) / (luminance(cells.textfont.color) + 0.05)
        assert contrast >= 4.5


def test_a_line_shows_seconds_over_consumers_and_a_gap_where_it_never_ends() -> None:
    line = lines(drain_curves(plan({1: math.inf, 2: 40, 3: 20})))["a"]

    assert list(line.x) == [1, 2, 3]
    assert np.isnan(line.y[0])
    assert line.y[1:].tolist() == [40, 20]
    assert line.connectgaps is False
    assert line.customdata[1] == "40 s"


def test_late_numbers_of_the_first_line_are_hollow_and_red() -> None:
    line = lines(drain_curves(plan({1: 40, 2: 20, 3: ALLOWED})))["a"]

    assert list(line.marker.symbol) == ["circle-open", "circle", "circle"]
    assert list(line.marker.color) == [ALARM, BAR, BAR]


def test_lines_differ_without_colour() -> None:
    drawn = drain_curves(plan({1: 40}, {1: 41}, {1: 42})).data

    assert len({line.line.dash for line in drawn}) == len(drawn) == 3


def test_what_is_later_than_allowed_is_tinted_and_the_deciding_numbers_are_marked() -> None:
    layout = drain_curves(plan({2: 40, 3: 20, 4: 10}, today=2, planned=3)).layout

    (late,) = [shape for shape in layout.shapes if shape.fillcolor == ALARM]
    assert (late.y0, late.y1) == (ALLOWED, layout.yaxis.range[1])
    marks = [shape.x0 for shape in layout.shapes if shape.x0 == shape.x1]
    assert marks == [3, 2]
    assert "<b>30 s</b><br>allowed" in layout.yaxis.ticktext


def test_where_today_is_the_plan_one_mark_says_both() -> None:
    layout = drain_curves(plan({2: 40, 3: 20}, today=3, planned=3)).layout

    assert [shape.x0 for shape in layout.shapes if shape.x0 == shape.x1] == [3]


@pytest.mark.parametrize(
    ("seconds", "top"),
    [
        ({1: 40.0, 2: 20.0}, 44),
        ({1: 1e15, 2: 40.0, 3: 20.0}, 99),
        ({1: 5000.0, 2: 4000.0}, 5280),
        ({1: 0.0, 2: 0.0}, 33),
        ({1: math.inf, 2: math.inf}, 33),
    ],
)
def test_the_time_axis_has_room_for_what_decides_and_few_ticks(
    seconds: dict[int, float], top: float
) -> None:
    axis = drain_curves(plan(seconds)).layout.yaxis

    assert axis.range[0] == 0
    assert axis.range[1] == pytest.approx(top)
    assert 2 <= len(axis.tickvals) <= 9
    assert max(axis.tickvals) <= axis.range[1]


def test_partitions_that_need_more_than_a_consumer_reads_are_orange() -> None:
    figure = needs(["orders-1", "orders-0"], np.array([900.0, 40.0]), 620.0)

    (bars,) = figure.data
    assert list(bars.marker.color) == [BUSIEST, BAR]
    assert list(bars.text) == ["900/s", "40/s"]
    assert figure.layout.shapes[0].x0 == 620.0


def test_a_backlog_that_no_number_ever_clears_is_told_from_one_that_is_late() -> None:
    never, late = plan({2: math.inf}), plan({2: 45.0})

    assert (never.is_ever_cleared, late.is_ever_cleared) == (False, True)

"""The fleet's charts: the figures' data, not their pixels."""

from datetime import timedelta

import numpy as np
import pytest

from charts.bars import spread_bars
from charts.fleet_history import Line, best_lines, history_lines
from charts.fleet_maps import time_map
from charts.palette import BAR, BOUND_LINE, REFERENCE

MOMENTS = np.array(["2026-03-02T10:00", "2026-03-02T10:05"], "datetime64[us]")


def line(label: str, *lags: float, moved: float = 0, **kind: bool) -> Line:
    return Line(label, np.array(lags, float), np.array([0, moved]), **kind)


def test_a_map_shows_amounts_while_its_colours_follow_the_logarithm() -> None:
    cells = np.array([[10.0, 1000.0], [np.nan, 100.0]])

    figure = time_map(["a", "b"], MOMENTS, cells, "records")

    drawn = figure.data[0]
    np.testing.assert_array_equal(drawn.customdata, cells)
    np.testing.assert_allclose(drawn.z[0], [np.log10(10), 3], atol=0.1)
    assert np.isnan(drawn.z[1][0])
    assert not drawn.hoverongaps
    assert list(drawn.y) == ["a", "b"]
    assert drawn.zmax == 3


def test_few_small_amounts_do_not_stretch_the_scale_and_it_says_so() -> None:
    cells = np.full((10, 20), 1e6)
    cells[0, 0], cells[1, 0] = 1, 2e7
    moments = MOMENTS[0] + np.arange(20) * np.timedelta64(1, "m")

    drawn = time_map([f"g{k}" for k in range(10)], moments, cells, "records").data[0]

    assert drawn.zmin == pytest.approx(6)
    assert drawn.colorbar.ticktext[0] == "1 M or less"


@pytest.mark.parametrize(
    ("most", "words"), [(12, ["1", "2", "5", "12"]), (14, ["1", "2", "5", "10", "14"])]
)
def test_a_scale_leaves_out_what_would_run_into_its_end(most: int, words: list[str]) -> None:
    cells = np.array([[most, 1.0]])

    drawn = time_map(["a"], MOMENTS, cells, "records").data[0]

    assert list(drawn.colorbar.ticktext) == words


@pytest.mark.parametrize("value", [0.0, 5.0, np.nan])
def test_a_map_of_one_amount_or_none_is_drawn(value: float) -> None:
    drawn = time_map(["a"], MOMENTS, np.full((1, 2), value), "records").data[0]

    assert drawn.zmin < drawn.zmax
    assert len(drawn.colorbar.tickvals) >= 2


def test_hovering_says_how_long_a_slot_lasts_and_many_rows_are_not_named() -> None:
    names = [f"group-{k:03d}" for k in range(100)]

    figure = time_map(names, MOMENTS, np.ones((100, 2)), "records", timedelta(minutes=5))

    assert "largest within 0:05:00" in figure.data[0].hovertemplate
    assert figure.layout.yaxis.tickvals == ()
    assert len(figure.data[0].y) == 100


def test_strategies_that_agree_throughout_share_a_line_but_never_with_as_it_was() -> None:
    lines = [
        line("as it was", 9, 9, is_as_it_was=True),
        line("Range", 9, 9),
        line("Fair", 9, 9),
        line("Sticky", 9, 9, moved=1),
    ]

    figure = history_lines(MOMENTS, np.array([3.0, np.nan]), lines)

    names = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert names == ["Range, Fair", "Sticky", "as it was", "lower bound"]


def test_as_it_was_and_the_best_strategy_are_emphasised() -> None:
    lines = [
        line("as it was", 9, 9, is_as_it_was=True),
        line("Range", 5, 5, is_best=True),
        line("Fair", 7, 7),
    ]

    figure = history_lines(MOMENTS, np.array([3.0, 3.0]), lines)

    look = {trace.name: (trace.line.color, trace.line.width) for trace in figure.data}
    assert look["as it was"] == (REFERENCE, 3)
    assert look["Range"] == (BAR, 3)
    assert look["lower bound"][0] == BOUND_LINE
    assert look["Fair"][1] < 3


def test_lag_and_moves_are_in_panels_over_the_same_time() -> None:
    figure = history_lines(MOMENTS, np.array([3.0, 3.0]), [line("Fair", 7, np.nan, moved=4)])

    above, below = figure.data[:2]
    assert (above.yaxis, below.yaxis) == ("y", "y2")
    np.testing.assert_array_equal(above.y, [7, np.nan])
    assert list(below.y) == [0, 4]
    assert figure.layout.yaxis.range[1] > 7


def test_a_spread_has_a_bar_for_each_step_and_series() -> None:
    figure = spread_bars(["none", "1"], {"as it was": [3, 1], "then": [0, 4]}, "idle")

    assert [list(trace.y) for trace in figure.data] == [[3, 1], [0, 4]]
    assert [trace.marker.color for trace in figure.data] == [REFERENCE, BAR]
    assert figure.data[1].marker.pattern.shape == "/"
    assert list(figure.data[1].text) == ["", "4"]
    assert figure.layout.showlegend


@pytest.mark.parametrize(("most", "step"), [(1, 1), (5, 1), (6, None)])
def test_an_axis_of_groups_has_no_parts_of_one(most: int, step: int | None) -> None:
    figure = spread_bars(["none", "1"], {"groups": [most, 0]}, "idle")

    assert figure.layout.yaxis.dtick == step


def test_one_series_needs_no_legend() -> None:
    figure = spread_bars(["none"], {"groups": [0]}, "idle")

    assert not figure.layout.showlegend
    assert figure.data[0].marker.color == BAR


MARKUP = "<b>a</b> &amp; <a href='https://example.com'>b</a> %{x}"


def test_names_are_never_markup_on_the_axis_the_legend_or_on_hovering() -> None:
    table = time_map([MARKUP, "plain"], MOMENTS, np.ones((2, 2)), "records")
    lines = history_lines(MOMENTS, np.array([3.0, 3.0]), [line(MARKUP, 9, 9)])

    shown = "&lt;b&gt;a&lt;/b&gt; &amp;amp; &lt;a href='https://example.com'&gt;b&lt;/a&gt; %{x}"
    assert table.data[0].y[0] == shown
    assert "<" not in "".join(table.layout.yaxis.ticktext)
    assert {trace.name for trace in lines.data} == {shown, "lower bound"}
    assert "example.com" not in "".join(trace.hovertemplate for trace in lines.data)


def test_of_many_strategies_as_it_was_the_best_and_those_with_least_lag_are_drawn() -> None:
    others = [line(f"s{k}", 9 - k, 9 - k) for k in range(5)]
    alike = line("like s4", 5, 5)
    unknown = line("unknown", np.nan, np.nan)
    lines = [line("was", 50, 50, is_as_it_was=True), unknown, *others, alike]
    lines.append(line("best", 40, 40, is_best=True))  # over another window

    drawn = best_lines(lines, 4)

    assert [each.label for each in drawn] == ["was", "s3", "s4", "like s4", "best"]

"""The chart of two rules shows their pods, time lags and lags."""

import numpy as np
import pytest

from charts.autoscaling import over_time
from charts.palette import ALARM, BAR, REFERENCE
from evaluation.autoscaling.replay import ScalingRun


def outcome_of(pods: list[int], time_lag_s: list[float]) -> ScalingRun:
    zeros = np.zeros(len(pods))
    return ScalingRun(
        step_s=1800.0,
        pods=np.array(pods),
        consumers=np.array(pods),
        lag=7 * np.array(pods, np.float64),
        time_lag_s=np.array(time_lag_s),
        moved=zeros.astype(np.int64),
        paused_s=zeros,
        r_score=zeros,
    )


def test_each_rule_has_a_line_of_pods_of_time_lag_and_of_lag() -> None:
    figure = over_time(
        {"KEDA": outcome_of([1, 5], [60.0, 0.0]), "today": outcome_of([3, 3], [0.0, 90_000.0])},
        300.0,
    )

    pods, time_lag, lag, other_pods, other_time_lag, other_lag = figure.data
    assert list(pods.x) == [0.5, 1.0]
    assert (list(pods.y), list(other_pods.y)) == ([1, 5], [3, 3])
    assert list(time_lag.y) == [60.0, 0.0]
    assert (list(lag.y), list(other_lag.y)) == ([7, 35], [21, 21])
    assert list(other_time_lag.customdata) == ["0 s", "1 d 1 h"]
    assert [trace.name for trace in figure.data if trace.showlegend] == ["KEDA", "today"]
    assert figure.layout.shapes[0].y0 == 300.0


@pytest.mark.parametrize(("worst_s", "top_s"), [(0.0, 390.0), (600.0, 690.0), (1e6, 1200.0)])
def test_the_target_is_in_the_picture_and_the_worst_does_not_flatten_it(
    worst_s: float, top_s: float
) -> None:
    figure = over_time({"today": outcome_of([3, 3], [0.0, worst_s])}, 300.0)

    assert figure.layout.yaxis2.range == (0, pytest.approx(top_s))
    assert "<b>5 min</b>" in figure.layout.yaxis2.ticktext


def test_the_other_rule_is_the_reference_and_what_is_late_is_tinted() -> None:
    one, other = outcome_of([1, 5], [60.0, 0.0]), outcome_of([3, 3], [0.0, 900.0])

    figure = over_time({"KEDA": one, "today": other}, 300.0)

    assert [trace.line.color for trace in figure.data] == [BAR] * 3 + [REFERENCE] * 3
    assert [trace.line.dash for trace in figure.data] == ["solid"] * 3 + ["dash"] * 3
    (late,) = figure.layout.shapes
    assert (late.fillcolor, late.y0, late.y1) == (ALARM, 300.0, figure.layout.yaxis2.range[1])

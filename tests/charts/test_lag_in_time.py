import numpy as np

from charts.lag_in_time import time_lag_bars, time_lag_lines


def test_bars_are_in_the_unit_that_suits_the_longest() -> None:
    figure = time_lag_bars(["t-0", "<b>-1"], np.array([900.0, 60.0]), ["15 min", "1 min"], np.nan)

    assert figure.data[0].x.tolist() == [15, 1]
    assert figure.layout.xaxis.title.text == "minutes behind"
    assert figure.layout.yaxis.ticktext == ("t-0", "&lt;b&gt;-1")
    assert not figure.layout.shapes


def test_a_retention_that_is_near_is_marked() -> None:
    near = time_lag_bars(["t-0"], np.array([900.0]), ["15 min"], 1_800.0)
    far = time_lag_bars(["t-0"], np.array([900.0]), ["15 min"], 86_400.0)

    assert near.layout.shapes[0].x0 == 30
    assert not far.layout.shapes


def test_a_line_a_partition() -> None:
    times = np.array([0, 60], "datetime64[s]")

    figure = time_lag_lines(times, ["a-0", "b-0"], np.array([[30.0, np.nan], [90.0, 45.0]]))

    assert [line.name for line in figure.data] == ["a-0", "b-0"]
    assert figure.data[0].y.tolist() == [30, 90]


def test_a_day_or_a_year_that_no_text_names_is_not_shown() -> None:
    age_s = np.array([[30.0], [90.0]])

    def shown(first: str) -> object:
        times = np.datetime64(first) + np.array([0, 60], "timedelta64[s]")
        return time_lag_lines(times, ["a-0"], age_s).layout.xaxis.tickformat

    assert shown("1970-01-05T10:00:00") == "%H:%M:%S"
    assert shown("2001-11-23T10:00:00") == "%b %-d, %H:%M:%S"
    assert shown("2026-11-23T10:00:00") is None

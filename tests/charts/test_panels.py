"""The panels of a comparison: the figures' data, not their pixels."""

import plotly.graph_objects as go

from assignors.model import UNKNOWN, Group
from charts.loads import MAX_BARS, MAX_NAMED, MAX_SEPARATE, panel_of, scale_of
from charts.palette import BAR, BUSIEST
from charts.panels import panel_figure
from evaluation.load import Load
from tests.charts.outcomes import outcome
from tests.hostile.names import NAMES

LAG = Load(by_lag=True)


def drawn(group: Group, owners: list[int], *, by_lag: bool = True) -> go.Figure:
    found = outcome(group, owners)
    load = Load(by_lag=by_lag)
    scale = scale_of(group, [found], load, None if by_lag else load.bound(group))
    return panel_figure(panel_of(group, found, scale), height=270, text_px=12)


def one_each(lags: list[int]) -> tuple[Group, list[int]]:
    """Return a group in which every consumer owns one partition, with these lags."""
    members = [f"c{m:04d}" for m in range(len(lags))]
    return Group.fresh({"t": len(lags)}, members, lags={"t": lags}), list(range(len(lags)))


def test_every_consumer_has_a_bar_and_a_cell_with_its_partitions() -> None:
    group = Group.fresh({"t": 4}, ["a", "b"], lags={"t": [10, 20, 5, 1]})

    figure = drawn(group, [0, 0, 0, 1])

    assert figure.data[0].y.tolist() == [35, 1]
    assert figure.data[-2].z.tolist() == [[3, 1]]
    assert figure.data[-1].text == ("3", "1")


def test_the_busiest_consumer_is_marked_with_its_figure() -> None:
    figure = drawn(*one_each([5, 80_000, 3]))

    mark = figure.data[1]
    assert (mark.x, mark.text) == ((1,), ("80.0k",))
    assert figure.data[0].marker.color == (BAR, BUSIEST, BAR)


def test_nobody_is_marked_where_all_are_equally_busy() -> None:
    figure = drawn(*one_each([7, 7, 7]))

    assert [trace.type for trace in figure.data] == ["bar", "heatmap", "scatter"]
    assert figure.data[0].marker.color == (BAR, BAR, BAR)


def test_an_outlier_is_cut_off_and_its_value_written() -> None:
    group, owners = one_each([100 + m % 7 for m in range(99)] + [1_000_000])

    figure = drawn(group, owners)

    assert figure.layout.yaxis.range[1] < 1_000
    assert figure.data[0].y.max() < 1_000
    assert figure.data[1].text == ("1.00M ▲",)
    assert figure.data[0].customdata[-1] == "c0099: 1,000,000 records, 1 partition"


def test_unequal_lags_without_an_outlier_are_not_cut() -> None:
    figure = drawn(*one_each([100, 200, 300]))

    assert figure.layout.yaxis.range[1] > 300
    assert figure.data[0].y.tolist() == [100, 200, 300]


def test_all_panels_of_a_comparison_share_one_scale() -> None:
    group = Group.fresh({"t": 2}, ["a", "b"], lags={"t": [10, 30]})

    scale = scale_of(group, [outcome(group, [0, 0]), outcome(group, [0, 1])], LAG, 30)

    assert scale.top > 40
    assert scale.most_partitions == 2
    assert scale.best_possible == 30


def test_unknown_lag_is_hatched_and_labelled() -> None:
    group = Group.fresh({"t": 3}, ["a", "b"], lags={"t": [10, 20, UNKNOWN]})

    bars = drawn(group, [0, 0, 1]).data[0]

    assert bars.marker.pattern.shape == ("", "/")
    assert bars.customdata[1] == "b: 0 records, 1 partition, 1 of unknown lag"


def test_names_are_shown_letter_by_letter() -> None:
    group = Group.fresh({"t": 10}, NAMES, lags={"t": list(range(10))})

    figure = drawn(group, list(range(10)))

    texts = [*figure.data[0].customdata, *figure.data[-2].customdata[0]]
    assert not any("<b>" in text or "<img" in text for text in texts)
    assert not any("<" in text for text in figure.layout.xaxis.ticktext or ())


def test_many_consumers_share_bars_and_the_busiest_of_each_shows() -> None:
    lags = [1] * (2 * MAX_BARS)
    lags[7] = 3

    figure = drawn(*one_each(lags))

    assert figure.data[0].y.size == MAX_BARS
    assert figure.data[0].y[3] == 3
    assert "the busiest of c0006 and the 1 after it" in figure.data[0].customdata[3]


def test_few_bars_are_separate_and_many_are_one_outline() -> None:
    assert drawn(*one_each([1, 2] * (MAX_SEPARATE // 2))).data[0].type == "bar"
    assert drawn(*one_each([1, 2] * MAX_SEPARATE)).data[0].mode == "lines"


def test_only_a_few_consumers_are_named() -> None:
    few, many = drawn(*one_each([1] * MAX_NAMED)), drawn(*one_each([1] * (MAX_NAMED + 1)))

    assert len(few.layout.xaxis.ticktext) == MAX_NAMED
    assert not many.layout.xaxis.ticktext


def test_a_few_consumers_are_named_however_long_their_ids() -> None:
    group = Group.fresh({"t": 2}, [f"checkout-service-eu-{k}" for k in range(2)], {"t": [1, 2]})

    assert drawn(group, [0, 1]).layout.xaxis.ticktext == (
        "service-eu-0",
        "service-eu-1",
    )


def test_where_counts_decide_bars_are_counts_and_there_is_no_strip() -> None:
    figure = drawn(Group.fresh({"t": 3}, ["a", "b"]), [0, 0, 1], by_lag=False)

    assert figure.data[0].y.tolist() == [2, 1]
    assert not any(trace.type == "heatmap" for trace in figure.data)
    assert figure.layout.shapes[0].y0 == 2  # an even share, rounded up


def test_a_group_without_consumers_draws_nothing_and_does_not_fail() -> None:
    figure = drawn(Group.fresh({"t": 2}, [], lags={"t": [1, 2]}), [-1, -1])

    assert figure.data[0].y.size == 0

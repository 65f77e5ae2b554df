import numpy as np
import pytest
from plotly.colors import sample_colorscale, unlabel_rgb

from assignors.model import UNKNOWN, Group
from charts.heatmaps import MAX_CELLS, consumer_by_strategy, consumer_by_topic
from charts.palette import SCALE
from evaluation.comparing.load import Load
from evaluation.judging import PARTITIONS
from tests.charts.outcomes import outcome

LAG, COUNT = Load(), Load(measure=PARTITIONS)


def two_topics() -> Group:
    lags = {"a": [10, 20], "b": [UNKNOWN]}
    return Group.fresh({"a": 2, "b": 1}, members=["c0", "c1"], lags=lags)


def test_a_cell_holds_the_lag_of_a_consumer_under_a_strategy() -> None:
    group = two_topics()

    figure = consumer_by_strategy(
        group, [outcome(group, [0, 0, 1]), outcome(group, [0, 1, 1], "roundrobin")], LAG
    )

    assert list(figure.data[0].x) == ["Range", "Round robin"]
    assert list(figure.data[0].y) == ["c0", "c1"]
    np.testing.assert_array_equal(figure.data[0].z, [[30, 10], [np.nan, 20]])


def test_partitions_are_counted_where_lag_is_not_requested() -> None:
    group = two_topics()

    figure = consumer_by_strategy(group, [outcome(group, [0, 0, 1])], COUNT)

    assert figure.data[0].z.tolist() == [[2], [1]]


def test_a_panel_shows_each_consumers_lag_by_topic_and_leaves_the_rest_empty() -> None:
    group = two_topics()

    figure = consumer_by_topic(group, [outcome(group, [0, 1, 1])], LAG)

    np.testing.assert_array_equal(figure.data[0].z, [[10, np.nan], [20, np.nan]])
    assert list(figure.data[0].x) == ["a", "b"]


def test_too_many_cells_draw_the_emptiest_topics_as_one() -> None:
    topics = {f"t{t:04d}": 1 for t in range(400)}
    lags = {name: [t] for t, name in enumerate(topics)}
    members = [f"c{m:04d}" for m in range(1_000)]
    group = Group.fresh(topics, members=members, lags=lags)
    owners = [0] * 400

    figure = consumer_by_topic(group, [outcome(group, owners)], LAG)

    cells = figure.data[0].customdata
    assert cells.size <= MAX_CELLS
    assert np.nansum(cells) == sum(range(400))
    assert list(figure.data[0].x)[-2:] == ["t0399", "251 other topics"]


@pytest.mark.parametrize("group", [Group.fresh({"t": 2}, []), Group.fresh({}, ["c0"])])
def test_a_group_without_consumers_or_topics_has_empty_heatmaps(group: Group) -> None:
    now = outcome(group, [-1] * group.partition_count)

    for load in (LAG, COUNT):
        assert consumer_by_topic(group, [now], load).data[0].z.size == 0
        assert np.nansum(consumer_by_strategy(group, [now], load).data[0].z) == 0


def test_partitions_are_written_as_whole_numbers_on_a_scale_from_nothing() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"])

    figure = consumer_by_strategy(group, [outcome(group, [0, 0, 1, 1])], COUNT)

    cells, texts = figure.data
    assert (cells.zmin, cells.zmax) == (0, 2)
    assert texts.text == ("2", "2")


def test_every_figure_on_a_cell_is_black_or_white_at_a_contrast_of_at_least_4_5() -> None:
    members = [f"c{m:02d}" for m in range(50)]
    group = Group.fresh({"t": 50}, members, lags={"t": [7 * m for m in range(50)]})

    cells, texts = consumer_by_strategy(group, [outcome(group, [*range(50)])], LAG).data

    shares = (cells.z.ravel() - cells.zmin) / (cells.zmax - cells.zmin)
    grounds = [luminance(colour) for colour in sample_colorscale(SCALE, shares.tolist())]
    inks = [{"#ffffff": 1.0, "#000000": 0.0}[colour] for colour in texts.textfont.color]
    assert {*inks} == {0.0, 1.0}
    for ground, ink in zip(grounds, inks, strict=True):
        assert (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) >= 4.5


def luminance(colour: str) -> float:
    parts = [part / 255 for part in unlabel_rgb(colour)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def test_one_hot_cell_leaves_the_others_their_own_colours() -> None:
    # linear, 10 and 40 of 100,000 would be the same colour; in powers of ten they are not
    members = ["c0", "c1", "c2"]
    group = Group.fresh({"t": 3}, members, lags={"t": [10, 40, 100_000]})

    figure = consumer_by_strategy(group, [outcome(group, [0, 1, 2])], LAG)

    cells = figure.data[0]
    few, more, most = (cells.z.ravel() - cells.zmin) / (cells.zmax - cells.zmin)
    assert more - few > 0.1
    assert (few, most) == (0, 1)
    assert cells.colorbar.ticktext[0] == "10"
    assert cells.colorbar.ticktext[-1] == "100 k"
    assert cells.customdata.ravel().tolist() == [10, 40, 100_000]


def test_similar_amounts_stay_on_a_linear_scale() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"], lags={"t": [54, 73]})

    cells = consumer_by_strategy(group, [outcome(group, [0, 1])], LAG).data[0]

    assert cells.z.ravel().tolist() == [54, 73]
    assert (cells.zmin, cells.zmax) == (0, 73)


@pytest.mark.parametrize("count", [12, 40, 60])
def test_named_rows_are_high_enough_for_their_names(count: int) -> None:
    members = [f"consumer-{m:02d}" for m in range(count)]
    group = Group.fresh({"t": count}, members, lags={"t": [1] * count})
    now = outcome(group, [*range(count)])

    for figure in (
        consumer_by_strategy(group, [now], LAG),
        consumer_by_topic(group, [now, now, now], LAG),
    ):
        axis = figure.layout.yaxis
        assert len(axis.ticktext) == count
        low, high = axis.domain or (0.0, 1.0)
        assert figure.layout.height * (high - low) / count >= 16

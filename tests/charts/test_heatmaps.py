import numpy as np
import pytest
from plotly.colors import hex_to_rgb, sample_colorscale, unlabel_rgb

from assignors.model import UNKNOWN, Group
from charts.colour_scale import ramp
from charts.heatmaps import MAX_CELLS, consumer_by_topic
from evaluation.comparing.load import Load
from evaluation.judging import PARTITIONS
from tests.charts.outcomes import outcome

LAG, COUNT = Load(), Load(measure=PARTITIONS)


def two_topics() -> Group:
    lags = {"a": [10, 20], "b": [UNKNOWN]}
    return Group.fresh({"a": 2, "b": 1}, members=["c0", "c1"], lags=lags)


def test_partitions_are_counted_where_lag_is_not_requested() -> None:
    group = two_topics()

    figure = consumer_by_topic(group, [outcome(group, [0, 0, 1])], COUNT)

    np.testing.assert_array_equal(figure.data[0].z, [[2, np.nan], [np.nan, 1]])
    assert [layer.text[0][0] for layer in figure.data] == ["", "2"]  # white on the darkest


def test_a_panel_shows_each_consumers_lag_by_topic_and_leaves_the_rest_empty() -> None:
    group = two_topics()

    figure = consumer_by_topic(group, [outcome(group, [0, 1, 1])], LAG)

    np.testing.assert_array_equal(figure.data[0].z, [[10, np.nan], [20, np.nan]])
    assert list(figure.data[0].x) == ["a", "b"]


@pytest.mark.slow
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


@pytest.mark.parametrize("is_dark", [False, True])
def test_every_figure_on_a_cell_is_black_or_white_at_a_contrast_of_at_least_4_5(
    is_dark: bool,
) -> None:
    members = [f"c{m:02d}" for m in range(50)]
    group = Group.fresh({"t": 50}, members, lags={"t": [7 * m + 1 for m in range(50)]})

    figure = consumer_by_topic(group, [outcome(group, [*range(50)])], LAG, is_dark=is_dark)

    axis = figure.layout.coloraxis
    shares = ((figure.data[0].z - axis.cmin) / (axis.cmax - axis.cmin)).ravel()
    colours = sample_colorscale([colour for _, colour in axis.colorscale], shares.tolist())
    written = 0
    for layer in figure.data:
        ink = {"#ffffff": 1.0, "#000000": 0.0}[layer.textfont.color]
        texts = [text for row in layer.text for text in row]
        for text, colour in zip(texts, colours, strict=True):
            if text:
                written += 1
                ground = luminance(colour)
                assert (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) >= 4.5
    assert written == 50
    assert all(any(text for row in layer.text for text in row) for layer in figure.data)


@pytest.mark.parametrize("is_dark", [False, True])
def test_more_is_further_from_the_ground_of_the_theme_in_one_hue(is_dark: bool) -> None:
    colours = [colour for _, colour in ramp(is_dark=is_dark)]

    lights = [luminance(colour) for colour in colours]
    parts = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in colours]
    assert lights == sorted(lights, reverse=not is_dark)
    assert all(red < green < blue for red, green, blue in parts)


def luminance(colour: str) -> float:
    rgb = hex_to_rgb(colour) if colour.startswith("#") else unlabel_rgb(colour)
    parts = [part / 255 for part in rgb]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def test_one_hot_cell_leaves_the_others_their_own_colours() -> None:
    # linear, 10 and 40 of 100,000 would be the same colour; in powers of ten they are not
    members = ["c0", "c1", "c2"]
    group = Group.fresh({"t": 3}, members, lags={"t": [10, 40, 100_000]})

    figure = consumer_by_topic(group, [outcome(group, [0, 1, 2])], LAG)

    cells, axis = figure.data[0], figure.layout.coloraxis
    few, more, most = (cells.z.ravel() - axis.cmin) / (axis.cmax - axis.cmin)
    assert more - few > 0.1
    assert (few, most) == (0, 1)
    assert axis.colorbar.ticktext[0] == "10"
    assert axis.colorbar.ticktext[-1] == "100 k"
    assert cells.customdata.ravel().tolist() == [10, 40, 100_000]


def test_similar_amounts_stay_on_a_linear_scale() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"], lags={"t": [54, 73]})

    figure = consumer_by_topic(group, [outcome(group, [0, 1])], LAG)

    assert figure.data[0].z.ravel().tolist() == [54, 73]
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 73)


@pytest.mark.parametrize("count", [12, 40, 60])
def test_named_rows_are_high_enough_for_their_names(count: int) -> None:
    members = [f"consumer-{m:02d}" for m in range(count)]
    group = Group.fresh({"t": count}, members, lags={"t": [1] * count})
    now = outcome(group, [*range(count)])

    figure = consumer_by_topic(group, [now, now, now], LAG)

    axis = figure.layout.yaxis
    assert len(axis.ticktext) == count
    low, high = axis.domain or (0.0, 1.0)
    assert figure.layout.height * (high - low) / count >= 16

import numpy as np
import pytest

from assignors.model import UNKNOWN, Group
from charts.heatmaps import MAX_CELLS, consumer_by_strategy, consumer_by_topic
from tests.charts.outcomes import outcome


def two_topics() -> Group:
    lags = {"a": [10, 20], "b": [UNKNOWN]}
    return Group.fresh({"a": 2, "b": 1}, members=["c0", "c1"], lags=lags)


def test_a_cell_holds_the_lag_of_a_consumer_under_a_strategy() -> None:
    group = two_topics()

    figure = consumer_by_strategy(
        group, [outcome(group, [0, 0, 1]), outcome(group, [0, 1, 1], "roundrobin")], lag=True
    )

    assert list(figure.data[0].x) == ["Range", "Round robin"]
    assert list(figure.data[0].y) == ["c0", "c1"]
    np.testing.assert_array_equal(figure.data[0].z, [[30, 10], [np.nan, 20]])


def test_partitions_are_counted_where_lag_is_not_requested() -> None:
    group = two_topics()

    figure = consumer_by_strategy(group, [outcome(group, [0, 0, 1])], lag=False)

    assert figure.data[0].z.tolist() == [[2], [1]]


def test_a_panel_shows_each_consumers_lag_by_topic_and_leaves_the_rest_empty() -> None:
    group = two_topics()

    figure = consumer_by_topic(group, [outcome(group, [0, 1, 1])], lag=True)

    np.testing.assert_array_equal(figure.data[0].z, [[10, np.nan], [20, np.nan]])
    assert list(figure.data[0].x) == ["a", "b"]


def test_too_many_cells_draw_the_emptiest_topics_as_one() -> None:
    topics = {f"t{t:04d}": 1 for t in range(400)}
    lags = {name: [t] for t, name in enumerate(topics)}
    members = [f"c{m:04d}" for m in range(1_000)]
    group = Group.fresh(topics, members=members, lags=lags)
    owners = [0] * 400

    figure = consumer_by_topic(group, [outcome(group, owners)], lag=True)

    cells = figure.data[0].z
    assert cells.size <= MAX_CELLS
    assert np.nansum(cells) == sum(range(400))
    assert list(figure.data[0].x)[-2:] == ["t0399", "251 other topics"]


@pytest.mark.parametrize("group", [Group.fresh({"t": 2}, []), Group.fresh({}, ["c0"])])
def test_a_group_without_consumers_or_topics_has_empty_heatmaps(group: Group) -> None:
    now = outcome(group, [-1] * group.partition_count)

    for is_lag in (True, False):
        assert consumer_by_topic(group, [now], lag=is_lag).data[0].z.size == 0
        assert np.nansum(consumer_by_strategy(group, [now], lag=is_lag).data[0].z) == 0


def test_partitions_are_written_as_whole_numbers_on_a_scale_from_nothing() -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1"])

    figure = consumer_by_strategy(group, [outcome(group, [0, 0, 1, 1])], lag=False)

    cells = figure.data[0]
    assert (cells.zmin, cells.zmax, cells.texttemplate) == (0, 2, "%{z:,d}")

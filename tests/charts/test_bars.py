import numpy as np
import pytest

from assignors.model import UNKNOWN, Group, Owners
from charts.bars import MAX_BARS, MAX_SEPARATE, count_bars, lag_bars
from charts.palette import FULLEST
from evaluation.compare import Outcome
from evaluation.metrics import figures


def outcome(group: Group, owners: list[int], name: str = "range") -> Outcome:
    answer: Owners = np.array(owners, np.int32)
    return Outcome(name=name, label=name, owners=answer, figures=figures(group, answer))


def small_group() -> Group:
    return Group.fresh({"t": 4}, members=["c0", "c1"], lags={"t": [10, 20, 5, UNKNOWN]})


def test_each_strategy_has_a_panel_with_every_consumers_lag() -> None:
    group = small_group()
    outcomes = [outcome(group, [0, 0, 1, 1]), outcome(group, [0, 1, 0, 1], "roundrobin")]

    figure = lag_bars(group, outcomes, 20)

    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [list(bar.y) for bar in bars] == [[30, 5], [15, 20]]
    assert [note.text for note in figure.layout.annotations][:2] == ["range", "roundrobin"]


def test_all_panels_share_one_scale_with_room_for_the_fullest() -> None:
    group = small_group()

    figure = lag_bars(group, [outcome(group, [0, 0, 1, 1]), outcome(group, [0, 1, 0, 1])], 20)

    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    assert figure.layout.yaxis.range[1] > 30


def test_the_fullest_consumer_is_named_in_figures_and_not_by_colour_alone() -> None:
    group = small_group()

    bar = lag_bars(group, [outcome(group, [0, 0, 1, 1])], 20).data[0]

    assert list(bar.text) == ["30", ""]
    assert bar.marker.color.tolist() == [1, 0]
    assert bar.marker.colorscale[1] == (1, FULLEST)


def test_a_consumer_with_unknown_lag_is_hatched_and_says_so() -> None:
    group = small_group()

    bar = lag_bars(group, [outcome(group, [0, 0, 1, 1])], 20).data[0]

    assert list(bar.marker.pattern.shape) == ["", "/"]
    assert bar.customdata[1] == "c1<br>1 partitions of unknown lag come on top"


def test_lines_stand_at_the_mean_and_at_the_best_possible_maximum() -> None:
    group = small_group()

    lag = lag_bars(group, [outcome(group, [0, 0, 1, 1])], 20)
    count = count_bars(group, [outcome(group, [0, 0, 0, 1])])

    assert [trace.y[0] for trace in lag.data if trace.type == "scatter"] == [17.5, 20]
    assert [trace.y[0] for trace in count.data if trace.type == "scatter"] == [2, 2]
    assert [trace.name for trace in lag.data[1:]] == ["mean: 17.5", "best possible maximum: 20"]


def test_without_any_known_lag_there_is_no_line_for_a_bound() -> None:
    group = Group.fresh({"t": 2}, members=["c0"])

    figure = lag_bars(group, [outcome(group, [0, 0])], None)

    assert not any("best" in (trace.name or "") for trace in figure.data)


@pytest.mark.parametrize("members", [MAX_BARS + 1, 10 * MAX_BARS])
def test_more_consumers_than_bars_are_drawn_by_the_fullest_of_neighbours(members: int) -> None:
    group = Group.fresh({"t": members}, members=[f"c{m:05d}" for m in range(members)])
    owners = np.arange(members)
    owners[7] = 8

    bar = count_bars(group, [outcome(group, owners.tolist())]).data[0]

    assert len(bar.y) <= MAX_BARS
    assert max(bar.y) == 2


def test_of_many_consumers_the_outline_the_fullest_and_the_unknown_are_drawn() -> None:
    members = [f"c{m:03d}" for m in range(MAX_SEPARATE + 1)]
    lags = {"t": [UNKNOWN if p == 4 else p for p in range(len(members))]}
    group = Group.fresh({"t": len(members)}, members=members, lags=lags)

    outline, unknown, fullest = lag_bars(
        group, [outcome(group, list(range(len(members))))], None
    ).data[:3]

    assert list(outline.y) == [0 if p == 4 else p for p in range(len(members))]
    assert outline.fill == "tozeroy"
    assert list(unknown.x) == [4]
    assert (list(fullest.x), list(fullest.text)) == ([100], ["100"])


def test_a_group_without_consumers_has_an_empty_chart() -> None:
    group = Group.fresh({"t": 2}, members=[])

    figure = count_bars(group, [outcome(group, [-1, -1])])

    assert len(figure.data[0].y) == 0

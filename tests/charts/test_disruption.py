"""The chart of moves and pauses: its data, not its pixels."""

from charts.disruption import Disruption, disruption_bars
from charts.palette import NEEDLESS

ROWS = (
    Disruption("Cooperative sticky", moved=10, needless=0, paused=10),
    Disruption("Range", moved=98, needless=88, paused=134, is_uneven=True),
)


def test_moves_are_split_into_needed_and_needless_ones_beside_the_pauses() -> None:
    needed, needless, paused = disruption_bars(ROWS).data

    assert (list(needed.x), list(needless.x), list(paused.x)) == ([10, 10], [0, 88], [10, 134])
    assert needless.marker.pattern.shape
    assert needless.marker.color == NEEDLESS
    assert list(needless.text) == ["10", "98 †"]
    assert list(paused.text) == ["10", "134"]


def test_moves_are_not_called_needed_where_the_fewest_are_unknown() -> None:
    moves, _, paused = disruption_bars(
        [Disruption("Range", moved=8, needless=None, paused=13)]
    ).data

    assert (moves.name, list(moves.x), list(paused.x)) == ("moves", [8], [13])
    assert not moves.showlegend


def test_both_sides_have_one_scale_with_room_for_the_figures_and_the_first_row_on_top() -> None:
    layout = disruption_bars(ROWS).layout

    assert layout.xaxis.range == layout.xaxis2.range
    assert layout.xaxis.range[1] > 1.3 * 134
    assert layout.yaxis.range[0] > layout.yaxis.range[1]


def test_the_strategy_drawn_is_bold_and_long_labels_take_two_lines() -> None:
    rows = [*ROWS, Disruption("Uniform (Kafka 4.0.1 and later)", 1, 0, 1)]

    ticks = disruption_bars(rows, "Range").layout.yaxis.ticktext

    assert ticks == ("Cooperative sticky", "<b>Range</b>", "Uniform (Kafka 4.0.1<br>and later)")


def test_with_nothing_to_show_axes_are_still_drawn() -> None:
    assert disruption_bars([]).layout.xaxis.range[1] > 0

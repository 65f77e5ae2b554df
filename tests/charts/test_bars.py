from charts.bars import amount_bars
from charts.palette import BAR, BUSIEST


def test_there_is_a_bar_with_its_figure_for_each_label_in_order() -> None:
    (bars,) = amount_bars({"Range": 6000, "Sticky": 20}).data

    assert list(bars.y) == ["Range", "Sticky"]
    assert list(bars.x) == [6000, 20]
    assert list(bars.text) == ["6,000", "20"]


def test_the_largest_stand_out_unless_all_are_equal() -> None:
    (uneven,) = amount_bars({"a": 3, "b": 1, "c": 3}).data
    (even,) = amount_bars({"a": 2, "b": 2}).data

    assert list(uneven.marker.color) == [BUSIEST, BAR, BUSIEST]
    assert list(even.marker.color) == [BAR, BAR]


def test_nothing_but_zeros_can_be_drawn() -> None:
    figure = amount_bars({"a": 0})

    assert figure.layout.xaxis.range[1] > 0

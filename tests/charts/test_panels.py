"""The panels of a comparison: what they hold, and where it is drawn."""

import re

from assignors.model import UNKNOWN, Group
from charts.loads import MAX_BARS, MAX_NAMED, MAX_SEPARATE, Panel, panel_of, scale_of
from charts.palette import ALARM, BAR, BOUND_LINE, BUSIEST
from charts.panels import hatches_svg, panel_svg
from charts.shapes import GROUND
from evaluation.comparing.load import Load
from evaluation.judging import PARTITIONS
from tests.charts.outcomes import outcome
from tests.hostile.names import NAMES

LAG, COUNT = Load(), Load(measure=PARTITIONS)


def panel(group: Group, owners: list[int], load: Load = LAG) -> Panel:
    found = outcome(group, owners)
    scale = scale_of(group, [found], load, None if load.by_weight else load.bound(group))
    return panel_of(group, found, scale)


def drawn(group: Group, owners: list[int], load: Load = LAG) -> str:
    return panel_svg(panel(group, owners, load), "a panel")


def bars(drawing: str) -> list[tuple[float, float, str]]:
    """Return the right end of each bar, in per cent, its height in pixels, and its fill."""
    shape = r'<rect x="([^%]+)%" y="[^"]+" width="([^%]+)%" height="([^"]+)" fill="([^"]+)" class='
    found = re.findall(f'{shape}"load"', drawing)
    return [(float(x) + float(w), float(h), fill) for x, w, h, fill in found]


def one_each(lags: list[int]) -> tuple[Group, list[int]]:
    """Return a group in which every consumer owns one partition, with these lags."""
    members = [f"c{m:04d}" for m in range(len(lags))]
    return Group.fresh({"t": len(lags)}, members, lags={"t": lags}), list(range(len(lags)))


def test_every_consumer_has_a_bar_and_a_cell_with_its_partitions() -> None:
    group = Group.fresh({"t": 4}, ["a", "b"], lags={"t": [10, 20, 5, 1]})

    drawing = drawn(group, [0, 0, 0, 1])

    (_, high, _), (_, low, _) = bars(drawing)
    assert round(high / low) == 35
    assert re.findall(r'class="cell[ a-z]*">(\d+)<', drawing) == ["3", "1"]


def test_the_busiest_consumer_is_marked_with_its_figure() -> None:
    drawing = drawn(*one_each([5, 80_000, 3]))

    assert re.findall(r'class="busiest">([^<]*)<', drawing) == ["80.0 k"]
    assert [fill for *_, fill in bars(drawing)] == [BAR, BUSIEST, BAR]


def test_the_busiest_consumer_of_a_group_that_never_catches_up_is_red_even_hatched() -> None:
    group = Group.fresh({"t": 3}, ["a", "b"], lags={"t": [90, UNKNOWN, 1]})
    found = outcome(group, [0, 0, 1])
    red = panel_of(group, found, scale_of(group, [found], LAG, None), peak=ALARM)

    assert [fill for *_, fill in bars(panel_svg(red, "a panel"))] == ["url(#hatch-alarm)", BAR]
    assert "hatch-alarm" in hatches_svg()


def test_nobody_is_marked_where_all_are_equally_busy() -> None:
    drawing = drawn(*one_each([7, 7, 7]))

    assert "busiest" not in drawing
    assert [fill for *_, fill in bars(drawing)] == [BAR, BAR, BAR]


def test_an_outlier_is_cut_off_and_its_value_written() -> None:
    group, owners = one_each([100 + m % 7 for m in range(99)] + [1_000_000])

    cut = panel(group, owners)

    assert cut.scale.top < 1_000
    assert cut.tops.max() < 1_000
    assert cut.mark is not None
    assert cut.mark.text == "1.00 M ▲"
    assert cut.labels[-1] == "c0099: 1,000,000 records, 1 partition"
    assert max(height for _, height, _ in bars(drawn(group, owners))) < GROUND


def test_unequal_lags_without_an_outlier_are_not_cut() -> None:
    whole = panel(*one_each([100, 200, 300]))

    assert whole.scale.top > 300
    assert whole.tops.tolist() == [100, 200, 300]


def test_all_panels_of_a_comparison_share_one_scale() -> None:
    group = Group.fresh({"t": 2}, ["a", "b"], lags={"t": [10, 30]})

    scale = scale_of(group, [outcome(group, [0, 0]), outcome(group, [0, 1])], LAG, 30)

    assert scale.top > 40
    assert scale.most_partitions == 2
    assert scale.lower_bound == 30


def test_unknown_lag_is_hatched_and_labelled() -> None:
    group = Group.fresh({"t": 3}, ["a", "b"], lags={"t": [10, 20, UNKNOWN]})

    drawing = drawn(group, [0, 0, 1])

    assert [fill for *_, fill in bars(drawing)] == [BUSIEST, "url(#hatch)"]
    assert "<title>b: 0 records, 1 partition, 1 of unknown lag</title>" in drawing


def test_names_are_shown_letter_by_letter() -> None:
    group = Group.fresh({"t": 10}, NAMES, lags={"t": list(range(10))})

    drawing = drawn(group, list(range(10)))

    assert "<b>" not in drawing
    assert "<img" not in drawing
    assert "&lt;b&gt;" in drawing


def test_many_consumers_share_bars_and_the_busiest_of_each_shows() -> None:
    lags = [1] * (2 * MAX_BARS)
    lags[7] = 3

    shared = panel(*one_each(lags))

    assert shared.tops.size == MAX_BARS
    assert shared.tops[3] == 3
    assert "the busiest of c0006 and the 1 after it" in shared.labels[3]


def test_few_bars_are_separate_and_many_are_one_outline() -> None:
    few, many = drawn(*one_each([1, 2] * (MAX_SEPARATE // 2))), drawn(*one_each([1, 2] * 60))

    assert len(bars(few)) == MAX_SEPARATE
    assert not bars(many)
    assert f'preserveAspectRatio="none"><path d="M0 {GROUND}V' in many


def test_bars_and_outline_end_where_the_drawing_ends() -> None:
    few, many = drawn(*one_each([1, 2, 3])), drawn(*one_each([1, 2] * (MAX_BARS + 1)))

    assert 95 < bars(few)[-1][0] <= 100
    members = 2 * (MAX_BARS + 1)
    assert f'viewBox="0 0 {members} {GROUND}"' in many
    assert re.search(rf'H{members}V{GROUND}Z"', many)


def test_only_a_few_consumers_are_named() -> None:
    assert len(panel(*one_each([1] * MAX_NAMED)).names) == MAX_NAMED
    assert not panel(*one_each([1] * (MAX_NAMED + 1))).names
    assert 'class="name"' not in drawn(*one_each([1] * (MAX_NAMED + 1)))


def test_a_few_consumers_are_named_however_long_their_ids() -> None:
    group = Group.fresh({"t": 2}, [f"checkout-service-eu-{k}" for k in range(2)], {"t": [1, 2]})

    names = re.findall(r'class="name">([^<]*)<', drawn(group, [0, 1]))

    assert names == ["service-eu-0", "service-eu-1"]


def test_where_counts_decide_bars_are_counts_and_there_is_no_strip() -> None:
    group = Group.fresh({"t": 3}, ["a", "b"])

    drawing = drawn(group, [0, 0, 1], COUNT)

    (_, high, _), (_, low, _) = bars(drawing)
    assert round(high / low, 2) == 2
    assert 'class="cell' not in drawing
    line = re.search(rf'y1="([\d.]+)" y2="\1" stroke="{BOUND_LINE}"', drawing)
    assert line is not None
    assert float(line[1]) == round(GROUND - high, 1)  # an even share, rounded up


def test_a_group_without_consumers_draws_nothing_and_does_not_fail() -> None:
    assert not bars(drawn(Group.fresh({"t": 2}, [], lags={"t": [1, 2]}), [-1, -1]))

import re
from collections.abc import Sequence

from markupsafe import Markup

from assignors.model import UNKNOWN, Group
from charts.loads import panel_of, scale_of
from charts.panels import panel_svg
from charts.report import (
    Figure,
    FigureRow,
    FirstPage,
    Heading,
    Part,
    Picture,
    Pictures,
    ReportLink,
    ReportList,
    ReportTable,
    Section,
    TermList,
    report,
)
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import at_next_rebalance
from tests.named import named

HOSTILE = "</script><script>alert('x')</script>\"&"
ESCAPED = "&lt;script&gt;alert(&#39;x&#39;)"


def page(*parts: Part, text: str = "A group") -> str:
    return report(FirstPage(text, text, text, text, text), parts, [Section("All", parts)])


def rows(count: int) -> Sequence[Sequence[str]]:
    return [[f"row {number}", "1"] for number in range(count)]


def drawing(group: Group, strategy: str) -> Markup:
    outcomes = at_next_rebalance(group, named(strategy))
    scale = scale_of(group, outcomes, Load(), 7)
    return panel_svg(panel_of(group, outcomes[0], scale), HOSTILE)


def test_every_text_is_escaped_wherever_it_appears() -> None:
    parts = (
        HOSTILE,
        Heading(HOSTILE),
        TermList([(HOSTILE, HOSTILE)]),
        ReportList(HOSTILE),
        ReportLink(HOSTILE, HOSTILE),
        ReportTable(HOSTILE, [HOSTILE], [[HOSTILE]]),
        Pictures([Picture(HOSTILE, HOSTILE, Markup("<svg></svg>"))], HOSTILE),
        FigureRow([Figure(HOSTILE, HOSTILE, HOSTILE)]),
    )
    texts_of_parts = 1 + 1 + 2 + 1 + 2 + 3 + 3 + 3

    text = page(*parts, text=HOSTILE)

    assert "<script" not in text
    assert text.count(ESCAPED) == 6 + 2 * texts_of_parts


def test_a_drawing_writes_the_names_of_consumers_as_text() -> None:
    group = Group.fresh({HOSTILE: 2}, [HOSTILE, "c1"], lags={HOSTILE: [5, 7]})

    text = drawing(group, "range")

    assert "<script" not in text
    assert ESCAPED in text


def test_a_drawing_shows_a_bar_a_consumer_and_the_busiest_ones_figure() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"], lags={"t": [5, 700]})

    text = drawing(group, "range")

    assert "<title>c0: 5 records, 1 partition</title>" in text
    assert re.search(r'class="busiest">700<', text)


def test_of_equally_busy_consumers_none_is_marked() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"], lags={"t": [5, 5]})

    assert "busiest" not in drawing(group, "range")


def test_a_bar_of_partly_unknown_lag_is_hatched() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1", "c2"], lags={"t": [5, 7, UNKNOWN]})

    text = drawing(group, "range")

    assert text.count("url(#hatch)") == 1
    assert "1 of unknown lag" in text


def test_the_busiest_bar_keeps_its_colour_when_hatched() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"], lags={"t": [50, 7, UNKNOWN]})

    text = drawing(group, "roundrobin")

    assert "url(#hatch-busiest)" in text
    assert "url(#hatch)" not in text


def test_many_consumers_are_one_outline() -> None:
    group = Group.fresh({"t": 500}, [f"c{k:03d}" for k in range(500)], lags={"t": [*range(500)]})

    text = drawing(group, "roundrobin")

    assert text.count("<title>") == 0
    assert len(text) < 20_000


def test_nothing_is_fetched_and_nothing_runs() -> None:
    group = Group.fresh({"t": 2}, ["c0"], lags={"t": [5, 7]})

    text = page(Pictures([Picture("Range", "12", drawing(group, "range"))], "Bars"))

    assert "default-src 'none'" in text
    assert not re.search(r"https?://|(src|href)\s*=|@import|<script", text)


def test_figures_are_right_aligned_and_texts_left_aligned() -> None:
    text = page(ReportTable("c", ["Name", "Rack", "Lag"], [["m", "a", "7"]], texts=2))

    assert '<tr><td>m</td><td>a</td><td class="number">7</td></tr>' in text


def test_remarks_behind_figures_are_texts_that_break_and_no_table_is_cut_for_them() -> None:
    table = ReportTable("c", ["Name", "Lag", "Why"], [["m", "7", "no: too little"]], remarks=1)

    assert '<td class="number">7</td><td>no: too little</td>' in page(table)


def test_rows_beyond_the_limit_are_counted() -> None:
    text = page(ReportTable("c", ["Name", "Lag"], rows(203)))

    assert "row 199<" in text
    assert "row 200<" not in text
    assert "… and 3 more rows" in text


def test_the_axis_of_a_drawing_says_round_amounts_of_any_size() -> None:
    group = Group.fresh({"t": 2}, ["c0", "c1"], lags={"t": [1_000_000, 4_100_000]})

    labels = re.findall(r'class="value">([^<]*)<', drawing(group, "range"))

    assert labels == ["0", "2 M", "4 M"]

import re
from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from assignors.model import Group
from charts.bars import lag_bars
from charts.heatmaps import consumer_by_strategy
from charts.report import Heading, Listing, Part, Picture, Section, Table, Terms, report
from evaluation.compare import compare

HOSTILE = "</script><script>alert('x')</script>\"&"
"""Also no tag of its own for Plotly, which draws a few of them in labels."""


def page(*parts: Part, title: str = "A group") -> str:
    """Return a report without the chart library, which is none of the reader's data."""
    text = report(title, "Made today.", [Section("All", parts)])
    assert text.count(get_plotlyjs()) == 1
    return text.replace(get_plotlyjs(), "")


def rows(count: int) -> Sequence[Sequence[str]]:
    return [[f"row {number}", "1"] for number in range(count)]


def test_every_text_is_escaped_wherever_it_stands() -> None:
    parts = (
        HOSTILE,
        Heading(HOSTILE),
        Terms([(HOSTILE, HOSTILE)]),
        Listing(HOSTILE),
        Table(HOSTILE, [HOSTILE], [[HOSTILE]]),
        Picture(go.Figure(), HOSTILE),
    )

    text = page(*parts, title=HOSTILE)

    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert(&#x27;x&#x27;)") == 2 + len(parts) + 3


def test_a_topic_and_a_consumer_called_script_cannot_end_the_script_of_a_chart() -> None:
    group = Group.fresh({HOSTILE: 2}, [HOSTILE, "c1"], lags={HOSTILE: [5, 7]})
    outcomes = compare(group, ["range", "sticky"])

    text = page(
        Picture(lag_bars(group, outcomes, 7), "Bars"),
        Picture(consumer_by_strategy(group, outcomes, lag=True), "Map"),
    )

    assert "<script>alert" not in text
    assert text.count("<script") == text.count("</script>")


def test_nothing_is_fetched_from_anywhere() -> None:
    group = Group.fresh({"t": 2}, ["c0"], lags={"t": [5, 7]})

    text = page(Picture(lag_bars(group, compare(group, ["range"]), 12), "Bars"))

    assert "default-src &#x27;none&#x27;" in text or "default-src 'none'" in text
    assert not re.search(r"https?://|(src|href)\s*=|@import|url\(", text)


def test_the_chart_library_is_inlined_once_for_any_number_of_charts() -> None:
    text = page(*(Picture(go.Figure(), str(number)) for number in range(3)))

    assert text.count("Plotly.newPlot(") == 3


def test_every_chart_has_a_place_of_its_own() -> None:
    text = report("t", "m", [Section(s, [Picture(go.Figure(), "c")] * 2) for s in ("a", "b")])

    places = re.findall(r'<div id="(figure-[\d-]+)"', text)

    assert len(set(places)) == 4


def test_a_chart_given_to_a_report_stays_as_it_was() -> None:
    figure = go.Figure(go.Bar(y=[1]))
    before = figure.to_json()

    page(Picture(figure, "Bars"))

    assert figure.to_json() == before


def test_figures_stand_to_the_right_and_texts_to_the_left() -> None:
    text = page(Table("c", ["Name", "Rack", "Lag"], [["m", "a", "7"]], texts=2))

    assert '<tr><td>m</td><td>a</td><td class="number">7</td></tr>' in text


def test_rows_beyond_the_limit_are_counted() -> None:
    text = page(Table("c", ["Name", "Lag"], rows(503)))

    assert "row 499<" in text
    assert "row 500<" not in text
    assert "… and 3 more rows." in text

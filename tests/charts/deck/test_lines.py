"""The lower bound alone has its colour: on a slide, in the report and in PowerPoint."""

from dataclasses import replace
from io import BytesIO

import pytest
from pptx import Presentation
from pptx.oxml.ns import qn

from charts.deck.component import deck_html
from charts.deck.drawing import chart_svg
from charts.deck.model import Chart, Deck
from charts.deck.powerpoint import deck_pptx
from charts.palette import BOUND_LINE
from tests.charts.deck.decks import CHANGE, DECK

BOUND = replace(CHANGE, line_label="lower bound", is_line_bound=True)


def deck_with(chart: Chart) -> Deck:
    first, second, third = DECK.slides
    return replace(DECK, slides=(first, replace(second, chart=chart), third))


@pytest.mark.parametrize(("chart", "colour"), [(CHANGE, "currentColor"), (BOUND, BOUND_LINE)])
def test_the_line_of_the_reports_picture_has_the_colour_of_what_it_is(
    chart: Chart, colour: str
) -> None:
    drawn = chart_svg(chart)

    assert f'stroke="{colour}" stroke-width="2" stroke-dasharray' in drawn
    assert (BOUND_LINE in drawn) == chart.is_line_bound


@pytest.mark.parametrize("chart", [CHANGE, BOUND])
def test_powerpoints_line_is_the_bounds_green_or_the_texts(chart: Chart) -> None:
    page = Presentation(BytesIO(deck_pptx(deck_with(chart)))).slides[1]

    plot = next(shape.chart for shape in page.shapes if shape.has_chart).plots[1]

    filled = plot._element.findall(f".//{qn('a:solidFill')}/*")
    wanted = BOUND_LINE[1:] if chart.is_line_bound else "tx1"
    assert [each.get("val") for each in filled] == [wanted]


def test_the_script_gets_its_colours_from_the_palette_and_which_line_it_draws() -> None:
    page = deck_html(deck_with(BOUND))

    assert f"const BOUND_LINE = '{BOUND_LINE}';" in page
    assert '"is_line_bound": true' in page

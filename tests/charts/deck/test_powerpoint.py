"""The PowerPoint file, read back by the library that wrote it."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import Any

from pptx import Presentation
from pptx.enum.dml import MSO_COLOR_TYPE, MSO_THEME_COLOR
from pptx.oxml.ns import qn
from pptx.util import Pt

from charts.deck.powerpoint import deck_pptx
from tests.charts.deck.decks import DECK, HOSTILE


def slides() -> list[Any]:
    """Return the slides of the file as python-pptx reads them."""
    return list(Presentation(BytesIO(deck_pptx(DECK))).slides)


def texts(slide: Any) -> list[str]:  # noqa: ANN401 -- python-pptx has no types for shapes
    """Return the texts of a slide, a line each."""
    framed = [shape for shape in slide.shapes if shape.has_text_frame]
    return [line for shape in framed for line in shape.text_frame.text.split("\n")]


def test_every_slide_has_its_sentence_as_title() -> None:
    assert [slide.shapes.title.text for slide in slides()] == [s.title for s in DECK.slides]


def test_a_picture_is_a_native_chart_with_a_series_for_each_state() -> None:
    chart = next(shape.chart for shape in slides()[1].shapes if shape.has_chart)

    columns = chart.plots[0]

    assert [series.name for series in columns.series] == ["Today", "Round robin"]
    assert [list(series.values) for series in columns.series] == [[70, 10, 10], [30, 35, 25]]
    assert list(columns.categories)[:2] == ["c-1", "c-2"]


def test_an_even_share_is_a_dashed_line_in_the_colour_of_text_on_the_same_axes() -> None:
    chart = next(shape.chart for shape in slides()[1].shapes if shape.has_chart)

    line = chart.plots[1]

    assert [list(series.values) for series in line.series] == [[30, 30, 30]]
    assert line._element.tag == qn("c:lineChart")
    assert [each.get("val") for each in line._element.iter(qn("a:schemeClr"))] == ["tx1"]
    assert not [*line._element.iter(qn("a:srgbClr"))]
    columns = chart.plots[0]._element
    axes = [
        [axis.get("val") for axis in plot.findall(qn("c:axId"))]
        for plot in (columns, line._element)
    ]
    assert axes[0] == axes[1]


def test_a_companys_theme_colours_the_bars_and_its_layout_places_the_title() -> None:
    page = slides()[1]
    before, after = next(shape.chart for shape in page.shapes if shape.has_chart).plots[0].series

    fills = [series.format.fill.fore_color for series in (before, after)]

    assert [fill.type for fill in fills] == [MSO_COLOR_TYPE.SCHEME] * 2
    assert fills[1].theme_color == MSO_THEME_COLOR.ACCENT_1
    assert page.slide_layout.name == "Title Only"
    assert page.shapes.title.element.spPr.find(qn("a:xfrm")) is None
    assert all(run.font.size is None for run in page.shapes.title.text_frame.paragraphs[0].runs)


def test_every_layout_is_as_wide_as_the_slides() -> None:
    shown: Any = Presentation(BytesIO(deck_pptx(DECK)))

    rights = [
        max((place.left or 0) + (place.width or 0) for place in layout.placeholders)
        for layout in shown.slide_layouts
        if len(layout.placeholders) > 3
    ]

    assert all(0.9 * shown.slide_width < right <= shown.slide_width for right in rights)


def test_figures_points_and_lines_to_copy_are_text() -> None:
    first, _, last = slides()

    assert {"Waits in all", "90", "records", DECK.slides[0].subtitle} <= {*texts(first)}
    assert {"1. Set both:", "a=b", "c=d", "2. Remove the old one."} <= {*texts(last)}
    assert any(line.startswith("As measured.") for line in texts(last))
    (decision,) = (line for line in texts(last) if line.startswith(DECK.slides[2].decision))
    assert {"Owner:", "By:"} <= {*decision.split()}


def test_what_a_chart_shows_and_what_its_colour_means_is_a_line_above_it() -> None:
    page, chart = slides()[1], DECK.slides[1].chart
    assert chart is not None
    drawn = next(shape for shape in page.shapes if shape.has_chart)
    told = next(
        shape
        for shape in page.shapes
        if shape.has_text_frame and chart.axis in shape.text_frame.text
    )

    assert chart.marked_label in told.text_frame.text
    assert told.top + told.height <= drawn.top + Pt(1)
    assert not drawn.chart.value_axis.has_title


def test_one_series_needs_no_legend() -> None:
    chart = DECK.slides[1].chart
    assert chart is not None
    alone = replace(DECK.slides[1], chart=replace(chart, states=chart.states[:1], line=None))
    shown: Any = Presentation(BytesIO(deck_pptx(replace(DECK, slides=(alone,)))))

    assert not next(s.chart for s in shown.slides[0].shapes if s.has_chart).has_legend


def test_the_text_of_a_slide_without_a_picture_is_as_large_as_fits() -> None:
    def largest(points: tuple[str, ...]) -> float:
        slide = replace(DECK.slides[2], steps=(), asides=(), points=points)
        shown: Any = Presentation(BytesIO(deck_pptx(replace(DECK, slides=(slide,)))))
        framed = [s.text_frame for s in shown.slides[0].shapes if s.has_text_frame]
        of = next(p for text in framed for p in text.paragraphs if p.text == points[0])
        return float(of.font.size.pt)

    assert largest(("Short.",)) == 24
    assert largest(("A long sentence that fills a line of the slide. " * 8,) * 3) == 18


def test_nothing_stands_on_something_else_or_leaves_the_slide() -> None:
    long = "Where ids decide, the middle of many draws is shown, and more is said. " * 3
    full = replace(
        DECK.slides[1],
        figures=DECK.slides[0].figures * 4,
        subtitle=DECK.slides[0].subtitle,
        points=(long,),
        basis=long,
    )
    shown = Presentation(BytesIO(deck_pptx(replace(DECK, title="n" * 200, slides=(full,)))))

    boxes = sorted({(shape.top, shape.top + shape.height) for shape in shown.slides[0].shapes})

    assert all(end <= start + Pt(1) for (_, end), (start, _) in pairwise(boxes))
    assert boxes[-1][1] <= shown.slide_height


def test_names_keep_their_markup_as_text_and_lose_what_xml_cannot_hold() -> None:
    shown = texts(slides()[2])

    assert HOSTILE.replace("\x00", "�") in shown

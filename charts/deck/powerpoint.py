"""The slides for PowerPoint: native charts and text, so that a company's template applies.

Titles stand where the layout has them, and texts, fonts and bars are those of the theme. Colours
that a word on the slide names, as "orange", stay as they are.

python-pptx, which this module alone imports, is an extra.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any, Final, NamedTuple

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches, Pt

from charts.deck.model import Chart, Deck, Slide
from charts.labels import short_names
from charts.palette import ALARM, BOUND_LINE, BUSIEST
from charts.report import Figure

_WIDTH: Final = 13.333
_HEIGHT: Final = 7.5
_MARGIN: Final = 0.6
_TITLE_ONLY: Final = 5
"""The layout "Title Only" of the default template."""
_TITLE_PT: Final = 30
_TEXT_PT: Final = 18
_FIGURE_PT: Final = 26
_MEDIUM_PT: Final = 20
_SMALL_PT: Final = 14
_TINY_PT: Final = 10
_MOST_NAMES: Final = 11
"""Names below a chart, beyond which they are tiny, since they are drawn at an angle."""
_LARGE_PT: Final = 24
_BAR: Final = (MSO_THEME_COLOR.ACCENT_1, 0.0)
_KEPT: Final = (MSO_THEME_COLOR.TEXT_1, 0.6)
"""Colours of the theme, with their brightness: bars as they are, and those of the state before."""
_EDGE: Final = 0.2
_BLANKS: Final = "Owner: ____________   By: ____________"
_LONGEST: Final = 60
"""Characters of the group's name at the foot."""
_FEW: Final = 5
"""Below this, an axis would have ticks between whole numbers."""
_FIGURES: Final = 1.3
_LEAST_CHART: Final = 1.2
_PADDING: Final = 0.2
"""Of a text box, above and below, or left and right; all of these in inches."""
_LETTER: Final = 0.55
_WIDE_LETTER: Final = 0.62
"""The width of a letter, and the height of a row, in multiples of the font's size."""
_ROW: Final = 1.25


def deck_pptx(deck: Deck) -> bytes:
    """Return the slides as a PowerPoint file, 16:9."""
    shown = Presentation()
    _widen(shown)
    shown.core_properties.title = _plain(deck.title)
    for slide in deck.slides:
        _add(shown, slide, deck)
    written = BytesIO()
    shown.save(written)
    return written.getvalue()


def _widen(shown: Any) -> None:  # noqa: ANN401 -- its types are partial
    """Make the default template, which is 4:3, one of 16:9, with the title where ours stands."""
    wider = Inches(_WIDTH) / shown.slide_width
    shown.slide_width, shown.slide_height = Inches(_WIDTH), Inches(_HEIGHT)
    master = shown.slide_master
    for place in (master, *shown.slide_layouts):
        for shape in place.placeholders:
            if shape.element.spPr.find(qn("a:xfrm")) is not None:
                shape.left, shape.width = round(shape.left * wider), round(shape.width * wider)
    title = master.placeholders[0]
    title.left, title.top = Inches(_MARGIN), Inches(0.35)
    title.width, title.height = Inches(_WIDTH - 2 * _MARGIN), Inches(1.15)
    style = master.element.find(f".//{qn('p:titleStyle')}/{qn('a:lvl1pPr')}")
    style.set("algn", "l")
    style.find(qn("a:defRPr")).set("sz", str(_TITLE_PT * 100))


def _add(shown: Any, slide: Slide, deck: Deck) -> None:  # noqa: ANN401 -- its types are partial

    page = shown.slides.add_slide(shown.slide_layouts[_TITLE_ONLY])
    page.shapes.title.text_frame.text = _plain(slide.title)
    top, bottom = 1.6, _HEIGHT - _EDGE
    foot = [_Line(slide.basis, _SMALL_PT)] if slide.basis else []
    foot.append(_Line(f"{short_names([deck.title], _LONGEST)[0]}, {deck.about}", _SMALL_PT))
    bottom = _stacked(page, foot, bottom)
    if slide.subtitle:
        subtitle = [_Line(slide.subtitle)]
        height = _PADDING + sum(map(_height_of, subtitle))
        _text(page, subtitle, top, height)
        top += height
    if slide.decision:
        bottom = _stacked(page, [_Line(f"{slide.decision}   {_BLANKS}", _MEDIUM_PT)], bottom)
    if slide.chart is None:
        if slide.figures:
            _figures(page, slide.figures, top)
            top += _FIGURES
        _text(page, _fitting(slide, bottom - top), top, bottom - top)
        return
    bottom = _stacked(page, list(_lines_of(slide, _TEXT_PT)), bottom)
    if slide.figures:
        bottom -= _FIGURES
        _figures(page, slide.figures, bottom)
    told = _Line(_colours_of(slide.chart), _SMALL_PT)
    _text(page, [told], top, _height_of(told) + _PADDING)
    top += _height_of(told) + _PADDING
    _chart(page, slide.chart, top, max(bottom - top, _LEAST_CHART))


def _colours_of(chart: Chart) -> str:
    """Return what a chart shows, and what its one colour that stands out means."""
    if not any(state.marked for state in chart.states):
        return chart.axis
    return f"{chart.axis}; {'red' if chart.is_alarm else 'orange'}: {chart.marked_label}"


class _Line(NamedTuple):
    """A paragraph, and how it looks."""

    text: str
    size: int = _TEXT_PT
    font: str = ""


def _fitting(slide: Slide, height: float) -> list[_Line]:
    """Return the text of a slide without a chart, as large as fits into a height."""
    lines: list[_Line] = []
    for size in (_LARGE_PT, _MEDIUM_PT, _TEXT_PT):
        lines = list(_lines_of(slide, size))
        if _PADDING + sum(map(_height_of, lines)) <= height:
            break
    return lines


def _lines_of(slide: Slide, size: int) -> Iterator[_Line]:
    """Yield the steps, numbered if there are several, with their settings, and then the points."""
    for k, step in enumerate(slide.steps, 1):
        yield _Line(f"{k}. {step.text}" if len(slide.steps) > 1 else step.text, size)
        yield from (_Line(line, _SMALL_PT, "Courier New") for line in step.settings.splitlines())
        yield _Line("", _SMALL_PT)
    for point in slide.points:
        yield _Line(point, size)
        if slide.chart is None:
            yield _Line("", _SMALL_PT)
    for aside in slide.asides:
        yield _Line(f"{aside.label}: {aside.text}", size)
        yield _Line("", _SMALL_PT)


def _stacked(page: Any, lines: Sequence[_Line], bottom: float) -> float:  # noqa: ANN401
    """Add lines that end at a height; return, in inches, where they begin."""
    if not lines:
        return bottom
    top = bottom - _PADDING - sum(map(_height_of, lines))
    _text(page, lines, top, bottom - top)
    return top


def _height_of(line: _Line) -> float:
    """Return about how many inches a paragraph takes; fonts differ, so it errs on the high side."""
    letter = line.size / 72 * (_WIDE_LETTER if line.font else _LETTER)
    rows = math.ceil(len(line.text) * letter / (_WIDTH - 2 * _MARGIN - _PADDING)) or 1
    return rows * line.size / 72 * _ROW


def _text(page: Any, lines: Iterable[_Line], top: float, height: float) -> None:  # noqa: ANN401

    box = page.shapes.add_textbox(
        Inches(_MARGIN), Inches(top), Inches(_WIDTH - 2 * _MARGIN), Inches(height)
    )
    box.text_frame.word_wrap = True
    for k, line in enumerate(lines):
        paragraph = box.text_frame.paragraphs[0] if k == 0 else box.text_frame.add_paragraph()
        paragraph.text = _plain(line.text)
        paragraph.font.size = Pt(line.size)
        if line.font:
            paragraph.font.name = line.font


def _figures(page: Any, figures: Sequence[Figure], top: float) -> None:  # noqa: ANN401

    width = (_WIDTH - 2 * _MARGIN) / len(figures)
    for k, figure in enumerate(figures):
        box = page.shapes.add_textbox(
            Inches(_MARGIN + k * width), Inches(top), Inches(width - 0.1), Inches(_FIGURES)
        )
        box.text_frame.word_wrap = True
        box.text_frame.text = _plain(figure.label)
        box.text_frame.paragraphs[0].font.size = Pt(_SMALL_PT)
        for text, size in ((figure.value, _FIGURE_PT), (figure.note, _SMALL_PT)):
            paragraph = box.text_frame.add_paragraph()
            paragraph.text = _plain(text)
            paragraph.font.size = Pt(size)
            paragraph.font.bold = size > _SMALL_PT


def _chart(page: Any, chart: Chart, top: float, height: float) -> None:  # noqa: ANN401
    """Add native columns, a series for each state, and the line as a line of the same chart."""
    data = CategoryChartData(number_format="#,##0")
    places = range(len(chart.states[0].heights))
    data.categories = [_plain(chart.names[k]) if chart.names else str(k + 1) for k in places]
    for state in chart.states:
        data.add_series(_plain(state.label), state.heights)
    if chart.line is not None:
        data.add_series(f"{_plain(chart.line_label)}: {chart.line:,}", [chart.line] * len(places))
    placed = (Inches(_MARGIN), Inches(top), Inches(_WIDTH - 2 * _MARGIN), Inches(height))
    drawn = page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *placed, data).chart
    drawn.has_title, drawn.has_legend = False, len(chart.states) > 1 or chart.line is not None
    if drawn.has_legend:
        drawn.legend.position, drawn.legend.include_in_layout = XL_LEGEND_POSITION.TOP, False
    drawn.font.size = Pt(_SMALL_PT)
    if len(places) > _MOST_NAMES:
        drawn.category_axis.tick_labels.font.size = Pt(_TINY_PT)
    drawn.plots[0].gap_width = 40
    axis = drawn.value_axis
    axis.tick_labels.number_format, axis.tick_labels.number_format_is_linked = "#,##0", False
    if max((1, *(height for state in chart.states for height in state.heights))) < _FEW:
        axis.major_unit = 1
    looks = [_KEPT, _BAR] if len(chart.states) > 1 else [_BAR]
    for state, series, look in zip(chart.states, drawn.plots[0].series, looks, strict=False):
        series.format.fill.solid()
        colour = series.format.fill.fore_color
        colour.theme_color, colour.brightness = look
        for k in state.marked:
            series.points[k].format.fill.solid()
            named = RGBColor.from_string((ALARM if chart.is_alarm else BUSIEST)[1:])
            series.points[k].format.fill.fore_color.rgb = named
    if chart.line is not None:
        _last_series_as_line(drawn, chart)


def _last_series_as_line(drawn: Any, chart: Chart) -> None:  # noqa: ANN401 -- as above
    """Turn the last series of a column chart into a dashed line on the same axes.

    python-pptx makes charts of one kind alone, so this moves the series within the XML.
    """
    columns = drawn._chartSpace.find(f".//{qn('c:barChart')}")  # noqa: SLF001 -- no public way
    series = columns.findall(qn("c:ser"))[-1]
    columns.remove(series)
    for of_columns_alone in series.findall(qn("c:invertIfNegative")):
        series.remove(of_columns_alone)
    bound = f'<a:srgbClr val="{BOUND_LINE[1:]}"/>'
    colour = bound if chart.is_line_bound else '<a:schemeClr val="tx1"/>'
    look = parse_xml(
        f'<c:spPr {nsdecls("c", "a")}><a:ln w="28575"><a:solidFill>{colour}</a:solidFill>'
        '<a:prstDash val="dash"/></a:ln></c:spPr>'
    )
    marker = parse_xml(f'<c:marker {nsdecls("c")}><c:symbol val="none"/></c:marker>')
    series.find(qn("c:tx")).addnext(look)
    look.addnext(marker)
    axes = "".join(f'<c:axId val="{axis.get("val")}"/>' for axis in columns.findall(qn("c:axId")))
    line = parse_xml(
        f'<c:lineChart {nsdecls("c")}><c:grouping val="standard"/><c:varyColors val="0"/>'
        f'<c:marker val="1"/>{axes}</c:lineChart>'
    )
    line.find(qn("c:varyColors")).addnext(series)
    columns.addnext(line)


def _plain(text: str) -> str:
    """Return the text without characters that XML cannot hold."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)

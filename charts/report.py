"""A report in one HTML file, which opens offline.

The first printed page has the answer, pictures and the next step; the appendix begins on the
second. The page's content security policy forbids scripts and requests. All texts are
untrusted; the template ``report.html.jinja`` escapes them, so callers pass them unescaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from markupsafe import Markup

from charts import panels
from charts.templates import template

_STYLE: Final = Path(__file__).with_name("report.css").read_text(encoding="utf-8") + panels.STYLE
MOST_ROWS: Final = 200
"""The most rows of a table; the rest is counted."""


class ReportTable(NamedTuple):
    """Rows under a caption; columns of figures are right-aligned."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    """Number of text columns, from the left."""
    remarks: int = 0
    """Number of text columns, from the right."""


class TermList(NamedTuple):
    """Terms with their descriptions."""

    pairs: Sequence[tuple[str, str]]


class Heading(NamedTuple):
    """A heading within a section."""

    text: str


class ReportList(NamedTuple):
    """Lines to copy."""

    text: str


class ReportLink(NamedTuple):
    """A text that leads to a page of the dashboard; the text alone where the address is ""."""

    text: str
    address: str


class Picture(NamedTuple):
    """A drawing with its description in words."""

    title: str
    caption: str
    drawing: Markup


class Pictures(NamedTuple):
    """Drawings side by side, with a legend."""

    pictures: Sequence[Picture]
    legend: str


class Figure(NamedTuple):
    """One of a few large figures."""

    label: str
    value: str
    note: str
    about: str = ""
    """Its meaning, shown on hover; the report omits it."""


class FigureRow(NamedTuple):
    """Large figures side by side."""

    figures: Sequence[Figure]


Part: TypeAlias = (
    str | Heading | ReportTable | TermList | ReportList | ReportLink | Pictures | FigureRow
)


_KINDS: Final[Mapping[type, str]] = {
    str: "paragraph",
    Heading: "heading",
    ReportTable: "table",
    TermList: "terms",
    ReportList: "listing",
    ReportLink: "link",
    Pictures: "pictures",
    FigureRow: "figures",
}
"""The macro of the template that draws each kind of part."""


class Section(NamedTuple):
    """A heading with its content; paragraphs are plain text."""

    title: str
    parts: Sequence[Part]


class FirstPage(NamedTuple):
    """The top of the first page."""

    title: str
    made: str
    """Time and program version of the report."""
    headline: str
    """What is the matter."""
    evidence: str
    action: str
    """What to do; "" if there is nothing to do."""


def report(answer: FirstPage, first: Iterable[Part], appendix: Iterable[Section]) -> str:
    """Return the page: the answer, the rest of the first page, and the appendix."""
    return template("report.html.jinja").render(
        answer=answer,
        first=first,
        appendix=appendix,
        kind_of=lambda part: _KINDS[type(part)],
        most_rows=MOST_ROWS,
        hatches=panels.hatches_svg(),
        style=Markup(_STYLE),  # noqa: S704 -- files of ours
    )

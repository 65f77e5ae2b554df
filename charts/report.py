"""A report in one HTML file, which opens offline.

The first printed page has the question, the answer, pictures and the settings; the appendix begins
on the second. The page's content security policy forbids scripts and requests. All texts are
untrusted and escaped here, so callers pass them unescaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from charts.report_svg import HATCH, Svg

_STYLE: Final = Path(__file__).with_name("report.css").read_text()
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
MOST_ROWS: Final = 200
"""The most rows of a table; the rest is counted."""


class ReportTable(NamedTuple):
    """Rows under a caption; columns of figures are right-aligned."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    """Number of text columns, from the left."""


class Terms(NamedTuple):
    """Terms with their descriptions."""

    pairs: Sequence[tuple[str, str]]


class Heading(NamedTuple):
    """A heading within a section."""

    text: str


class Listing(NamedTuple):
    """Lines to copy."""

    text: str


class Picture(NamedTuple):
    """A drawing with its description in words."""

    title: str
    caption: str
    drawing: Svg


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


Part: TypeAlias = str | Heading | ReportTable | Terms | Listing | Pictures | FigureRow


class Section(NamedTuple):
    """A heading with its content; paragraphs are plain text."""

    title: str
    parts: Sequence[Part]


class Answer(NamedTuple):
    """The top of the first page."""

    title: str
    made: str
    """Time and program version of the report."""
    question: str
    conclusion: str


def report(answer: Answer, first: Iterable[Part], appendix: Iterable[Section]) -> str:
    """Return the page: the answer, the rest of the first page, and the appendix."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(answer.title)}</title>
<style>{_STYLE}</style>
</head>
<body>
{HATCH}
<main>
<h1>{escape(answer.title)}</h1>
<p class="made">{escape(answer.made)}</p>
<p class="question">{escape(answer.question)}</p>
<p class="conclusion">{escape(answer.conclusion)}</p>
{_parts(first)}
</main>
<section class="appendix">
{"".join(f"<h2>{escape(title)}</h2>{_parts(parts)}" for title, parts in appendix)}
</section>
</body>
</html>
"""


def _parts(parts: Iterable[Part]) -> str:
    return "\n".join(map(_part, parts))


def _part(part: Part) -> str:
    match part:
        case ReportTable():
            return _table(part)
        case Pictures(pictures, legend):
            drawn = "".join(map(_picture, pictures))
            return f'<div class="pictures">{drawn}</div><p class="legend">{escape(legend)}</p>'
        case FigureRow(figures):
            return f'<div class="figures">{"".join(map(_figure, figures))}</div>'
    return _text(part)


def _text(part: str | Heading | Listing | Terms) -> str:
    match part:
        case Terms(pairs):
            rows = (f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in pairs)
            return f"<dl>{''.join(rows)}</dl>"
        case Heading(text):
            return f"<h3>{escape(text)}</h3>"
        case Listing(text):
            return f"<pre>{escape(text)}</pre>"
    return f"<p>{escape(part)}</p>"


def _picture(picture: Picture) -> str:
    title, caption = escape(picture.title), escape(picture.caption)
    return f"<figure><figcaption><b>{title}</b><br>{caption}</figcaption>{picture.drawing}</figure>"


def _figure(figure: Figure) -> str:
    label, value, note, _ = map(escape, figure)
    return f'<div><span>{label}</span> <b>{value}</b> <span class="note">{note}</span></div>'


def _table(table: ReportTable) -> str:
    head = _row("th", table.columns, table.texts)
    body = "\n".join(_row("td", row, table.texts) for row in table.rows[:MOST_ROWS])
    left_off = len(table.rows) - MOST_ROWS
    more = f"<p>… and {left_off:,} more rows, left out here.</p>" if left_off > 0 else ""
    return (
        f'<div class="wide"><table><caption>{escape(table.caption)}</caption>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>{more}"
    )


def _row(tag: str, cells: Sequence[str], texts: int) -> str:
    kinds = ("" if k < texts else ' class="number"' for k in range(len(cells)))
    pairs = zip(kinds, cells, strict=True)
    return f"<tr>{''.join(f'<{tag}{kind}>{escape(cell)}</{tag}>' for kind, cell in pairs)}</tr>"

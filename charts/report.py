"""A report in one HTML file: texts, tables and figures in, a page that opens offline out.

Everything is inlined and nothing is fetched, which the page's own policy enforces. All
texts count as foreign and are escaped here, so callers give them as they are.
"""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

_STYLE: Final = Path(__file__).with_name("report.css").read_text()
_SCRIPT: Final = Path(__file__).with_name("report.js").read_text()
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)
_CONFIG: Final = {"displaylogo": False, "responsive": True}
_MOST_ROWS: Final = 500
"""Of one table; the rest is counted."""


class Table(NamedTuple):
    """Rows under a caption; a column of figures is set to the right."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    """How many columns, from the left, hold texts."""


class Terms(NamedTuple):
    """What is said of each of several things."""

    said: Sequence[tuple[str, str]]


class Heading(NamedTuple):
    """A heading within a section."""

    text: str


class Listing(NamedTuple):
    """Lines to copy."""

    text: str


class Picture(NamedTuple):
    """A figure and what it shows, in words."""

    figure: go.Figure
    caption: str


Part: TypeAlias = str | Heading | Table | Terms | Listing | Picture


class Section(NamedTuple):
    """A heading and what stands under it, paragraphs as plain texts."""

    title: str
    parts: Sequence[Part]


def report(title: str, made: str, sections: Iterable[Section]) -> str:
    """Return the page; ``made`` says when and by what it was made."""
    body = "\n".join(_section(section, number) for number, section in enumerate(sections))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
<script>{get_plotlyjs()}</script>
</head>
<body>
<h1>{escape(title)}</h1>
<p class="made">{escape(made)}</p>
{body}
<script>{_SCRIPT}</script>
</body>
</html>
"""


def _section(section: Section, number: int) -> str:
    parts = (_part(part, f"figure-{number}-{k}") for k, part in enumerate(section.parts))
    return "\n".join([f"<h2>{escape(section.title)}</h2>", *parts])


def _part(part: Part, name: str) -> str:
    match part:
        case Table():
            return _table(part)
        case Terms(said):
            pairs = (f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in said)
            return f"<dl>{''.join(pairs)}</dl>"
        case Heading(text):
            return f"<h3>{escape(text)}</h3>"
        case Listing(text):
            return f"<pre>{escape(text)}</pre>"
        case Picture():
            return _picture(part, name)
    return f"<p>{escape(part)}</p>"


def _table(table: Table) -> str:
    head = _row("th", table.columns, table.texts)
    body = "\n".join(_row("td", row, table.texts) for row in table.rows[:_MOST_ROWS])
    left_off = len(table.rows) - _MOST_ROWS
    more = f"<p>… and {left_off:,} more rows.</p>" if left_off > 0 else ""
    return (
        f'<div class="wide"><table><caption>{escape(table.caption)}</caption>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>{more}"
    )


def _row(tag: str, cells: Sequence[str], texts: int) -> str:
    kinds = ("" if k < texts else ' class="number"' for k in range(len(cells)))
    pairs = zip(kinds, cells, strict=True)
    return f"<tr>{''.join(f'<{tag}{kind}>{escape(cell)}</{tag}>' for kind, cell in pairs)}</tr>"


def _picture(picture: Picture, name: str) -> str:
    figure = go.Figure(picture.figure)
    clear = "rgba(0,0,0,0)"
    figure.update_layout(
        template="plotly_white", paper_bgcolor=clear, plot_bgcolor=clear, font_family="system-ui"
    )
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    # Plotly writes "<" within its data as an escape, so that no name can end the script.
    drawn = figure.to_html(full_html=False, include_plotlyjs=False, config=_CONFIG, div_id=name)
    return (
        f"<figure><figcaption>{escape(picture.caption)}</figcaption>"
        f'<div class="wide">{drawn}</div></figure>'
    )

"""The matrix: a row for each choice, a column for each case, and what each choice comes to there.

Drawn by a script in the browser, as a table; the values are plain, and names in them unescaped.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import streamlit as st

from assignors.model import UNOWNED
from evaluation.answering.planning import Choice
from evaluation.capacity.planning import cost_a_month
from evaluation.measuring.facts import Facts
from evaluation.what_if import Asked, Weather, titles
from evaluation.wording import amount, duration, plural, rate_amount
from ui.picture.parts import read
from ui.picture.places import at_least
from ui.what_ifs.figures import ScenarioCell, cleared, in_time

_KEY: Final = "scenario_matrix"
_AROUND_PX: Final = 90
_ROW_PX: Final = 69
_NARROW_ROW_PX: Final = 106
_draw = st.components.v2.component(
    "kafka_assignments_matrix",
    html='<div class="place least"></div>',
    css=read("palette.css", "matrix.css"),
    js=read("elements.js", "matrix.js"),
)


@dataclass(frozen=True, kw_only=True)
class MatrixCell:
    """What one choice comes to in one case."""

    figure: str
    """When the backlog is cleared: "5 min 59 s", "never"."""
    status: str
    """How that compares with the time allowed: "in time", "3 s late"."""
    busiest: str
    share: float = 0.0
    """How long the bar is, from 0 to 1."""
    tone: str = ""
    """"good" in time, "bad" late or never, "" unknown."""


@dataclass(frozen=True, kw_only=True)
class MatrixRow:
    """One choice."""

    title: str
    note: str
    """What the change takes: restarts and moves."""
    consumers: str
    cost: str
    """A month; "" without a price."""
    is_taken: bool
    cells: tuple[MatrixCell, ...]
    """As many as are computed, in the order of the cases."""


@dataclass(frozen=True, kw_only=True)
class MatrixCase:
    """The head of a column."""

    title: str
    note: str


@dataclass(frozen=True, kw_only=True)
class ScenarioMatrix:
    """Choices against cases."""

    cases: tuple[MatrixCase, ...]
    rows: tuple[MatrixRow, ...]
    cost: str
    """The head of the costs; "" without a price."""
    foot: str
    """What the figures are."""


def matrix_of(  # noqa: PLR0913 -- each of them decides a column or a colour
    asked: Asked,
    shown: Sequence[ScenarioCell],
    *,
    choices: Sequence[Choice],
    best: Choice | None,
    found: Facts,
    cost: tuple[float | None, str],
    allowed_s: float,
) -> ScenarioMatrix:
    """Return the matrix of what is computed so far; ``choices`` are its rows, ``best`` is taken."""
    wide, (price, currency) = len(asked.weathers), cost
    ends = [each.seconds for each in shown if each.seconds is not None]
    longest = max([allowed_s, *(each for each in ends if math.isfinite(each))])
    rows = []
    for at, choice in enumerate(choices):
        cells = shown[at * wide : (at + 1) * wide]
        rows.append(
            MatrixRow(
                title=choice.title,
                note=_note(cells[0]) if cells else "",
                consumers=f"{choice.consumers:,}",
                cost="" if price is None else f"{cost_a_month(choice.consumers, price):,.0f}",
                is_taken=choice is best,
                cells=tuple(_cell(each, allowed_s, longest) for each in cells),
            )
        )
    names = titles(asked.weathers)
    cases = (
        MatrixCase(title=name, note=_about(weather, found))
        for name, weather in zip(names, asked.weathers, strict=True)
    )
    head = "" if price is None else f"{currency} a month".strip()
    foot = (
        f"{duration(allowed_s)} allowed to clear the backlog. "
        f"Busiest: {shown[0].load.axis('the busiest consumer')}."
    )
    return ScenarioMatrix(cases=tuple(cases), rows=tuple(rows), cost=head, foot=foot)


def _note(cell: ScenarioCell) -> str:
    """Return how one gets there, and what moves."""
    moved = cell.outcome.figures.moved
    if cell.strategy is None or moved is None:
        return cell.way
    return f"{cell.way}, {plural(moved, 'move')}"


def _about(weather: Weather, found: Facts) -> str:
    """Return the arrival rate of a case, and what its name leaves out."""
    changes = list(weather.changes) if weather.name else []
    if found.arriving_source is not None:
        changes = [f"{rate_amount(found.total_arriving * weather.arrivals)} records/s", *changes]
    return ", ".join(changes)


def _cell(cell: ScenarioCell, allowed_s: float, longest: float) -> MatrixCell:
    load = cell.load.of(cell.outcome)
    busiest = f"busiest {amount(load) if cell.load.by_weight else plural(load, 'partition')}"
    seconds, figure, status = cell.seconds, cleared(cell), in_time(cell, allowed_s)
    if seconds is None:
        return MatrixCell(figure=figure, status="", busiest=busiest)
    is_good = seconds <= allowed_s
    if math.isinf(seconds):
        status = _why_never(cell)
    share = 1.0 if math.isinf(seconds) else seconds / longest
    tone = "good" if is_good else "bad"
    return MatrixCell(figure=figure, status=status, busiest=busiest, share=share, tone=tone)


def _why_never(cell: ScenarioCell) -> str:
    """Return why the backlog never ends."""
    if not cell.group.member_count:
        return "nobody reads"
    if cell.facts.speed.is_least:
        return "at that speed"
    is_left = (cell.outcome.owners == UNOWNED) & cell.group.is_wanted
    return "not all are read" if is_left.any() else "backlog grows"


def show(matrix: ScenarioMatrix, act: Callable[[str, int], None]) -> None:
    """Show the matrix; ``act`` is called with what is pressed and the number of its row or column.

    That is "open" or "remove" of a choice, or "drop" of a case; before the next run of the page.
    """

    def noticed() -> None:
        pressed: Mapping[str, Any] = (st.session_state.get(_KEY) or {}).get("pressed") or {}
        if pressed:
            act(str(pressed["act"]), int(pressed["at"]))

    rows = len(matrix.rows)
    with at_least(
        _AROUND_PX + _ROW_PX * rows, narrow_px=_AROUND_PX + _NARROW_ROW_PX * rows, name=_KEY
    ):
        _draw(key=_KEY, data=asdict(matrix), on_pressed_change=noticed)

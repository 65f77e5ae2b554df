"""Columns of figures, each declared once: what it is of, and its heading for what decides."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from evaluation.comparing.load import Load
from evaluation.judging import JudgeBy


class Noun(Enum):
    """What the figures of a column are of."""

    LOAD = "load"
    """Weights; left out where partitions decide, which have columns of their own."""
    LAG = "lag"
    """Lags; left out where the weights are the lags."""
    OTHER = "other"


@dataclass(frozen=True)
class FigureColumn:
    """A column of a table; ``{noun}`` and ``{Noun}`` in it are the noun of the load."""

    name: str
    of: Callable[..., Any]
    """What stands in a cell, or all cells of the column."""
    noun: Noun = Noun.OTHER
    about: str = ""
    form: str = ""
    """How a cell is written, unless it is a whole number or a text."""
    width: int | None = None

    def heading(self, load: Load) -> str:
        """Return the heading where this load decides.

        >>> from evaluation.judging import Measure
        >>> work = Load(measure=Measure(by=JudgeBy.WORK))
        >>> FigureColumn("{Noun} spread", max, Noun.LOAD).heading(work)
        'Load spread'
        """
        return self.name.format(noun=load.noun, Noun=load.noun.capitalize())


def shown(columns: Iterable[FigureColumn], load: Load) -> list[FigureColumn]:
    """Return the columns that say something where this load decides."""
    dropped = {Noun.LAG} if load.measure.by is JudgeBy.LAG else set()
    if not load.by_weight:
        dropped = {Noun.LOAD}
    return [column for column in columns if column.noun not in dropped]


def abouts(columns: Iterable[FigureColumn], load: Load) -> dict[str, str]:
    """Return what is said of columns, by heading."""
    return {
        column.heading(load): column.about.format(noun=load.noun, Noun=load.noun.capitalize())
        for column in columns
        if column.about
    }


def forms(columns: Iterable[FigureColumn], load: Load) -> dict[str, str]:
    """Return how columns are written, by heading."""
    return {column.heading(load): column.form for column in columns if column.form}


def widths(columns: Iterable[FigureColumn], load: Load) -> dict[str, int]:
    """Return the widths of columns in pixels, by heading."""
    return {column.heading(load): column.width for column in columns if column.width}

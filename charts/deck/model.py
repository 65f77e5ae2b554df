"""Slides as data: what each says and shows, for a browser and for PowerPoint alike.

All texts are plain and untrusted; whoever renders them sets them as text, never as markup.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from charts.report import Figure

MOST_BARS: Final = 200
"""More bars than this tell a room nothing; see ``charts.loads.bars_of``."""


@dataclass(frozen=True, kw_only=True)
class Heights:
    """The heights of the bars in one state of a picture, from left to right."""

    label: str
    """The name of the state, such as "Today"."""
    heights: tuple[int, ...]
    marked: tuple[int, ...]
    """The positions of the bars that stand out, and are labelled with their heights if few."""
    is_partly_unknown: tuple[bool, ...] = ()
    """Whether a bar leaves out something of unknown size; () if none does."""
    is_idle: tuple[bool, ...] = ()
    """Whether a bar's consumer owns nothing; () if none does."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Bars on one scale; with two states, the picture changes from the first to the second."""

    axis: str
    """What the bars count, with its unit."""
    below: str
    """What a bar stands for."""
    names: tuple[str, ...]
    """Below the bars; () if there is no room for them."""
    states: tuple[Heights, ...]
    line: int | None = None
    line_label: str = ""
    is_line_bound: bool = False
    """Whether the line is the lower bound, which has a colour of its own."""
    legend: str
    marked_label: str
    """What stands out."""
    is_alarm: bool = False
    """Whether what stands out is broken, rather than merely the most."""
    alt: str


@dataclass(frozen=True, kw_only=True)
class SlideStep:
    """One thing to do, in order."""

    text: str
    settings: str = ""
    """Lines to copy."""


class Aside(NamedTuple):
    """A remark beside the steps, such as a risk."""

    label: str
    text: str


class SlidePlace(StrEnum):
    """A slide's place in the argument, as screens name it."""

    FINDING = "Finding"
    CAUSE = "Cause"
    PROPOSAL = "Proposal"
    COST_AND_TIME = "Cost and time"
    NEXT_STEP = "Next step"
    LOSS = "A loss"
    SIZES = "Sizes"
    SETTINGS = "Settings"


@dataclass(frozen=True, kw_only=True)
class Slide:
    """One screen: a sentence, and what supports it."""

    name: SlidePlace
    title: str
    subtitle: str = ""
    """What proves the title."""
    chart: Chart | None = None
    figures: tuple[Figure, ...] = ()
    steps: tuple[SlideStep, ...] = ()
    points: tuple[str, ...] = ()
    asides: tuple[Aside, ...] = ()
    decision: str = ""
    """A question to decide, with an owner and a date to fill in; "" for none."""
    basis: str = ""
    """What the figures rest on."""


@dataclass(frozen=True, kw_only=True)
class Deck:
    """The slides about one group."""

    title: str
    about: str
    """The group's size, and when the deck was made."""
    slides: Sequence[Slide]


def as_data(deck: Deck) -> dict[str, Any]:
    """Return the deck as plain data for the browser."""
    return asdict(deck) | {
        "slides": [
            asdict(slide)
            | {
                "figures": [each._asdict() for each in slide.figures],
                "asides": [each._asdict() for each in slide.asides],
            }
            for slide in deck.slides
        ]
    }

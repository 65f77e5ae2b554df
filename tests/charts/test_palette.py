"""A colour has one meaning: in figures, in slides, and in the scripts of the large picture."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from charts import deck, palette
from charts.palette import (
    ALARM,
    BAR,
    BOUND_LINE,
    BUSIEST,
    IN_TIME_GROUND,
    LATE_GROUND,
    NEEDLESS,
    NEVER_GROUND,
    ON_COLOUR,
    OTHERS,
    REFERENCE,
    STROKES,
)
from ui import picture

MEANT = (BAR, BUSIEST, ALARM, REFERENCE, BOUND_LINE, NEEDLESS)
FOLDERS = [Path(package.__path__[0]) for package in (deck, picture)]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG's formula."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_no_two_meanings_and_no_line_without_a_meaning_share_a_colour() -> None:
    assert all(one != other for one, other in combinations((*MEANT, *OTHERS), 2))
    assert {colour for colour, _ in STROKES} == {BAR, *OTHERS}


@pytest.mark.parametrize("colour", MEANT)
def test_what_has_a_meaning_stands_out_from_white(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 3


@pytest.mark.parametrize("ground", [IN_TIME_GROUND, LATE_GROUND, NEVER_GROUND])
def test_grounds_of_cells_carry_their_text(ground: str) -> None:
    assert contrast(ground, ON_COLOUR) >= 7


def test_the_large_picture_has_the_colours_of_the_charts() -> None:
    css = (FOLDERS[1] / "palette.css").read_text()

    light = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6})", css))

    assert [light[name] for name in ("load", "busiest", "alarm", "bound")] == [
        BAR,
        BUSIEST,
        ALARM,
        BOUND_LINE,
    ]


def test_colours_of_meanings_are_written_in_the_palette_alone() -> None:
    home = {Path(palette.__file__), FOLDERS[1] / "palette.css"}
    files = [
        each
        for folder in (Path(palette.__file__).parent, FOLDERS[1].parent)
        for each in folder.rglob("*.*")
        if each.suffix in {".py", ".js", ".css", ".jinja"} and each not in home
    ]

    assert len(files) > 50
    assert [
        each.name for each in files if any(colour in each.read_text() for colour in MEANT)
    ] == []

"""Whatever the group and its snapshots, no door prints a number that its answer does not have."""

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given

from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from sources.asking import given_of
from tests.doors.drawn import texts_of_groups
from tests.doors.printed import strays
from tests.doors.texts import PASTES
from tests.groups import tried
from tests.pages.compare_page import opened, paste, verdict
from tests.pasted import the_group
from tests.stories import story_of
from ui.compare.report_tables import options_table
from ui.picture.band import band_of
from ui.slides.deck import deck_of
from ui.slides.story import Story, basis_of, first_tiles, simulated

pytestmark = pytest.mark.slow
_FULL: Final = PASTES["full, dated"]
_DEAD: Final = PASTES["dead, one"]


def _of_words(answer: Answer) -> Iterator[str]:
    words = words_of(answer)
    yield from (words.headline, words.short, words.evidence, words.action)
    yield from (*words.assumes, *words.caveats)


def _of_band(answer: Answer) -> Iterator[str]:
    band = band_of(answer, words_of(answer), {}, is_example=False)
    yield from (band.finding, band.evidence, band.action)
    yield from (f"{button.label} {button.copies}" for button in band.buttons)


def _of_slides(story: Story) -> Iterator[str]:
    for slide in deck_of(story, "").slides:
        yield from (slide.title, slide.subtitle, *slide.points)
    for tile in first_tiles(story):
        yield from (tile.value, tile.note)
    yield from (basis_of(story), simulated(story))


def _of_report(answer: Answer) -> Iterator[str]:
    table = options_table(answer)
    for row in table.rows if table else ():
        yield from (row[2], row[3], *row[5:])  # the gain of 4 has a sign


@given(texts_of_groups())
@tried(100)
def test_each_number_that_a_door_prints_is_a_figure_of_the_answer(text: str) -> None:
    answer = answer_of(given_of(the_group(text)))
    story = story_of(answer)
    doors = {
        "words": _of_words(answer),
        "band": _of_band(answer),
        "slides": _of_slides(story),
        "report": _of_report(answer),
    }

    found = {door: strays("\n".join(texts), answer) for door, texts in doors.items()}

    assert not any(found.values()), found


def test_a_number_of_another_group_is_found() -> None:
    full, dead = (answer_of(given_of(the_group(text))) for text in (_FULL, _DEAD))

    assert strays(words_of(full).evidence, dead)
    assert strays(words_of(dead).evidence, full)
    assert not strays(words_of(full).evidence, full)


@pytest.mark.proof
@given(texts_of_groups())
@tried(100)
def test_a_page_prints_what_the_answer_on_its_paste_has(text: str) -> None:
    words = words_of(answer := answer_of(given_of(the_group(text))))
    page = opened()

    paste(page, text)

    assert verdict(page) == " ".join(filter(None, (words.headline, words.evidence, words.action)))
    assert not strays(verdict(page), answer)

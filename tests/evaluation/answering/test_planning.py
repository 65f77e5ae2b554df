"""Which choice is taken under one weather, on figures made up by hand."""

from math import inf

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.options import Option
from evaluation.answering.planning import Choice, plan_words, taken, weather_words
from evaluation.answering.why_not import WhyNot
from evaluation.what_if import Weather
from tests.said import lacks

BLACK_FRIDAY = Weather(arrivals=1.5)
TODAY = Choice(title="today", consumers=12, seconds=inf, is_today=True)
MORE = Choice(title="+3 consumers", consumers=15, seconds=402.0, moves=123)
MANY = Choice(title="+20 consumers", consumers=32, seconds=75.0, moves=130)


def choice(consumers: int = 12, seconds: float = 10.0, **of: object) -> Choice:
    """Return a choice."""
    return Choice(title="another", consumers=consumers, seconds=seconds, **of)  # type: ignore[arg-type]


def test_what_misses_the_deadline_is_never_taken() -> None:
    assert taken([TODAY, MORE], allowed_s=120.0) is None
    assert taken([TODAY, MORE, MANY], allowed_s=120.0) is MANY


def test_a_deadline_that_is_just_met_is_met() -> None:
    assert taken([MORE], allowed_s=402.0) is MORE


def test_today_is_kept_where_it_is_in_time() -> None:
    today = Choice(title="today", consumers=12, seconds=90.0, is_today=True)

    assert taken([choice(seconds=10.0), today, MANY], allowed_s=120.0) is today


def test_among_as_many_consumers_the_fewest_moves_then_no_pause_are_taken() -> None:
    stops, moves, gentle = choice(stops_all=True), choice(moves=1), choice()

    assert taken([stops, moves, gentle], allowed_s=60.0) is gentle
    assert taken([stops, moves], allowed_s=60.0) is stops


@pytest.mark.parametrize(
    ("why_not", "is_open"),
    [
        (None, True),
        (WhyNot.TOO_LITTLE, True),  # of today's arrivals, and yet in time under more
        (WhyNot.CAUSE_STANDS, False),
        (WhyNot.UNFOUNDED, False),
    ],
)
def test_a_strategy_is_taken_only_where_the_one_rule_leaves_it_open(
    why_not: WhyNot | None, *, is_open: bool
) -> None:
    switch = choice(option=Option(action=Action.SWITCH, why_not=why_not))

    assert taken([switch], allowed_s=60.0) is (switch if is_open else None)


def test_the_words_name_the_choice_its_consumers_and_the_weather_and_never_take_the_weather() -> (
    None
):
    said = plan_words([TODAY, MORE, MANY], BLACK_FRIDAY, 120.0).text

    assert "+20 consumers" in said
    assert "32 consumers" in said
    assert "1 min 15 s" in said
    assert said.count("1.5 times the arrivals") == 1
    assert "+3" not in said


def test_every_case_has_its_words() -> None:
    in_time = Choice(title="today", consumers=12, seconds=90.0, is_today=True)
    unknown = Choice(title="today", consumers=12, seconds=None, is_today=True)
    barred = choice(option=Option(action=Action.SWITCH, why_not=WhyNot.CAUSE_STANDS))

    said = [
        plan_words(each, BLACK_FRIDAY, 120.0).text
        for each in ([in_time], [MANY], [TODAY, MANY], [MORE], [TODAY], [unknown], [barred])
    ]

    assert len({*said}) == len(said)
    assert all(text.endswith(".") and not text[0].islower() and "{" not in text for text in said)


def test_weather_is_named_by_what_differs_from_today() -> None:
    assert weather_words(Weather()) == ""
    assert weather_words(Weather(lost=1)) == " with 1 consumer lost"
    assert not lacks(weather_words(Weather(arrivals=2, speed=0.5)), "0.5 times")


def test_a_backlog_that_ends_under_none_by_a_guess_alone_is_not_said_to_end_under_none() -> None:
    by_guess = plan_words([TODAY], Weather(), 60.0, ["one consumer reads 150/s"])
    known = plan_words([TODAY], Weather(), 60.0)

    assert by_guess.finding != known.finding
    assert lacks(by_guess.finding, "known") == []
    assert lacks(by_guess.evidence, "if one consumer reads 150/s") == []
    assert known.evidence == ""

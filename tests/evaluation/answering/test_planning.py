"""Which choice is taken in all cases, on figures made up by hand."""

from math import inf

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.options import Option
from evaluation.answering.planning import (
    Choice,
    ScenarioKind,
    decided,
    plan_words,
    taken,
    weather_words,
)
from evaluation.answering.why_not import WhyNot
from evaluation.what_if import Weather
from tests.said import lacks

BLACK_FRIDAY = Weather(arrivals=1.5)
BUSY = (BLACK_FRIDAY,)
CASES = (Weather(), BLACK_FRIDAY, Weather(lost=1))
TODAY = Choice(title="today", consumers=12, ends=(inf,), is_today=True)
MORE = Choice(title="+3 consumers", counted="15 consumers", consumers=15, ends=(402.0,), moves=123)
MANY = Choice(title="+20 consumers", counted="32 consumers", consumers=32, ends=(75.0,), moves=130)


def choice(consumers: int = 12, *ends: float, **of: object) -> Choice:
    """Return a choice."""
    return Choice(title="another", consumers=consumers, ends=ends or (10.0,), **of)  # type: ignore[arg-type]


def test_what_misses_the_deadline_is_never_taken() -> None:
    assert taken([TODAY, MORE], allowed_s=120.0) is None
    assert taken([TODAY, MORE, MANY], allowed_s=120.0) is MANY


def test_a_deadline_that_is_just_met_is_met() -> None:
    assert taken([MORE], allowed_s=402.0) is MORE


def test_today_is_kept_where_it_is_in_time() -> None:
    today = Choice(title="today", consumers=12, ends=(90.0,), is_today=True)

    assert taken([choice(), today, MANY], allowed_s=120.0) is today


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
    said = plan_words([TODAY, MORE, MANY], BUSY, 120.0).text

    assert "+20 consumers" in said
    assert "32 consumers" in said
    assert "1 min 15 s" in said
    assert said.count("1.5 times the arrivals") == 1
    assert "+3" not in said


def test_every_case_has_its_words() -> None:
    in_time = Choice(title="today", consumers=12, ends=(90.0,), is_today=True)
    unknown = Choice(title="today", consumers=12, ends=(None,), is_today=True)
    barred = choice(option=Option(action=Action.SWITCH, why_not=WhyNot.CAUSE_STANDS))

    said = [
        plan_words(each, BUSY, 120.0).text
        for each in ([in_time], [MANY], [TODAY, MANY], [MORE], [TODAY], [unknown], [barred])
    ]

    assert len({*said}) == len(said)
    assert all(text.endswith(".") and not text[0].islower() and "{" not in text for text in said)


def test_what_is_late_by_a_guess_alone_is_not_said_to_be_late() -> None:
    for choices, cases in (([today(10.0, inf, 5.0)], CASES), ([today(90.0)], [Weather()])):
        guessed = plan_words(choices, cases, 60.0, ["one consumer reads 150/s"])
        known = plan_words(choices, cases, 60.0)

        assert lacks(guessed.finding, "known") == []
        assert lacks(known.finding, "known") == ["known"]


def test_weather_is_named_by_what_differs_from_today() -> None:
    assert weather_words(Weather()) == ""
    assert weather_words(Weather(lost=1)) == " with 1 consumer lost"
    assert not lacks(weather_words(Weather(arrivals=2, speed=0.5)), "0.5 times")


def test_a_backlog_that_ends_under_none_by_a_guess_alone_is_not_said_to_end_under_none() -> None:
    by_guess = plan_words([TODAY], [Weather()], 60.0, ["one consumer reads 150/s"])
    known = plan_words([TODAY], [Weather()], 60.0)

    assert by_guess.finding != known.finding
    assert lacks(by_guess.finding, "known") == []
    assert lacks(by_guess.evidence, "if one consumer reads 150/s") == []
    assert known.evidence == ""


def row(*ends: float, consumers: int = 12, **of: object) -> Choice:
    """Return a choice that was tried in three cases."""
    return choice(consumers, *ends, **of)


def today(*ends: float | None) -> Choice:
    """Return today's consumers in three cases."""
    return Choice(title="As today", consumers=12, ends=ends, is_today=True)


def test_what_is_taken_stands_every_case_however_cheap_another_is() -> None:
    cheap, dear = row(10.0, 200.0, 10.0, consumers=13), row(90.0, 90.0, 90.0, consumers=36)

    assert taken([today(inf, inf, inf), cheap, dear], allowed_s=120.0) is dear


@pytest.mark.parametrize(
    ("choices", "kind", "case"),
    [
        ([today(10.0, 90.0, 20.0)], ScenarioKind.KEEP, 1),
        ([today(10.0, 10.0, inf), row(50.0, 60.0, 20.0)], ScenarioKind.TAKE, 2),
        ([today(10.0, inf, 10.0), row(200.0, 200.0, 300.0)], ScenarioKind.PART, 1),
        ([today(10.0, inf, inf), row(200.0, 20.0, 300.0)], ScenarioKind.PART, 2),
        ([today(10.0, inf, 10.0), row(200.0, 20.0, 300.0)], ScenarioKind.PART, 1),
        ([today(900.0, inf, 800.0)], ScenarioKind.LATE, 2),
        ([today(inf, inf, inf)], ScenarioKind.ENDLESS, 0),
        ([today(None, None, None)], ScenarioKind.UNKNOWN, 0),
    ],
)
def test_the_case_that_decides_is_the_one_that_today_or_nothing_stands(
    choices: list[Choice], kind: ScenarioKind, case: int
) -> None:
    found = decided(choices, 120.0)

    assert (found.kind, found.case) == (kind, case)


def test_of_what_stands_some_cases_the_one_that_stands_most_is_taken() -> None:
    one, two = row(10.0, inf, inf, consumers=5), row(10.0, inf, 20.0, consumers=50)

    assert decided([today(inf, inf, inf), one, two], 120.0).taken is two


def test_more_consumers_are_named_by_their_number_beside_todays() -> None:
    many = row(84.0, 102.0, 90.0, consumers=36, counted="36 consumers with Uniform")
    next_ = row(75.0, 133.0, 75.0, consumers=32)

    said = plan_words([today(inf, inf, inf), many, next_], CASES, 120.0)

    assert lacks(said.finding, "36 consumers with Uniform", "1.5 times", "12") == []
    assert lacks(said.evidence, "1 min 42 s of the 2 min", "13 s late") == []


def test_a_case_with_a_name_is_called_by_it() -> None:
    cases = (Weather("Black Friday", arrivals=1.5),)

    said = plan_words([today(inf), choice(36, 100.0)], cases, 120.0)

    assert lacks(said.finding, "Black Friday (1.5 times the arrivals)") == []


@pytest.mark.parametrize(
    ("case", "is_asked"),
    [
        (BLACK_FRIDAY, True),
        (Weather(lost=1), True),
        (Weather(lost=2), False),
        (Weather(speed=0.5), False),
    ],
)
def test_consumers_is_where_to_go_on_with_what_it_can_plan_for(
    case: Weather, *, is_asked: bool
) -> None:
    late, fine = plan_words([today(inf)], [case], 60.0), plan_words([today(1.0)], [case], 60.0)

    assert late.is_asked is is_asked
    assert bool(late.action) is is_asked
    assert not fine.is_asked

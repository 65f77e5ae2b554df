"""Which of several choices to take under one weather: the cheapest that is in time, in words."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from evaluation.answering.options import Option
from evaluation.answering.templates import Sentence, said
from evaluation.answering.why_not import Ground
from evaluation.what_if import Weather
from evaluation.wording import duration, listed, plural

_NOT_TO_PROPOSE: Final = {Ground.CAUSE, Ground.TEXT}
"""On what it rests that a strategy is not proposed even where its figures are in time."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What one choice comes to under the weather."""

    title: str
    consumers: int
    seconds: float | None
    """Until the backlog is cleared; infinite if never, None if nothing waits or it is unknown."""
    moves: int = 0
    stops_all: bool = False
    is_today: bool = False
    """Whether nothing is changed."""
    option: Option | None = None
    """The answer's option for the strategy that it switches to; None if it keeps today's."""

    def is_in_time(self, allowed_s: float) -> bool:
        """Return whether its backlog is cleared within the time allowed."""
        return self.seconds is not None and self.seconds <= allowed_s

    @property
    def may_be_taken(self) -> bool:
        """Whether the one rule of advice leaves it open."""
        why_not = None if self.option is None else self.option.why_not
        return why_not is None or why_not.ground not in _NOT_TO_PROPOSE


def taken(choices: Sequence[Choice], allowed_s: float) -> Choice | None:
    """Return the choice to take; None if none is in time, for nothing late is ever taken.

    The fewest consumers, then no change, the fewest moves, the cooperative, the soonest.
    """
    in_time = [each for each in choices if each.is_in_time(allowed_s) and each.may_be_taken]
    return min(
        in_time,
        key=lambda each: (
            each.consumers,
            not each.is_today,
            each.moves,
            each.stops_all,
            each.seconds or 0.0,
        ),
        default=None,
    )


FINDING: Final[Sentence] = (
    "Today's {members} {are} enough{weather}.{?is_today}",
    "{title}: {members} {are} in time{weather}.",
    "None of these is in time{weather}.{?first}",
    "No strategy helps{weather} while the cause stands.{?barred}",
    "Under none of these is the backlog known to end{weather}.{?endless}{?assumed}",
    "Under none of these does the backlog end{weather}.{?endless}",
    "No backlog is known, so nothing can be late{weather}.",
)
"""What is enough, or that nothing is."""
EVIDENCE: Final[Sentence] = (
    "the backlog is cleared in {ends} of the {allowed} allowed. {Today}.",
    "the backlog is cleared in {ends} of the {allowed} allowed.",
    "{first} comes first, {late} late.",
    "{barred} would be in time.",
)
ACTION: Final[Sentence] = ("Take {title}.",)
_WEATHER: Final[tuple[tuple[str, str], ...]] = (
    ("arrivals", "{arrivals} times the arrivals"),
    ("lost", "{lost} lost"),
    ("speed", "consumers at {speed} times their speed"),
)


class PlanSaid(NamedTuple):
    """Which choice to take, as plain text; "" where there is nothing to say."""

    finding: str
    evidence: str
    action: str
    is_alarm: bool
    """Whether none of the choices is in time."""

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(filter(None, self[:3]))


def plan_words(
    choices: Sequence[Choice], weather: Weather, allowed_s: float, rests_on: Sequence[str] = ()
) -> PlanSaid:
    """Return which choice to take under this weather, on the conditions that it rests on."""
    best, fields = taken(choices, allowed_s), dict[str, str | bool]()
    fields |= {"allowed": duration(allowed_s), "weather": weather_words(weather)}
    ends = [each for each in choices if each.seconds is not None]
    if best is not None:
        fields |= _of_best(best, choices, allowed_s)
    elif ends:
        fields |= _of_none(ends, allowed_s)
    evidence = said(EVIDENCE, fields)
    if rests_on and ends:
        holds = f"if {listed(list(rests_on))}"
        bare = f"it ends under none {holds}." if "endless" in fields else f"that holds {holds}."
        evidence = f"{holds}: {evidence}" if evidence else bare
        fields["assumed"] = True
    action = "" if best is None or best.is_today else said(ACTION, fields)
    return PlanSaid(
        said(FINDING, fields),
        f"{evidence[:1].upper()}{evidence[1:]}",
        action,
        is_alarm=best is None and bool(ends),
    )


def _of_best(best: Choice, choices: Sequence[Choice], allowed_s: float) -> Mapping[str, str | bool]:
    found: dict[str, str | bool] = {
        "title": best.title,
        "members": plural(best.consumers, "consumer"),
        "are": "is" if best.consumers == 1 else "are",
        "ends": duration(best.seconds or 0.0),
    }
    if best.is_today:
        return found | {"is_today": True}
    today = next((each for each in choices if each.is_today), None)
    if today is None or today.seconds is None or today.is_in_time(allowed_s):
        return found
    late = f"it is {duration(today.seconds - allowed_s)} late"
    ends = "the backlog never ends" if math.isinf(today.seconds) else late
    return found | {"today": f"as it is today, {ends}"}


def _of_none(ends: Sequence[Choice], allowed_s: float) -> Mapping[str, str | bool]:
    first = min(ends, key=lambda each: each.seconds or 0.0)
    if math.isinf(first.seconds or 0.0):
        return {"endless": True}
    if first.is_in_time(allowed_s):
        return {"barred": first.title}
    return {"first": first.title, "late": duration((first.seconds or 0.0) - allowed_s)}


def weather_words(weather: Weather) -> str:
    """Return the weather as the end of a clause; "" for today's.

    >>> weather_words(Weather(arrivals=1.5, lost=2))
    ' with 1.5 times the arrivals and 2 consumers lost'
    """
    values = {
        "arrivals": f"{weather.arrivals:g}" if weather.arrivals != 1 else "",
        "lost": plural(weather.lost, "consumer") if weather.lost else "",
        "speed": f"{weather.speed:g}" if weather.speed != 1 else "",
    }
    parts = [text.format_map(values) for name, text in _WEATHER if values[name]]
    return f" with {listed(parts)}" if parts else ""

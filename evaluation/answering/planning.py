"""Which of several choices to take in all cases asked: the cheapest that is in time, in words.

A case is a weather: what happens to every choice alike.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from evaluation.answering.options import Option
from evaluation.answering.templates import Sentence, said
from evaluation.answering.why_not import Ground
from evaluation.severity import Severity
from evaluation.what_if import Weather
from evaluation.wording import duration, listed, plural

_NOT_TO_PROPOSE: Final = {Ground.CAUSE, Ground.TEXT}
"""On what it rests that a strategy is not proposed even where its figures are in time."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What one choice comes to in each case."""

    title: str
    consumers: int
    counted: str = ""
    """Its consumers, where it changes their number: "36 consumers with Uniform"."""
    ends: tuple[float | None, ...]
    """Seconds until the backlog is cleared; infinite if never, None if nothing waits or unknown."""
    moves: int = 0
    stops_all: bool = False
    is_today: bool = False
    """Whether nothing is changed."""
    option: Option | None = None
    """The answer's option for the strategy that it switches to; None if it keeps today's."""

    def stands(self, allowed_s: float) -> tuple[bool, ...]:
        """Return in which cases its backlog is cleared within the time allowed."""
        return tuple(seconds is not None and seconds <= allowed_s for seconds in self.ends)

    @property
    def may_be_taken(self) -> bool:
        """Whether the one rule of advice leaves it open."""
        why_not = None if self.option is None else self.option.why_not
        return why_not is None or why_not.ground not in _NOT_TO_PROPOSE

    @property
    def subject(self) -> str:
        """What a sentence calls it."""
        today = f"today's {plural(self.consumers, 'consumer')}"
        return today if self.is_today else self.counted or self.title

    @property
    def verb(self) -> str:
        """What follows the subject."""
        is_many = (self.is_today or self.counted) and self.consumers != 1
        return "are" if is_many else "is"


class ScenarioKind(Enum):
    """What the choices come to in the cases asked."""

    KEEP = "keep"
    """Today's consumers are in time in every case."""
    TAKE = "take"
    """Another choice is."""
    PART = "part"
    """Some are in time in some of the cases, none in all."""
    LATE = "late"
    """None is in time in any case."""
    ENDLESS = "endless"
    """The backlog ends under none, in no case."""
    BARRED = "barred"
    """What would be in time is not proposed, whatever its figures."""
    UNKNOWN = "unknown"
    """No backlog is known."""

    @property
    def severity(self) -> Severity:
        """How urgent it is."""
        if self in {ScenarioKind.LATE, ScenarioKind.ENDLESS, ScenarioKind.BARRED}:
            return Severity.ALARM
        return Severity.WARNING if self is ScenarioKind.PART else Severity.FINE


class ScenarioVerdict(NamedTuple):
    """What to take, and the case that decides it."""

    kind: ScenarioKind
    taken: Choice | None
    """What is in time in every case, or in most of them if none is; None if in no case."""
    case: int
    """The number of the case that decides."""


def taken(choices: Sequence[Choice], allowed_s: float) -> Choice | None:
    """Return the choice in time in all cases; None if none is, for nothing late is ever taken."""
    every = [each for each in choices if all(each.stands(allowed_s))]
    return _cheapest(every, allowed_s)


def _cheapest(choices: Sequence[Choice], allowed_s: float) -> Choice | None:
    """Return what is in time in most cases.

    Of several the fewest consumers, then no change, the fewest moves, the cooperative, the soonest.
    """
    return min(
        (each for each in choices if each.may_be_taken and any(each.stands(allowed_s))),
        key=lambda each: (
            -sum(each.stands(allowed_s)),
            each.consumers,
            not each.is_today,
            each.moves,
            each.stops_all,
            max(seconds or 0.0 for seconds in each.ends),
        ),
        default=None,
    )


def decided(choices: Sequence[Choice], allowed_s: float) -> ScenarioVerdict:
    """Return what to take of choices that were all tried in the same cases."""
    kind, best = ScenarioKind.TAKE, taken(choices, allowed_s)
    if best is not None:
        kind = ScenarioKind.KEEP if best.is_today else kind
        return ScenarioVerdict(kind, best, _hardest(best, choices, allowed_s))
    ends = [each.ends for each in choices if None not in each.ends]
    if not ends:
        return ScenarioVerdict(ScenarioKind.UNKNOWN, None, 0)
    best = _cheapest(choices, allowed_s)
    if best is not None:
        return ScenarioVerdict(ScenarioKind.PART, best, _unstood(best, choices, allowed_s))
    soonest = [min(case, key=_seconds) for case in zip(*ends, strict=True)]
    case = min(range(len(soonest)), key=lambda at: _seconds(soonest[at]))
    if math.isinf(_seconds(soonest[case])):
        kind = ScenarioKind.ENDLESS
    else:
        is_in_time = _seconds(soonest[case]) <= allowed_s
        kind = ScenarioKind.BARRED if is_in_time else ScenarioKind.LATE
    return ScenarioVerdict(kind, None, case)


def _hardest(best: Choice, choices: Sequence[Choice], allowed_s: float) -> int:
    """Return the case that today's consumers do not stand, or in which the best takes longest."""
    today = next((each for each in choices if each.is_today), best)
    late = [not stands for stands in today.stands(allowed_s)]
    cases = range(len(best.ends))
    return max(cases, key=lambda at: (late[at], _seconds(best.ends[at]), _seconds(today.ends[at])))


def _unstood(best: Choice, choices: Sequence[Choice], allowed_s: float) -> int:
    """Return the first case that no choice stands, or that the best does not."""
    by_case = zip(*(each.stands(allowed_s) for each in choices), strict=True)
    none = [at for at, stands in enumerate(by_case) if not any(stands)]
    return none[0] if none else best.stands(allowed_s).index(False)


def _seconds(seconds: float | None) -> float:
    return 0.0 if seconds is None else seconds


FINDING: Final[Sentence] = (
    "Today's {members} {are} enough{even}.{?is_today}",
    "{case} is safe with {subject}; {today}.{?is_safe}",
    "{case} is safe with {subject}.{?is_safe}",
    "{Subject} {are} in time{even}; {today}.",
    "{Subject} {are} in time{even}.",
    "None of these is in time in all {cases}.{?in_turn}",
    "None of these is known to be in time{weather}.{?rest}{?assumed}",
    "None of these is in time{weather}.{?rest}",
    "None of these is known to be in time{in_any}.{?late}{?assumed}",
    "None of these is in time{in_any}.{?late}",
    "No strategy helps{weather} while the cause stands.{?barred}",
    "Under none of these is the backlog known to end{in_any}.{?endless}{?assumed}",
    "Under none of these does the backlog end{in_any}.{?endless}",
    "No backlog is known, so nothing can be late.",
)
"""What is enough, or that nothing is."""
EVIDENCE: Final[Sentence] = (
    "the backlog is cleared in {ends} of the {allowed} allowed. {Next}, {late} late.{?in_time}",
    "the backlog is cleared in {ends} of the {allowed} allowed.{?in_time}",
    "{rest}.{?in_turn}",
    "{next}, {late} late. {Rest}.",
    "in that case the backlog never ends. {Rest}.",
    "{next}, {late} late{in_case}.",
    "{barred} would be in time.",
)
ACTION: Final[Sentence] = (
    "Take {title}; plan this case on Consumers.{?is_asked}",
    "Take {title}.",
    "Plan this case on Consumers.{?is_asked}",
)


class PlanSaid(NamedTuple):
    """Which choice to take, and in plain text; "" where there is nothing to say."""

    verdict: ScenarioVerdict
    finding: str
    evidence: str
    action: str
    is_asked: bool
    """Whether the page Consumers is where to go on with the case that decides."""

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(filter(None, self[1:4]))


def plan_words(
    choices: Sequence[Choice],
    weathers: Sequence[Weather],
    allowed_s: float,
    rests_on: Sequence[str] = (),
) -> PlanSaid:
    """Return which choice to take in these cases, on the conditions that it rests on."""
    verdict = decided(choices, allowed_s)
    case, many = weathers[verdict.case], len(weathers) > 1
    clause = weather_words(case)
    cases = f"{len(weathers):,} cases"
    fields: dict[str, str | bool] = {
        "allowed": duration(allowed_s),
        "weather": clause or (" today" if many else ""),
        "cases": cases,
        "even": f", even{clause}" if many and clause else clause,
        "in_any": f" in any of the {cases}" if many else clause,
        "in_case": clause if many else "",
    }
    fields |= _fields(verdict, choices, allowed_s, clause or " today")
    if verdict.kind is ScenarioKind.TAKE and case.name and case.changes:
        fields |= {"case": f"{case.name} ({listed(case.changes)})", "is_safe": True}
    if may_be_asked(case) and verdict.kind.severity is not Severity.FINE and "barred" not in fields:
        fields["is_asked"] = True
    evidence = said(EVIDENCE, fields)
    if rests_on and verdict.kind is not ScenarioKind.UNKNOWN:
        holds = f"if {listed(list(rests_on))}"
        bare = f"it ends under none {holds}." if "endless" in fields else f"that holds {holds}."
        evidence = f"{holds}: {evidence}" if evidence else bare
        fields["assumed"] = True
    return PlanSaid(
        verdict,
        said(FINDING, fields),
        f"{evidence[:1].upper()}{evidence[1:]}",
        said(ACTION, fields),
        is_asked="is_asked" in fields,
    )


def may_be_asked(case: Weather) -> bool:
    """Return whether the page Consumers can plan for this case."""
    return case.speed == 1 and case.lost <= 1


def _fields(
    verdict: ScenarioVerdict, choices: Sequence[Choice], allowed_s: float, weather: str
) -> Mapping[str, str | bool]:
    """Return the figures of the sentences on a verdict; ``weather`` ends a clause."""
    kind, best, case = verdict
    if kind in {ScenarioKind.KEEP, ScenarioKind.TAKE} and best is not None:
        return _of_best(best, choices, case, allowed_s)
    if kind is ScenarioKind.PART and best is not None:
        return _of_part(best, choices, case, allowed_s, weather)
    if kind is ScenarioKind.ENDLESS:
        return {"endless": True}
    if kind is ScenarioKind.UNKNOWN:
        return {}
    first = min(choices, key=lambda each: _seconds(each.ends[case]))
    if kind is ScenarioKind.BARRED:
        return {"barred": first.title}
    return _next(first, "first", case, allowed_s)


def _of_best(
    best: Choice, choices: Sequence[Choice], case: int, allowed_s: float
) -> Mapping[str, str | bool]:
    found: dict[str, str | bool] = {
        "members": plural(best.consumers, "consumer"),
        "are": best.verb,
        "ends": duration(_seconds(best.ends[case])),
        "in_time": True,
    }
    if best.is_today:
        return found | {"is_today": True}
    found |= {"title": best.title, "subject": best.subject}
    for each in choices:
        if each.is_today and not each.stands(allowed_s)[case]:
            found["today"] = _late(each, best, case, allowed_s)
    others = [each for each in choices if not each.is_today and each is not best]
    late = [each for each in others if allowed_s < _seconds(each.ends[case]) < math.inf]
    if late:
        runner = min(late, key=lambda each: _seconds(each.ends[case]))
        found |= _next(runner, "next", case, allowed_s)
    return found


def _next(choice: Choice, place: str, case: int, allowed_s: float) -> Mapping[str, str]:
    """Return which choice comes first or next, and how late."""
    late = duration(_seconds(choice.ends[case]) - allowed_s)
    come = "come" if choice.verb == "are" else "comes"
    return {"next": f"{choice.subject} {come} {place}", "late": late}


def _late(today: Choice, best: Choice, case: int, allowed_s: float) -> str:
    """Return how late today's consumers are, beside what is in time."""
    count = "one" if today.consumers == 1 else f"{today.consumers:,}"
    is_other = today.consumers != best.consumers
    who = f"today's {count}" if is_other else f"as assigned today, the {count}"
    if math.isinf(_seconds(today.ends[case])):
        return f"{who} never {'catches' if count == 'one' else 'catch'} up"
    return f"{who} {today.verb} {duration(_seconds(today.ends[case]) - allowed_s)} late"


def _of_part(
    best: Choice, choices: Sequence[Choice], case: int, allowed_s: float, weather: str
) -> Mapping[str, str | bool]:
    """Return the figures of what is in time in some cases, and not under this ``weather``."""
    first = min(choices, key=lambda each: _seconds(each.ends[case]))
    found: dict[str, str | bool] = {}
    if math.isfinite(_seconds(first.ends[case])):
        found |= _next(first, "first", case, allowed_s)
    is_in_turn = any(each.stands(allowed_s)[case] for each in choices)
    who = f"{best.subject} {best.verb}"
    if first is best and not is_in_turn:
        who = "they are" if best.verb == "are" else "it is"
    rest = f"{who} in time in {sum(best.stands(allowed_s)):,} of {len(best.ends):,} cases"
    today = next((each for each in choices if each.is_today and each is not best), None)
    if is_in_turn:
        found["in_turn"] = True
        rest = f"{rest}, not{weather}"
    elif today is not None:
        rest = f"{rest}, today's assignment in {sum(today.stands(allowed_s)) or 'none'}"
    found["rest"] = rest
    return found if best.is_today else found | {"title": best.title}


def weather_words(weather: Weather) -> str:
    """Return the weather as the end of a clause; "" for today's.

    >>> weather_words(Weather(arrivals=1.5, lost=2))
    ' with 1.5 times the arrivals and 2 consumers lost'
    >>> weather_words(Weather("Black Friday", arrivals=1.5))
    ' under Black Friday (1.5 times the arrivals)'
    """
    changes = listed(weather.changes) if weather.changes else ""
    if weather.name:
        return f" under {weather.name}{f' ({changes})' if changes else ''}"
    return f" with {changes}" if changes else ""

"""What each what-if comes to: load, time, moves, consumers and cost, on one set of facts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.configuration import configuration
from evaluation.ending import end_s, proposal
from evaluation.facts import Facts
from evaluation.judging import judged
from evaluation.load import Load
from evaluation.metrics import REAL_GAIN
from evaluation.rebalance.switching import rolling_restarts, way_in_words
from evaluation.what_if import WhatIf, applied, titles
from evaluation.wording import duration, listed, plural
from ui import cache
from ui.clients import client
from ui.price import HOURS_A_MONTH
from ui.untrusted import verbatim


@dataclass(frozen=True, eq=False, kw_only=True)
class ScenarioColumn:
    """One what-if with everything that is said of it."""

    title: str
    what_if: WhatIf
    group: Group
    """With its weights."""
    load: Load
    """What decides, the same in every column."""
    strategy: Strategy | None
    """None where the present owners are shown."""
    outcome: Outcome
    seconds: float | None
    """Until the backlog is cleared, from then on; infinite if never; None without lag."""
    way: str
    notes: tuple[str, ...]

    @property
    def never_ends(self) -> bool:
        """Whether some consumer gets more than it reads."""
        return self.seconds is not None and math.isinf(self.seconds)


def columns(
    group: Group, comparison: Comparison, what_ifs: Sequence[WhatIf], found: Facts
) -> tuple[ScenarioColumn, ...]:
    """Return a column for each what-if of a group, judged as its comparison is."""
    return tuple(
        _column(_Asked(group, comparison, found), what_if, title)
        for what_if, title in zip(what_ifs, titles(what_ifs), strict=True)
    )


def usual(group: Group, comparison: Comparison, found: Facts) -> tuple[WhatIf, ...]:
    """Return what is asked first: today, the proposal, and a quarter more consumers."""
    best = proposal(group, comparison.advice, found)
    recommended = () if best is None else (WhatIf(strategy=best.strategy),)
    return (WhatIf(), *recommended, WhatIf(consumers=max(group.member_count // 4, 1)))


class _Asked(NamedTuple):
    """What every column is computed from."""

    group: Group
    comparison: Comparison
    found: Facts


def _column(asked: _Asked, what_if: WhatIf, title: str) -> ScenarioColumn:
    group, comparison, found = asked
    runs, measure = comparison.runs, comparison.measure
    changed, notes = applied(group, what_if, found.arriving)
    is_same = changed.members == group.members and changed.topics == group.topics
    is_same = is_same and changed.partition_count == group.partition_count
    # The very group of the Compare page, of which more may have been drawn meanwhile.
    as_it_is = group if is_same and what_if.arrivals == 1 else changed
    weighed = judged(as_it_is, measure, changed.offsets.rates)
    now = cache.present_owners(weighed)
    strategy, way = what_if.strategy or runs, "nothing changes"
    if what_if.strategy is None and is_same and now is not None:
        outcome, strategy = now, None
    else:
        if strategy is None:
            strategy = client().settable[0]
            notes = (*notes, f"Nothing tells which strategy runs; {strategy.label} is assumed.")
        before = strategy if what_if.strategy is None else runs
        outcome = cache.expected(weighed, (strategy,), before)[0]
        way = _way(outcome, strategy, before)
    return ScenarioColumn(
        title=title,
        what_if=what_if,
        group=weighed,
        load=comparison.load,
        strategy=strategy,
        outcome=outcome,
        seconds=_seconds(changed, outcome, found),
        way=way,
        notes=notes,
    )


def _way(outcome: Outcome, strategy: Strategy, before: Strategy | None) -> str:
    if outcome.figures.moved is None:
        return "the first start"
    if outcome.outlook is None:
        return way_in_words(0)
    is_to_be_had = strategy == before or configuration(strategy, client(), before).steps
    if not is_to_be_had:
        return "an assignor of your own"
    return way_in_words(None if before is None else rolling_restarts(before, strategy))


def _seconds(group: Group, outcome: Outcome, found: Facts) -> float | None:
    if not group.counted_lags.any():
        return None
    return end_s(group, outcome.owners, found)


def rows(
    shown: Sequence[ScenarioColumn], price: float | None, currency: str
) -> dict[str, list[str]]:
    """Return the table: a list for each measure, with a text for each column."""
    table = {
        "Busiest consumer": [_load(each) for each in shown],
        "Backlog cleared after": [_cleared(each) for each in shown],
        "Way there": [each.way for each in shown],
        "Partitions that move": [_moved(each) for each in shown],
        "Consumers": [f"{each.group.member_count:,}" for each in shown],
        "Partitions": [f"{each.group.partition_count:,}" for each in shown],
    }
    if price is not None:
        table["Cost a month"] = [
            f"{currency} {each.group.member_count * price * HOURS_A_MONTH:,.0f}".strip()
            for each in shown
        ]
    return table


def conclusion(shown: Sequence[ScenarioColumn], allowed_s: float, rests_on: Sequence[str]) -> str:
    """Return, in Markdown, which of the scenarios to take, from figures alone.

    The cheapest that clears the backlog in the time allowed: the fewest consumers, then the
    fewest moves. If none does, the cheapest of those that clear it first, where less than 1 % is
    no gain; without lag, the most even one.
    """
    lead = f"If {listed(rests_on)}, " if rests_on else ""
    timed = [each for each in shown if each.seconds is not None and not each.never_ends]
    if not timed:
        if any(each.never_ends for each in shown):
            said = "under none of these does the backlog end: some consumer gets more than it reads"
            return _sentence(f"{lead}{said}.")
        best = min(shown, key=lambda each: (each.load.of(each.outcome), each.group.member_count))
        return _sentence(
            f"**{verbatim(best.title)}** has the least on its busiest consumer: {_load(best)}."
        )
    in_time = [each for each in timed if (each.seconds or 0) <= allowed_s]
    least = min(each.seconds or 0 for each in timed)
    soonest = [each for each in timed if (each.seconds or 0) * (1 - REAL_GAIN) <= least]
    best = min(
        in_time or soonest, key=lambda each: (each.group.member_count, _moves(each), each.seconds)
    )
    what = f"we should take **{verbatim(best.title)}**"
    allowed = f"within the {duration(allowed_s)} allowed"
    which = ", the fewest of these" if in_time else ""
    when = allowed if in_time else f"sooner than with the others, though not {allowed}"
    if best.strategy is None:
        what = "nothing has to change" if in_time else "we should change nothing"
        when = allowed if in_time else f"not {allowed}, and with the others no sooner"
    said = (
        f"{what}: with {plural(best.group.member_count, 'consumer')}{which}, the backlog is "
        f"cleared in **{duration(best.seconds or 0)}**, {when}"
    )
    return _sentence(f"{lead}{said}.")


def _sentence(text: str) -> str:
    first = next((k for k, letter in enumerate(text) if letter.isalnum()), 0)  # behind emphasis
    return f"{text[:first]}{text[first].upper()}{text[first + 1 :]}"


def notes(shown: Sequence[ScenarioColumn]) -> Iterator[str]:
    """Yield what is assumed and what does not apply, each once, with the scenarios it is of."""
    of: dict[str, list[str]] = {}
    for each in shown:
        for note in each.notes:
            of.setdefault(note, []).append(each.title)
    for note, titles_of in of.items():
        yield note if len(titles_of) == len(shown) else f"{listed(titles_of)}: {note}"


def _load(column: ScenarioColumn) -> str:
    load, outcome = column.load, column.outcome
    span = load.span_said(outcome)
    return f"{load.said(outcome)}{f' ({span})' if span else ''}"


def _cleared(column: ScenarioColumn) -> str:
    if column.seconds is None:
        is_known = column.group.is_lag_known[column.group.is_wanted].all()
        return "no backlog" if is_known else "unknown"
    return "never" if column.never_ends else duration(column.seconds)


def _moves(column: ScenarioColumn) -> int:
    return column.outcome.figures.moved or 0


def _moved(column: ScenarioColumn) -> str:
    moved = column.outcome.figures.moved
    return "-" if moved is None or column.strategy is None else f"{moved:,}"

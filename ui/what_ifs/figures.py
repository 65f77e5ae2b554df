"""What each what-if comes to: load, time, moves, consumers and cost, on one set of facts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.answering.answer import Answer
from evaluation.answering.ending import end_s
from evaluation.answering.options import Option
from evaluation.answering.planning import Choice
from evaluation.capacity.draining import (
    Capacity,
    demand_of,
    headroom_of,
    known_rates,
    speeds,
)
from evaluation.capacity.planning import cost_a_month
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.configuration import configuration
from evaluation.judging import judged
from evaluation.measuring.facts import Facts
from evaluation.rebalance.switching import fewest_restarts, rolling_restarts, way_in_words
from evaluation.what_if import Asked, Weather, WhatIf, applied, titles
from evaluation.wording import duration, listed, percent
from ui import cache
from ui.clients import client


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
    flow: Group
    """With the arrivals under the weather."""
    facts: Facts
    """How fast consumers read under it."""
    seconds: float | None
    """Until the backlog is cleared, from then on; infinite if never; None without lag."""
    way: str
    notes: tuple[str, ...]
    option: Option | None = None
    """The answer's option for the strategy that it switches to."""

    @property
    def is_today(self) -> bool:
        """Whether it changes nothing, whatever the weather does."""
        return self.what_if == WhatIf(self.what_if.name)

    @property
    def stops_all(self) -> bool:
        """Whether its rebalances stop all consumers."""
        return self.strategy is not None and self.strategy.protocol is Protocol.EAGER

    @property
    def never_ends(self) -> bool:
        """Whether some consumer gets more than it reads."""
        return self.seconds is not None and math.isinf(self.seconds)


def columns(asked: Asked, answer: Answer) -> tuple[ScenarioColumn, ...]:
    """Return a column for each choice of a group under one weather, judged as its answer is."""
    return tuple(
        _column(what_if, title, asked.weather, answer)
        for what_if, title in zip(asked.choices, titles(asked.choices), strict=True)
    )


def usual(answer: Answer) -> tuple[WhatIf, ...]:
    """Return what is asked first: today, the proposal, and a quarter more consumers."""
    proposal = answer.proposal
    strategy = None if proposal is None else proposal.strategy
    recommended = () if strategy is None else (WhatIf(strategy=strategy),)
    return (WhatIf(), *recommended, WhatIf(consumers=max(answer.group.member_count // 4, 1)))


def _column(what_if: WhatIf, title: str, weather: Weather, answer: Answer) -> ScenarioColumn:
    group, known, running = answer.group, answer.known, answer.running
    changed, notes = applied(group, what_if, known.facts.arriving, weather)
    is_same = changed.members == group.members and changed.topics == group.topics
    is_same = is_same and changed.partition_count == group.partition_count
    # The very group of the Group page, of which more may have been drawn meanwhile.
    as_it_is = group if is_same and weather.arrivals == 1 else changed
    weighed = judged(as_it_is, known.measure, changed.offsets.rates)
    now = cache.present_owners(weighed)
    stays = running.presumed or client().default
    strategy: Strategy | None = None
    way = "nothing changes"
    if what_if.strategy is None and is_same and now is not None:
        outcome = now
    else:
        if what_if.strategy is None and running.strategy is None:
            notes = (*notes, f"The running strategy is unknown; {stays.label} is assumed.")
        strategy = what_if.strategy or stays
        outcome = cache.expected(weighed, (strategy,), running.presumed)[0]
        way = _way(outcome, strategy, running.presumed)
    facts = _facts_in(weather, known.facts, None if is_same else changed.member_count)
    return ScenarioColumn(
        title=title,
        what_if=what_if,
        group=weighed,
        load=answer.load,
        strategy=strategy,
        outcome=outcome,
        option=answer.option_for(what_if.strategy) if what_if.strategy else None,
        flow=changed,
        facts=facts,
        seconds=_seconds(changed, outcome, facts),
        way=way,
        notes=notes,
    )


def _facts_in(weather: Weather, facts: Facts, consumers: int | None) -> Facts:
    """Return the facts where consumers read at another speed; one partition no faster than they.

    Nobody has seen the ``consumers`` of another group read; None are those of the facts.
    """
    speed, cap = facts.speed, facts.partition_cap
    slower = speed._replace(records_s=speed.records_s * weather.speed)
    capped = None if cap is None else cap * min(weather.speed, 1.0)
    reading = facts.reading * weather.speed if consumers is None else np.full(consumers, np.nan)
    return replace(facts, speed=slower, partition_cap=capped, reading=reading)


def _way(outcome: Outcome, strategy: Strategy, before: Strategy | None) -> str:
    if outcome.figures.moved is None:
        return "the first start"
    if outcome.outlook is None:
        return way_in_words(0)
    is_to_be_had = strategy == before or configuration(strategy, client(), before).steps
    if not is_to_be_had:
        return "an assignor of your own"
    if before is None:
        return way_in_words(None)
    return way_in_words(rolling_restarts(before, strategy), fewest_restarts(before, strategy))


def _seconds(group: Group, outcome: Outcome, facts: Facts) -> float | None:
    if not group.counted_lags.any():
        return None
    return end_s(group, outcome.owners, facts)


def choices_of(shown: Sequence[ScenarioColumn]) -> list[Choice]:
    """Return what each column comes to, to choose among."""
    return [
        Choice(
            title=each.title,
            consumers=each.group.member_count,
            seconds=each.seconds,
            moves=_moves(each),
            stops_all=each.stops_all,
            is_today=each.is_today,
            option=each.option,
        )
        for each in shown
    ]


def rows(
    shown: Sequence[ScenarioColumn], price: float | None, currency: str, allowed_s: float
) -> dict[str, list[str]]:
    """Return the table: a list for each measure, with a text for each column."""
    table = {
        "In time?": [_in_time(each, allowed_s) for each in shown],
        "Time to clear": [_cleared(each) for each in shown],
        "Busiest consumer": [_load(each) for each in shown],
        "Headroom": [_headroom(each, allowed_s) for each in shown],
        "Partitions that move": [_moved(each) for each in shown],
        "Stops reading": [_stops(each) for each in shown],
    }
    if price is not None:
        table["Cost a month"] = [
            f"{currency} {cost_a_month(each.group.member_count, price):,.0f}".strip()
            for each in shown
        ]
    return table | {
        "Way there": [each.way for each in shown],
        "Strategy": [_strategy(each) for each in shown],
        "Consumers": [f"{each.group.member_count:,}" for each in shown],
        "Partitions": [f"{each.group.partition_count:,}" for each in shown],
    }


def _in_time(column: ScenarioColumn, allowed_s: float) -> str:
    seconds = column.seconds
    if seconds is None:
        return "-"
    if seconds <= allowed_s:
        return "in time"
    return "never" if column.never_ends else f"{duration(seconds - allowed_s)} late"


def _headroom(column: ScenarioColumn, allowed_s: float) -> str:
    """Return by how much more may arrive, with everything still in time."""
    group, facts = column.flow, column.facts
    if group.offsets.rates is None or not known_rates(group).any() or not facts.speed.records_s:
        return "-"
    capacity = Capacity(
        throughput=facts.speed.records_s, partition_cap=facts.partition_cap, allowed_s=allowed_s
    )
    read = speeds(group, capacity.throughput)
    share = headroom_of(demand_of(group, capacity), column.outcome.owners, read, capacity)
    return f"{percent(share)} more arrivals" if share > 0 else "none"


def _stops(column: ScenarioColumn) -> str:
    if column.is_today or column.strategy is None:
        return "nothing"
    return "all consumers" if column.stops_all else "what moves"


def _strategy(column: ScenarioColumn) -> str:
    return "as it is" if column.strategy is None else column.strategy.label


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
